"""Write an artifact folder and read it back: one Parquet schema per split, one rename at the end.

Layout: `<config>/<split>-00000-of-0000N.parquet`; what the manifest says of them is in `loaders/manifest.py`.
"""

import ctypes
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
# Of renameat2, <fcntl.h> and <linux/fs.h>.
AT_FDCWD, RENAME_EXCHANGE = -100, 2
# Row groups this small stay far below the 100 MB at which the Hub's viewer gives up.
ROWS_PER_GROUP = 1_000


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder beside the target; on success it is synced and takes the target's place at once.

    A failure leaves the old target as it was and removes the new folder. A kill leaves the old or the new target, and
    the other one in a hidden folder beside it, `.<target>.<process>.tmp` (`.old` where the system cannot exchange).
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
        _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _swap(staging: Path, target: Path) -> None:
    if not target.exists():
        staging.rename(target)
    elif not _exchange(staging, target):
        _swap_by_renames(staging, target)
    _sync(target.parent)


def _swap_by_renames(staging: Path, target: Path) -> None:
    old = staging.with_suffix(".old")
    target.rename(old)
    try:
        staging.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; False where the system cannot (Linux can, on most file systems)."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return renameat2 is not None and renameat2(AT_FDCWD, bytes(one), AT_FDCWD, bytes(other), RENAME_EXCHANGE) == 0


def write_rows(folder: Path, config: str, split: str, record: type[R], rows: Sequence[R]) -> list[Path]:
    """Write one split as Parquet shards under one schema; an empty split writes nothing."""
    shards = range(0, len(rows), ROWS_PER_SHARD)
    paths = []
    for number, first in enumerate(shards):
        path = folder / config / f"{split}-{number:05d}-of-{len(shards):05d}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
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
