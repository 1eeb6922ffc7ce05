"""Rewrite every mention of an entity in a text: full, surname, given name, acronym, possessive, part of a name."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from builders.countries import renamings as country_names
from builders.entities import VALUE_TYPES
from builders.genadv.values import value_forms
from eval.answers import tokens

# Capitalised words that are parts of many names, so that one of them alone is no mention of any.
GENERIC = frozenset(
    """the of and a an in on at de la le von van der den del di da el al saint st san new old north south east west
    northern southern eastern western central great upper lower united states kingdom republic city county river lake
    mount mountain island islands university college school church house hall park street road bridge castle palace
    museum theatre theater hospital station airport national international royal state world war battle union league
    cup prize award awards festival king queen prince princess president lord lady sir dr mr mrs ms jr sr ii iii
    american british english french german first second third day year film band album song show series part season
    club team company group association council party court army navy force air music academy institute society
    january february march april may june july august september october november december""".split()
)
# `the first film` is a mention of an ordinal, `was first shown` is none.
_BEFORE_ORDINAL = r"(?<=\b(?i:the|his|her|its|our) )"
# `six` is no part of `sixty-six`, nor `5` of `5,000`.
_NO_NUMBER_BEFORE, _NO_NUMBER_BEHIND = r"(?<![a-z]-)(?<![0-9][-.,])", r"(?!-[a-z])(?![.,][0-9])"
_BETWEEN = r"[A-ZÀ-ÖØ-Þ][\w.'’-]*\s+"


@dataclass(frozen=True)
class Renaming:
    """An entity, its other names, and the name that takes their place everywhere."""

    name: str
    type: str
    new: str
    aliases: tuple[str, ...] = ()


class Form(NamedTuple):
    """One way to mention an entity, and how it reads under the new name."""

    pattern: str
    new: str
    is_part: bool = False  # a word of a longer name: no mention where it belongs to yet another name


@dataclass(frozen=True)
class Rewriter:
    """Rewrites texts under some renamings in one pass, so that no replacement is replaced again."""

    renamings: tuple[Renaming, ...]
    common: AbstractSet[str] = frozenset()  # words that the texts also use in lower case: no mention on their own

    def rewrite(self, text: str) -> str:
        """Return the text with every mention rewritten; `a` or `an` before a mention follows the new name."""
        return self._pattern.sub(self._renamed, text) if self._forms else text

    def mentioned(self, text: str) -> bool:
        """Whether the text mentions one of the entities in any form."""
        return self.rewrite(text) != text

    def repeated(self, text: str) -> str:
        """Return a new name that stands twice in one sentence: names of different people or things became one."""
        names = [renaming.new for renaming in self.renamings if renaming.type not in VALUE_TYPES]
        sentences = re.split(r"(?<=[.!?])\s|\n", text)
        found = (name for name in names for sentence in sentences if _times(name, sentence) > 1)
        return next(found, "")

    def left(self, text: str) -> list[str]:
        """Return the telling words of old names that still stand in a rewritten text as mentions."""
        fresh = {token for renaming in self.renamings for token in tokens(renaming.new)}
        old = [(word, renaming) for renaming in self.renamings for word in self._telling(renaming)]
        return sorted({w for w, renaming in old if fresh.isdisjoint(tokens(w)) and _stands(w, renaming, text)})

    def _telling(self, renaming: Renaming) -> set[str]:
        if renaming.type in VALUE_TYPES:
            return set(re.findall(r"\b\d{4}\b", renaming.name))
        names = [renaming.name, *renaming.aliases]
        telling = [[word for word in _words(self._head(name)) if self._is_telling(word)] for name in names]
        # Of a name that is no person's the last telling word stands for it: `Devils`, not `Jersey`.
        return {word for words in telling for word in (words if renaming.type == "PERSON" else words[-1:])}

    def _head(self, name: str) -> str:
        """Return the name up to its first comma or preposition, if that part tells: `Rome` is no `Treaty of Rome`."""
        head = re.split(r",|\s(?:of|in|at|for|on|de|di)\s", name, maxsplit=1)[0]
        return head if any(self._is_telling(word) for word in _words(head)) else name

    def _is_telling(self, word: str) -> bool:
        return word[0].isupper() and word.lower() not in GENERIC and word.lower() not in self.common

    def _renamed(self, match: re.Match[str]) -> str:
        start, end = match.span("mention" if match.group("mention") else "bare")
        # Matched in place, not cut out: an ordinal's form looks at the word before it.
        form = next(form for form, pattern in self._forms if pattern.fullmatch(match.string, start, end))
        if form.is_part and _inside_a_name(match.string, start, end):
            return match.group()
        new, article = _like(match.string[start:end], form.new), match.group("article")
        return new if article is None else f"{article[0]}{'n' if _sounds_open(new) else ''} {new}"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        alternatives = "|".join(form.pattern for form, _ in self._forms)
        # A name that begins with an article ("A Doll's House") is tried before an article that stands before a name.
        bare, with_article = rf"(?P<bare>{alternatives})", rf"(?P<article>[Aa]n?) (?P<mention>{alternatives})"
        return re.compile(rf"(?<!\w)(?:{bare}|{with_article})(?!\w)")

    @cached_property
    def _forms(self) -> list[tuple[Form, re.Pattern[str]]]:
        """Return the forms with their patterns, longest first; of two with one pattern the first counts."""
        forms: dict[str, Form] = {}
        for renaming in self.renamings:
            for form in self._forms_of(renaming):
                forms.setdefault(form.pattern, form)
        ordered = sorted(forms.values(), key=lambda form: (-len(form.pattern), form.pattern))
        return [(form, re.compile(form.pattern)) for form in ordered]

    def _forms_of(self, renaming: Renaming) -> Iterator[Form]:
        if renaming.type in VALUE_TYPES:
            before = _BEFORE_ORDINAL if renaming.type == "ORDINAL" else _NO_NUMBER_BEFORE
            pairs = value_forms(renaming.name, renaming.new).items()
            yield from (Form(before + _pattern(old, any_case=True) + _NO_NUMBER_BEHIND, new) for old, new in pairs)
            return
        if renaming.type == "GPE":
            yield from (Form(_pattern(old), new) for old, new in country_names(renaming.name, renaming.new))
        for name in [renaming.name, *(alias for alias in renaming.aliases if not _is_part(alias, renaming.name))]:
            yield Form(_pattern(name, any_case=" " in name), renaming.new)
            yield from (
                _person_parts(name, renaming.new) if renaming.type == "PERSON" else self._parts(name, renaming.new)
            )

    def _parts(self, name: str, new: str) -> Iterator[Form]:
        """Yield acronym, telling words and runs of words of a name that is not a person's."""
        words = [word.strip(" ,.;:'\"“”") for word in name.split()]
        initials = "".join(word[:1] for word in words if word[:1].isupper())
        if len(initials) >= 3:
            yield Form(re.escape(initials), _acronym(new))
        head = len(self._head(name).split())
        for run in (words[i:j] for i in range(head) for j in range(i + 1, len(words) + 1) if j - i < len(words)):
            telling = sum(self._is_telling(word) for word in run if len(word) > 2)
            # One telling word names the whole at its end only: `Opera House` can be Sydney Opera House, `Sydney` not.
            if run[0][:1].isupper() and run[-1] and (telling > 1 or (telling == 1 and run[-1] == words[head - 1])):
                yield Form(_pattern(" ".join(run)), new, is_part=True)


