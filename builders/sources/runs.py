"""Run files: which passages a retriever found for which question, best first, as other tools write and read them.

A line is TREC's `question Q0 passage rank score name`, or ColBERT's `question passage rank score`. Cells are apart by
tabs, or by any white space where a line has no tab, so that with tabs an id may hold blanks.
"""

import math
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from builders.sources.columns import shown
from builders.sources.files import check_file, read_lines
from loaders.errors import InputError

COLUMNS = {6: (0, 2, 3, 4, 5), 4: (0, 1, 2, 3, None)}  # of question, passage, rank, score and name


class Found(NamedTuple):
    """A passage's id, its score, and the row of the file where it stands."""

    passage: str
    score: float
    row: int = 0


class Run(NamedTuple):
    """A retriever's name, empty where its file has none, and what it found by question id, in the order of ranks."""

    name: str
    found: Mapping[str, Sequence[Found]]


class _Line(NamedTuple):
    row: int
    question: str
    passage: str
    rank: int
    score: float
    name: str


def read_run(path: Path, questions: Collection[str], depth: int) -> Run:
    """Read a run file, every line checked, and keep `depth` passages a question.

    Raises InputError with file and row for an unknown question, a passage that comes twice, ranks that do not go up one
    by one from 1 (or 0, as some tools count), a score above that of the rank before, and two names.
    """
    check_file(path)
    found: dict[str, list[Found]] = {}
    last: dict[str, _Line] = {}
    passages: dict[str, set[str]] = {}
    names: dict[str, None] = {}
    for line in _lines(path):
        if line.question not in questions:
            raise InputError(path, line.row, f"expected the id of a question, found {shown(line.question)}")
        _check_order(path, line, last.get(line.question))
        seen = passages.setdefault(line.question, set())
        if line.passage in seen:
            raise InputError(path, line.row, f"expected a passage once a question, found {shown(line.passage)} again")
        seen.add(line.passage)
        names[line.name] = None
        if len(names) > 1:
            raise InputError(path, line.row, f"expected one run, found two names: {', '.join(names)}")
        last[line.question] = line
        kept = found.setdefault(line.question, [])
        if len(kept) < depth:
            kept.append(Found(line.passage, line.score, line.row))
    if not found:
        raise InputError(path, None, "expected at least one row, found none")
    return Run(next(iter(names)), found)


def _check_order(path: Path, line: _Line, before: _Line | None) -> None:
    allowed = (0, 1) if before is None else (before.rank + 1,)
    if line.rank not in allowed:
        expected = " or ".join(map(str, allowed))
        raise InputError(path, line.row, f"expected rank {expected} of question {line.question}, found {line.rank}")
    if before is not None and line.score > before.score:
        raise InputError(path, line.row, f"expected a score of at most {before.score}, found {line.score}")


def _lines(path: Path) -> Iterator[_Line]:
    for row, text in enumerate(read_lines(path), 1):
        text = text.rstrip("\r\n")
        if not text.strip():
            continue
        cells = text.split("\t") if "\t" in text else text.split()
        if len(cells) not in COLUMNS:
            expected = "question, Q0, passage, rank, score, name, or question, passage, rank, score"
            raise InputError(path, row, f"expected {expected}; found {len(cells)} cells")
        question, passage, rank, score, name = (cells[n] if n is not None else "" for n in COLUMNS[len(cells)])
        yield _Line(row, question, passage, _rank(path, row, rank), _score(path, row, score), name)


def _rank(path: Path, row: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise InputError(path, row, f"expected the rank as a whole number, found {shown(text)}")
    return int(text)


def _score(path: Path, row: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(path, row, f"expected the score as a finite number, found {shown(text)}")
    return score


def write_run(path: Path, run: Run) -> None:
    """Write a run in TREC's form with tabs; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staging = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with staging.open("w", encoding="utf-8", newline="\n") as file:
            for question, found in run.found.items():
                for rank, one in enumerate(found, 1):
                    file.write(f"{question}\tQ0\t{one.passage}\t{rank}\t{one.score}\t{run.name}\n")
        staging.replace(path)
    finally:
        staging.unlink(missing_ok=True)
