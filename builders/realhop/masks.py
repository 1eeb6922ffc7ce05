"""Sub-questions over registry keys: the question's constants found again, whatever their spelling, `#k` as `{hk}`."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

from builders.grammar.inflect import VERBS
from builders.realhop.constants import FUNCTION, GENERIC, Mention, Word, places, words
from loaders.records import Item, Reason

_SAME = 0.85  # two spellings of a word of five letters or more
_LEFT_OUT = re.compile(r"(?: ?(?:,|\b(?:in|on|at|of|from|for|during|by)\b))(?: the| a| an)? ?$", re.IGNORECASE)
_ONE_KEY = re.compile(r"^\W*(\{\w+\})\W*$")  # "Spirit If...": the signs belong to the name
_NOISE = frozenset({"quizlet", "netflix", "imdb"})  # what people type into a search box behind a question


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


def masked(item: Item, known: Sequence[Constant], context: Sequence[str]) -> dict[str, str | Reason]:
    """Every sub-question, by its hop, with keys in the place of constants and `#k`; of a relation its subject alone.

    A name or figure that the question lacks is left out where it only narrows the answer down ("in NYC", a year before
    a noun), else the hop is refused. Reason: `constant_not_in_question`.
    """
    told = (*context, *(constant.original for constant in known))
    heads = {hop.hop_id: _parts(hop.relation, item.question) for hop in item.hops}
    found = {hop_id: words(head, told) for hop_id, (head, _) in heads.items()}
    whole = {c.key for c in known if any(places(text, c.norms) for text in found.values())}
    asked = {word.norm for word in words(item.question)}
    texts: dict[str, str | Reason] = {}
    for hop_id, (head, label) in heads.items():
        owner = _owners(found[hop_id], known, whole)
        _absorb(head, found[hop_id], owner, known)
        written: str | Reason = _written(head, found[hop_id], owner, asked)
        if isinstance(written, str):
            written = _without_second_ending(written, known)
        if label and isinstance(written, str):
            written = _ONE_KEY.sub(r"\1", written) + f" >> {label}"
            if "{" not in written:
                written = Reason("constant_not_in_question", head)
        texts[hop_id] = written
    return texts


def _without_second_ending(text: str, known: Sequence[Constant]) -> str:
    """A constant that ends in a possessive itself ("Breakfast at Tiffany's") has taken that ending along."""
    for constant in known:
        if re.search(r"['’]s$", constant.original):
            text = re.sub(rf"(\{{{constant.key}\}})['’]s", r"\1", text)
    return text


def _parts(relation: str, question: str) -> tuple[str, str]:
    """A sub-question and nothing, or what a relation is asked of and its label."""
    head, _, label = (part.strip() for part in relation.partition(">>"))
    return (_narrowed(head, question), label) if label else (head, "")


def _narrowed(head: str, question: str) -> str:
    """What a relation is asked of, without a noun before `of #k` of which the question does not speak."""
    found = re.fullmatch(r"(.+) of (#\d+)", head)
    return found[2] if found and found[1].casefold() not in question.casefold() else head


def _owners(found: Sequence[Word], known: Sequence[Constant], whole: Set[str]) -> list[str]:
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


def _absorb(text: str, found: Sequence[Word], owner: list[str], known: Sequence[Constant]) -> None:
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


def _is_loose(word: Word, asked: Set[str]) -> bool:
    """Whether a word is a name or figure of which the question does not speak."""
    ordinary = word.norm in GENERIC or (not word.own and word.norm in VERBS)
    return word.named and not ordinary and (word.norm not in asked or word.norm[0].isdigit())


def _written(text: str, found: Sequence[Word], owner: Sequence[str], asked: Set[str]) -> str | Reason:
    pieces, end, index = [""], 0, 0
    while index < len(found):
        word, last = found[index], index
        if owner[index]:
            while last + 1 < len(found) and owner[last + 1] == owner[index]:
                last += 1
            pieces += [text[end : word.start], f"{{{owner[index]}}}"]
            end = found[last].end
            end += text[found[index].start : end].count("(") > text[found[index].start : end].count(")")
        elif word.norm.startswith("#"):
            pieces += [text[end : word.start], f"{{h{word.norm[1:]}}}"]
            end = word.end
        elif word.norm in _NOISE or _is_loose(word, asked):
            while last + 1 < len(found) and found[last + 1].named and not owner[last + 1]:
                last += 1
            before = "".join(pieces) + text[end : word.start]
            lone = _LEFT_OUT.search(before)
            year = re.fullmatch(r"\d{4}", word.norm) and index + 1 < len(found)
            if not lone and not year and word.norm not in _NOISE:
                return Reason("constant_not_in_question", text[word.start : found[last].end])
            pieces = [before[: lone.start()] if lone else before.rstrip()]
            end = found[last].end
        index = last + 1
    return re.sub(r"\s+", " ", "".join(pieces) + text[end:]).strip()
