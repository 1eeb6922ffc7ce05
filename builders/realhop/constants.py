"""The constants of a question: names, quoted strings, years and figures, and where a sub-question takes them up."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from builders.realhop.cased import FUNCTION, GENERIC, Word, norms_of, places, words
from builders.realhop.name_runs import runs
from eval.answers import normalise
from loaders.records import Item

_QUOTED = re.compile(r"[\"“”]([^\"“”]*\w[^\"“”]*)[\"“”]")
_OFFICES = frozenset(
    """king queen emperor governor president mayor prince princess duke bishop archbishop pope chief judge justice prime
    minister vice-president vice chairman secretary speaker general captain""".split()
)
# What a search box gets in small letters and is a name all the same: a part that somebody plays, a prize.
_SMALL_NAMES = (
    re.compile(r"\b(?:play|voic|portray)(?:s|ed|es) ((?:\w+ )?\w+) (?:in|on|from)\b", re.IGNORECASE),
    re.compile(r"\b(?:win|won|wins) an? (\w+) for\b", re.IGNORECASE),
)


@dataclass(frozen=True)
class Mention:
    """A constant as it stands in a text, by code points."""

    text: str
    start: int
    end: int
    norms: tuple[str, ...]  # its words without a leading article


def context_of(item: Item) -> tuple[str, ...]:
    """What tells the case of an item's words: its question, the subjects of its relations, its titles and texts."""
    told = [text for passage in item.passages for text in (passage.title, passage.text)]
    return (*subjects_of(item), *told)


def subjects_of(item: Item) -> tuple[str, ...]:
    """What the relations of the form `entity >> relation` are about, answers of hops apart."""
    heads = (hop.relation.partition(">>")[0].strip() for hop in item.hops if ">>" in hop.relation)
    return tuple(head for head in heads if "#" not in head)


def mentions(item: Item, context: Sequence[str], phrases: Sequence[str] = ()) -> tuple[Mention, ...]:
    """The constants of an item's question in order, `phrases` among them; none overlaps another."""
    text, found = item.question, words(item.question, context)
    taken = [False] * len(found)
    spans: list[tuple[int, int]] = []
    known = list(_known(item, found))
    whole = [span for span in known if span[1] - span[0] > 1]
    named = (_trimmed(text, found, *span) for span in runs(text, found, item, context))
    asked = [(i, i + len(form)) for form in map(norms_of, [*phrases, *_small_names(item)]) for i in places(found, form)]
    for first, last in [*_quoted(text, found), *whole, *named, *known, *asked]:
        if last - first == 3 and found[first].norm in _OFFICES and found[first + 1].norm == "of":
            first += 2
        if first < last and not any(taken[first:last]):
            last = _with_figure(text, found, last)
            taken[first:last] = [True] * (last - first)
            spans.append((first, last))
    kept = (span for span in sorted(spans) if not _generic(text, found, *span))
    told = "\n".join(context).replace("’", "'").casefold()
    return tuple(_mention(text, found, *span, told) for span in kept)


def _small_names(item: Item) -> list[str]:
    texts = [match[1] for hop in item.hops for form in _SMALL_NAMES for match in form.finditer(hop.relation)]
    return [text for text in texts if not set(text.casefold().split()) & (FUNCTION | GENERIC)]


def _trimmed(text: str, found: Sequence[Word], first: int, last: int) -> tuple[int, int]:
    """A run without small words that only the context wrote large; nothing where one ordinary word is left."""
    before = first
    while first < last and found[first].norm in FUNCTION and text[found[first].start].islower():
        first += 1
    alone = before < first == last - 1 and text[found[first].start].islower() if first < last else False
    return (first, first) if alone else (first, last)


def _with_figure(text: str, found: Sequence[Word], last: int) -> int:
    """The end of a name, a figure right behind it taken in ("Shrek 2")."""
    if last < len(found) and text[found[last].start].isdigit() and text[found[last - 1].end : found[last].start] == " ":
        return last + 1
    return last


def _mention(text: str, found: Sequence[Word], first: int, last: int, told: str) -> Mention:
    start, end = found[first].start, found[last - 1].end
    name = text[start:end].casefold()
    if re.match(r"['’]s", text[end:]) and " " in name and 2 * told.count(f"{name}'s") > told.count(name):
        end += 2
    if text[start:end].count("(") > text[start:end].count(")") and text[end : end + 1] == ")":
        end += 1
    return Mention(text[start:end], start, end, norms_of(text[start:end]))


def _generic(text: str, found: Sequence[Word], first: int, last: int) -> bool:
    """Whether a run is one ordinary noun or the name of an office ("Chief Judge"), and not quoted."""
    office = all(word.norm in _OFFICES for word in found[first:last])
    ordinary = office or (last == first + 1 and found[first].norm in GENERIC)
    return ordinary and text[found[first].start - 1 : found[first].start] not in {'"', "“"}


def _quoted(text: str, found: Sequence[Word]) -> Iterable[tuple[int, int]]:
    for match in _QUOTED.finditer(text):
        inside = [index for index, word in enumerate(found) if match.start(1) <= word.start < match.end(1)]
        if inside:
            yield inside[0], inside[-1] + 1


def _known(item: Item, found: Sequence[Word]) -> Iterable[tuple[int, int]]:
    """Subjects of relations and titles that the question holds, the longest first."""
    subjects = {form for text in subjects_of(item) for form in _forms(text)}
    titles = {form for passage in item.passages for form in _forms(passage.title)}
    for form in sorted(subjects | titles, key=lambda form: (-len(form), form)):
        for first in places(found, form):
            inside = found[first : first + len(form)]
            if form in subjects or any(word.named for word in inside if word.norm not in FUNCTION):
                article = first > 0 and found[first - 1].norm in {"the", "a", "an"} and _capital(item, found[first - 1])
                yield first - article, first + len(form)


def _capital(item: Item, word: Word) -> bool:
    return word.start > 0 and item.question[word.start].isupper()


def _forms(name: str) -> Iterable[tuple[str, ...]]:
    """The word sequences by which a name may be taken up: whole, without brackets, up to its comma."""
    whole = re.sub(r"\s*\([^)]*\)$", "", name)
    for text in (name, whole, whole.partition(",")[0]):
        norms = norms_of(text)
        if norms and not set(norms) <= FUNCTION | GENERIC:
            yield norms


def holds(text: str, name: str) -> bool:
    """Whether a text holds a name, by normalised words."""
    return f" {normalise(name)} " in f" {normalise(text)} "
