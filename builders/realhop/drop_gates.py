"""What is left to find after a Drop, also by elimination: the lost relation read as any of its type (section 3.1)."""

from collections.abc import Collection, Iterable, Sequence

from builders.realhop.branch_gates import complete, is_attached
from builders.realhop.reading import Atom
from builders.realhop.solve import Binding, Query, answers, solve
from builders.realhop.told import all_atoms, facts
from eval.answers import Matcher, normalise
from loaders.realhop import DropProof, RealHopRow
from loaders.records import Reason


def drop_proof(left: RealHopRow, asked: Sequence[Query]) -> DropProof:
    """Return what a `drop` row tells: solutions, ends by any relation, whole paths, heads that nothing leads to."""
    found = facts(left)
    free = _free(left, asked, found)
    return DropProof(
        hop_id=left.target_hop,
        solutions=answers(asked, solve(asked, found)),
        any_relation=answers(asked, free),
        complete_branches=tuple(complete(left, asked)),
        unattached_heads=tuple(sorted({head for head, _ in _loose(left, asked, free)})),
    )


def drop_fault(left: RealHopRow, asked: Sequence[Query], proof: DropProof) -> Reason | None:
    """Return why a Drop leaves the answer: it still follows, it is still named, or it alone is left over."""
    if proof.solutions:
        return Reason("survives_drop", f"hop {proof.hop_id}: {', '.join(proof.solutions)}")
    if asked[-1].hop_id in _lost(left):
        shown = [left.question, *(text for passage in left.passages for text in (passage.title, passage.text))]
        found = Matcher((left.answer, *left.answer_aliases)).first("\n".join(shown))
        return Reason("answer_remains", f"hop {proof.hop_id}: {found}") if found else None
    free = _free(left, asked, facts(left))
    loose = {normalise(end) for _, end in _loose(left, asked, free)}
    if len({*map(normalise, proof.any_relation)}) < 2 or loose == {normalise(left.answer)}:
        return Reason("one_loose_end", f"hop {proof.hop_id}: {', '.join(proof.any_relation)}")
    return None


def _lost(left: RealHopRow) -> list[str]:
    """Return the hops whose units are gone: the dropped one, and others that have the same support."""
    return [hop.hop_id for hop in left.hops if not hop.units]


def _free(left: RealHopRow, asked: Sequence[Query], found: Collection[Atom]) -> list[Binding]:
    """Return every binding of the hops that are left; nothing if the last one is lost, and with it all answers."""
    lost = _lost(left)
    return [] if asked[-1].hop_id in lost else solve((one for one in asked if one.hop_id not in lost), found)


def _loose(left: RealHopRow, asked: Sequence[Query], free: Iterable[Binding]) -> list[tuple[str, str]]:
    """Return head and end of each binding in which nothing leads to a lost hop's answer."""
    told, last = all_atoms(left), asked[-1].slot
    heads = [(hop_id, one[f"#{hop_id}"], one[last]) for hop_id in _lost(left) for one in free if f"#{hop_id}" in one]
    return [(head, end) for hop_id, head, end in heads if not is_attached(head, hop_id, asked, told)]
