"""What a build of GenADV starts from: questions with their documents, and the text that lends names."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.pool import read_pool_text
from builders.sources.openqa import SOURCES, check_config, read_questions, sha256
from builders.sources.retrieve import Search, retrieved
from loaders.errors import InputError
from loaders.records import Provenance, Question

SAMPLE_POOL = Path(__file__).parents[1] / "sample" / "genadv" / "pool.txt"


@dataclass(frozen=True)
class Input:
    """One source, the config that it fills, its file, what that is on the Hub, and another tool's run for it."""

    source: str
    config: str
    path: Path
    hub: str = ""
    run: Path | None = None


@dataclass(frozen=True)
class Material:
    """All that a build starts from, read and checked: questions by input, and the lines of the entity pool."""

    inputs: tuple[tuple[list[Question], Provenance], ...]
    pool: tuple[str, ...]


def read_material(
    inputs: Sequence[Input], pool: Path | None = None, search: Search | None = None, limit: int | None = None
) -> Material:
    """Read and check everything before a model is opened or a file written; raises InputError at the first bad row.

    With a search, the first `limit` questions of each input get what it finds, in place of what they came with.
    """
    lines = tuple(read_pool_text(pool or SAMPLE_POOL))
    read = [_read_input(given) for given in inputs]
    if search:
        pairs = zip(inputs, read, strict=True)
        read = [retrieved(*found, search, given.run, limit) for given, found in pairs]
    for given, (questions, _) in zip(inputs, read, strict=True):
        if not any(question.documents for question in questions):
            expected = "questions with documents expected (ctxs, documents ...), or --passages; none has any"
            raise InputError(given.path, None, expected)
    return Material(tuple(read), lines)


def _read_input(given: Input) -> tuple[list[Question], Provenance]:
    check_config(given.config)
    source = SOURCES[given.source]
    questions = list(read_questions(given.path, given.source, given.config))
    if given.hub and len(questions) != source.paper_rows:
        expected = f"expected {source.paper_rows:,} questions (GenADV, table 3), found {len(questions):,}"
        raise InputError(given.path, None, expected)
    checksum = sha256(given.path)
    return questions, Provenance(given.source, given.config, checksum, len(questions), source.license, given.hub)
