"""Replies handed on, so that somebody else builds the same bytes without asking: out of a store, and into another."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eval.models.segments import read_lines, write_segment
from eval.models.store import RequestStore, Told, untold
from eval.models.store_line import Entry, decode, encode, key_of
from loaders.errors import DecoyQAError, InputError

LINES, PARQUET = ".jsonl", ".parquet"
# Request and reply as JSON: a model's text may hold half of a surrogate pair, which strings of Parquet cannot.
SCHEMA = pa.schema([(name, pa.string()) for name in ("key", "engine", "time", "request", "reply")])
BATCH = 1_000  # rows


def export_store(store: RequestStore, target: Path, told: Told = untold) -> int:
    """Write every request and reply, sorted by key, as JSON Lines or Parquet by the target's suffix; return how many.

    `told` hears (done, all). Raises DecoyQAError for another suffix, or where the file cannot be written.
    """
    _check_suffix(target)
    unfinished = target.with_name(f".{target.name}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        (_write_lines if target.suffix == LINES else _write_parquet)(unfinished, _entries(store, told))
        unfinished.rename(target)
    except OSError as error:
        raise DecoyQAError(f"{target} could not be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return len(store)


def import_store(store: RequestStore, source: Path) -> tuple[int, int]:
    """Add what a file of `export_store` holds as one segment; return how many replies are new, and how many were there.

    A reply that is there stays. Raises InputError, before anything is written, for a row that is no stored call, or
    whose key is not that of its request: such a reply would answer what nobody asked.
    """
    _check_suffix(source)
    if not source.is_file():
        raise InputError(source, None, "expected a file, found nothing")
    keys = {entry.reply.key for entry in _checked(source)}
    new = {key for key in keys if key not in store}
    if new:
        wanted = (entry for entry in _checked(source) if entry.reply.key in new)
        write_segment(store.folder, (encode(entry.request, entry.reply, entry.time) for entry in wanted))
        store.refresh()
    return len(new), len(keys) - len(new)


def _check_suffix(path: Path) -> None:
    if path.suffix not in (LINES, PARQUET):
        raise DecoyQAError(f"{path}: expected a name that ends with {LINES} or {PARQUET}")


def _entries(store: RequestStore, told: Told) -> Iterator[Entry]:
    for done, key in enumerate(store.index, 1):
        if entry := store.index.entry(key):
            yield entry
            told(done, len(store))


def _write_lines(path: Path, entries: Iterable[Entry]) -> None:
    with path.open("wb") as file:
        file.writelines(encode(entry.request, entry.reply, entry.time) for entry in entries)


def _write_parquet(path: Path, entries: Iterable[Entry]) -> None:
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        rows: list[dict[str, str]] = []
        for entry in entries:
            rows.append(_row(entry))
            if len(rows) == BATCH:
                writer.write_table(pa.Table.from_pylist(rows, SCHEMA))
                rows.clear()
        writer.write_table(pa.Table.from_pylist(rows, SCHEMA))


def _row(entry: Entry) -> dict[str, str]:
    request, reply = json.dumps(asdict(entry.request)), json.dumps(asdict(entry.reply))
    return {
        "key": entry.reply.key,
        "engine": entry.request.engine,
        "time": entry.time,
        "request": request,
        "reply": reply,
    }


def _checked(source: Path) -> Iterator[Entry]:
    """Yield the calls of a file; raises InputError with the row of the first that cannot be relied on."""
    for row, line in enumerate(_lines(source), 1):
        try:
            entry = decode(line)
        except ValueError:
            raise InputError(source, row, "expected a stored call: key, time, request and reply") from None
        if key_of(line) is None or entry.request.key != entry.reply.key:
            raise InputError(source, row, "expected the key and the checksum of this very request and reply")
        yield entry


def _lines(source: Path) -> Iterator[bytes]:
    if source.suffix == LINES:
        yield from (line for _, line in read_lines(source))
        return
    try:
        for batch in pq.ParquetFile(source).iter_batches(BATCH):
            for row in batch.to_pylist():
                fields = (json.dumps(row["time"]), row["request"], row["reply"])
                yield '{{"time": {}, "request": {}, "reply": {}}}'.format(*fields).encode()
    except (pa.ArrowInvalid, KeyError) as error:
        raise InputError(source, None, f"expected Parquet with the columns {', '.join(SCHEMA.names)}") from error
