"""Matched-background Control: as much text as a Drop takes, from outside of all evidence (REALHOP, appendices A, B)."""

import random
import re
from collections.abc import Iterator, Sequence

from loaders.deletion import Variant, count_tokens, in_units, remove, token_ranges, whole
from loaders.draw import generator
from loaders.records import Hop, Item, Span

# A Control may miss its Drop's token count by this much, whichever is larger.
TOKENS_OFF, SHARE_OFF = 5, 0.05
_SENTENCE = re.compile(r"\S.*?(?:[.!?][\"'”’)\]]*(?=\s)|$)", re.DOTALL)


def tolerance(tokens: int) -> int:
    """Return how many tokens a Control may be off its Drop."""
    return max(TOKENS_OFF, int(SHARE_OFF * tokens))


def control(item: Item, hop: Hop, unit: str, budget: int, seed: int, twin: Item | None = None) -> Variant | None:
    """Take `control_spans` away; None where there is too little background."""
    spans = control_spans(item, hop, unit, budget, seed, twin)
    return remove(item, spans, unit) if spans else None


def control_spans(item: Item, hop: Hop, unit: str, budget: int, seed: int, twin: Item | None = None) -> list[Span]:
    """Return about `budget` tokens of background, drawn by (seed, item id, hop); nothing where there is too little.

    Background lies outside every hop's support and every inserted text; where the item has a twin, it stands in the
    twin's background verbatim too. A whole distractor of the right length is preferred to pieces of several.
    """
    rng = generator(seed, item.id, f"control {hop.hop_id}")
    pools = _pools(item, unit, rng, twin)
    return _one_passage(item, unit, budget, pools) or _pieces(item, unit, budget, pools)


def protected(item: Item, unit: str) -> list[Span]:
    """Return what no Control may touch: every hop's support, as the Drop takes it, and every inserted text."""
    return [*in_units(item, [span for hop in item.hops for span in hop.support], unit), *item.inserted]


def _pools(item: Item, unit: str, rng: random.Random, twin: Item | None) -> list[list[Span]]:
    """Return the background sentences of each passage, passages in a drawn order, those free of evidence first."""
    taken = protected(item, unit)
    there = _background(twin, unit) if twin else None
    pools = []
    for place in range(len(item.passages)):
        free = [span for span in sentences(item, place) if not any(_overlap(span, other) for other in taken)]
        pools.append([span for span in free if there is None or text_of(item, span) in there])
    rng.shuffle(pools)
    touched = {span.passage for span in taken}
    return sorted(filter(None, pools), key=lambda pool: pool[0].passage in touched)


def _background(item: Item, unit: str) -> set[str]:
    taken = protected(item, unit)
    spans = (span for place in range(len(item.passages)) for span in sentences(item, place))
    return {text_of(item, span) for span in spans if not any(_overlap(span, other) for other in taken)}


def sentences(item: Item, place: int) -> Iterator[Span]:
    """Yield the sentences of a passage, as far as full stops tell."""
    for found in _SENTENCE.finditer(item.passages[place].text):
        yield Span(place, *found.span())


def text_of(item: Item, span: Span) -> str:
    """Return the text of a span."""
    return item.passages[span.passage].text[span.start : span.end]


def _overlap(one: Span, other: Span) -> bool:
    return one.passage == other.passage and one.start < other.end and other.start < one.end


def _is_whole(item: Item, pool: Sequence[Span]) -> bool:
    return len(pool) == sum(1 for _ in sentences(item, pool[0].passage))


def _cost(item: Item, span: Span, unit: str) -> int:
    """Return the tokens that go with a span, as `remove` counts them."""
    passage = item.passages[span.passage]
    with_title = unit == "paragraph" and span == whole(item, span.passage)
    return count_tokens(text_of(item, span)) + (count_tokens(passage.title) if with_title else 0)


def _one_passage(item: Item, unit: str, budget: int, pools: Sequence[Sequence[Span]]) -> list[Span]:
    for pool in pools:
        distractor = whole(item, pool[0].passage)
        if _is_whole(item, pool) and abs(_cost(item, distractor, unit) - budget) <= tolerance(budget):
            return [distractor]
    return []


def _pieces(item: Item, unit: str, budget: int, pools: Sequence[Sequence[Span]]) -> list[Span]:
    """Take passages and sentences while they fit, then as many tokens of one more sentence as are still missing."""
    chosen, passed_over, left, off = list[Span](), list[Span](), budget, tolerance(budget)
    for pool in pools:
        distractor = whole(item, pool[0].passage)
        fits = _is_whole(item, pool) and _cost(item, distractor, unit) <= left + off
        # One sentence of a passage always stays, so that no title goes uncounted.
        for span in [distractor] if fits else pool[:-1]:
            cost = _cost(item, span, unit)
            (chosen if cost <= left + off else passed_over).append(span)
            left -= cost if cost <= left + off else 0
        passed_over += [] if fits else pool[-1:]
        if chosen and left <= off:
            return chosen
    part = next((span for span in passed_over if count_tokens(text_of(item, span)) > left > 0), None)
    return [*chosen, _first_tokens(item, part, left)] if part else []


def _first_tokens(item: Item, span: Span, count: int) -> Span:
    ranges = token_ranges(text_of(item, span))
    return Span(span.passage, span.start, span.start + ranges[count - 1][1])
