"""What a walk asks of a knowledge graph, whichever store answers it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

OUT, IN = 0, 1
DIRECTIONS = ("out", "in")

# An entity and a relation as a store names them: both sort as their IRIs do.
N = TypeVar("N", bound=Hashable)
R = TypeVar("R", bound=Hashable)


class Edge(NamedTuple, Generic[N, R]):
    """An entity's relation to another one: `OUT` where the entity is the subject, `IN` where it is the object."""

    direction: int
    relation: R
    other: N


class Group(NamedTuple, Generic[N, R]):
    """All neighbours of an entity by one relation in one direction."""

    entity: N
    direction: int
    relation: R


class Place(NamedTuple, Generic[N, R]):
    """One of the neighbours of a group, by its place among them."""

    entity: N
    direction: int
    relation: R
    place: int


class Behind(NamedTuple, Generic[N, R]):
    """The entities with this fact that have the relation to some entity of the class that a question shows.

    A class is named as the store names it: by number, -1 for none, or by IRI, empty for none.
    """

    fact: Edge[N, R]
    direction: int
    relation: R
    shown: Any


class Backend(Protocol[N, R]):
    """A whole snapshot that answers in batches; every answer counts over all of it, never over a neighbourhood.

    An edge asked for is a pattern: the entities that have that edge. A store that cannot answer fully raises
    DecoyQAError; it never answers with a part.
    """

    def relations(self, entities: Sequence[N]) -> list[Mapping[tuple[int, R], int]]:
        """Return each entity's number of neighbours by (direction, relation), `out` first, then by relation."""

    def neighbours(self, groups: Sequence[Group[N, R]]) -> Sequence[Any]:
        """Return the neighbours of each group, sorted, in anything that can be indexed."""

    def facts(self, places: Sequence[Place[N, R]]) -> list[tuple[N, int]]:
        """Return the neighbour at each place, and how many entities have that edge to it; above 2 may be 2."""

    def count(self, patterns: Sequence[Edge[N, R]]) -> list[int]:
        """Return how many entities have each edge."""

    def joint(self, pairs: Sequence[tuple[Edge[N, R], Edge[N, R]]]) -> list[int]:
        """Return how many entities have both edges of each pair; anything above 2 may be returned as 2."""

    def behind(self, asked: Sequence[Behind[N, R]]) -> list[int]:
        """Return how many entities each question leaves without its next entity's name; above 2 may be 2."""


def facts_in_parts(backend: Backend[N, R], places: Sequence[Place[N, R]]) -> list[tuple[N, int]]:
    """Answer `facts` by the other questions."""
    members = backend.neighbours([Group(*one[:3]) for one in places])
    others = [found[one.place] for found, one in zip(members, places, strict=True)]
    edges = [Edge(one.direction, one.relation, other) for one, other in zip(places, others, strict=True)]
    return list(zip(others, backend.count(edges), strict=True))
