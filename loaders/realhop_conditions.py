"""Conditions of a REALHOP item, cut from recorded spans: drop, control, ablations (section 7, appendices A, B)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from loaders.conditions import drop
from loaders.control import control_spans
from loaders.deletion import in_units, merged
from loaders.realhop import CompetitorFact, RealHop, RealHopRow, Unit
from loaders.records import Hop, Item, Span

# What each ablation keeps of the families of competing paths; `no_orphans` is the paper's Full.
ABLATIONS: Mapping[str, tuple[str, ...]] = {
    "gold_only": (),
    "flexible": ("flexible",),
    "strict": ("strict",),
    "no_orphans": ("flexible", "strict"),
}
# MuSiQue's Drop takes the support passage whole, "not each premise within it" (appendix I.1).
UNIT = "paragraph"
Part = TypeVar("Part", Unit, CompetitorFact)


def as_item(row: RealHopRow) -> Item:
    """Return a row as the base form that an audit reads; its paths' sentences are inserted, orphans end nowhere."""
    facts = (fact for path in row.competitors for fact in path.facts)
    ends = (path.endpoint for path in row.competitors if path.family != "orphan")
    return Item(
        id=row.id,
        question=row.question,
        answer=row.answer,
        answer_aliases=row.answer_aliases,
        passages=row.passages,
        hops=tuple(_hop(hop) for hop in row.hops),
        answerable=True,
        source_license=row.source_license,
        source_id=row.source_id,
        inserted=tuple(span_of(fact) for fact in facts),
        competitor_answers=tuple(dict.fromkeys(ends)),
    )


def _hop(hop: RealHop) -> Hop:
    return Hop(hop.hop_id, hop.relation, hop.answer, hop.depends_on, tuple(span_of(unit) for unit in hop.units))


def span_of(part: Unit | CompetitorFact) -> Span:
    """Return where a unit or a fact stands."""
    return Span(part.passage, part.start, part.end)


def dropped(row: RealHopRow, hop_id: str) -> RealHopRow:
    """Take away the passages that support a hop, whole, with all that stands in them (appendices A, I.3)."""
    left = cut(row, support_passages(row, hop_id))
    return replace(left, row_id=f"{row.id}/{hop_id}", target_hop=hop_id)


def support_passages(row: RealHopRow, hop_id: str) -> list[Span]:
    """Return the spans of the passages that support a hop."""
    item = as_item(row)
    return in_units(item, next(hop.support for hop in item.hops if hop.hop_id == hop_id), UNIT)


def controlled(row: RealHopRow, twin: RealHopRow, hop_id: str, seed: int) -> RealHopRow | None:
    """Take away as much background as a Drop takes text; None where there is too little (appendix B).

    Background lies outside every support and every inserted sentence and stands in the twin, the other side's row,
    word for word. The tokens match the Drop's within five or 5 %.
    """
    item = as_item(row)
    hop = next(hop for hop in item.hops if hop.hop_id == hop_id)
    budget = drop(item, hop_id, UNIT).removed_tokens
    spans = control_spans(item, hop, UNIT, budget, seed, as_item(twin))
    left = cut(row, _with_spaces(row, spans))
    return replace(left, row_id=f"{row.id}/{hop_id}", target_hop=hop_id) if spans else None


def only(row: RealHopRow, families: Collection[str]) -> RealHopRow:
    """Keep the competing paths of some families alone; what is left is the source's text with the other insertions."""
    kept = tuple(path for path in row.competitors if path.family in families)
    rest = replace(row, competitors=kept)
    return cut(rest, _with_spaces(row, recorded(row) - recorded(rest)))


def without_insertions(row: RealHopRow) -> RealHopRow:
    """Take every recorded sentence away: of a rebuilt item this leaves the source's passages, letter by letter."""
    return cut(row, _with_spaces(row, recorded(row)))


def recorded(row: RealHopRow) -> set[Span]:
    """Return where units and facts stand."""
    units = {span_of(unit) for hop in row.hops for unit in hop.units}
    return units | {span_of(fact) for path in row.competitors for fact in path.facts}


def _with_spaces(row: RealHopRow, spans: Iterable[Span]) -> list[Span]:
    """Widen sentences by the space that their insertion brought: the one before, or at the very start the one behind.

    Of sentences that open a passage together each takes the one behind it.
    """
    wide = []
    front: dict[int, int] = {}  # how far what is removed from the start of a passage reaches
    for span in sorted(spans, key=lambda span: (span.passage, span.start)):
        text = row.passages[span.passage].text
        opens = span.start == front.get(span.passage, 0)
        before, behind = text[: span.start][-1:].isspace(), text[span.end : span.end + 1].isspace()
        wide.append(Span(span.passage, span.start - (before and not opens), span.end + (behind and opens)))
        if opens:
            front[span.passage] = wide[-1].end
    return wide


def cut(row: RealHopRow, spans: Iterable[Span]) -> RealHopRow:
    """Take spans out; passages of which nothing is left go with their titles, the spans of what stays move along.

    Units and facts that lose a part go; hops and paths stay, also without any. What is cut has no proof of its own.
    """
    gone: dict[int, list[Span]] = {}
    for span in spans:
        gone.setdefault(span.passage, []).append(span)
    ranges = {place: merged(there) for place, there in gone.items()}
    texts = [_without(passage.text, ranges.get(place, [])) for place, passage in enumerate(row.passages)]
    places = [place for place, text in enumerate(texts) if text or place not in ranges]
    return replace(
        row,
        passages=tuple(replace(row.passages[place], text=texts[place]) for place in places),
        hops=tuple(replace(hop, units=_moved(hop.units, ranges, places)) for hop in row.hops),
        competitors=tuple(replace(path, facts=_moved(path.facts, ranges, places)) for path in row.competitors),
        proof=None,
    )


def _without(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(ranges, reverse=True):
        text = text[:start] + text[end:]
    return text


def _moved(
    parts: Iterable[Part], ranges: Mapping[int, list[tuple[int, int]]], places: Collection[int]
) -> tuple[Part, ...]:
    """Return the parts that are still whole, at their new places."""
    numbers = {place: number for number, place in enumerate(places)}
    moved = []
    for part in parts:
        there = ranges.get(part.passage, [])
        if part.passage in numbers and not any(start < part.end and part.start < end for start, end in there):
            back = sum(end - start for start, end in there if end <= part.start)
            moved.append(replace(part, passage=numbers[part.passage], start=part.start - back, end=part.end - back))
    return tuple(moved)
