"""A whole snapshot as sorted integer arrays: neighbours, counts and joint solutions over all of it (section 2.1).

Every triple stands twice, under its subject (`out`) and under its object (`in`), sorted by entity, relation and other
end. Numbers of entities and relations follow the order of their IRIs, so whatever is sorted by number is sorted by IRI.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from builders.eureqa.backend import IN, OUT, Edge

Ints = npt.NDArray[Any]


@dataclass(frozen=True)
class Side:
    """The triples under one of their ends: those of entity e stand at `offsets[e]` to `offsets[e + 1]`."""

    offsets: Ints
    relations: Ints
    others: Ints

    def run(self, entity: int, relation: int) -> Ints:
        """Return the other ends of an entity's relation, sorted."""
        first, last = int(self.offsets[entity]), int(self.offsets[entity + 1])
        own = self.relations[first:last]
        # With the array's own type: a plain int would turn the whole slice into int64 first.
        low = int(own.searchsorted(self.relations.dtype.type(relation), "left"))
        high = int(own.searchsorted(self.relations.dtype.type(relation), "right"))
        return self.others[first + low : first + high]

    def groups(self, entity: int) -> Iterator[tuple[int, int]]:
        """Yield each relation of an entity with its number of other ends."""
        own = self.relations[int(self.offsets[entity]) : int(self.offsets[entity + 1])]
        start = 0
        while start < len(own):
            relation = own[start]
            end = int(own.searchsorted(relation, "right"))
            yield int(relation), end - start
            start = end


@dataclass(frozen=True)
class Graph:
    """Both sides of a snapshot."""

    out: Side
    into: Side

    @property
    def entities(self) -> int:
        """Number of entities."""
        return len(self.out.offsets) - 1

    @property
    def triples(self) -> int:
        """Number of triples, each once."""
        return len(self.out.others)

    def side(self, direction: int) -> Side:
        """Return the triples of which an entity is the subject (`OUT`) or the object (`IN`)."""
        return self.into if direction else self.out

    def relations(self, entity: int) -> Mapping[tuple[int, int], int]:
        """Return how many neighbours an entity has by direction and relation, `out` first, then by relation."""
        return {(d, r): n for d in (OUT, IN) for r, n in self.side(d).groups(entity)}

    def neighbours(self, entity: int, direction: int, relation: int) -> Ints:
        """Return an entity's neighbours by relation, sorted."""
        return self.side(direction).run(entity, relation)

    def solutions(self, pattern: Edge[int, int]) -> Ints:
        """Return every entity of which a pattern holds, sorted."""
        return self.side(1 - pattern.direction).run(pattern.other, pattern.relation)

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
    kinds = int(relations.max(initial=0)) + 1
    out = _sort(subjects, relations, objects, entities, kinds)
    owners = np.repeat(np.arange(entities, dtype=np.int64), np.diff(out.offsets))
    return Graph(out, _sort(out.others, out.relations, owners, entities, kinds))


def _sort(owners: Ints, relations: Ints, others: Ints, entities: int, kinds: int) -> Side:
    """Sort by one 64-bit key per triple, which takes a third of the time of sorting by three columns."""
    bits, kind_bits = max(entities - 1, 1).bit_length(), max(kinds - 1, 1).bit_length()
    if 2 * bits + kind_bits > 64:
        raise ValueError(f"{entities} entities and {kinds} relations do not fit into 64-bit keys")
    keys = owners.astype(np.uint64)
    keys <<= np.uint64(kind_bits)
    keys |= relations.astype(np.uint64)
    keys <<= np.uint64(bits)
    keys |= others.astype(np.uint64)
    keys.sort()
    keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys
    found = (keys & np.uint64((1 << bits) - 1)).astype(np.int32)
    keys >>= np.uint64(bits)
    kind = (keys & np.uint64((1 << kind_bits) - 1)).astype(np.uint16 if kinds <= 1 << 16 else np.uint32)
    keys >>= np.uint64(kind_bits)
    offsets = np.zeros(entities + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys.astype(np.int64), minlength=entities), out=offsets[1:])
    return Side(offsets, kind, found)
