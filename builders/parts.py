"""Cached parts: one source under one recipe, made in shards that appear at once, so that a stopped build resumes.

A shard in which a model call failed is there to be read, and is made again by the next run.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from builders.voices import Voices
from loaders.artifact import read_parquet, replacing_folder, write_parquet
from loaders.manifest import canonical_json

J = TypeVar("J")
R = TypeVar("R")

# What may decide a row; of `eval` that is how answers are looked for and how a reply is read.
CODE = (
    *("builders/**/*", "loaders/*", "eval/answers.py", "eval/normalise.py"),
    *(f"eval/models/{name}.py" for name in ("engine", "parse", "prompts", "structured")),
)
CODE_SUFFIXES = frozenset({".py", ".tsv", ".toml", ".txt"})
PENDING = "pending"


def part_key(facts: Mapping[str, Any]) -> str:
    """Return the key of a part: a hash over everything that decides its rows, our own code included."""
    return hashlib.sha256(f"{canonical_json(facts)}\n{code_digest()}".encode()).hexdigest()[:24]


@cache
def code_digest() -> str:
    """Return a hash over our source files, so that no part outlives the code that made it."""
    root = Path(__file__).resolve().parents[1]
    files = sorted(path for name in CODE for path in root.glob(name) if path.suffix in CODE_SUFFIXES)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


Rows = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Answering:
    """A model that answered while a shard was made, in the endpoint's own word."""

    role: str
    model: str


def answering(voices: Voices) -> list[Answering]:
    """Return who answered since `forget_models`."""
    return [Answering(role, model) for role, names in voices.models().items() for model in names]


def by_role(answered: Iterable[Answering]) -> dict[str, list[str]]:
    """Return the models that answered, by role."""
    found: dict[str, set[str]] = {}
    for one in answered:
        found.setdefault(one.role, set()).add(one.model)
    return {role: sorted(models) for role, models in found.items()}


def build_shards(
    folder: Path,
    jobs: Iterable[J],
    make: Callable[[J], Rows],
    done: Callable[[J, bool], None],
    pending: Callable[[Rows], int] = lambda rows: 0,
) -> None:
    """Make every shard that is not there yet; `make` returns rows by split, `done` hears of each job.

    Jobs that come one by one may look at the shards of those before. The second argument of `done` says whether the
    shard was found rather than made. `pending` counts the rows of a shard that wait for a model: while there are any,
    the shard is made again by each run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number, job in enumerate(jobs):
        shard = folder / f"shard-{number:05d}"
        found = shard.is_dir() and not (shard / PENDING).exists()
        if not found:
            rows = make(job)
            _write_shard(shard, rows, pending(rows))
        done(job, found)


def _write_shard(shard: Path, rows: Rows, pending: int) -> None:
    # Where another process made the same shard meanwhile, ours takes its place: the rows are the same.
    with replacing_folder(shard) as staging:
        if pending:
            (staging / PENDING).write_text(f"{pending}\n", encoding="utf-8")
        for split, records in rows.items():
            if records:
                write_parquet(staging / f"{split}.parquet", type(records[0]), records)


def read_shards(folder: Path, split: str, record: type[R]) -> list[R]:
    """Return one split's rows over all shards, in order; empty where no shard has any."""
    paths = sorted(folder.glob(f"shard-?????/{split}.parquet"))
    return [row for path in paths for row in read_parquet(path, record)]


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write what else is known of a finished part."""
    staging = folder / f"part.{os.getpid()}.tmp"
    staging.write_text(canonical_json(facts), encoding="utf-8")
    staging.rename(folder / "part.json")


def read_facts(folder: Path) -> dict[str, Any]:
    """Read what `write_facts` wrote."""
    facts: dict[str, Any] = json.loads((folder / "part.json").read_text(encoding="utf-8"))
    return facts
