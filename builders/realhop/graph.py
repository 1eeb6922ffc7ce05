"""What the planner decides and the later steps carry along: entities, hops as patterns, facts, paths (I.1)."""

import re
from dataclasses import dataclass

KEY = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Entity:
    """One line of the registry: a constant of the question (`c1`, `c2`, ...) or a hop's answer (`h1`, `h2`, ...)."""

    key: str
    name: str  # invented, absent from the item
    kind: str  # person, place, organization, work, event, thing, date, year, number
    original: str  # what the source calls it


@dataclass(frozen=True)
class HopPlan:
    """One hop as a sentence pattern over registry keys, such as `{h2} sings {c2} with {h1}.`; hop K answers `{hK}`."""

    hop_id: str  # `1`, `2`, ... as in the source
    pattern: str
    relation: str  # key of the relation in relations.tsv
    depends_on: tuple[str, ...]
    support: int  # index of the passage that supports the hop in the source, where all of its units go
    hardened: bool  # told in two evidence units

    @property
    def answer_key(self) -> str:
        """The registry key of the hop's answer."""
        return f"h{self.hop_id}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The registry keys in the pattern, in their order."""
        return tuple(KEY.findall(self.pattern))


@dataclass(frozen=True)
class Plan:
    """The rebuilt question with its registry and its hops in an order that respects `depends_on`."""

    item_id: str
    question: str
    entities: tuple[Entity, ...]
    hops: tuple[HopPlan, ...]
    writer: str

    @property
    def names(self) -> dict[str, str]:
        """Invented name by registry key."""
        return {entity.key: entity.name for entity in self.entities}

    @property
    def answer(self) -> str:
        """The invented gold answer: that of the last hop."""
        return self.names[self.hops[-1].answer_key]

    def descendants(self, hop_id: str) -> tuple[str, ...]:
        """Ids of the hops that rest on a hop, near or far, in order."""
        found: list[str] = []
        for hop in self.hops:
            if {hop_id, *found} & set(hop.depends_on):
                found.append(hop.hop_id)
        return tuple(found)


@dataclass(frozen=True)
class Fact:
    """One sentence pattern with all of its keys bound; told in one unit, or in two where its hop is hardened."""

    fact_id: str  # unique in the item: `g1`, `s1a.2`, ...
    hop_id: str  # the hop at whose place it stands
    pattern: str
    relation: str
    names: tuple[tuple[str, str], ...]  # registry key and name, for every key in the pattern
    entry: str = ""  # the register entry that joins the two units, such as `entry K41 of the Halden Register`; or empty

    @property
    def text(self) -> str:
        """The fact as one sentence."""
        return self.pattern.format_map(dict(self.names))


@dataclass(frozen=True)
class Path:
    """A competing path: its own facts; what it does not regenerate it inherits from gold (appendix I.2)."""

    branch_id: str
    family: str  # flexible, strict, orphan
    protected_hop: str
    break_hop: str  # where the relation is a near miss; empty for an orphan
    endpoint: str  # the answer that it leads to
    facts: tuple[Fact, ...]
