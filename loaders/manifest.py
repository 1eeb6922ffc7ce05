"""The manifest of an artifact: what was built from what, and a hash of every byte.

`build.json` (environment and timings) is the only file that no hash covers.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from loaders.errors import DecoyQAError
from loaders.schema import to_row

FORMAT_VERSION = 1
UNHASHED = frozenset({"manifest.json", "build.json"})
# What git and the Hub's client put beside an artifact's files.
NOT_OURS = (".gitattributes", ".git/", ".cache/huggingface/")


@dataclass(frozen=True)
class WrittenFile:
    """What the manifest says of one file: rows are null for files that are not Parquet."""

    path: str
    rows: int | None
    bytes: int
    sha256: str


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, code points as they are."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's bytes in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def json_hash(value: Any) -> str:
    """Return the sha256 of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def rows_digest(rows: Iterable[Any]) -> str:
    """Return a hash over canonical rows; neither library versions nor shard sizes enter it."""
    digest = hashlib.sha256()
    for record in rows:
        digest.update(f"{canonical_json(to_row(record))}\n".encode())
    return digest.hexdigest()


def combined_id(digests: Mapping[str, str]) -> str:
    """Return the content id of an artifact from the digests of its splits."""
    return json_hash(digests)


def list_files(folder: Path) -> list[WrittenFile]:
    """Return what stands in a folder, sorted by path, without manifest.json and build.json."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [_describe(folder, path) for path in paths if path.relative_to(folder).as_posix() not in UNHASHED]


def _describe(folder: Path, path: Path) -> WrittenFile:
    rows = pq.read_metadata(path).num_rows if path.suffix == ".parquet" else None
    return WrittenFile(path.relative_to(folder).as_posix(), rows, path.stat().st_size, sha256_of(path))


def write_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write manifest.json: the given facts, every file's hash, and a hash of the manifest itself."""
    body = {"format_version": FORMAT_VERSION, **facts, "files": [vars(file) for file in list_files(folder)]}
    (folder / "manifest.json").write_bytes(manifest_text(body).encode())


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON with sorted keys."""
    path.write_bytes(json_text(value).encode())


def json_text(value: Any) -> str:
    """Return a value as indented JSON with sorted keys and a line end."""
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def manifest_text(body: Mapping[str, Any]) -> str:
    """Return manifest.json's text; `manifest_sha256` covers everything else in it."""
    body = {key: value for key, value in body.items() if key != "manifest_sha256"}
    return json_text({**body, "manifest_sha256": json_hash(body)})


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read manifest.json; raises DecoyQAError where there is none, or it was edited or is of another format."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise DecoyQAError(f"{folder} is no artifact: it has no manifest.json")
    written = path.read_bytes()
    try:
        manifest: dict[str, Any] = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise DecoyQAError(f"{path} is not the JSON that was written: {error}") from None
    found = manifest.get("format_version") if isinstance(manifest, dict) else None
    if found != FORMAT_VERSION:
        raise DecoyQAError(f"{path}: format version {FORMAT_VERSION} expected, {found} found")
    if not _is_as_written(manifest, written):
        raise DecoyQAError(f"{path}: changed since it was written, what it says of other files cannot be relied on")
    return manifest


def _is_as_written(manifest: Mapping[str, Any], written: bytes) -> bool:
    try:
        return manifest_text(manifest).encode() == written
    except ValueError:  # what JSON cannot say: NaN, lone surrogates
        return False


def changed_files(folder: Path) -> list[str]:
    """Return one line for every changed, missing or extra file; empty if each byte is as it was written.

    Raises DecoyQAError where the manifest itself is missing or changed.
    """
    expected = {file["path"]: WrittenFile(**file) for file in read_manifest(folder)["files"]}
    # A link counts as a file, wherever it leads: what it points to is not ours.
    paths = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    found = {path.relative_to(folder).as_posix(): path for path in paths}
    lines = [f"{name}: missing" for name in expected.keys() - found.keys()]
    extra = found.keys() - expected.keys() - UNHASHED
    lines += [f"{name}: extra" for name in extra if not name.startswith(NOT_OURS)]
    lines += [line for name in expected.keys() & found.keys() if (line := _difference(expected[name], found[name]))]
    return sorted(lines)


def _difference(expected: WrittenFile, path: Path) -> str:
    if not path.is_file():
        return f"{expected.path}: no file"
    if (size := path.stat().st_size) != expected.bytes:
        return f"{expected.path}: {size} bytes, {expected.bytes} expected"
    return "" if sha256_of(path) == expected.sha256 else f"{expected.path}: changed bytes, sha256 differs"
