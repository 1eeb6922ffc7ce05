"""What changed between two artifacts of one family: rows by split and column, settings, sources; and what is due."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from builders.release.versions import MAJOR, MINOR, PATCH
from loaders.artifact import shard_paths
from loaders.errors import DecoyQAError
from loaders.manifest import json_hash, read_manifest

# Neither seen by a model nor used for a score.
SILENT = frozenset({"source_id", "writer", "source_license", "canary"})
SHOWN = 5  # ids that a line names
# Of the manifest: what was built from what. The rest of it follows from the rows.
SETTINGS = ("recipe", "tools", "seed", "limit", "writer", "checker", "prompts", "format_version")

Cells = Mapping[str, str]


@dataclass(frozen=True)
class SplitDiff:
    """One split in both artifacts: ids that came, went, and changed, the latter with the columns that differ."""

    config: str
    split: str
    rows: tuple[int, int]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, tuple[str, ...]]

    @property
    def change(self) -> str:
        """How much the split's difference weighs: patch, minor or major."""
        loud = any(set(columns) - SILENT for columns in self.changed.values())
        return MAJOR if self.removed or loud else MINOR if self.added else PATCH


@dataclass(frozen=True)
class Diff:
    """Two artifacts side by side."""

    versions: tuple[str, str]
    splits: tuple[SplitDiff, ...]
    settings: tuple[str, ...]
    sources: tuple[str, ...]
    same_content: bool

    @property
    def change(self) -> str:
        """The weightiest change over all splits: patch, minor or major."""
        found = {split.change for split in self.splits}
        return next((change for change in (MAJOR, MINOR) if change in found), PATCH)


def diff(old: Path, new: Path) -> Diff:
    """Compare two artifact folders row by row; raises DecoyQAError where they are of different families."""
    before, after = read_manifest(old), read_manifest(new)
    if before["family"] != after["family"]:
        raise DecoyQAError(f"{old} is of {before['family']}, {new} of {after['family']}: nothing to compare")
    names, others = _splits(before), _splits(after)
    both = dict.fromkeys([*names, *others])
    return Diff(
        versions=(before["version"], after["version"]),
        splits=tuple(_split_diff(old if one in names else None, new if one in others else None, *one) for one in both),
        settings=tuple(_settings(before, after)),
        sources=tuple(_sources(before, after)),
        same_content=before["content_id"] == after["content_id"],
    )


def _splits(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (config["name"], split)
        for config in manifest["configs"]
        for split in manifest["splits"]
        if split in config["rows"]
    ]


def _split_diff(old: Path | None, new: Path | None, config: str, split: str) -> SplitDiff:
    before, after = (_cells(folder, config, split) if folder else {} for folder in (old, new))
    changed = {id: columns for id in after if id in before and (columns := _columns(before[id], after[id]))}
    return SplitDiff(
        config=config,
        split=split,
        rows=(len(before), len(after)),
        added=tuple(id for id in after if id not in before),
        removed=tuple(id for id in before if id not in after),
        changed=changed,
    )


def _cells(folder: Path, config: str, split: str) -> dict[str, Cells]:
    """Return a hash of each cell by row id and column; rows are read group by group, so that few are in memory."""
    found: dict[str, Cells] = {}
    for path in shard_paths(folder, config, split):
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1_000):
            for row in batch.to_pylist():
                found[row.get("row_id") or row["id"]] = {name: json_hash(value) for name, value in row.items()}
    return found


def _columns(before: Cells, after: Cells) -> tuple[str, ...]:
    """Return the columns that differ or are gone; one that came is no change: nobody relied on it."""
    return tuple(sorted(name for name in before if before[name] != after.get(name)))


def _settings(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in SETTINGS:
        one, other = before.get(name), after.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            keys = sorted(one.keys() | other.keys())
            yield from (f"{name}.{k}: {one.get(k)} -> {other.get(k)}" for k in keys if one.get(k) != other.get(k))
        elif one != other:
            yield f"{name}: {one} -> {other}"


def _sources(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    one, other = ({source["config"]: source for source in manifest["sources"]} for manifest in (before, after))
    yield from (f"{config}: gone" for config in sorted(one.keys() - other.keys()))
    yield from (f"{config}: new" for config in sorted(other.keys() - one.keys()))
    for config in sorted(one.keys() & other.keys()):
        keys = sorted(one[config].keys() | other[config].keys())
        for key in (key for key in keys if one[config].get(key) != other[config].get(key)):
            yield f"{config}: {key} {one[config].get(key)} -> {other[config].get(key)}"


def diff_lines(found: Diff) -> list[str]:
    """Return the difference as plain lines, the verdict on the version last."""
    lines = [line for split in found.splits for line in _split_lines(split)]
    lines += [f"setting {line}" for line in found.settings] + [f"source {line}" for line in found.sources]
    if found.same_content:
        lines.append("the rows are the same, construction records included")
    return [*lines, f"{found.versions[0]} -> {found.versions[1]}: a {found.change} change"]


def _split_lines(split: SplitDiff) -> Iterator[str]:
    counts = (len(split.added), len(split.removed), len(split.changed))
    if not any(counts):
        yield f"{split.config}/{split.split}: {split.rows[1]:,} rows, none added, removed or changed"
        return
    head = f"{split.config}/{split.split}: {split.rows[0]:,} -> {split.rows[1]:,} rows"
    yield f"{head}, {counts[0]:,} added, {counts[1]:,} removed, {counts[2]:,} changed"
    yield from (f"  {word} {_some(ids)}" for word, ids in (("added", split.added), ("removed", split.removed)) if ids)
    if split.changed:
        columns = sorted({column for found in split.changed.values() for column in found})
        yield f"  changed in {', '.join(columns)}: {_some(tuple(split.changed))}"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more
