"""Gates on competing paths, from what their sentences say: complete, at another end, not true (appendix I.2)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from builders.realhop.closure import closure
from builders.realhop.fact_gates import other_kind
from builders.realhop.reading import Atom
from builders.realhop.solve import Binding, Query, after, answers, says, solve, solve_from, unified
from builders.realhop.tables import misses, relations
from builders.realhop.told import all_atoms, atoms, gold_atoms
from eval.answers import holds_answer, normalise
from loaders.realhop import Competitor, RealHopRow
from loaders.records import Reason


def branch_fault(row: RealHopRow, asked: Sequence[Query], path: Competitor) -> Reason | None:
    """Return why a path may not stay: it ends in gold, its near miss holds, it is not whole, or it ends elsewhere."""
    if holds_answer(path.endpoint, (row.answer, *row.answer_aliases)) or holds_answer(row.answer, (path.endpoint,)):
        return Reason("endpoint_is_gold", f"{path.branch_id}: {path.endpoint}")
    if path.family != "orphan" and (reason := _holds(row, asked, path)):
        return reason
    ways = whole(row, asked, path)
    # Of a symmetric relation, read with either end free, the other end comes out too.
    found = [one for one in ways if normalise(one[asked[-1].slot]) == normalise(path.endpoint)]
    if not ways:
        return Reason("path_incomplete", path.branch_id)
    if not found:
        return Reason("wrong_endpoint", f"{path.branch_id}: {', '.join(answers(asked, ways))}, not {path.endpoint}")
    fault = _orphan_fault if path.family == "orphan" else _contract
    return fault(row, asked, path, found) or other_kind(row, path.branch_id, found)


def whole(row: RealHopRow, asked: Sequence[Query], path: Competitor) -> list[Binding]:
    """Return how a path binds the hops, from its own sentences and gold's in this row; nothing if it is not complete.

    At its break hop the near misses of the table serve; of an orphan only what follows behind its place is asked.
    """
    own, gold = atoms(row, path.facts), gold_atoms(row)
    if path.family == "orphan":
        tail, rest = closure(own), closure(gold)
        later = after(asked, path.protected_hop)
        return solve_from((one, tail if one.hop_id in later else rest) for one in _tail(asked, path.protected_hop))
    facts = closure((*gold, *own))
    return solve_from((one, _missed(one, own) if one.hop_id == path.break_hop else facts) for one in asked)


def _missed(query: Query, own: Collection[Atom]) -> list[Atom]:
    """Return a path's facts that are near misses of a hop, as if they were of its relation."""
    return [replace(query.atom, args=fact.args) for fact in own if _is_near(fact, query)]


def _is_near(fact: Atom, query: Query) -> bool:
    near = {miss.near_miss for miss in misses().get(query.atom.relation, ())}
    return fact.relation in near and len(fact.args) == len(query.atom.args)


def _tail(asked: Sequence[Query], hop_id: str) -> list[Query]:
    """Return what follows behind a hop, and what that needs beside the hop."""
    needed = set(after(asked, hop_id))
    for query in reversed(asked):
        if query.hop_id in needed:
            needed.update(key for key in query.depends_on if key != hop_id)
    return [query for query in asked if query.hop_id in needed]


def _holds(row: RealHopRow, asked: Sequence[Query], path: Competitor) -> Reason | None:
    """Return how a path is no competitor but true: with gold's facts it gives an answer by the hops' own relations."""
    own, gold = atoms(row, path.facts), gold_atoms(row)
    right = answers(asked, solve(asked, closure(gold)))
    more = [one for one in solve(asked, closure((*gold, *own))) if one[asked[-1].slot] not in right]
    query = next((one for one in asked if one.hop_id == path.break_hop), None)
    if query is None or not more:
        return None if query else Reason("break_out_of_place", path.branch_id)
    codes = (_how(fact, query, binding) for binding in more for fact in own)
    return Reason(next(filter(None, codes), "near_miss_entails"), f"{path.branch_id}: {more[0][asked[-1].slot]}")


def _how(fact: Atom, query: Query, binding: Binding) -> str:
    """Return how one fact says a hop's relation under a binding, or nothing."""
    told = [one for one in closure([fact]) if says(one, query.atom)]
    if not any(unified(query.atom.args, one.args, binding) == binding for one in told):
        return ""
    if fact.relation == query.atom.relation:
        return "near_miss_is_synonym"
    key, other = query.atom.relation, fact.relation
    inverse = relations()[other].inverse == key or relations()[key].inverse == other
    return "near_miss_is_inverse" if inverse else "near_miss_entails"


def _contract(row: RealHopRow, asked: Sequence[Query], path: Competitor, found: Sequence[Binding]) -> Reason | None:
    """A path breaks at its hop, or if Flexible behind it; a Strict one inherits all that does not rest on the hop."""
    own = {path.protected_hop, *after(asked, path.protected_hop)}
    if path.break_hop not in (own if path.family == "flexible" else {path.protected_hop}):
        return Reason("break_out_of_place", path.branch_id)
    gold = {f"#{hop.hop_id}": hop.answer for hop in row.hops if hop.hop_id not in own}
    if any(normalise(one[slot]) != normalise(name) for one in found for slot, name in gold.items()):
        return Reason("binding_not_inherited", path.branch_id)
    return None


def _orphan_fault(row: RealHopRow, asked: Sequence[Query], path: Competitor, found: Sequence[Binding]) -> Reason | None:
    heads = {one[f"#{path.protected_hop}"] for one in found}
    led = [head for head in heads if is_attached(head, path.protected_hop, asked, all_atoms(row))]
    return Reason("orphan_attached", f"{path.branch_id}: {', '.join(led)}") if led else None


def is_attached(head: str, hop_id: str, asked: Sequence[Query], told: Collection[Atom]) -> bool:
    """Whether a name in a hop's place stands in a fact that is not of a later hop, or its near miss, from there on."""
    onward = [query for query in asked if hop_id in query.depends_on]
    naming = [fact for fact in told if normalise(head) in map(normalise, fact.args)]
    return any(not _goes_on(head, f"#{hop_id}", fact, onward) for fact in naming)


def _goes_on(head: str, slot: str, fact: Atom, onward: Sequence[Query]) -> bool:
    for query in onward:
        told = [one.args for one in closure([fact]) if says(one, query.atom)]
        told += [fact.args] if _is_near(fact, query) else []
        if any(unified(query.atom.args, args, {slot: head}) for args in told):
            return True
    return False


def complete(row: RealHopRow, asked: Sequence[Query]) -> Iterator[str]:
    """Yield the ids of the paths that are whole in a row."""
    return (path.branch_id for path in row.competitors if whole(row, asked, path))