def _times(name: str, sentence: str) -> int:
    """Count a full name, or the surname where the name is one word, in a sentence."""
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)) if " " in name else _in_a_row(name, sentence)


def _in_a_row(name: str, sentence: str) -> int:
    """Return 2 where a name of one word stands twice in an enumeration, else 0."""
    word = re.escape(name)
    return 2 * bool(re.search(rf"\b{word}(?:,? (?:and|or|&) |, | )(?:[A-Z][\w.]* )?{word}\b", sentence))


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", name)


def _stands(word: str, renaming: Renaming, text: str) -> bool:
    """Whether the word stands in the text as a mention; a person's surname also counts inside another name."""
    surname = renaming.type == "PERSON" and word == _surname(renaming.name)
    found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    return any(surname or not _inside_a_name(text, place.start(), place.end()) for place in found)


def _inside_a_name(text: str, start: int, end: int) -> bool:
    """Whether capitalised neighbours make the word part of another name.

    A sentence's first word is no such neighbour, nor are the capitals before a ship (`RMS Titanic`); initials are.
    """
    before = re.search(r"(^|[.!?\n][\"”’]?\s+)?([A-ZÀ-ÖØ-Þ][\w.'’-]*)\s$", text[:start])
    if before is not None and re.fullmatch(r"[A-Z]\.", before.group(2)):
        return True
    follows = before is not None and before.group(1) is None and not re.fullmatch(r"[A-Z]{3,}", before.group(2))
    return follows or re.match(r"\s[A-ZÀ-ÖØ-Þ][\w'’-]*", text[end:]) is not None


def _like(mention: str, new: str) -> str:
    """Return the new text with a capital where the mention had one at the start of a sentence."""
    return new[:1].upper() + new[1:] if mention[:1].isupper() else new


def _sounds_open(word: str) -> bool:
    """Whether `an` goes before the word, as far as its letters tell."""
    lower = word.lower()
    return lower[:1] in set("aeiou") and not lower.startswith(("uni", "use", "usu", "ut", "eu", "one"))


def _is_part(alias: str, name: str) -> bool:
    return set(alias.split()) < set(name.split())


def _surname(name: str) -> str:
    return next((word for word in reversed(name.split()) if _can_stand_alone(word)), name)


def _person_parts(name: str, new: str) -> Iterator[Form]:
    """Yield runs of the name's words with or without other names between, and each word alone.

    A run reads under the new name, a single word under the new surname. A relative's surname changes along; a given
    name that belongs to somebody else does not.
    """
    words = [word for word in name.split() if _can_stand_alone(word)]
    if len(name.split()) < 2 or not words or not all(word[0].isupper() for word in name.split()):
        return
    surname, given, new_surname = _surname(name), words[0], new.split()[-1]
    any_word = "|".join(map(re.escape, dict.fromkeys(name.split())))
    yield Form(rf"(?:{any_word})\s+(?:{_BETWEEN}){{0,2}}(?:{any_word})(?:\s+(?:{any_word}))*", new)
    yield Form(rf"{re.escape(surname)},\s+{re.escape(given)}", f"{new_surname}, {new.split()[0]}")
    yield Form(re.escape(surname.upper()), new_surname.upper())
    yield from (Form(re.escape(word), new_surname, is_part=word != surname) for word in words)


def _can_stand_alone(word: str) -> bool:
    return len(word) > 2 and word[0].isupper() and word[-1] != "." and word.lower() not in GENERIC


def _acronym(name: str) -> str:
    words = [word for word in name.split() if word[0].isupper()]
    return "".join(word[0] for word in words) if len(words) > 1 else name


def _pattern(name: str, *, any_case: bool = False) -> str:
    """Return a pattern of the name with any white space between its words."""
    pattern = r"\s+".join(re.sub("['’]", "['’]", re.escape(word)) for word in name.split())
    return f"(?i:{pattern})" if any_case else pattern
