"""Triples as numbers that sort as they do, for `build_graph`: a third of the time of sorting by three columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[Any]


@dataclass(frozen=True)
class Layout:
    """A triple under one of its ends as one number: this end, relation, other end, and whether that is shared.

    `entity` and `kind` are the bits that an entity and a relation take.
    """

    entity: int
    kind: int

    @property
    def bits(self) -> int:
        """The bits of a whole key, at most 64."""
        return 2 * self.entity + self.kind + 1

    def sort(self, owners: Ints, kinds: Ints, others: Ints, shared: Ints) -> Ints:
        """Return the sorted keys of triples, given as equally long columns."""
        keys = owners.astype(np.uint64)
        for column, width in ((kinds, self.kind), (others, self.entity), (shared, 1)):
            keys <<= np.uint64(width)
            keys |= column.astype(np.uint64)
        keys.sort()
        return keys

    def owners(self, keys: Ints) -> Ints:
        """Return the ends that triples stand under."""
        return self._column(keys, self.entity + self.kind + 1, self.entity)

    def kinds(self, keys: Ints) -> Ints:
        """Return the relations."""
        return self._column(keys, self.entity + 1, self.kind)

    def others(self, keys: Ints) -> Ints:
        """Return the other ends."""
        return self._column(keys, 1, self.entity)

    def _column(self, keys: Ints, skip: int, width: int) -> Ints:
        found = keys >> np.uint64(skip)
        found &= np.uint64((1 << width) - 1)
        return found.astype(np.int32)

    def turn(self, keys: Ints) -> Ints:
        """Return the same triples under their other ends; those are shared that stand in a group of several here."""
        same = self._same_group(keys)
        several = np.zeros(len(keys), dtype=bool)
        several[1:] |= same
        several[:-1] |= same
        return self.sort(self.others(keys), self.kinds(keys), self.owners(keys), several)

    def half(self, keys: Ints, entities: int) -> tuple[Ints, ...]:
        """Return sorted keys as the arrays of a graph, in one direction alone."""
        firsts = np.flatnonzero(np.concatenate(([True], ~self._same_group(keys)))[: len(keys)])
        groups = np.zeros(entities + 1, dtype=np.int32)
        np.cumsum(np.bincount(self.owners(keys[firsts]), minlength=entities), out=groups[1:])
        kinds = self.kinds(keys[firsts]).astype(np.uint16 if self.kind <= 16 else np.uint32)
        starts = np.append(firsts, len(keys)).astype(np.int32 if 2 * len(keys) < 1 << 31 else np.int64)
        return groups, kinds, starts, self.others(keys), (keys & np.uint64(1)).astype(bool)

    def _same_group(self, keys: Ints) -> Ints:
        groups = keys >> np.uint64(self.entity + 1)
        return np.asarray(groups[1:] == groups[:-1])
