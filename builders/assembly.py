"""What every family's assembly does: splits written with their digests, and told to the card as they lie there."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from cards.header import Config, Split
from loaders.artifact import shard_paths, write_rows
from loaders.manifest import rows_digest


def write_split(
    folder: Path, config: str, split: str, record: type, rows: Sequence[Any], digests: dict[str, str]
) -> None:
    """Write one split and note its digest; an empty one is left out."""
    if rows:
        write_rows(folder, config, split, record, rows)
        digests[f"{config}/{split}"] = rows_digest(rows)


def config_of(
    folder: Path, name: str, record: type, splits: Sequence[str], key: tuple[str, ...] = ("id",), pair: str = "id"
) -> Config:
    """Return a config of a folder with those of its splits that are there."""
    found = [(split, shard_paths(folder, name, split)) for split in splits]
    return Config(name, record, tuple(_split(split, paths) for split, paths in found if paths), key, pair)


def _split(name: str, paths: Sequence[Path]) -> Split:
    rows = sum(pq.read_metadata(path).num_rows for path in paths)
    return Split(name, rows, sum(path.stat().st_size for path in paths))


def split_files(
    folder: Path, manifest: Mapping[str, Any], record: type, construction: str, candidate: type
) -> Iterator[tuple[Path, type]]:
    """Yield every Parquet file that a manifest knows, rows and construction records, with its record class."""
    for config in manifest["configs"]:
        for split in config["rows"]:
            yield from ((path, record) for path in shard_paths(folder, config["name"], split))
        yield from ((path, candidate) for path in shard_paths(folder, f"{config['name']}_construction", construction))


def paired_ids(ids: Mapping[str, Sequence[str]], base: str) -> dict[str, Any]:
    """Return how many ids each split shares with the split `base`, and the ids that all splits hold."""
    own = ids.get(base, ())
    shared = set.intersection(*(set(found) for found in ids.values())) if ids else set()
    return {
        f"with_{base}": {split: len(set(found) & set(own)) for split, found in ids.items() if split != base},
        "all": [id for id in own if id in shared],
    }
