"""One competing path: fresh answers for a hop and what rests on it, everything else as in gold (appendix I.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builders.realhop.graph import Fact, HopPlan, Path, Plan
from builders.realhop.names import Namer
from builders.realhop.relations import NearMiss
from builders.realhop.units import bound


@dataclass(frozen=True)
class Branches:
    """What the paths of one item draw from: names and register entries, new ones at every call."""

    plan: Plan
    namer: Namer
    register: Iterator[str]

    def path(self, branch_id: str, protected: HopPlan, miss: NearMiss, breaks: HopPlan) -> Path:
        """Return a path that regenerates a hop and what rests on it and misses the relation of one of them."""
        family = "strict" if branch_id.startswith("s") else "flexible"
        names = self._names(protected, self.plan.names)
        facts = tuple(
            self._fact(hop, miss if hop == breaks else None, names, branch_id) for hop in self._regenerated(protected)
        )
        endpoint = names[self.plan.hops[-1].answer_key]
        return Path(branch_id, family, protected.hop_id, breaks.hop_id, endpoint, facts)

    def orphan(self, hop: HopPlan, paths: Sequence[Path]) -> Path:
        """Return a copy of all that goes on from gold behind a hop's place, to whose head nothing leads.

        That is the tail, and a twin of each of the `paths` that protect a hop of it.
        """
        branch_id, names = f"o{hop.hop_id}", self._names(hop, self.plan.names)
        facts = [self._fact(other, None, names, branch_id) for other in self._regenerated(hop)[1:]]
        later = self.plan.descendants(hop.hop_id)
        for path in paths:
            if path.protected_hop in later:
                facts += self._twin(path, names, branch_id)
        return Path(branch_id, "orphan", hop.hop_id, "", names[self.plan.hops[-1].answer_key], tuple(facts))

    def _twin(self, path: Path, names: Mapping[str, str], branch_id: str) -> Iterator[Fact]:
        """Yield a path's facts with new names, and with an orphan's in place of what is inherited from gold."""
        protected = next(hop for hop in self.plan.hops if hop.hop_id == path.protected_hop)
        own = self._names(protected, names)
        for fact in path.facts:
            entry = next(self.register) if fact.entry else ""
            pairs = tuple((key, own[key]) for key, _ in fact.names)
            yield replace(fact, fact_id=f"{branch_id}.{fact.fact_id}", names=pairs, entry=entry)

    def _regenerated(self, hop: HopPlan) -> tuple[HopPlan, ...]:
        later = self.plan.descendants(hop.hop_id)
        return (hop, *(other for other in self.plan.hops if other.hop_id in later))

    def _names(self, head: HopPlan, inherited: Mapping[str, str]) -> dict[str, str]:
        return dict(inherited) | {hop.answer_key: self._fresh(hop) for hop in self._regenerated(head)}

    def _fact(self, hop: HopPlan, miss: NearMiss | None, names: Mapping[str, str], path: str) -> Fact:
        pattern, relation = (miss.pattern, miss.relation) if miss else (hop.pattern, hop.relation)
        return bound(hop, pattern, relation, names, path, next(self.register))

    def _fresh(self, hop: HopPlan) -> str:
        entity = next(entity for entity in self.plan.entities if entity.key == hop.answer_key)
        return self.namer.name(entity.kind, entity.name)
