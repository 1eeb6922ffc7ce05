"""The backend over a graph in memory-mapped arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from builders.eureqa.backend import Behind, Edge, Group, Place
from builders.eureqa.graph import Graph, Ints


@dataclass(frozen=True)
class Classes:
    """The most specific class of each entity (-1 for none), and each class's descendants as a range of classes.

    Classes are numbered so that those below class c, itself included, are c to `last[c]` - 1.
    """

    of: Ints
    last: Ints

    def contains(self, shown: int, entities: Ints) -> Ints:
        """Return which entities are of a class or of one below it; every entity is of class -1."""
        if shown < 0:
            return np.ones(len(entities), dtype=bool)
        found = self.of[entities]
        return np.asarray((found >= shown) & (found < self.last[shown]))


@dataclass(frozen=True)
class IndexBackend:
    """Answers from the index alone; entities and relations are its numbers."""

    graph: Graph
    classes: Classes

    def relations(self, entities: Sequence[int]) -> list[Mapping[tuple[int, int], int]]:
        """Return each entity's number of neighbours by direction and relation."""
        return [self.graph.relations(entity) for entity in entities]

    def neighbours(self, groups: Sequence[Group[int, int]]) -> list[Ints]:
        """Return the neighbours of each group, sorted."""
        return [self.graph.neighbours(*group) for group in groups]

    def facts(self, places: Sequence[Place[int, int]]) -> list[tuple[int, int]]:
        """Return the neighbour at each place, and how many entities have that edge to it; 2 stands for more."""
        return [self.graph.neighbour(*place) for place in places]

    def count(self, patterns: Sequence[Edge[int, int]]) -> list[int]:
        """Return how many entities have each edge."""
        return [self.graph.count(pattern) for pattern in patterns]

    def joint(self, pairs: Sequence[tuple[Edge[int, int], Edge[int, int]]]) -> list[int]:
        """Return how many entities have both edges of each pair."""
        return [self.graph.joint(one, other) for one, other in pairs]

    def behind(self, asked: Sequence[Behind[int, int]]) -> list[int]:
        """Return how many entities each question leaves without its next entity's name; 2 stands for more."""
        return [self._behind(one) for one in asked]

    def _behind(self, asked: Behind[int, int]) -> int:
        found = 0
        for entity in self.graph.solutions(asked.fact):
            others = self.graph.neighbours(int(entity), asked.direction, asked.relation)
            found += bool(self.classes.contains(asked.shown, others).any())
            if found == 2:
                break
        return found
