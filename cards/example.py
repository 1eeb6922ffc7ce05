"""The item that a card shows: one of them in all its conditions, chosen by a rule and not by hand."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from cards.header import Config
from loaders.artifact import shard_paths
from loaders.errors import DecoyQAError
from loaders.schema import from_row


@dataclass(frozen=True)
class Example:
    """One item of a config, with its first row in each split that holds it."""

    id: str
    config: str
    rows: Mapping[str, Any]


def choose_example(folder: Path, configs: Sequence[Config]) -> Example:
    """Return the first item, in the order of configs and rows, that stands in as many splits as any does.

    Items are told apart by the column `pair` of their config; no other is read of those that are not shown. Raises
    DecoyQAError where there is no config.
    """
    if not configs:
        raise DecoyQAError("no question of any source has usable answers and documents: there is nothing to write")
    found = [(config, *_most_frequent(folder, config)) for config in configs]
    config, id, _ = max(found, key=lambda one: one[2])
    rows = {split.name: _row(folder, config, split.name, id) for split in config.splits}
    return Example(id, config.name, {split: row for split, row in rows.items() if row is not None})


def _most_frequent(folder: Path, config: Config) -> tuple[str, int]:
    paths = [shard_paths(folder, config.name, split.name) for split in config.splits]
    splits = [pq.read_table(shards, columns=[config.pair])[config.pair].to_pylist() for shards in paths]
    counts = Counter(id for ids in splits for id in dict.fromkeys(ids))
    return max(counts.items(), key=lambda pair: pair[1])


def _row(folder: Path, config: Config, split: str, id: str) -> Any:
    paths = shard_paths(folder, config.name, split)
    found = pq.read_table(paths, filters=[(config.pair, "=", id)]).slice(0, 1).to_pylist()
    return from_row(config.record, found[0]) if found else None
