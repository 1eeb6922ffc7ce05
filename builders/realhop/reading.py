"""Facts read back from text, without knowledge of any plan: controlled sentences, and nothing else, become atoms."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from builders.realhop.frames import framed
from builders.realhop.function_words import FUNCTION_WORDS, PRONOUNS
from builders.realhop.phrases import find
from builders.realhop.tokens import ENTRY, Token, tokenised

_SENTENCE = re.compile(r"\S.*?(?:[.!?]+[\"'”’)\]]*(?=\s|$)|$)", re.MULTILINE)
_IS_ABOUT = re.compile(rf"E(ntry {ENTRY.removeprefix('entry ')}) is about (.+)\.")
_MOST_WORDS = 10  # beside names; a sentence that says more may imply what its frame does not show


@dataclass(frozen=True)
class Atom:
    """A fact: `{} <> {}` with its relation and names; all ways of saying it in one voice and order give one atom."""

    relation: str  # key of relations.tsv
    frame: str  # `{}` for each name in `args`, `<>` for the relation; `_` for the subject of an agentless passive
    args: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """What a text says: its atoms, and the sentences not read that mention one of the names asked for."""

    atoms: tuple[Atom, ...]
    unread: tuple[str, ...]


@lru_cache(maxsize=4096)  # a proof reads what is left of an item again and again
def read_sentence(text: str) -> Atom | None:
    """Return the atom of a controlled sentence; None without a known relation or names, of a pronoun, if too long."""
    tokens = tokenised(text)
    tokens = tokens and _adjunct_last(tokens)
    found = find(tokens) if tokens else None
    if not tokens or not found or tokens[0].text in PRONOUNS:
        return None
    frame = framed(tokens, found)
    args = tuple(token.text for token in frame if token.is_arg)
    is_long = len(frame) - len(args) > _MOST_WORDS
    words = " ".join("{}" if token.is_arg else token.text for token in frame)
    return Atom(found.relation, words, args) if args and not is_long else None


def read_text(text: str, names: Iterable[str] = ()) -> Reading:
    """Read every sentence; the two units of a hardened fact count together alone, joined by their register entry.

    A sentence that is not read but mentions one of `names` (whole words, any case) is reported.
    """
    sentences = _SENTENCE.findall(text)
    subjects = [(f"e{match[1]}", match[2]) for one in sentences if (match := is_about(one))]
    mention = _mention(names)
    atoms: list[Atom] = []
    unread: list[str] = []
    for sentence in sentences:
        atom = None if is_about(sentence) else read_sentence(sentence)
        if atom:
            atoms += _resolved(atom, subjects)
        elif mention and mention.search(sentence) and not is_about(sentence):
            unread.append(sentence)
    return Reading(tuple(dict.fromkeys(atoms)), tuple(unread))


@lru_cache(maxsize=4096)
def is_about(text: str) -> re.Match[str] | None:
    """Return the match of a sentence that says whom or what an entry is about, and no more: group 2 is one name."""
    found = _IS_ABOUT.fullmatch(text)
    subject = tokenised(f"{found[2]}.") if found else None
    return found if subject and len(subject) == 1 and subject[0].is_arg else None


def _resolved(atom: Atom, subjects: list[tuple[str, str]]) -> list[Atom]:
    """Return the atom with each subject in place of its entry: itself if it has none, nothing if no unit tells."""
    entry = next((arg for arg in atom.args if re.fullmatch(ENTRY, arg)), None)
    if entry is None:
        return [atom]
    filled = (
        replace(atom, args=tuple(name if arg == entry else arg for arg in atom.args))
        for about, name in subjects
        if about == entry
    )
    return [joined for one in filled for joined in _resolved(one, [pair for pair in subjects if pair[0] != entry])]


def _adjunct_last(tokens: tuple[Token, ...]) -> tuple[Token, ...] | None:
    """Move an opening `In 1911 ,` or `Along with A ,` to the end; any other comma makes a sentence unreadable."""
    commas = [i for i, token in enumerate(tokens) if token.text == "," and not token.is_arg]
    if not commas:
        return tokens
    at = commas[0]
    if len(commas) > 1 or tokens[0].is_arg or tokens[0].text not in FUNCTION_WORDS:
        return None
    return (*tokens[at + 1 :], *tokens[:at])


def _mention(names: Iterable[str]) -> re.Pattern[str] | None:
    found = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)", re.IGNORECASE) if found else None
