"""A whole snapshot as sorted integer arrays: neighbours, counts and joint solutions over all of it (section 2.1).

Every triple stands twice, under its subject (`out`) and under its object (`in`), sorted by entity, relation and other
end. Numbers of entities and relations follow the order of their IRIs, so whatever is sorted by number is sorted by IRI.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from operator import sub
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.triple_keys import Layout

Ints = npt.NDArray[Any]


class Side(NamedTuple):
    """The triples under one of their ends: those of entity e stand at `offsets[e]` to `offsets[e + 1]`."""

    offsets: Ints
    relations: Ints
    others: Ints


@dataclass(frozen=True)
class Graph:
    """All triples under both their ends, those of one entity, direction and relation as a group.

    Entity e of n is node e where it is the subject and node n + e where it is the object. The groups of a node are
    `groups[node]` to `groups[node + 1]`; a group has a relation of `kinds`, and its other ends stand sorted in `others`
    at `starts[group]` to `starts[group + 1]`. `shared` tells of each of them whether other entities have the same edge
    to it: mostly that is all a walk must know of it.
    """

    groups: Ints
    kinds: Ints
    starts: Ints
    others: Ints
    shared: Ints

    @cached_property
    def entities(self) -> int:
        """Number of entities."""
        return (len(self.groups) - 1) // 2

    @property
    def triples(self) -> int:
        """Number of triples, each once."""
        return len(self.others) // 2

    @property
    def out(self) -> Side:
        """All triples under their subjects, written out."""
        return self._side(OUT)

    @property
    def into(self) -> Side:
        """All triples under their objects, written out."""
        return self._side(IN)

    def _side(self, direction: int) -> Side:
        groups = self.groups[direction * self.entities :][: self.entities + 1]
        starts = self.starts[groups[0] : groups[-1] + 1]
        relations = np.repeat(self.kinds[groups[0] : groups[-1]], np.diff(starts))
        return Side(self.starts[groups] - starts[0], relations, self.others[starts[0] : starts[-1]])

    def links(self) -> Ints:
        """Return the number of triples of each entity, in both directions together."""
        found = np.diff(self.starts[self.groups])
        return np.asarray(found[: self.entities] + found[self.entities :])

    def relations(self, entity: int) -> Mapping[tuple[int, int], int]:
        """Return how many neighbours an entity has by direction and relation, `out` first, then by relation."""
        return {(d, r): n for d in (OUT, IN) for r, n in self._sizes(d * self.entities + entity)}

    def _sizes(self, node: int) -> Iterator[tuple[int, int]]:
        first, last = self.groups[node], self.groups[node + 1]
        starts = self.starts[first : last + 1].tolist()
        return zip(self.kinds[first:last].tolist(), map(sub, starts[1:], starts), strict=True)

    def neighbours(self, entity: int, direction: int, relation: int) -> Ints:
        """Return an entity's neighbours by relation, sorted."""
        first, last = self._span(direction * self.entities + entity, relation)
        return self.others[first:last]

    def solutions(self, pattern: Edge[int, int]) -> Ints:
        """Return every entity of which a pattern holds, sorted."""
        return self.neighbours(pattern.other, 1 - pattern.direction, pattern.relation)

    def neighbour(self, entity: int, direction: int, relation: int, place: int) -> tuple[int, int]:
        """Return the neighbour at a place in its group, and how many entities have that edge to it; 2 for more."""
        found = self._span(direction * self.entities + entity, relation)[0] + place
        return self._views[3][found], 1 + self._views[4][found]

    def count(self, pattern: Edge[int, int]) -> int:
        """Return of how many entities a pattern holds."""
        first, last = self._span((1 - pattern.direction) * self.entities + pattern.other, pattern.relation)
        return last - first

    def _span(self, node: int, relation: int) -> tuple[int, int]:
        """Return where a node's other ends by relation begin and end."""
        groups, kinds, starts, _, _ = self._views
        last = groups[node + 1]
        group = bisect_left(kinds, relation, groups[node], last)
        if group == last or kinds[group] != relation:
            return 0, 0
        return starts[group], starts[group + 1]

    @cached_property
    def _views(self) -> tuple[Any, ...]:
        """The arrays as what single numbers are read from in a fraction of the time."""
        return tuple(memoryview(getattr(self, field.name)) for field in fields(self))

    def joint(self, one: Edge[int, int], other: Edge[int, int]) -> int:
        """Return how many entities both patterns hold of."""
        few, many = sorted((self.solutions(one), self.solutions(other)), key=len)
        places = many.searchsorted(few)
        places[places == len(many)] = len(many) - 1
        return int((many[places] == few).sum()) if len(many) else 0


def build_graph(subjects: Ints, relations: Ints, objects: Ints, entities: int) -> Graph:
    """Sort triples, given as three equally long integer arrays, into a graph; doubled triples are dropped.

    Raises ValueError where the numbers of a triple do not fit into 64 bits together.
    """
    layout = Layout(max(entities - 1, 1).bit_length(), max(int(relations.max(initial=0)), 1).bit_length())
    if layout.bits > 64:
        raise ValueError(f"{entities} entities and {int(relations.max()) + 1} relations do not fit into 64-bit keys")
    keys = layout.sort(subjects, relations, objects, np.zeros(1, dtype=bool))
    keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys
    # Each way of sorting tells the other one which ends are shared.
    into = layout.turn(keys)
    del keys
    out = layout.turn(into)
    halves = layout.half(out, entities), layout.half(into, entities)
    return Graph(*(np.concatenate(column) for column in _joined(*halves)))


def _joined(out: tuple[Ints, ...], into: tuple[Ints, ...]) -> Iterator[tuple[Ints, Ints]]:
    """Yield each array of both halves, the second one counting on from the first."""
    groups, _, starts, *_ = out
    yield groups[:-1], into[0] + groups[-1]
    yield out[1], into[1]
    yield starts[:-1], into[2] + starts[-1]
    yield from zip(out[3:], into[3:], strict=True)
