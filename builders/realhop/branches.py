"""One competing path: fresh answers for a hop and what rests on it, everything else as in gold (appendix I.2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

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
        names = self._names(protected)
        facts = tuple(
            self._fact(hop, miss if hop == breaks else None, names, branch_id) for hop in self._regenerated(protected)
        )
        endpoint = names[self.plan.hops[-1].answer_key]
        return Path(branch_id, family, protected.hop_id, breaks.hop_id, endpoint, facts)

    def orphan(self, hop: HopPlan, beside: Sequence[tuple[HopPlan, NearMiss]]) -> Path:
        """Return another complete tail behind a hop's place, to whose head nothing leads.

        `beside` are near misses of hops that rest on it: told of the head too, with ends of their own, as gold's are.
        """
        names, path = self._names(hop), f"o{hop.hop_id}"
        facts = [self._fact(other, None, names, path) for other in self._regenerated(hop)[1:]]
        for number, (other, miss) in enumerate(beside):
            own = names | {other.answer_key: self._fresh(other)}
            fact = self._fact(other, miss, own, path)
            facts.append(replace(fact, fact_id=f"{fact.fact_id}{ascii_lowercase[number]}"))
        return Path(path, "orphan", hop.hop_id, "", names[self.plan.hops[-1].answer_key], tuple(facts))

    def _regenerated(self, hop: HopPlan) -> tuple[HopPlan, ...]:
        later = self.plan.descendants(hop.hop_id)
        return (hop, *(other for other in self.plan.hops if other.hop_id in later))

    def _names(self, head: HopPlan) -> dict[str, str]:
        return self.plan.names | {hop.answer_key: self._fresh(hop) for hop in self._regenerated(head)}

    def _fact(self, hop: HopPlan, miss: NearMiss | None, names: Mapping[str, str], path: str) -> Fact:
        pattern, relation = (miss.pattern, miss.relation) if miss else (hop.pattern, hop.relation)
        return bound(hop, pattern, relation, names, path, next(self.register))

    def _fresh(self, hop: HopPlan) -> str:
        entity = next(entity for entity in self.plan.entities if entity.key == hop.answer_key)
        return self.namer.name(entity.kind, entity.name)
