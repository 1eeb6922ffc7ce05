"""What a build of GenADV starts from: questions with their documents, and the text that lends names."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.pool import read_pool_text
from builders.sources.openqa import SOURCES, check_config, read_questions, sha256
from loaders.errors import InputError
from loaders.records import Provenance, Question

SAMPLE_POOL = Path(__file__).parents[1] / "sample" / "genadv" / "pool.txt"


@dataclass(frozen=True)
class Input:
    """One source, the config that it fills, and its file."""

    source: str
    config: str
    path: Path


@dataclass(frozen=True)
class Material:
    """All that a build starts from, read and checked: questions by input, and the lines of the entity pool."""

    inputs: tuple[tuple[list[Question], Provenance], ...]
    pool: tuple[str, ...]


def read_material(inputs: Sequence[Input], pool: Path | None = None) -> Material:
    """Read and check everything before a model is opened or a file written; raises InputError at the first bad row."""
    read = tuple(_read_input(given) for given in inputs)
    return Material(read, tuple(read_pool_text(pool or SAMPLE_POOL)))


def _read_input(given: Input) -> tuple[list[Question], Provenance]:
    check_config(given.config)
    questions = list(read_questions(given.path, given.source, given.config))
    if not any(question.documents for question in questions):
        raise InputError(given.path, None, "questions with documents expected (ctxs, documents ...); none has any")
    license = SOURCES[given.source].license
    return questions, Provenance(given.source, given.config, sha256(given.path), len(questions), license)
