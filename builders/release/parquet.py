"""What readers of all versions of `datasets`, and the Hub's viewer, need of every Parquet file of a release."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

MAX_GROUP_BYTES = 100_000_000


def parquet_problems(folder: Path, canary: str, licences: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with each file: no rows, foreign metadata, a large row group, a row without its marks.

    `licences` are those of the sources by config.
    """
    for path in sorted(folder.rglob("*.parquet")):
        name, file = path.relative_to(folder).as_posix(), pq.ParquetFile(path)
        if not file.metadata.num_rows:
            yield f"{name}: no rows; an empty split is left out"
        if b"huggingface" in (file.schema_arrow.metadata or {}):
            yield f"{name}: `huggingface` schema metadata, which older readers follow in place of the card"
        marks = {"canary": canary}
        if path.parent.name in licences and "source_license" in file.schema_arrow.names:
            marks["source_license"] = licences[path.parent.name]
        yield from (f"{name}: {problem}" for problem in _group_problems(file, marks))


def _group_problems(file: pq.ParquetFile, marks: Mapping[str, str]) -> Iterator[str]:
    absent = [mark for mark in marks if mark not in file.schema_arrow.names]
    yield from (f"no column {mark}" for mark in absent)
    for number in range(file.num_row_groups):
        size = file.metadata.row_group(number).total_byte_size
        if size >= MAX_GROUP_BYTES:
            yield f"row group {number} takes {size:,} bytes, fewer than {MAX_GROUP_BYTES:,} expected"
        for mark in (mark for mark in marks if mark not in absent):
            found = pc.unique(file.read_row_group(number, columns=[mark])[mark]).to_pylist()
            if set(found) - {marks[mark]}:
                yield f"row group {number}: {mark} {found[:2]}, {marks[mark]!r} expected in every row"
