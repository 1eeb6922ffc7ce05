"""What of an artifact is asked: configs, prompts, conditions, how many questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.tasks.task import Rows, Task
from loaders.artifact import read_rows, shard_paths
from loaders.errors import DecoyQAError
from loaders.manifest import changed_files, read_manifest


@dataclass(frozen=True)
class Choice:
    """What the command was asked for; an empty choice stands for everything that the artifact has.

    `limit` keeps the first items of each config, in all splits; without `max_tokens` and `temperature` the family's own
    hold, and `samples` is how often each question is asked.
    """

    configs: Sequence[str] = ()
    prompts: Sequence[str] = ()
    conditions: Sequence[str] = ()
    limit: int | None = None
    max_tokens: int | None = None
    seed: int = 0
    samples: int = 1
    temperature: float | None = None


def checked_manifest(artifact: Path) -> dict[str, Any]:
    """Return the manifest of an artifact whose bytes are as written: a run names what it asked by content id."""
    manifest = read_manifest(artifact)
    if changed := changed_files(artifact):
        raise DecoyQAError(f"{artifact} is not as it was written ({len(changed)} files): {changed[0]}")
    if missing := [name for name in ("content_id", "version") if name not in manifest]:
        raise DecoyQAError(f"{artifact}: its manifest does not state {' and '.join(missing)}")
    return manifest


def read_chosen(task: Task, artifact: Path, configs: Sequence[str], limit: int | None) -> Rows:
    """Read all splits of the configs, all of them by default, down to the items that `limit` keeps."""
    if limit is not None and limit < 1:
        raise DecoyQAError(f"a limit of {limit} leaves nothing to ask")
    found = sorted(path.name for path in artifact.iterdir() if shard_paths(artifact, path.name, task.base))
    if unknown := sorted(set(configs) - set(found)) or ([] if found else [task.base]):
        raise DecoyQAError(f"{artifact} has no {', '.join(unknown)}; it has: {', '.join(found) or 'no rows'}")
    rows: dict[tuple[str, str], Sequence[Any]] = {}
    for config in dict.fromkeys(configs or found):
        kept = {task.pair(row) for row in _rows(task, artifact, config, task.base)[:limit]}
        for split in (split for split in task.splits if shard_paths(artifact, config, split)):
            own = _rows(task, artifact, config, split)
            rows[config, split] = [row for row in own if task.pair(row) in kept]
    return rows


def _rows(task: Task, artifact: Path, config: str, split: str) -> list[Any]:
    return list(read_rows(artifact, config, split, task.record))


def choose(
    task: Task, rows: Rows, prompts: Sequence[str], conditions: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return prompts and conditions in their fixed order; raises DecoyQAError where one named would not be asked."""
    for kind, words, known in (("prompt", prompts, tuple(task.asked)), ("condition", conditions, task.conditions)):
        if unknown := [word for word in words if word not in known]:
            raise DecoyQAError(f"unknown {kind} {unknown[0]!r}; known: {', '.join(known)}")
    splits = {split for _, split in rows}
    wanted = conditions or task.by_default or task.conditions
    there = [one for one in task.conditions if task.split_of(one) in splits and one in wanted]
    if absent := [one for one in conditions if one not in there]:
        raise DecoyQAError(f"the artifact has no split {absent[0]!r} in the chosen configs")
    asked = [name for name in task.asked if (not prompts or name in prompts) and set(task.asked[name]) & set(there)]
    if idle := [name for name in prompts if name not in asked]:
        raise DecoyQAError(
            f"prompt {idle[0]!r} is asked under {', '.join(task.asked[idle[0]])}; choose one of these too"
        )
    return tuple(asked), tuple(there)
