"""A pinned snapshot on disk: graph, names, labels, other names and classes, mapped into memory in a moment."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from builders.eureqa.graph import Graph
from builders.eureqa.index import Classes
from builders.eureqa.names import Names, open_names
from loaders.artifact import replacing_folder
from loaders.errors import DecoyQAError
from loaders.manifest import canonical_json

FORMAT = 2


@dataclass(frozen=True)
class Snapshot:
    """A graph whose numbers have names.

    `entities` and `relations` are IRIs in their order; `labels` and `aliases` (lines, other names that lead to the
    entity) have a text per entity; `class_names` are in the order of `classes`. `facts` says what was read: inputs
    with checksums, and what was dropped by which name.
    """

    graph: Graph
    classes: Classes
    entities: Names
    labels: Names
    aliases: Names
    relations: tuple[str, ...]
    class_names: tuple[str, ...]
    facts: Mapping[str, Any]

    @cached_property
    def class_numbers(self) -> Mapping[str, int]:
        """The number of each class."""
        return {name: number for number, name in enumerate(self.class_names)}

    def class_of(self, entity: int) -> str:
        """Return the most specific class of an entity, empty where none is known."""
        number = int(self.classes.of[entity])
        return self.class_names[number] if number >= 0 else ""

    def aliases_of(self, entity: int) -> tuple[str, ...]:
        """Return an entity's other names."""
        return tuple(self.aliases[entity].splitlines())


def save_snapshot(folder: Path, snapshot: Snapshot) -> None:
    """Write a snapshot; the folder appears at once, whole."""
    with replacing_folder(folder) as staging:
        for name, array in _arrays(snapshot.graph, snapshot.classes).items():
            np.save(staging / f"{name}.npy", array)
        for name in ("entities", "labels", "aliases"):
            getattr(snapshot, name).save(staging, name)
        facts = {"relations": snapshot.relations, "class_names": snapshot.class_names, "facts": snapshot.facts}
        (staging / "snapshot.json").write_text(canonical_json({"format": FORMAT, **facts}), encoding="utf-8")


def _arrays(graph: Graph, classes: Classes) -> dict[str, Any]:
    arrays = {field.name: getattr(graph, field.name) for field in fields(Graph)}
    return {**arrays, "class_of": classes.of, "class_last": classes.last}


def open_snapshot(folder: Path) -> Snapshot:
    """Map a saved snapshot into memory; raises DecoyQAError where there is none of this format."""
    path = folder / "snapshot.json"
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if stored.get("format") != FORMAT:
        raise DecoyQAError(f"{folder} holds no graph of format {FORMAT}; remove it and build again")
    graph = Graph(*(_load(folder, field.name) for field in fields(Graph)))
    entities, labels, aliases = (open_names(folder, name) for name in ("entities", "labels", "aliases"))
    classes = Classes(_load(folder, "class_of"), _load(folder, "class_last"))
    relations, names = tuple(stored["relations"]), tuple(stored["class_names"])
    return Snapshot(graph, classes, entities, labels, aliases, relations, names, stored["facts"])


def _load(folder: Path, name: str) -> Any:
    # A plain view: slices of numpy's own class for mapped files take ten times as long.
    return np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray)


def number_classes(parents: Mapping[str, str], used: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray[Any, Any]]:
    """Return classes so ordered that those below a class follow it, and for each the number behind its last one.

    `parents` maps a class to the one above it; a class in `used` without a parent stands alone. Raises DecoyQAError
    where classes stand above each other in a circle.
    """
    below: dict[str, list[str]] = {}
    everything = sorted({*parents, *parents.values(), *used})
    for name in everything:
        below.setdefault(parents.get(name, ""), []).append(name)
    order: list[str] = []
    last: dict[str, int] = {}
    stack = [(name, False) for name in reversed(below.get("", []))]
    while stack:
        name, done = stack.pop()
        if done:
            last[name] = len(order)
            continue
        order.append(name)
        stack += [(name, True), *((child, False) for child in reversed(below.get(name, [])))]
    if len(order) != len(everything):
        raise DecoyQAError(f"classes above each other in a circle: {sorted(set(everything) - set(order))[0]}")
    return tuple(order), np.array([last[name] for name in order], dtype=np.int32)
