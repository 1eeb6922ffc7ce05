"""`datasets` builders, used in code: splits that are derived from the rows of a checked release when they are read.

They are what loading scripts were before `datasets` 4, and work with 2.21 and later. A family adds a subclass that says
which records it reads, its settings, and how a stored row becomes a derived one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow.parquet as pq

from loaders.artifact import ROWS_PER_GROUP
from loaders.conditions import rearranged
from loaders.errors import DecoyQAError
from loaders.genadv import GenADV, GenADVRow
from loaders.manifest import json_hash
from loaders.records import Reason
from loaders.release import Release
from loaders.schema import arrow_schema, from_row, to_row

# Raised when the same release and settings give other rows, so that nobody is served what an older version cached.
DERIVATION = 1


def genadv_builder(
    benchmark: GenADV, config: str, k: int | None = None, slot: int | None = None, cache_dir: str | None = None
) -> Any:
    """Return a `datasets` builder of a config's splits with fewer documents or another slot of the inserted one.

    See `loaders.conditions.rearranged` for what changes; rows for which it gives a Reason are left out. Then
    `builder.as_streaming_dataset("adversarial")`, or `builder.download_and_prepare()` and `builder.as_dataset()`.
    Raises DecoyQAError unless 1 <= k <= the k of the release and 0 <= slot <= k.
    """
    stored = int(benchmark.manifest["recipe"]["k"])
    k = stored if k is None else k
    if not 1 <= k <= stored:
        raise DecoyQAError(f"k is {k}: the release holds {stored} documents a question, so 1 to {stored} expected")
    if slot is not None and not 0 <= slot <= k:
        raise DecoyQAError(f"slot is {slot}: among {k} documents, 0 to {k} expected")
    if config not in benchmark.configs:
        raise DecoyQAError(f"no config {config!r}, only {', '.join(benchmark.configs)}")
    return _genadv_class()(benchmark.release, config, benchmark.splits(config), cache_dir, k=k, slot=slot)


@cache
def _genadv_class() -> Any:
    import datasets

    @dataclass
    class GenADVConfig(datasets.BuilderConfig):  # type: ignore[misc]
        """Config, number of retrieved documents, slot of the inserted one (None: as drawn)."""

        k: int = 0
        slot: int | None = None

    class GenADVBuilder(_derived_class()):  # type: ignore[misc]
        """GenADV with another k or slot."""

        BUILDER_CONFIG_CLASS = GenADVConfig
        RECORD = GenADVRow

        def derive(self, row: GenADVRow) -> GenADVRow | Reason:
            return rearranged(row, self.release.manifest["seed"], self.config.k, self.config.slot)

    return GenADVBuilder


@cache
def _derived_class() -> Any:
    """Return the base class; a subclass has RECORD, BUILDER_CONFIG_CLASS and `derive(row)`, a row or a Reason."""
    import datasets

    class DerivedBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
        """Rows of a release, each derived when it is read; the cache is keyed by content id and settings."""

        def __init__(
            self, release: Release, config: str, splits: tuple[str, ...], cache_dir: str | None, **settings: Any
        ) -> None:
            self.release, self.splits = release, splits
            super().__init__(
                cache_dir=cache_dir,
                dataset_name=f"decoyqa-{release.manifest['family']}",
                config_name=config,
                hash=json_hash([release.content_id, DERIVATION])[:16],
                base_path=str(release.folder),
                version=re.sub(r"^(\d+\.\d+\.\d+).*", r"\1", release.version),
                **settings,
            )

        def _info(self) -> Any:
            features = datasets.Features.from_arrow_schema(arrow_schema(self.RECORD))
            return datasets.DatasetInfo(description=f"Derived from {self.release.content_id}", features=features)

        def _split_generators(self, dl_manager: Any) -> list[Any]:
            """Leave out a split of which no row is left: `datasets` cannot read an empty one back."""
            paths = {split: [str(p) for p in self.release.shards(self.config.name, split)] for split in self.splits}
            kept = [split for split in self.splits if any(True for _ in self._generate_examples(paths[split]))]
            return [datasets.SplitGenerator(split, {"paths": paths[split]}) for split in kept]

        def _generate_examples(self, paths: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
            for row in _stored_rows(paths, self.RECORD):
                derived = self.derive(row)
                if not isinstance(derived, Reason):
                    yield row.id, to_row(derived)

    return DerivedBuilder


def _stored_rows(paths: list[str], record: type) -> Iterator[Any]:
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(ROWS_PER_GROUP):
            yield from (from_row(record, row) for row in batch.to_pylist())
