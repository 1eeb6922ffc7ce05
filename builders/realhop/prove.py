"""The proof of an item from its final text: gold alone follows, and without any hop nothing does (section 3.1)."""

from collections.abc import Iterator, Sequence

from builders.realhop.branch_gates import branch_fault
from builders.realhop.drop_gates import drop_fault, drop_proof
from builders.realhop.fact_gates import names_alike, stray_fact, unsafe_place
from builders.realhop.solve import Query, answers, queries, solve
from builders.realhop.text_gates import (
    answer_in_question,
    constants_missing,
    left_original,
    loose_mention,
    outside_support,
    span_off,
    text_changed,
    unread_fact,
)
from builders.realhop.told import facts
from eval.answers import normalise
from loaders.realhop import Proof, RealHopRow, Unit, UnitProof
from loaders.realhop_conditions import cut, dropped, span_of
from loaders.records import Reason


def prove(row: RealHopRow, source: RealHopRow) -> Proof | Reason:
    """Return what follows from a `full` row and from all that is left of it, or the first reason to reject it.

    Facts are read back from the passages and closed under the relations' table; `source` is the item's row of that
    split, which tells where each hop's support stands. Nothing of the plan is used.
    """
    try:
        asked = queries(row)
    except ValueError as unread:
        return Reason("unread_hop", str(unread))
    if reason := next(_before(row, source, asked), None):
        return reason
    rest = [dropped(row, query.hop_id) for query in asked]
    drops = tuple(drop_proof(left, asked) for left in rest)
    faults = (drop_fault(left, asked, proof) for left, proof in zip(rest, drops, strict=True))
    if reason := next(filter(None, (*faults, *_retained_faults(row, source, asked))), None):
        return reason
    units = tuple(_without(row, asked, unit) for hop in row.hops for unit in hop.units)
    return Proof(answers(asked, solve(asked, facts(row))), drops, units)


def path_faults(row: RealHopRow) -> dict[str, Reason]:
    """Return why competing paths may not stay, by branch id, so that they can be pruned before the proof."""
    found = ((path.branch_id, branch_fault(row, queries(row), path)) for path in row.competitors)
    return {branch_id: reason for branch_id, reason in found if reason}


def _before(row: RealHopRow, source: RealHopRow, asked: Sequence[Query]) -> Iterator[Reason]:
    """Yield what is wrong with the text, the question, the competing paths and the full item, in this order."""
    yield from filter(None, [span_off(row) or unread_fact(row) or outside_support(row, source)])
    yield from filter(None, [constants_missing(row, asked), answer_in_question(row), _unsolved(row, asked)])
    yield from filter(None, (branch_fault(row, asked, path) for path in row.competitors))
    yield from filter(None, (_full_fault(row, asked), _uncovered(row), stray_fact(row, asked), names_alike(row, asked)))


def _retained_faults(row: RealHopRow, source: RealHopRow, asked: Sequence[Query]) -> Iterator[Reason | None]:
    """Yield what is wrong with the source's text and its ties to the item."""
    yield loose_mention(row, asked)
    yield left_original(row)
    yield text_changed(row, source) or unsafe_place(row, source)


def _unsolved(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    ends = answers(asked, solve(asked, facts(row)))
    return None if normalise(row.answer) in map(normalise, ends) else Reason("no_solution", ", ".join(ends))


def _full_fault(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    """Gold follows by the recorded answers of the hops and in no other way, and nothing else does."""
    found = solve(asked, facts(row))
    others = [end for end in answers(asked, found) if normalise(end) != normalise(row.answer)]
    if others:
        return Reason("not_the_only_solution", ", ".join(others))
    gold = [normalise(hop.answer) for hop in row.hops]
    ways = [[normalise(one[query.slot]) for query in asked] for one in found]
    if gold not in ways:
        return Reason("hop_answer_differs", " / ".join(ways[0]))
    return Reason("another_way", " / ".join(next(way for way in ways if way != gold))) if ways != [gold] else None


def _uncovered(row: RealHopRow) -> Reason | None:
    """At least one Strict path of every hop is there (appendix I.2); that it is whole another gate says."""
    there = {path.protected_hop for path in row.competitors if path.family == "strict"}
    missing = [hop.hop_id for hop in row.hops if hop.hop_id not in there]
    return Reason("no_strict_path", f"hop {', '.join(missing)}") if missing else None


def _without(row: RealHopRow, asked: Sequence[Query], unit: Unit) -> UnitProof:
    return UnitProof(unit.unit_id, answers(asked, solve(asked, facts(cut(row, [span_of(unit)])))))
