"""A graph of any size that resembles a knowledge graph in what decides the speed of a walk.

A fifth as many entities as triples, in 60 classes of very different sizes; 600 relations, the commonest with a few
percent of the triples, each between two classes; an entity has three or four relations of its class, in 30 % of them
several neighbours, up to dozens; objects are drawn so that each relation has hubs with thousands of subjects, and a
long tail with one. Numbers are mixed, so that neighbours lie as far apart in memory as in the alphabet. Walks need as
many draws, and are complete as often, as on the extracts DB15K and DBP15K (easy 40 draws a walk, 26 to 40 % complete;
hard 15 to 31 draws, 44 to 73 %).
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from builders.eureqa.graph import Graph, Ints
from builders.eureqa.index import Classes
from builders.eureqa.names import Names
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Rules
from builders.sources.dbpedia import ONTOLOGY, RESOURCE

CLASSES, RELATIONS = 60, 600
SEVERAL = 1.62  # triples a group, as 30 % of groups have several


class Columns(NamedTuple):
    """Triples as three arrays of numbers, and the class of each entity."""

    subjects: Ints
    relations: Ints
    objects: Ints
    classes: Ints


def make_columns(triples: int, seed: int = 1) -> Columns:
    """Draw about so many triples."""
    draw = np.random.default_rng(seed)
    entities = max(triples // 5, 1000)
    sizes = 1 / np.arange(1, CLASSES + 1) ** 0.8
    ends = np.concatenate(([0], np.cumsum(sizes / sizes.sum() * entities).astype(np.int64)))
    owner, target = draw.integers(0, CLASSES, RELATIONS), draw.integers(0, CLASSES, RELATIONS)
    owner[:CLASSES] = np.arange(CLASSES)
    own = [np.flatnonzero(owner == kind) for kind in range(CLASSES)]
    parts = [_triples_of(kind, own[kind], ends, target, triples, draw) for kind in range(CLASSES)]
    subjects, relations, objects = (np.concatenate(column) for column in zip(*parts, strict=True))
    mixed = draw.permutation(int(ends[-1])).astype(np.int32)
    classes = np.empty(len(mixed), np.int32)
    classes[mixed] = np.repeat(np.arange(CLASSES), np.diff(ends))
    return Columns(mixed[subjects], relations, mixed[objects], classes)


def _triples_of(kind: int, own: Ints, ends: Ints, target: Ints, triples: int, draw: Any) -> tuple[Ints, Ints, Ints]:
    """Draw the triples whose subjects are of one class: groups first, then the neighbours in each."""
    entities = int(ends[kind + 1] - ends[kind])
    groups = int(triples / ends[-1] * entities / SEVERAL)
    subjects = ends[kind] + (entities * draw.random(groups) ** 1.3).astype(np.int64)
    relations = own[(len(own) * draw.random(groups) ** 2).astype(np.int64)]
    sizes = np.where(draw.random(groups) < 0.3, 1 + draw.geometric(0.4, groups), 1)
    subjects, relations = np.repeat(subjects, sizes), np.repeat(relations, sizes)
    low, high = ends[target[relations]], ends[target[relations] + 1]
    objects = low + ((high - low) * draw.random(len(relations)) ** 3).astype(np.int64)
    return subjects, relations.astype(np.int32), objects


def as_snapshot(columns: Columns, graph: Graph) -> Snapshot:
    """Give every number a name, and every class one above it."""
    classes = Classes(columns.classes + 1, np.array([CLASSES + 1, *range(2, CLASSES + 2)], np.int32))
    names = numbered(graph.entities)
    nothing = Names(np.zeros(graph.entities + 1, np.int64), np.zeros(0, np.uint8))
    relations = tuple(f"{ONTOLOGY}relation{i:04}" for i in range(RELATIONS))
    kinds = ("Thing", *(f"Kind{i:02}" for i in range(CLASSES)))
    return Snapshot(graph, classes, names, names, nothing, relations, kinds, {})


def numbered(entities: int) -> Names:
    """Return names in order, eight digits behind DBpedia's name space."""
    head = np.frombuffer(f"{RESOURCE}E".encode(), np.uint8)
    digits = (np.arange(entities)[:, None] // 10 ** np.arange(7, -1, -1) % 10 + ord("0")).astype(np.uint8)
    both = np.concatenate((np.broadcast_to(head, (entities, len(head))), digits), axis=1)
    return Names(np.arange(entities + 1, dtype=np.int64) * both.shape[1], both.reshape(-1))


def plain_rules(snapshot: Snapshot) -> Rules[int, int]:
    """Every relation may do everything and is like no other."""
    every = frozenset(range(len(snapshot.relations)))
    return Rules(every, every, {r: r for r in every}, lambda entity: int(snapshot.classes.of[entity]))


def linked(graph: Graph, wanted: int) -> Ints:
    """Return the most linked entities with at most 10,000 links, as a build has them."""
    links = graph.links()
    return np.argsort(np.where(links <= 10_000, -links, 0), kind="stable")[:wanted]


def write_lines(columns: Columns, path: Path) -> int:
    """Write triples as N-Triples, and return how many lines that took."""
    with path.open("w") as file:
        for s, r, o in zip(*(column.tolist() for column in columns[:3]), strict=True):
            file.write(f"<{RESOURCE}E{s:08}> <{ONTOLOGY}relation{r:04}> <{RESOURCE}E{o:08}> .\n")
    return len(columns.subjects)
