"""A loaded benchmark of any family: its configs, splits and rows, and the rows that belong together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Generic, TypeVar

from loaders.release import Release

R = TypeVar("R")


@dataclass(frozen=True)
class Benchmark(Generic[R]):
    """A checked release; a family's subclass names the record class of its rows, and what pairs them over splits."""

    record: ClassVar[type]
    pair: ClassVar[str] = "id"
    release: Release

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What manifest.json says."""
        return self.release.manifest

    @property
    def configs(self) -> tuple[str, ...]:
        """The configs, without those of construction records."""
        return tuple(config["name"] for config in self.manifest["configs"])

    def splits(self, config: str) -> tuple[str, ...]:
        """Return the splits of a config; those that would be empty are left out."""
        return tuple(self.release.splits.get(config, ()))

    def rows(self, config: str, split: str) -> list[R]:
        """Return one split; raises DecoyQAError where there is no such config or split."""
        return self.release.rows(config, split, self.record)

    def paired(self, config: str, *splits: str) -> list[tuple[R, ...]]:
        """Return the rows of what all given splits hold, paired by id or chain, in the order of the first split.

        Where a split has several rows of an id, each stands beside every row of the others that belongs to it.
        """
        by_id = [self._by_id(config, split) for split in splits]
        found = (rows for id in by_id[0] for rows in product(*(split.get(id, ()) for split in by_id)))
        return [rows for rows in found if self.belong_together(rows)]

    def belong_together(self, rows: Sequence[R]) -> bool:
        """Whether rows of one id, each of another split, belong together."""
        return True

    def _by_id(self, config: str, split: str) -> dict[str, list[R]]:
        rows: dict[str, list[R]] = {}
        for row in self.rows(config, split):
            rows.setdefault(str(getattr(row, self.pair)), []).append(row)
        return rows
