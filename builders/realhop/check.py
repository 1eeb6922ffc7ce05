"""Mechanical checks of a rebuilt item, and the removal of unsafe competing paths (appendices I.2, I.3)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from builders.realhop.graph import Fact, Path, Plan
from builders.realhop.realize import restored
from builders.realhop.units import units
from eval.answers import Matcher, normalise
from loaders.realhop import RealHopRow
from loaders.records import Item, Reason


@dataclass(frozen=True)
class Dropped:
    """A competing path that was taken out, whole, and why."""

    branch_id: str
    reason: Reason


@dataclass(frozen=True)
class Pruned:
    """The competing paths that stay and those that went."""

    paths: tuple[Path, ...]
    dropped: tuple[Dropped, ...]


def prune(plan: Plan, paths: Sequence[Path], rejected: Mapping[str, Reason]) -> Pruned | Reason:
    """Take out rejected paths, each with all of its facts, and look whether what is left covers every hop.

    The paper may leave fragments of a Flexible path; ours goes whole, so that every path that stays is complete.
    Reasons: those of `uncovered`.
    """
    kept = tuple(path for path in paths if path.branch_id not in rejected)
    dropped = tuple(Dropped(path.branch_id, rejected[path.branch_id]) for path in paths if path.branch_id in rejected)
    return uncovered(plan, kept) or Pruned(kept, dropped)


def uncovered(plan: Plan, paths: Sequence[Path]) -> Reason | None:
    """Return `no_strict_path` if some hop has no complete Strict path of its own; Flexible ones do not count (I.2)."""
    for hop in plan.hops:
        needed = {hop.hop_id, *plan.descendants(hop.hop_id)}
        own = (path for path in paths if path.family == "strict" and path.protected_hop == hop.hop_id)
        if not any({fact.hop_id for fact in path.facts} == needed for path in own):
            return Reason("no_strict_path", f"hop {hop.hop_id}: {hop.relation}")
    return None


def unsafe_paths(item: Item, plan: Plan, paths: Sequence[Path]) -> dict[str, Reason]:
    """Return the paths with a wrong name, by branch.

    Reasons: `endpoint_is_gold` where the end equals the answer or holds it, or the answer the end, after normalising,
    `name_in_source` where retained text or the question holds a name of theirs, `names_collide` where a name is used
    twice in the item.
    """
    used = {normalise(entity.name): "the plan" for entity in plan.entities}
    faults: dict[str, Reason] = {}
    for path in paths:
        fault = _fault(item, plan, path, used)
        if fault:
            faults[path.branch_id] = fault
        used |= {normalise(name): path.branch_id for name in own_names(plan, path)}
    return faults


def _fault(item: Item, plan: Plan, path: Path, used: Mapping[str, str]) -> Reason | None:
    if Matcher([plan.answer]).holds(path.endpoint) or Matcher([path.endpoint]).holds(plan.answer):
        return Reason("endpoint_is_gold", path.endpoint)
    names = own_names(plan, path)
    taken = next((name for name in names if normalise(name) in used), None)
    if taken or len({normalise(name) for name in names}) < len(names):
        return Reason("names_collide", taken or ", ".join(names))
    found = Matcher(names).first("\n".join([plan.question, *_retained(item)]))
    return Reason("name_in_source", found) if found else None


def own_names(plan: Plan, path: Path) -> tuple[str, ...]:
    """Return the names that a path brings along."""
    gold = set(plan.names.values())
    names = (name for fact in path.facts for _, name in fact.names)
    return tuple(dict.fromkeys(name for name in names if name not in gold))


def plan_fault(item: Item, plan: Plan) -> Reason | None:
    """Return `names_collide`, `name_in_source`, or `hop_misses_answer` where the last hop does not rest on a hop."""
    names = [entity.name for entity in plan.entities]
    if len({normalise(name) for name in names}) < len(names):
        return Reason("names_collide", ", ".join(names))
    found = Matcher(names).first("\n".join(_retained(item)))
    if found:
        return Reason("name_in_source", found)
    last = plan.hops[-1].hop_id
    apart = next((hop for hop in plan.hops[:-1] if last not in plan.descendants(hop.hop_id)), None)
    return Reason("hop_misses_answer", f"hop {apart.hop_id}") if apart else None


def _retained(item: Item) -> list[str]:
    return [text for passage in item.passages for text in (passage.title, passage.text)]


def text_fault(item: Item, row: RealHopRow, gold: Collection[Fact], paths: Collection[Path]) -> Reason | None:
    """Compare the written row with the source's text and with what was planned.

    Reasons: `unit_missing` where a planned unit has no sentence or more than one, `unplanned_unit`, `span_mismatch`
    where a span does not hold the planned sentence, `text_not_kept` where what remains without the sentences is not the
    source's passages.
    """
    planned = {
        unit: text for path in [gold, *(path.facts for path in paths)] for fact in path for unit, text in units(fact)
    }
    written = list(_written(row))
    ids = [unit for unit, *_ in written]
    if sorted(ids) != sorted(planned):
        missing = sorted(planned.keys() - set(ids))
        return Reason("unit_missing", missing[0]) if missing else Reason("unplanned_unit", ", ".join(sorted(ids)))
    for unit, place, start, end in written:
        if row.passages[place].text[start:end] != planned[unit]:
            return Reason("span_mismatch", f"{unit}: {row.passages[place].text[start:end]}")
    for place, (before, after) in enumerate(zip(item.passages, row.passages, strict=True)):
        ranges = [(start, end) for _, where, start, end in written if where == place]
        if after.title != before.title or restored(after.text, ranges) != before.text:
            return Reason("text_not_kept", f"passage {place}")
    return None


def _written(row: RealHopRow) -> Iterator[tuple[str, int, int, int]]:
    """Yield id, passage, start and end of every recorded sentence."""
    for hop in row.hops:
        yield from ((unit.unit_id, unit.passage, unit.start, unit.end) for unit in hop.units)
    for path in row.competitors:
        yield from ((fact.fact_id, fact.passage, fact.start, fact.end) for fact in path.facts)
