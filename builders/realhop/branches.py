"""One competing path: fresh answers for a hop and what rests on it, everything else as in gold (appendix I.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

from builders.realhop.graph import HopPlan, Path, Plan
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
        return self._made(branch_id, family, protected, self._regenerated(protected), (breaks.hop_id, miss))

    def orphan(self, hop: HopPlan) -> Path:
        """Return another complete tail behind a hop's place; nothing leads to its head."""
        return self._made(f"o{hop.hop_id}", "orphan", hop, self._regenerated(hop)[1:], None)

    def _regenerated(self, hop: HopPlan) -> tuple[HopPlan, ...]:
        later = self.plan.descendants(hop.hop_id)
        return (hop, *(other for other in self.plan.hops if other.hop_id in later))

    def _made(
        self, branch_id: str, family: str, head: HopPlan, told: tuple[HopPlan, ...], miss: tuple[str, NearMiss] | None
    ) -> Path:
        names = self.plan.names | {hop.answer_key: self._fresh(hop) for hop in self._regenerated(head)}
        facts = []
        for hop in told:
            misses = miss is not None and miss[0] == hop.hop_id
            pattern, relation = (miss[1].pattern, miss[1].relation) if miss and misses else (hop.pattern, hop.relation)
            facts.append(bound(hop, pattern, relation, names, branch_id, next(self.register)))
        endpoint = names[self.plan.hops[-1].answer_key]
        return Path(branch_id, family, head.hop_id, miss[0] if miss else "", endpoint, tuple(facts))

    def _fresh(self, hop: HopPlan) -> str:
        entity = next(entity for entity in self.plan.entities if entity.key == hop.answer_key)
        return self.namer.name(entity.kind, entity.name)
