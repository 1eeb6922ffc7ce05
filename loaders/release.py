"""Open a published benchmark, on the Hub or in a folder, after every byte of it was compared with its manifest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow.parquet as pq

from loaders.artifact import read_rows, shard_paths
from loaders.errors import DecoyQAError
from loaders.hub import fetch
from loaders.manifest import changed_files, read_manifest

R = TypeVar("R")
V = TypeVar("V")

_REPO = re.compile(r"\w[\w.-]*/[\w.-]+", re.ASCII)


@dataclass(frozen=True)
class Release:
    """A checked artifact: `commit` is the Hub's, empty for a folder."""

    folder: Path
    manifest: Mapping[str, Any]
    commit: str = ""

    @property
    def version(self) -> str:
        """The version, as the manifest says."""
        return str(self.manifest["version"])

    @property
    def content_id(self) -> str:
        """The hash of all rows, independent of files and library versions."""
        return str(self.manifest["content_id"])

    @property
    def splits(self) -> dict[str, dict[str, int]]:
        """The number of rows by config and split in the order of the card, construction records last."""
        order = [config["name"] for config in self.manifest["configs"]], self.manifest["splits"]
        counted = _counted(self.manifest)
        return {config: _sorted(splits, order[1]) for config, splits in _sorted(counted, order[0]).items()}

    def shards(self, config: str, split: str) -> list[Path]:
        """Return the Parquet files of one split; raises DecoyQAError where there is no such config or split."""
        known = self.splits
        if config not in known:
            raise DecoyQAError(f"{self.folder} has no config {config!r}, only {', '.join(known)}")
        if split not in known[config]:
            raise DecoyQAError(
                f"{self.folder}: config {config} has no split {split!r}, only {', '.join(known[config])}"
            )
        return shard_paths(self.folder, config, split)

    def rows(self, config: str, split: str, record: type[R]) -> list[R]:
        """Read one split as records; raises DecoyQAError where there is no such config or split."""
        self.shards(config, split)
        return read_rows(self.folder, config, split, record)


def open_release(where: str | Path, revision: str = "", family: str = "") -> Release:
    """Open a release and check it: family (where one is named), version, every file's sha256, row counts.

    `where` is a folder, or ORG/NAME on the Hub with its tag vX.Y.Z or full commit id as revision; a folder may go
    without. Raises DecoyQAError that names each changed, missing or extra file.
    """
    folder = Path(where)
    on_hub = isinstance(where, str) and not folder.is_dir()
    if on_hub and not _REPO.fullmatch(str(where)):
        raise DecoyQAError(f"{where} is neither a folder nor ORG/NAME on the Hub")
    if on_hub and not revision:
        raise DecoyQAError(f"{where}: say which release, such as revision='v1.0.0'")
    if on_hub:
        folder = fetch(str(where), revision)
    release = Release(folder, read_manifest(folder), folder.name if on_hub else "")
    _check(release, str(where), revision, family)
    return release


def _check(release: Release, where: str, revision: str, family: str) -> None:
    found = release.manifest["family"]
    if family not in ("", found):
        raise DecoyQAError(f"{where} is a benchmark of family {found}, not {family}")
    if revision not in ("", release.commit, f"v{release.version}"):
        raise DecoyQAError(f"{where}: version {release.version} found where {revision} was asked for")
    lines = changed_files(release.folder) or list(_wrong_counts(release))
    if lines:
        raise DecoyQAError(f"{where} is not what was released: {'; '.join(lines)} (read from {release.folder})")


def _wrong_counts(release: Release) -> Iterator[str]:
    for file in release.manifest["files"]:
        if file["rows"] not in (None, found := _rows(release.folder / file["path"])):
            yield f"{file['path']}: {found} rows, {file['rows']} expected"
    for config in release.manifest["configs"]:
        counted = release.splits.get(config["name"], {})
        if counted != config["rows"]:
            yield f"{config['name']}: {counted} rows in its files, {config['rows']} expected"


def _rows(path: Path) -> int | None:
    return int(pq.read_metadata(path).num_rows) if path.suffix == ".parquet" else None


def _sorted(found: Mapping[str, V], order: Sequence[str]) -> dict[str, V]:
    return dict(sorted(found.items(), key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order)))


def _counted(manifest: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for file in manifest["files"]:
        config, slash, shard = file["path"].partition("/")
        if slash and file["rows"] is not None:
            splits = found.setdefault(config, {})
            split = shard.rsplit("-", 3)[0]
            splits[split] = splits.get(split, 0) + file["rows"]
    return found
