"""From dumps to a snapshot: redirects resolved, pages dropped, entities and relations numbered in the order of IRIs."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from builders.eureqa.graph import Graph, Ints, build_graph
from builders.eureqa.index import Classes
from builders.eureqa.names import pack
from builders.eureqa.snapshot import FORMAT, Snapshot, number_classes, open_snapshot, save_snapshot
from builders.sources.dbpedia import Dump, Edge, plain_name, read_edges, read_types, settle_classes
from builders.sources.files import sha256
from loaders.errors import InputError
from loaders.manifest import json_hash

REDIRECT_HOPS = 10
EVERY = 100_000  # edges between two words of progress


def load_snapshot(
    inputs: Sequence[Path],
    types: Sequence[Path],
    graphs: Path,
    progress: Callable[[int], None],
    *,
    with_properties: bool = False,
) -> Snapshot:
    """Open the snapshot of these files, made and kept in `graphs` at the first time; `progress` hears of edges read.

    The folder is named after the checksums of all files. Raises InputError where a file is not what it should be, or
    holds no edge at all.
    """
    sums = {kind: {path.name: sha256(path) for path in paths} for kind, paths in (("inputs", inputs), ("types", types))}
    folder = graphs / json_hash({**sums, "with_properties": with_properties, "format": FORMAT})[:24]
    if not folder.is_dir():
        dump = Dump()
        edges = read_edges(inputs, dump, with_properties=with_properties)
        snapshot = make_snapshot(_told(edges, progress), dump, types, sums)
        if snapshot.graph.triples == 0:
            raise InputError(inputs[0], None, f"expected edges between DBpedia entities, found none: {dump.dropped}")
        save_snapshot(folder, snapshot)
    return open_snapshot(folder)


def _told(edges: Iterable[Edge], progress: Callable[[int], None]) -> Iterable[Edge]:
    for number, edge in enumerate(edges, 1):
        if number % EVERY == 0:
            progress(number)
        yield edge


def make_snapshot(edges: Iterable[Edge], dump: Dump, types: Sequence[Path], facts: Mapping[str, Any]) -> Snapshot:
    """Number what the edges name and put all that is known of it side by side; `dump` fills as edges are read."""
    seen, columns = _intern(edges)
    read_types(types, dump)
    settle_classes(dump)
    relations, entities = (sorted(names) for names in (seen[1], _targets(seen[0], dump)))
    graph = _graph(seen, columns, relations, entities, dump)
    parents, classes = _classes(entities, dump)
    labels = pack(dump.labels.get(iri) or plain_name(iri) for iri in entities)
    counts = {"dropped": dict(sorted(dump.dropped.items())), "broken": {k: vars(v) for k, v in dump.broken.items()}}
    aliases = pack(_aliases(entities, dump))
    return Snapshot(graph, classes, pack(entities), labels, aliases, tuple(relations), parents, {**facts, **counts})


def _intern(edges: Iterable[Edge]) -> tuple[tuple[dict[str, int], dict[str, int]], list[Ints]]:
    """Number names as they come: entities and relations by name, and three columns of numbers."""
    entities: dict[str, int] = {}
    relations: dict[str, int] = {}
    columns = (array("i"), array("i"), array("i"))
    for subject, relation, object in edges:
        columns[0].append(entities.setdefault(subject, len(entities)))
        columns[1].append(relations.setdefault(relation, len(relations)))
        columns[2].append(entities.setdefault(object, len(entities)))
    return (entities, relations), [np.frombuffer(column, dtype=np.int32) for column in columns]


def _targets(names: Iterable[str], dump: Dump) -> set[str]:
    return {target for name in names if (target := _target(name, dump)) not in dump.pages}


def _target(name: str, dump: Dump) -> str:
    for _ in range(REDIRECT_HOPS):
        if name not in dump.redirects:
            break
        name = dump.redirects[name]
    return name


def _graph(
    seen: tuple[dict[str, int], dict[str, int]],
    columns: Sequence[Ints],
    relations: Sequence[str],
    entities: Sequence[str],
    dump: Dump,
) -> Graph:
    """Replace numbers as they came by numbers in order, without pages, and without what redirects make a self-loop."""
    place = {name: number for number, name in enumerate(entities)}
    new = np.array([place.get(_target(name, dump), -1) for name in seen[0]], dtype=np.int32)
    order = {name: number for number, name in enumerate(relations)}
    kinds = np.array([order[name] for name in seen[1]], dtype=np.int32)
    subjects, objects = (new[column] if len(column) else column for column in (columns[0], columns[2]))
    pages = (subjects < 0) | (objects < 0)
    loops = ~pages & (subjects == objects)
    kept = ~(pages | loops)
    graph = build_graph(
        subjects[kept], kinds[columns[1][kept]] if len(kinds) else columns[1], objects[kept], len(entities)
    )
    dump.dropped["disambiguation_page"] += int(pages.sum())
    dump.dropped["self_loop"] += int(loops.sum())
    dump.dropped["duplicate"] += int(kept.sum()) - graph.triples
    return graph


def _classes(entities: Sequence[str], dump: Dump) -> tuple[tuple[str, ...], Classes]:
    """Return the names of all classes in order, and the deepest class of each entity."""
    names, last = number_classes(dump.parents, [name for found in dump.types.values() for name in found])
    number = {name: i for i, name in enumerate(names)}
    depth = {name: _depth(name, dump.parents) for name in names}
    of = np.full(len(entities), -1, dtype=np.int32)
    for i, iri in enumerate(entities):
        if found := dump.types.get(iri):
            of[i] = number[min(found, key=lambda name: (-depth[name], name))]
    return names, Classes(of, last)


def _depth(name: str, parents: Mapping[str, str]) -> int:
    depth = 0
    while name in parents:
        name, depth = parents[name], depth + 1
    return depth


def _aliases(entities: Sequence[str], dump: Dump) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for name in sorted(dump.redirects):
        found.setdefault(_target(name, dump), []).append(plain_name(name))
    return ("\n".join(found.get(iri, ())) for iri in entities)
