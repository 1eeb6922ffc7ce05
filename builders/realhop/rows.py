"""The published rows of a rebuilt item and of its source."""

from collections.abc import Sequence

from builders.realhop.graph import Fact, HopPlan, Path, Plan
from builders.realhop.realize import Realized
from builders.realhop.units import units
from loaders.realhop import Competitor, CompetitorFact, RealHop, RealHopRow, Unit
from loaders.records import Hop, Item


def full_row(item: Item, plan: Plan, gold: Sequence[Fact], paths: Sequence[Path], realized: Realized) -> RealHopRow:
    """Return the row of `full`, without its proof."""
    return RealHopRow(
        row_id=item.id,
        id=item.id,
        source_id=item.source_id or item.id,
        target_hop="",
        question=plan.question,
        answer=plan.answer,
        answer_aliases=(),
        passages=realized.passages,
        hops=tuple(_hop(plan, hop, fact, realized) for hop, fact in zip(plan.hops, gold, strict=True)),
        competitors=tuple(_competitor(path, realized) for path in paths),
        choices=(),
        n_hops=len(plan.hops),
        proof=None,
        writer=plan.writer,
        source_license=item.source_license,
    )


def relation_of(plan: Plan, hop: HopPlan) -> str:
    """Return what a hop asks, as a sentence over `#k`."""
    return hop.pattern.format_map(plan.names | {other.answer_key: f"#{other.hop_id}" for other in plan.hops})


def _hop(plan: Plan, hop: HopPlan, fact: Fact, realized: Realized) -> RealHop:
    told = []
    for unit, sentence in units(fact):
        span = realized.spans[unit]
        told.append(Unit(unit, sentence, span.passage, span.start, span.end))
    return RealHop(hop.hop_id, relation_of(plan, hop), plan.names[hop.answer_key], hop.depends_on, tuple(told))


def _competitor(path: Path, realized: Realized) -> Competitor:
    told = []
    for fact in path.facts:
        for unit, _ in units(fact):
            span = realized.spans[unit]
            told.append(CompetitorFact(unit, span.passage, span.start, span.end))
    return Competitor(path.branch_id, path.family, path.protected_hop, path.break_hop, path.endpoint, tuple(told))


def source_row(item: Item) -> RealHopRow:
    """Return the row of `source`: the question as it was, its supporting text as the hops' units."""
    return RealHopRow(
        row_id=item.id,
        id=item.id,
        source_id=item.source_id or item.id,
        target_hop="",
        question=item.question,
        answer=item.answer,
        answer_aliases=item.answer_aliases,
        passages=item.passages,
        hops=tuple(_source_hop(item, hop) for hop in item.hops),
        competitors=(),
        choices=(),
        n_hops=len(item.hops),
        proof=None,
        writer="",
        source_license=item.source_license,
    )


def _source_hop(item: Item, hop: Hop) -> RealHop:
    told = []
    for number, span in enumerate(hop.support, 1):
        unit = f"g{hop.hop_id}" if len(hop.support) == 1 else f"g{hop.hop_id}.{number}"
        text = item.passages[span.passage].text[span.start : span.end]
        told.append(Unit(unit, text, span.passage, span.start, span.end))
    return RealHop(hop.hop_id, hop.relation, hop.answer, hop.depends_on, tuple(told))
