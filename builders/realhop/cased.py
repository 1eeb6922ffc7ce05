"""The words of a question in their case: its own capitals and those that the item's texts show."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from builders.truecase import restore_case

WORD = re.compile(r"#\d+|&|[$€£]?\d[\d,]*\d(?:[-–]\d+)?%?|\w+(?:[’'.&/*-]\w+)*")
_OWNED = re.compile(r"['’]s$")
FUNCTION = frozenset(
    """a an the of in on at by for to from with and or as is are was were be been do does did has have had who whom
    whose what which when where how why that this these those it its he she they his her their not no other also than
    into during after before about there if along besides same most more i""".split()
)
# A capital that a question gives to an ordinary noun, standing alone, makes no name of it.
GENERIC = frozenset(
    """governor president king queen prince princess emperor pope bishop senator mayor minister general captain state
    county city country river island province district region department municipality capital church basilica university
    school college team league band group song album film movie book novel series show season character actor actress
    award county largest city's american's name list there government army navy house court bible
    sun moon earth atms little tv spouse sibling child children father mother brother sister employer performer creator
    author founder owner producer composer director screenwriter publisher developer manufacturer operator religion
    continent winner host singer narrator leader merchant castle person people man woman member chief judge justice
    prime minister vice-president vice chairman secretary speaker archbishop""".split()
)


@dataclass(frozen=True)
class Word:
    """A word of a text at [start, end), its possessive ending left out; `named` if it looks like part of a name."""

    norm: str
    start: int
    end: int
    named: bool
    own: bool  # by the text's own capital or figure, not by the context alone


def norms_of(text: str) -> tuple[str, ...]:
    """The words of a name in lower case, possessive endings, full stops and a leading article left out."""
    found = [norm(match.group()) for match in WORD.finditer(text)]
    return tuple(found[1:] if len(found) > 1 and found[0] in {"the", "a", "an"} else found)


def norm(word: str) -> str:
    """A word in small letters, without a possessive ending and full stops."""
    return "and" if word == "&" else _OWNED.sub("", word).replace(".", "").casefold()


def words(text: str, context: Sequence[str] = ()) -> list[Word]:
    """The words of a question, capitals restored from the context."""
    cased = _cased(text, tuple(context))
    found = []
    for match in WORD.finditer(text):
        word = _OWNED.sub("", match.group())
        end = match.start() + len(word)
        shown = cased[match.start() : end]
        opens = not re.search(r"\w", text[: match.start()])
        named = bool(re.match(r"[$€£]?\d|[^\W\da-z]|[a-z]+[A-Z]", shown))
        own = (not opens and word != word.lower()) or word[0].isdigit()
        if shown.casefold() in FUNCTION and not own:
            named = False
        found.append(Word(norm(word), match.start(), end, named, own))
    return found


@lru_cache(maxsize=4096)
def _cased(text: str, context: tuple[str, ...]) -> str:
    """The text with its own capitals and those that the context shows."""
    restored = restore_case(text.lower(), context)
    if len(restored) != len(text):
        return text
    first = next((match.end() for match in WORD.finditer(text)), 0)
    own = text if text[first:] != text[first:].lower() or len(text) < 2 else text[0].lower() + text[1:]
    return "".join(there if there.isupper() else here for here, there in zip(own, restored, strict=True))


def places(found: Sequence[Word], form: Sequence[str]) -> list[int]:
    """Where a word sequence starts among words."""
    size = len(form)
    return [i for i in range(len(found) - size + 1) if all(found[i + k].norm == form[k] for k in range(size))]
