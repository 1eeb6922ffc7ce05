"""Which passage hosts which fact (section 4.2, appendix I.3)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from builders.realhop.graph import Fact, Path, Plan
from builders.realhop.settings import Settings
from builders.realhop.units import units
from loaders.draw import generator
from loaders.records import Reason


@dataclass(frozen=True)
class Routed:
    """The passage that hosts each retained fact, by index, and the paths, or twins of an orphan, without room."""

    hosts: Mapping[str, int]
    unplaced: Mapping[str, Reason]


def route(
    plan: Plan, gold: Sequence[Fact], paths: Sequence[Path], safe: Collection[int], seed: int, settings: Settings
) -> Routed:
    """Place every fact in one of the `safe` passages, paths in drawn order; a path without room is `no_host`.

    What goes on beside an orphan's tail (`o1.s2a`, see `Branches.orphan`) comes last and stays out where there is none.
    Gold stands in the support of its hop. The facts of a path stand apart, which is more than I.3 asks: two hosts for a
    Strict path of two facts and for any of three, and no near miss beside its continuation.
    """
    load = _Load(tuple(sorted(safe)), settings.most_per_passage)
    for fact, hop in zip(gold, plan.hops, strict=True):
        load.put(fact, hop.support)
    draw = generator(seed, plan.item_id, "route")
    order = [(path, chain) for path in sorted(paths, key=lambda path: path.branch_id) for chain in chains(path)]
    draw.shuffle(order)
    unplaced = {}
    for path, chain in sorted(order, key=lambda one: one[1] != one[0].branch_id):
        if path.branch_id in unplaced:
            continue
        homeless = _put(plan, path, chains(path)[chain], load, draw)
        if homeless:
            unplaced[chain] = Reason("no_host", f"no passage for {homeless.fact_id}")
    return Routed(load.hosts, unplaced)


def chains(path: Path) -> dict[str, tuple[Fact, ...]]:
    """Return the path's own facts by its id, and of an orphan what goes on beside them by the path that it copies."""
    found: dict[str, tuple[Fact, ...]] = {}
    for fact in path.facts:
        chain = fact.fact_id.rpartition(".")[0]
        found[chain] = (*found.get(chain, ()), fact)
    return found


def forbidden(plan: Plan, path: Path, fact: Fact) -> int | None:
    """Return the passage that a competing fact must keep out of, if any.

    Flexible paths and orphans keep out of the protected support (I.3), the continuation of a Strict path too (ours): so
    the Drop of that hop leaves the ends between which it must not be possible to choose.
    """
    if path.family == "strict" and fact.hop_id == path.break_hop:
        return None
    return next(hop.support for hop in plan.hops if hop.hop_id == path.protected_hop)


def _put(plan: Plan, path: Path, facts: Sequence[Fact], load: "_Load", draw: Random) -> Fact | None:
    """Put facts in passages of their own, or none of them: then return the one for which there is no room."""
    for number, fact in enumerate(facts):
        taken = [load.hosts[other.fact_id] for other in facts[:number]]
        free = [place for place in load.with_room(fact) if place not in (*taken, forbidden(plan, path, fact))]
        if not free:
            load.take(facts[:number])
            return fact
        load.put(fact, _drawn(fact, free, load, draw))
    return None


def _drawn(fact: Fact, free: Sequence[int], load: "_Load", draw: Random) -> int:
    """Draw a passage with one fact of the same hop, gold's first, else one of those that have the fewest.

    So gold facts stand beside a competitor, as in Figure 2, and competitors in other passages beside one another: the
    number of facts in a passage marks neither.
    """
    alone = [place for place in free if load.at_hop(place, fact.hop_id) == 1]
    beside_gold = [place for place in alone if place == load.hosts[f"g{fact.hop_id}"]]
    fewest = min(load.sentences(place) for place in free)
    return draw.choice(beside_gold or alone or [place for place in free if load.sentences(place) == fewest])


@dataclass
class _Load:
    """What has been placed so far."""

    safe: Sequence[int]
    most: int
    hosts: dict[str, int] = field(default_factory=dict)
    placed: dict[int, list[Fact]] = field(default_factory=dict)

    def put(self, fact: Fact, place: int) -> None:
        self.hosts[fact.fact_id] = place
        self.placed.setdefault(place, []).append(fact)

    def take(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            self.placed[self.hosts.pop(fact.fact_id)].remove(fact)

    def sentences(self, place: int) -> int:
        return sum(len(units(fact)) for fact in self.placed.get(place, ()))

    def at_hop(self, place: int, hop_id: str) -> int:
        return sum(fact.hop_id == hop_id for fact in self.placed.get(place, ()))

    def with_room(self, fact: Fact) -> list[int]:
        return [place for place in self.safe if self.sentences(place) + len(units(fact)) <= self.most]
