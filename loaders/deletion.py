"""Text taken out of an item's passages, and how much of it: what every condition of an audit is made of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from loaders.records import Item, Passage, Span

# Named wherever token counts are printed: runs of letters and digits, and every other character that is no space.
TOKENIZER = "words-1"
_TOKEN = re.compile(r"\w+|[^\w\s]")

# What a deletion takes away: whole passages with their titles, or sentences, which leaves every title.
UNITS = ("paragraph", "sentences")


@dataclass(frozen=True)
class Variant:
    """An item's passages under one condition, and the number of tokens that were taken away (`TOKENIZER`)."""

    passages: tuple[Passage, ...]
    removed_tokens: int


def token_ranges(text: str) -> list[tuple[int, int]]:
    """Return the half-open range of code points of every token."""
    return [found.span() for found in _TOKEN.finditer(text)]


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_TOKEN.findall(text))


def whole(item: Item, place: int) -> Span:
    """Return the span of a whole passage."""
    return Span(place, 0, len(item.passages[place].text))


def in_units(item: Item, spans: Iterable[Span], unit: str) -> list[Span]:
    """Widen spans to what a deletion takes: the passages that they touch, or themselves."""
    if unit == "sentences":
        return list(spans)
    return [whole(item, place) for place in sorted({span.passage for span in spans})]


def remove(item: Item, spans: Iterable[Span], unit: str) -> Variant:
    """Take spans out; under unit `paragraph` a passage of which nothing is left goes with its title.

    What is left of a passage keeps its order and is stripped of white space at both ends.
    """
    kept, removed = [], 0
    by_passage: dict[int, list[Span]] = {}
    for span in spans:
        by_passage.setdefault(span.passage, []).append(span)
    for place, passage in enumerate(item.passages):
        gone = merged(by_passage.get(place, ()))
        removed += sum(count_tokens(passage.text[start:end]) for start, end in gone)
        text = without(passage.text, gone) if gone else passage.text
        if place in by_passage and unit == "paragraph" and not text:
            removed += count_tokens(passage.title)
        else:
            kept.append(replace(passage, text=text))
    return Variant(tuple(kept), removed)


def merged(spans: Iterable[Span]) -> list[tuple[int, int]]:
    """Return the ranges of one passage's spans in order, those that overlap or touch as one."""
    ranges: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return ranges


def without(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Return a text without ranges that do not overlap."""
    for start, end in reversed(ranges):
        text = text[:start] + text[end:]
    return text.strip()
