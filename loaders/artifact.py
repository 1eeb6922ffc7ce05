"""Write an artifact folder and read it back: one Parquet schema per split, one rename at the end.

Layout: `<config>/<split>-00000-of-0000N.parquet`; what the manifest says of them is in `loaders/manifest.py`.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from loaders.errors import DecoyQAError
from loaders.schema import arrow_schema, from_row, to_row

R = TypeVar("R")

ROWS_PER_SHARD = 50_000
# Row groups this small stay far below the 100 MB at which the Hub's viewer gives up.
ROWS_PER_GROUP = 1_000


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder beside the target; on success it is synced and takes the target's place in one rename.

    A failure leaves the old target as it was and removes the new folder.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    staging = target.parent / f".{target.name}.{os.getpid()}.tmp"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    try:
        yield staging
        _sync_tree(staging)
        _swap(staging, target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _sync_tree(folder: Path) -> None:
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _swap(staging: Path, target: Path) -> None:
    old = target.parent / f".{target.name}.{os.getpid()}.old"
    if target.exists():
        target.rename(old)
    try:
        staging.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_rows(folder: Path, config: str, split: str, record: type[R], rows: Sequence[R]) -> list[Path]:
    """Write one split as Parquet shards under one schema; an empty split writes nothing."""
    shards = range(0, len(rows), ROWS_PER_SHARD)
    (folder / config).mkdir(parents=True, exist_ok=True)
    paths = []
    for number, first in enumerate(shards):
        path = folder / config / f"{split}-{number:05d}-of-{len(shards):05d}.parquet"
        write_parquet(path, record, rows[first : first + ROWS_PER_SHARD])
        paths.append(path)
    return paths


def write_parquet(path: Path, record: type[R], rows: Sequence[R]) -> None:
    """Write records to one Parquet file; the same records give the same bytes under the same pyarrow."""
    table = pa.Table.from_pylist([to_row(row) for row in rows], schema=arrow_schema(record))
    pq.write_table(table, path, row_group_size=ROWS_PER_GROUP, compression="zstd")


def read_parquet(path: Path, record: type[R]) -> list[R]:
    """Read the records of one Parquet file."""
    return [from_row(record, row) for row in pq.read_table(path).to_pylist()]


def shard_paths(folder: Path, config: str, split: str) -> list[Path]:
    """Return the shards of one split in order; empty if the artifact has no such split."""
    return sorted((folder / config).glob(f"{split}-*-of-*.parquet"))


def read_rows(folder: Path, config: str, split: str, record: type[R]) -> list[R]:
    """Read one split of an artifact; raises DecoyQAError if there is none."""
    paths = shard_paths(folder, config, split)
    if not paths:
        raise DecoyQAError(f"{folder} has no split {config}/{split}")
    return [row for path in paths for row in read_parquet(path, record)]
