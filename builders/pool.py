"""The pool of replacement names with their vectors, built once from any text and cached by its content."""

import gzip
import hashlib
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from builders.entities import find_mentions, pipeline_identity, plain_text, pool_names
from builders.similarity import Similarity, Vectors
from loaders.errors import InputError

POOL_VERSION = 5
NEIGHBOURS = 10


@dataclass(frozen=True)
class Pool:
    """Names by entity type, each type's unit vectors in the same order, and an identity for the recipe."""

    names: Mapping[str, Sequence[str]]
    vectors: Mapping[str, Vectors]
    identity: str

    def nearest(self, vector: Vectors, kind: str, limit: float, allowed: Callable[[str], bool]) -> tuple[str, float]:
        """Return the allowed name of that type with the highest cosine up to `limit`, or ("", 0.0) without one."""
        if kind not in self.names:
            return "", 0.0
        cosines = self.vectors[kind] @ vector
        # Ties and last-bit noise must not decide: cosines are compared at six decimals, then by name.
        order = np.lexsort((np.arange(len(cosines)), -np.round(cosines, 6)))
        names = self.names[kind]
        found = (i for i in order if cosines[i] <= limit and allowed(names[i]))
        return next(((names[i], float(cosines[i])) for i in found), ("", 0.0))

    def type_of(self, vector: Vectors) -> str:
        """Return the type that most of the ten nearest names have: how a name that NER missed gets its type."""
        near = [
            (-float(cosine), kind)
            for kind, vectors in self.vectors.items()
            for cosine in np.sort(np.round(vectors @ vector, 6))[-NEIGHBOURS:]
        ]
        votes = Counter(kind for _, kind in sorted(near)[:NEIGHBOURS])
        return min(votes, key=lambda kind: (-votes[kind], kind)) if votes else ""


def read_pool_text(path: Path) -> list[str]:
    """Return the prose lines of a text file, plain or gzip, WikiText tokens undone; raises InputError."""
    if not path.is_file():
        raise InputError(path, None, "a text file for the entity pool expected")
    raw = path.read_bytes()
    try:
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(path, None, f"UTF-8 text, plain or gzip, expected ({error})") from None
    lines = [plain for line in text.splitlines() if (plain := plain_text(line))]
    if not lines:
        raise InputError(path, None, "at least one line of prose expected")
    return lines


def open_pool(lines: Sequence[str], nlp: Any, similarity: Similarity, cache: Path) -> Pool:
    """Return the pool of these lines; built at the first call, read back from the cache afterwards."""
    identity = _identity(lines, nlp, similarity)
    folder = cache / f"pool-{identity}"
    if not folder.is_dir():
        common = {word for line in lines for word in re.findall(r"\b[^\W\d_A-Z]{2,}\b", line)}
        _write(folder, pool_names((m for found in find_mentions(lines, nlp) for m in found), common), similarity)
    names: dict[str, list[str]] = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "vectors.npz") as stored:
        return Pool(names, {kind: stored[kind] for kind in names}, identity)


def _identity(lines: Iterable[str], nlp: Any, similarity: Similarity) -> str:
    digest = hashlib.sha256(f"{POOL_VERSION} {pipeline_identity(nlp)} {similarity.identity}\n".encode())
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()[:24]


def _write(folder: Path, names: Mapping[str, Sequence[str]], similarity: Similarity) -> None:
    staging = folder.with_name(f"{folder.name}.{os.getpid()}")
    staging.mkdir(parents=True, exist_ok=True)
    (staging / "names.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
    vectors: dict[str, Any] = {kind: similarity.encode(found) for kind, found in names.items()}
    np.savez(staging / "vectors.npz", **vectors)
    try:
        staging.rename(folder)
    except OSError:
        # Another process built the same pool first; its content is the same.
        for path in staging.iterdir():
            path.unlink()
        staging.rmdir()
