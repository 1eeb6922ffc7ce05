"""Between a snapshot's numbers and the IRIs that other stores speak: rules one way, chains both ways."""

from collections.abc import Callable, Sequence
from typing import Any

from builders.eureqa.backend import Backend, Behind, Edge, N, R
from builders.eureqa.index import IndexBackend
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain, Draws, Layer, Rules, WalkSettings, first_state, run_walks, walk
from builders.sources.dbpedia import ONTOLOGY
from loaders.errors import DecoyQAError
from loaders.records import Reason

COUNTS = ("n_next", "n_relation", "n_fact", "n_joint", "n_class")
SEVERAL = 2  # what a store may answer for any number above it, where only "more than one" is asked


def rules_by_iri(rules: Rules[int, int], snapshot: Snapshot) -> Rules[str, str]:
    """Return the same rules for a store that speaks IRIs; classes are the snapshot's, as IRIs of the ontology."""
    names = snapshot.relations

    def shown(entity: str) -> str:
        number = snapshot.entities.find(entity)
        name = snapshot.class_of(number) if number >= 0 else ""
        return f"{ONTOLOGY}{name}" if name else ""

    return Rules(
        chain=frozenset(names[i] for i in rules.chain),
        fact=frozenset(names[i] for i in rules.fact),
        family={names[i]: family for i, family in rules.family.items()},
        shown=shown,
    )


def chain_by_iri(chain: Chain[int, int], snapshot: Snapshot) -> Chain[str, str]:
    """Return a chain with the names of what it goes through."""

    def named(edge: Edge[int, int]) -> Edge[str, str]:
        return Edge(edge.direction, snapshot.relations[edge.relation], snapshot.entities[edge.other])

    return tuple(Layer(snapshot.entities[one.entity], named(one.edge), named(one.fact), *one[3:]) for one in chain)


def map_chain(chain: Chain[str, str], snapshot: Snapshot) -> Chain[int, int]:
    """Return a chain with the snapshot's numbers; raises DecoyQAError for a name that the snapshot does not have."""

    def entity(name: str) -> int:
        return _known(snapshot.entities.find(name), name)

    def numbered(edge: Edge[str, str]) -> Edge[int, int]:
        place = snapshot.relations.index(edge.relation) if edge.relation in snapshot.relations else -1
        return Edge(edge.direction, _known(place, edge.relation), entity(edge.other))

    return tuple(Layer(entity(one.entity), numbered(one.edge), numbered(one.fact), *one[3:]) for one in chain)


def _known(number: int, name: str) -> int:
    if number < 0:
        raise DecoyQAError(f"the store has <{name}>, which the snapshot does not have: are they of the same release?")
    return number


def walker_by_iri(
    snapshot: Snapshot,
    rules: Rules[int, int],
    settings: WalkSettings,
    seed: int,
    backend: Backend[str, str],
) -> Callable[[Sequence[int], int], Sequence[Any]]:
    """Return what walks once from each entity through another store, for the same chains as through the index."""
    named = rules_by_iri(rules, snapshot)

    def walk_once(entities: Sequence[int], number: int) -> Sequence[Any]:
        seeds = [snapshot.entities[entity] for entity in entities]
        walks = [walk(iri, Draws(first_state(seed, iri, number)), named, settings) for iri in seeds]
        return [map_chain(chain, snapshot) for chain in run_walks(walks, backend)]

    return walk_once


def other_counts(chain: Chain[int, int], rules: Rules[int, int], snapshot: Snapshot) -> Reason | None:
    """Return the reason `other_counts` where another store counted otherwise than the snapshot does."""
    again = recount(chain, rules, IndexBackend(snapshot.graph, snapshot.classes))
    for number, (there, here) in enumerate(zip(chain, again, strict=True), 1):
        for name in COUNTS:
            if getattr(there, name) != getattr(here, name):
                found = f"{getattr(there, name):,} there, {getattr(here, name):,} in the snapshot"
                return Reason("other_counts", f"{name} of layer {number}: {found}")
    return None


def recount(chain: Chain[N, R], rules: Rules[N, R], backend: Backend[N, R]) -> Chain[N, R]:
    """Return a chain with the counts that a store gives now; those of an intact store are equal."""
    edges = [layer.edge for layer in chain]
    facts = [layer.fact for layer in chain]
    onwards = [(layer.edge.direction, layer.edge.relation) for layer in chain]
    groups = backend.relations([layer.entity for layer in chain])
    shown = [Behind(one.fact, *way, rules.shown(one.edge.other)) for one, way in zip(chain, onwards, strict=True)]
    counts = zip(
        (found.get(way, 0) for found, way in zip(groups, onwards, strict=True)),
        backend.count(edges),
        backend.count(facts),
        backend.joint(list(zip(edges, facts, strict=True))),
        (min(n, SEVERAL) for n in backend.behind(shown)),
        strict=True,
    )
    return tuple(
        layer._replace(n_next=a, n_relation=b, n_fact=c, n_joint=d, n_class=e if layer.n_class else 0)
        for layer, (a, b, c, d, e) in zip(chain, counts, strict=True)
    )
