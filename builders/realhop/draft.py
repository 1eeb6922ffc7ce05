"""From a plan to the rebuilt item beside its source: compete, prune, route, realize, check (section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from builders.realhop.branches import Branches
from builders.realhop.check import Dropped, plan_fault, prune, text_fault, unsafe_paths
from builders.realhop.compete import compete, orphans
from builders.realhop.graph import Fact, Path, Plan
from builders.realhop.names import NamesExhaustedError, fresh_names
from builders.realhop.realize import boundaries, realize
from builders.realhop.route import route
from builders.realhop.rows import full_row, source_row
from builders.realhop.settings import Settings
from builders.realhop.units import entries, gold_facts
from loaders.realhop import RealHopRow
from loaders.records import Item, Reason


@dataclass(frozen=True)
class Draft:
    """A rebuilt item, its source as it was, and the competing paths that were kept and dropped."""

    full: RealHopRow
    source: RealHopRow
    plan: Plan
    paths: tuple[Path, ...]
    dropped: tuple[Dropped, ...]

    @property
    def dropped_paths(self) -> tuple[str, ...]:
        """Every dropped path with the name of the reason."""
        return tuple(f"{one.branch_id}: {one.reason.code}" for one in self.dropped)


def draft(
    item: Item, plan: Plan, seed: int, settings: Settings, rejected: Mapping[str, Reason] | None = None
) -> Draft | Reason:
    """Rebuild an item by its plan; `rejected` names the branches that a later review has turned down so far.

    The other branches keep their names and register entries. Reasons: those of the functions of `check`,
    `no_safe_boundary` where the support of a hop has no place for a sentence, `names_exhausted`.
    """
    fault = plan_fault(item, plan)
    if fault:
        return fault
    register = entries(plan, seed)
    gold = gold_facts(plan, register)
    branches = Branches(plan, fresh_names(item, plan, seed), register)
    try:
        proposed = compete(plan, seed, branches, settings)
        proposed += orphans(plan, branches, proposed) if settings.orphans else ()
    except NamesExhaustedError as exhausted:
        return Reason("names_exhausted", str(exhausted))
    unsafe = unsafe_paths(item, plan, proposed) | dict(rejected or {})
    return _written(item, plan, gold, proposed, unsafe, seed, settings)


def _written(
    item: Item,
    plan: Plan,
    gold: Sequence[Fact],
    proposed: Sequence[Path],
    unsafe: Mapping[str, Reason],
    seed: int,
    settings: Settings,
) -> Draft | Reason:
    """Place what is safe, take out what has no room, and write the rest."""
    kept = prune(plan, proposed, unsafe)
    if isinstance(kept, Reason):
        return kept
    safe = [place for place, passage in enumerate(item.passages) if boundaries(passage.text)]
    blocked = [hop.hop_id for hop in plan.hops if hop.support not in safe]
    if blocked:
        return Reason("no_safe_boundary", f"support of hop {blocked[0]}")
    routed = route(plan, gold, kept.paths, safe, seed, settings)
    placed = prune(plan, kept.paths, routed.unplaced)
    if isinstance(placed, Reason):
        return placed
    paths = tuple(_housed(path, routed.hosts) for path in placed.paths)
    realized = realize(item, [*gold, *(fact for path in paths for fact in path.facts)], routed.hosts, seed)
    full = full_row(item, plan, gold, paths, realized)
    fault = text_fault(item, full, gold, paths)
    return fault or Draft(full, source_row(item), plan, paths, (*kept.dropped, *placed.dropped))


def _housed(path: Path, hosts: Mapping[str, int]) -> Path:
    """An orphan without the twins for which there was no room."""
    return replace(path, facts=tuple(fact for fact in path.facts if fact.fact_id in hosts))
