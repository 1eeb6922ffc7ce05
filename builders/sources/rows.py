"""Rows of a file, one after another: JSON lines, a JSON list, TriviaQA's JSON, TSV with CSV quoting, or Parquet."""

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from builders.sources.columns import shown
from builders.sources.files import check_file, is_parquet, read_lines
from loaders.errors import InputError

DPR_COLUMNS = ("question", "answers")  # a TSV without a header row


class Row(NamedTuple):
    """A row by column name; `number` is the 1-based line where it starts, or its place in one JSON value or Parquet."""

    number: int
    columns: dict[str, Any]


def read_rows(path: Path, header: tuple[str, ...], bare: bool = True) -> Iterator[Row]:
    """Yield a file's rows; one JSON value (a list, or an object with a list `Data`) is parsed whole, all else streams.

    A TSV's first row is a header if it holds one of the names in `header`, else, with `bare`, the columns are DPR's.
    Raises InputError with file and row.
    """
    check_file(path)
    return _rows(path, header, bare)


def _rows(path: Path, header: tuple[str, ...], bare: bool) -> Iterator[Row]:
    found = _parquet(path) if is_parquet(path) else _text(path, header, bare)
    empty = True
    for row in found:
        empty = False
        yield row
    if empty:
        raise InputError(path, None, "expected at least one row, found none")


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
            for columns in batch.to_pylist():
                number += 1
                yield Row(number, columns)
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, number + 1, f"expected whole, readable Parquet: {shown(str(error))}") from None


def _text(path: Path, header: tuple[str, ...], bare: bool) -> Iterator[Row]:
    start = next((text.lstrip()[0] for text in read_lines(path) if text.strip()), "")
    readers = {"[": _json_value, "{": _json_objects}
    return readers[start](path) if start in readers else _tsv(path, header, bare)


def _json_objects(path: Path) -> Iterator[Row]:
    """Read JSON lines, or TriviaQA's one object, which stands on one line or spreads over many."""
    lines = enumerate(read_lines(path), 1)
    number, text = next((number, text) for number, text in lines if text.strip())
    if not text.rstrip().endswith("}"):
        yield from _json_value(path)
        return
    first = _parse(path, number, text)
    if isinstance(first, dict) and isinstance(first.get("Data"), list):
        yield from _objects(path, enumerate(first["Data"], 1))
        return
    yield from _objects(path, [(number, first)])
    yield from _objects(path, ((number, _parse(path, number, text)) for number, text in lines if text.strip()))


def _json_value(path: Path) -> Iterator[Row]:
    value = _parse(path, 1, "".join(read_lines(path)))
    if isinstance(value, dict):
        value = value.get("Data")
    if not isinstance(value, list):
        raise InputError(path, 1, "expected JSON lines, a JSON list, or an object with a list `Data`")
    yield from _objects(path, enumerate(value, 1))


def _parse(path: Path, number: int, text: str) -> Any:
    try:
        return json.loads(text.rstrip())
    except json.JSONDecodeError as error:
        line = number + error.lineno - 1
        raise InputError(path, line, f"expected JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, number, f"expected JSON: {error}") from None


def _objects(path: Path, values: Iterable[tuple[int, Any]]) -> Iterator[Row]:
    for number, value in values:
        if not isinstance(value, dict):
            raise InputError(path, number, f"expected a JSON object, found a {type(value).__name__}")
        yield Row(number, value)


def _tsv(path: Path, header: tuple[str, ...], bare: bool) -> Iterator[Row]:
    rows = _cells(path)
    first = next(rows, (1, []))
    if set(first[1]) & set(header):
        yield from _under_header(path, first[1], rows)
    elif first[1]:
        yield from _without_header(path, chain([first], rows), header, bare)


def _without_header(
    path: Path, rows: Iterable[tuple[int, list[str]]], header: tuple[str, ...], bare: bool
) -> Iterator[Row]:
    for number, row in rows:
        if not bare or len(row) != len(DPR_COLUMNS):
            form = f"a header with columns of {', '.join(header)}" + (
                ", or two cells (question, list of answers)" * bare
            )
            raise InputError(path, number, f"expected {form}, found {len(row)}: {shown(', '.join(row))[1:-1]}")
        yield Row(number, dict(zip(DPR_COLUMNS, map(_quoted_once, row), strict=True)))


def _under_header(path: Path, names: list[str], rows: Iterable[tuple[int, list[str]]]) -> Iterator[Row]:
    for number, row in rows:
        if len(row) != len(names):
            raise InputError(path, number, f"expected {len(names)} cells, found {len(row)}: {shown(', '.join(row))}")
        yield Row(number, dict(zip(names, row, strict=True)))


def _cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(read_lines(path), delimiter="\t", strict=True)
    start = 1
    try:
        for cells in reader:
            if len(cells) > 1 or "".join(cells).strip():
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(path, start, f"expected tab-separated cells with CSV quoting: {error}") from None


def _quoted_once(cell: str) -> str:
    """Undo a second CSV quoting: all 705 TriviaQA questions of DPR's file that hold quotes went through it twice."""
    inner = cell[1:-1]
    twice = cell[:1] == cell[-1:] == '"' and '""' in inner and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if twice else cell
