"""Rewrite every mention of an entity in a text: full, surname, given name, acronym, possessive, part of a name."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

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
_PARTICLE = r"(?:[^\W\d_][\w.'’-]*\s+){1,2}"


@dataclass(frozen=True)
class Renaming:
    """An entity, its other names, and the name that takes their place everywhere."""

    name: str
    type: str
    new: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rewriter:
    """Rewrites texts under some renamings in one pass, so that no replacement is replaced again."""

    renamings: tuple[Renaming, ...]
    common: AbstractSet[str] = frozenset()  # words that the texts also use in lower case: no mention on their own

    def rewrite(self, text: str) -> str:
        """Return the text with every mention rewritten; `a` or `an` before a mention follows the new name."""
        forms = self._forms()
        if not forms:
            return text
        alternatives = "|".join(pattern for pattern, _, _ in forms)
        found = re.compile(rf"(?<!\w)(?:(?P<article>[Aa]n?) )?(?P<mention>{alternatives})(?!\w)")
        return found.sub(lambda match: self._renamed(match, forms), text)

    def mentioned(self, text: str) -> bool:
        """Whether the text mentions one of the entities in any form."""
        return self.rewrite(text) != text

    def left(self, text: str) -> list[str]:
        """Return the telling words of the entities' old names that stand in a rewritten text."""
        fresh = {token for renaming in self.renamings for token in tokens(renaming.new)}
        old = {word for renaming in self.renamings for word in self._telling(renaming)} - fresh
        return sorted(old & set(tokens(text)))

    def _telling(self, renaming: Renaming) -> set[str]:
        if renaming.type in VALUE_TYPES:
            return {token for token in tokens(renaming.name) if len(token) == 4 and token.isdigit()}
        names = [renaming.name, *renaming.aliases]
        words = [word for name in names for word in re.findall(r"[^\W\d_]{3,}", self._head(name))]
        return {t for word in words if self._is_telling(word) for t in tokens(word)}

    def _head(self, name: str) -> str:
        """Return the name up to its first preposition, if that part tells: `Rome` is no `Treaty of Rome`."""
        head = re.split(r"\s(?:of|in|at|for|on|de|di)\s", name, maxsplit=1)[0]
        return head if any(self._is_telling(word) for word in re.findall(r"[^\W\d_]{3,}", head)) else name

    def _is_telling(self, word: str) -> bool:
        return word[0].isupper() and word.lower() not in GENERIC and word.lower() not in self.common

    def _renamed(self, match: re.Match[str], forms: Sequence[tuple[str, re.Pattern[str], str]]) -> str:
        mention = match.group("mention")
        new = next(new for _, pattern, new in forms if pattern.fullmatch(mention))
        article = match.group("article")
        if article is None:
            return new
        fitting = "an" if new[:1].lower() in "aeio" else "a"
        return f"{article[0]}{fitting[1:]} {new}"

    def _forms(self) -> list[tuple[str, re.Pattern[str], str]]:
        """Return (pattern, compiled, new text), longest first; full names match in any case, parts in their own."""
        forms: dict[str, str] = {}
        for renaming in self.renamings:
            for pattern, new in self._forms_of(renaming):
                forms.setdefault(pattern, new)
        ordered = sorted(forms, key=lambda pattern: (-len(pattern), pattern))
        return [(pattern, re.compile(pattern), forms[pattern]) for pattern in ordered]

    def _forms_of(self, renaming: Renaming) -> Iterable[tuple[str, str]]:
        if renaming.type in VALUE_TYPES:
            return [(_pattern(old, loose=True), new) for old, new in value_forms(renaming.name, renaming.new).items()]
        full = [renaming.name, *renaming.aliases]
        forms = [(_pattern(name, loose=len(name) > 4), renaming.new) for name in full]
        parts = _person_parts if renaming.type == "PERSON" else self._name_parts
        return [*forms, *(form for name in full for form in parts(name, renaming.new))]

    def _name_parts(self, name: str, new: str) -> list[tuple[str, str]]:
        """Acronym, comma parts, telling single words and runs of words of a name that is not a person's."""
        words = name.split()
        initials = "".join(word[0] for word in words if word[0].isupper())
        parts = []
        if len(initials) >= 3 and len(words) >= 3:
            parts.append((re.escape(initials), _acronym(new)))
        last = len(self._head(name).split())
        runs = [words[i:j] for i in range(last) for j in range(i + 1, len(words) + 1) if j - i < len(words)]
        for run in runs:
            plain = [re.sub(r"^\W+|\W+$", "", word) for word in run]
            if (
                plain[0]
                and plain[-1]
                and plain[0][0].isupper()
                and any(self._is_telling(w) for w in plain if len(w) > 2)
            ):
                parts.append((_pattern(" ".join(run).strip(" ,.;")), new))
        return parts


def _person_parts(name: str, new: str) -> list[tuple[str, str]]:
    """Surname, given name, and the full name with other middle names."""
    old_words, new_words = name.split(), new.split()
    if len(old_words) < 2:
        return []
    given, surname = old_words[0], old_words[-1]
    parts = [(rf"{re.escape(given)}\s+{_PARTICLE}{re.escape(surname)}", new)]
    if _can_stand_alone(surname):
        parts.append((re.escape(surname), new_words[-1]))
    if _can_stand_alone(given):
        parts.append((re.escape(given), new_words[0]))
    middle = [word for word in old_words[1:-1] if _can_stand_alone(word)]
    return parts + [(re.escape(word), new_words[-1]) for word in middle]


def _can_stand_alone(word: str) -> bool:
    return len(word) > 2 and word[0].isupper() and word[-1] != "." and word.lower() not in GENERIC


def _acronym(name: str) -> str:
    words = [word for word in name.split() if word[0].isupper()]
    return "".join(word[0] for word in words) if len(words) > 1 else name


def _pattern(name: str, *, loose: bool = False) -> str:
    """Return a pattern of the name with any white space between words; loose ones ignore case."""
    pattern = r"\s+".join(re.escape(word) for word in name.split())
    return f"(?i:{pattern})" if loose else pattern
