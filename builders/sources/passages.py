"""A collection of passages, such as `psgs_w100.tsv`: read and checked once, then mapped into memory from disk."""

import json
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from builders.sources.columns import Expected, identifier, required, shown, string
from builders.sources.files import sha256
from builders.sources.rows import read_rows
from loaders.artifact import replacing_folder
from loaders.errors import InputError
from loaders.records import Document

IDS = ("id", "_id", "docid", "pid", "passage_id")
TEXTS = ("text", "contents", "passage")
SCHEMA = pa.schema([(name, pa.string()) for name in ("id", "title", "text")])
BATCH = 50_000  # passages that are written at once
FOLDER = "passages-1"  # another number where the same file would be stored in another way


@dataclass(frozen=True)
class Passages:
    """A collection on disk; a place is a passage's 0-based position in it, `left_out` counts rows without text."""

    folder: Path
    sha256: str
    left_out: int

    @cached_property
    def _table(self) -> Any:
        return pa.ipc.open_file(pa.memory_map(str(self.folder / "passages.arrow"))).read_all()

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def texts(self) -> Iterator[str]:
        """Yield what is searched of each passage, in order: title and text."""
        for batch in self._table.to_batches():
            for title, text in zip(batch["title"].to_pylist(), batch["text"].to_pylist(), strict=True):
                yield f"{title}\n{text}"

    def id(self, place: int) -> str:
        """Return the id of a passage."""
        return str(self._table["id"][place])

    def document(self, place: int, score: float | None, rank: int) -> Document:
        """Return a passage as a retrieved document."""
        id, title, text = (str(self._table[name][place]) for name in SCHEMA.names)
        return Document(id, title, text, score, rank=rank)

    def places(self, ids: Collection[str]) -> dict[str, int]:
        """Return the places of those ids that are in the collection; one pass over all of its ids."""
        found = pc.is_in(self._table["id"], value_set=pa.array(sorted(ids), pa.string()))
        return {self.id(int(place)): int(place) for place in np.flatnonzero(found)}


def open_passages(path: Path, cache: Path, heard: Callable[[int, bool], None]) -> Passages:
    """Return a file's passages, stored under its checksum in `cache` unless they lie there already.

    Read are TSV with a header, JSON lines and Parquet; columns as in IDS and TEXTS, and `title`. `heard` hears how many
    passages were read. Raises InputError with file and row, for an id that comes twice too.
    """
    checksum = sha256(path)
    folder = cache / checksum / FOLDER
    if not folder.is_dir():
        with replacing_folder(folder) as staging:
            _write(path, staging, heard)
    facts = json.loads((folder / "facts.json").read_text("utf-8"))
    return Passages(folder, checksum, facts["left_out"])


def _write(path: Path, folder: Path, heard: Callable[[int, bool], None]) -> None:
    hashes, left_out = array("q"), 0
    with pa.OSFile(str(folder / "passages.arrow"), "wb") as sink, pa.ipc.new_file(sink, SCHEMA) as writer:
        batch: list[tuple[str, str, str]] = []

        def flush() -> None:
            if batch:
                writer.write_batch(pa.record_batch([list(column) for column in zip(*batch, strict=True)], SCHEMA))
                heard(len(batch), False)
                batch.clear()

        for passage in _read(path):
            hashes.append(hash(passage[0]))
            if passage[2]:
                batch.append(passage)
            else:
                left_out += 1
            if len(batch) == BATCH:
                flush()
        flush()
    if left_out == len(hashes):
        raise InputError(path, None, "expected passages with text, found none")
    _check_ids(path, np.frombuffer(hashes, np.int64))
    (folder / "facts.json").write_text(json.dumps({"left_out": left_out}), "utf-8")


def _read(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield id, title and text of every row."""
    for row in read_rows(path, (*TEXTS, *IDS), bare=False):
        try:
            yield to_passage(row.columns)
        except Expected as error:
            raise InputError(path, row.number, str(error)) from None


def to_passage(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return id, title and text of one row, or raise `Expected`; the text may be empty.

    `contents` without a title has it on its first line, often in quotes, as in the corpora of Pyserini and FlashRAG.
    """
    id = identifier("id", required("id", IDS, row)[1])
    if not id.strip() or id != id.strip() or any(mark in id for mark in "\t\r\n"):
        raise Expected(f"expected an id without tabs, line ends or outer spaces, found {shown(id)}")
    name, value = required("text", TEXTS, row)
    text, title = string("text", value), string("title", row.get("title") or "")
    if name == "contents" and not title and "\n" in text:
        title, text = text.split("\n", 1)
        title = title.strip().removeprefix('"').removesuffix('"')
    return id, title.strip(), text.strip()


def _check_ids(path: Path, hashes: "np.typing.NDArray[np.int64]") -> None:
    """Raise InputError at the second row of an id; eight bytes a passage are enough to know that there is none."""
    values, counts = np.unique(hashes, return_counts=True)
    suspects, seen = set(values[counts > 1].tolist()), dict[str, int]()
    for row in read_rows(path, (*TEXTS, *IDS), bare=False) if suspects else ():
        id = to_passage(row.columns)[0]
        if hash(id) in suspects and (first := seen.setdefault(id, row.number)) != row.number:
            raise InputError(path, row.number, f"expected an id of its own, found that of row {first} again: {id}")
