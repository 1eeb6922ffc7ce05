"""Where walks start: entities from a file, or the most linked ones of a known class; each keeps its category."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from builders.eureqa.snapshot import Snapshot
from builders.sources.dbpedia import RESOURCE
from builders.sources.files import read_lines
from loaders.errors import InputError


class Seed(NamedTuple):
    """An entity by number, and the kind of thing that it was chosen as."""

    entity: int
    category: str


def seeds_from_file(path: Path, snapshot: Snapshot) -> list[Seed]:
    """Read `NAME_OR_IRI [TAB category]` lines; the category is the entity's class by default.

    Raises InputError for an entity that the graph does not have, for a category without one, and for one that is named
    twice.
    """
    found: dict[int, Seed] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        name, _, category = line.partition("\t")
        entity = find_entity(name := name.strip(), snapshot)
        if entity < 0:
            raise InputError(path, number, f"expected an entity of the graph, found {name!r}")
        if entity in found:
            raise InputError(path, number, f"expected every entity once, found {name!r} again")
        found[entity] = Seed(entity, category.strip() or category_of(entity, snapshot))
    if not found:
        raise InputError(path, None, "expected entities, one a line; found none")
    return list(found.values())


def find_entity(name: str, snapshot: Snapshot) -> int:
    """Return the number of an entity by IRI or by local name, blanks or underscores between words; -1 for none."""
    local = name.removeprefix("<").removesuffix(">").removeprefix(RESOURCE).replace(" ", "_")
    return snapshot.entities.find(f"{RESOURCE}{local}")


def category_of(entity: int, snapshot: Snapshot) -> str:
    """Return the class right below the ontology's root that an entity belongs to, `other` where it has none."""
    number, path = int(snapshot.classes.of[entity]), []
    if number < 0:
        return "other"
    for above in range(number + 1):
        if snapshot.classes.last[above] > number:
            path.append(snapshot.class_names[above])
    return path[1] if len(path) > 1 and path[0] == "Thing" else path[0]


def most_linked(snapshot: Snapshot, wanted: int, at_most: int) -> list[Seed]:
    """Return the entities of a known class with the most triples, up to `at_most` of them; ties by IRI."""
    graph = snapshot.graph
    links = graph.links()
    usable = np.flatnonzero((snapshot.classes.of[:] >= 0) & (links <= at_most))
    order = usable[np.argsort(-links[usable], kind="stable")][:wanted]
    return [Seed(int(entity), category_of(int(entity), snapshot)) for entity in order]


def spread(seeds: list[Seed]) -> Iterator[Seed]:
    """Yield seeds so that categories take turns: a build that stops at its target holds some of each."""
    rows: dict[str, list[Seed]] = {}
    for seed in seeds:
        rows.setdefault(seed.category, []).append(seed)
    longest = max(map(len, rows.values()), default=0)
    return (row[i] for i in range(longest) for row in rows.values() if i < len(row))
