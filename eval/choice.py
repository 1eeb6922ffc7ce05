"""What of an artifact is asked: configs, prompts, conditions, how many questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.tasks.genadv import ASKED, CONDITIONS, split_of
from loaders.artifact import read_rows, shard_paths
from loaders.errors import DecoyQAError
from loaders.genadv import SPLITS, GenADVRow
from loaders.manifest import changed_files, read_manifest

# A single word or term is asked for; whoever needs more than this is not answering the question.
MAX_TOKENS = 64

Rows = Mapping[tuple[str, str], Sequence[GenADVRow]]


@dataclass(frozen=True)
class Choice:
    """What the command was asked for; an empty choice stands for everything that the artifact has.

    `limit` keeps the first ids of each config's `retrieved` split, in all splits.
    """

    configs: Sequence[str] = ()
    prompts: Sequence[str] = ()
    conditions: Sequence[str] = ()
    limit: int | None = None
    max_tokens: int = MAX_TOKENS
    seed: int = 0


def checked_manifest(artifact: Path) -> dict[str, Any]:
    """Return the manifest of an artifact whose bytes are as written: a run names what it asked by content id."""
    manifest = read_manifest(artifact)
    if changed := changed_files(artifact):
        raise DecoyQAError(f"{artifact} is not as it was written ({len(changed)} files): {changed[0]}")
    if missing := [name for name in ("content_id", "version") if name not in manifest]:
        raise DecoyQAError(f"{artifact}: its manifest does not state {' and '.join(missing)}")
    return manifest


def read_chosen(artifact: Path, configs: Sequence[str], limit: int | None) -> Rows:
    """Read all splits of the configs, all of them by default, down to the ids that `limit` keeps."""
    if limit is not None and limit < 1:
        raise DecoyQAError(f"a limit of {limit} leaves nothing to ask")
    found = sorted(path.name for path in artifact.iterdir() if shard_paths(artifact, path.name, "retrieved"))
    if unknown := sorted(set(configs) - set(found)) or ([] if found else ["retrieved"]):
        raise DecoyQAError(f"{artifact} has no {', '.join(unknown)}; it has: {', '.join(found) or 'no rows'}")
    rows: dict[tuple[str, str], Sequence[GenADVRow]] = {}
    for config in dict.fromkeys(configs or found):
        kept = {row.id for row in read_rows(artifact, config, "retrieved", GenADVRow)[:limit]}
        for split in SPLITS:
            if shard_paths(artifact, config, split):
                rows[config, split] = [row for row in read_rows(artifact, config, split, GenADVRow) if row.id in kept]
    return rows


def choose(rows: Rows, prompts: Sequence[str], conditions: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return prompts and conditions in their fixed order; raises DecoyQAError where one named would not be asked."""
    for kind, words, known in (("prompt", prompts, tuple(ASKED)), ("condition", conditions, CONDITIONS)):
        if unknown := [word for word in words if word not in known]:
            raise DecoyQAError(f"unknown {kind} {unknown[0]!r}; known: {', '.join(known)}")
    splits = {split for _, split in rows}
    there = [one for one in CONDITIONS if split_of(one) in splits and (not conditions or one in conditions)]
    if absent := [one for one in conditions if one not in there]:
        raise DecoyQAError(f"the artifact has no split {absent[0]!r} in the chosen configs")
    asked = [name for name in ASKED if (not prompts or name in prompts) and set(ASKED[name]) & set(there)]
    if idle := [name for name in prompts if name not in asked]:
        raise DecoyQAError(f"prompt {idle[0]!r} is asked under {', '.join(ASKED[idle[0]])}; choose one of these too")
    return tuple(asked), tuple(there)
