"""Which words of a sub-question name which constant of the question, whatever the spelling."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

from builders.realhop.cased import FUNCTION, Word, places
from builders.realhop.constants import Mention

_SAME = 0.85  # two spellings of a word of five letters or more


@dataclass(frozen=True)
class Constant:
    """A constant of the question under its key, with every place where the question has it."""

    key: str
    original: str
    norms: tuple[str, ...]
    places: tuple[Mention, ...]


def constants(found: Sequence[Mention]) -> tuple[Constant, ...]:
    """Put mentions of one name together; keys `c1`, `c2` ... in the order of the question."""
    groups: dict[tuple[str, ...], list[Mention]] = {}
    for mention in found:
        groups.setdefault(mention.norms, []).append(mention)
    return tuple(
        Constant(f"c{number}", group[0].text, norms, tuple(group))
        for number, (norms, group) in enumerate(groups.items(), 1)
    )


def owners(found: Sequence[Word], known: Sequence[Constant], whole: Set[str]) -> list[str]:
    """The key of the constant that each word belongs to, or an empty string."""
    owner = [""] * len(found)
    for constant in sorted(known, key=lambda one: -len(one.norms)):
        if constant.key in whole:
            _give(owner, constant, len(constant.norms), places(found, constant.norms))
    for constant in known:
        if constant.key not in whole:
            _give(owner, constant, len(constant.norms), _alike(found, constant.norms))
            if constant.key not in owner:
                _give_part(found, owner, constant)
        elif len(constant.norms) > 2 and constant.norms[-1].isdigit():  # "Shrek 2", taken up as "Shrek"
            _give(owner, constant, len(constant.norms) - 1, places(found, constant.norms[:-1]))
    return owner


def _give(owner: list[str], constant: Constant, size: int, starts: Sequence[int]) -> None:
    for first in starts:
        if not any(owner[first : first + size]):
            owner[first : first + size] = [constant.key] * size


def _give_part(found: Sequence[Word], owner: list[str], constant: Constant) -> None:
    """Give a constant the longest start or end of it; one word alone must look like a name."""
    for size in range(len(constant.norms) - 1, 0, -1):
        for form in (constant.norms[:size], constant.norms[-size:]):
            named = [i for i in places(found, form) if any(word.named for word in found[i : i + size])]
            if named and not set(form) <= FUNCTION:
                _give(owner, constant, size, named)
        if constant.key in owner:
            return


def _alike(found: Sequence[Word], form: Sequence[str]) -> list[int]:
    """Where a word sequence starts, small differences of spelling passed over."""
    size = len(form)
    starts = range(len(found) - size + 1)
    return [i for i in starts if all(_same(found[i + k].norm, form[k]) for k in range(size))]


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    return min(len(one), len(other)) > 4 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= _SAME


def absorb(text: str, found: Sequence[Word], owner: list[str], known: Sequence[Constant]) -> None:
    """Give a constant the name-like words right beside it, and the article that belongs to its title."""
    articles = {c.key: c.original.split()[0].casefold() for c in known} | {"": ""}
    norms = {c.key: c.norms for c in known} | {"": ()}
    for _ in range(2):
        for index, word in enumerate(found):
            if owner[index]:
                continue
            after = owner[index + 1] if index + 1 < len(found) else ""
            before = owner[index - 1] if index else ""
            for key, beside in ((after, index + 1), (before, index - 1)):
                named = word.named and (word.own or word.norm in norms[key])
                if key and named and _touch(text, *sorted((word, found[beside]), key=_start)):
                    owner[index] = key
            if after and word.norm == articles[after]:
                owner[index] = after


def _start(word: Word) -> int:
    return word.start


def _touch(text: str, one: Word, other: Word) -> bool:
    return bool(re.fullmatch(r"[ .]*", text[one.end : other.start]))
