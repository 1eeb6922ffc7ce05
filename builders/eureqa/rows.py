"""From a chain and its words to the published rows, one per depth, with the counts that prove the one answer."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from builders.eureqa.answers import Left, n_answers, n_answers_without_closing
from builders.eureqa.backend import DIRECTIONS, Behind, Edge
from builders.eureqa.check import plain_label
from builders.eureqa.index import IndexBackend
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.sparql_text import layer_query
from builders.eureqa.walk import Chain
from builders.eureqa.walk import Layer as Walked
from builders.eureqa.write import Told, question_text
from loaders.draw import generator
from loaders.eureqa import Candidates, EureQARow, Layer, WithoutStatement

CANDIDATES = 20  # section 5.5
ROW_ID = re.compile(r"-d\d\Z")  # what a row's id has behind the chain's


@dataclass(frozen=True)
class Origin:
    """What all rows of a config share."""

    config: str
    category: str
    writer: str
    source_license: str


def chain_id(config: str, chain: Chain[int, int], snapshot: Snapshot) -> str:
    """Return the id of a chain: its config and a hash of its entities and relations by IRI."""
    words = [
        text
        for layer in chain
        for edge in (layer.edge, layer.fact)
        for text in (snapshot.entities[layer.entity], *named(edge, snapshot))
    ]
    return f"{config}-{hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"


def chain_of(id: str) -> str:
    """Return the id of the chain that a row belongs to; that of a chain is its own."""
    return ROW_ID.sub("", id)


def named(edge: Edge[int, int], snapshot: Snapshot) -> tuple[str, str, str]:
    """Return an edge's direction as a word, and its relation and other end by IRI."""
    return DIRECTIONS[edge.direction], snapshot.relations[edge.relation], snapshot.entities[edge.other]


def layers_of(chain: Chain[int, int], told: Told, snapshot: Snapshot) -> tuple[Layer, ...]:
    """Return the layers as they are published."""
    return tuple(_layer(number, layer, told, snapshot) for number, layer in enumerate(chain))


def _layer(number: int, layer: Walked[int, int], told: Told, snapshot: Snapshot) -> Layer:
    entity, edge, fact = snapshot.entities[layer.entity], named(layer.edge, snapshot), named(layer.fact, snapshot)
    query = layer_query(entity, Edge(layer.edge.direction, *edge[1:]), Edge(layer.fact.direction, *fact[1:]))
    return Layer(
        entity=entity,
        label=snapshot.labels[layer.entity],
        hypernym=told.hypernyms[number],
        placeholder=told.placeholders[number],
        relation=edge[1],
        relation_direction=edge[0],
        next_entity=edge[2],
        fact_relation=fact[1],
        fact_direction=fact[0],
        fact_entity=fact[2],
        relation_statement=told.relations[number],
        fact_statement=told.facts[number],
        n_relation=layer.n_relation,
        n_fact=layer.n_fact,
        n_joint=layer.n_joint,
        n_next=layer.n_next,
        n_class=layer.n_class,
        sparql=query,
    )


def row(chain: Chain[int, int], told: Told, depth: int, origin: Origin, snapshot: Snapshot, seed: int) -> EureQARow:
    """Return the question at one depth: the first layers of the chain, and the closing line behind the last of them.

    The similarity is filled in later, for many rows at once. Raises ValueError where the layers do not have one answer.
    """
    part, last = tuple(_counted(layer, snapshot) for layer in chain[:depth]), chain[depth - 1].edge.other
    if (found := n_answers(part, snapshot.graph)) != 1:
        raise ValueError(f"{snapshot.entities[chain[0].entity]} at depth {depth} has {found} answers")
    name, label = chain_id(origin.config, chain, snapshot), snapshot.labels[chain[0].entity]
    return EureQARow(
        id=f"{name}-d{depth}",
        chain_id=name,
        question=question_text(told, depth),
        answer=plain_label(label),
        answer_aliases=_aliases(chain[0].entity, snapshot),
        depth=depth,
        category=origin.category,
        layers=layers_of(part, told, snapshot),
        closing=told.closings[depth - 1],
        closing_entity=snapshot.entities[last],
        candidates=tuple(candidates(part, told, name, snapshot, seed)),
        n_answers_without_closing=n_answers_without_closing(part, snapshot.graph, snapshot.classes),
        n_answers_without=tuple(_without(part, snapshot)),
        similarity=None,
        writer=origin.writer,
        source_license=origin.source_license,
    )


def _counted(layer: Walked[int, int], snapshot: Snapshot) -> Walked[int, int]:
    """Return a layer with what its walk need not have asked: whether the next entity is needed by name."""
    direction, relation, other = layer.edge
    asked = Behind(layer.fact, direction, relation, int(snapshot.classes.of[other]))
    return layer._replace(n_class=IndexBackend(snapshot.graph, snapshot.classes).behind([asked])[0])


def _aliases(entity: int, snapshot: Snapshot) -> tuple[str, ...]:
    label = snapshot.labels[entity]
    names = dict.fromkeys((label, *snapshot.aliases_of(entity)))
    return tuple(name for name in names if name != plain_label(label))


def _without(part: Chain[int, int], snapshot: Snapshot) -> list[WithoutStatement]:
    lefts = [Left(kind, number) for number in range(len(part)) for kind in ("relation", "fact")]
    return [WithoutStatement(f"{one.kind} {one.layer + 1}", n_answers(part, snapshot.graph, one)) for one in lefts]


def candidates(
    part: Sequence[Walked[int, int]], told: Told, name: str, snapshot: Snapshot, seed: int
) -> list[Candidates]:
    """Return what an ideal retriever finds for each pattern with a visible name: every fact, and the last relation."""
    asked = [(f"fact {number}", layer, layer.fact) for number, layer in enumerate(part, 1)]
    asked.append((f"relation {len(part)}", part[-1], part[-1].edge))
    return [
        Candidates(_pattern(edge, snapshot), _names(layer.entity, edge, f"{name} {which}", snapshot, seed))
        for which, layer, edge in asked
    ]


def _pattern(edge: Edge[int, int], snapshot: Snapshot) -> str:
    relation = snapshot.relations[edge.relation].rpartition("/")[2]
    ends = ("?", snapshot.labels[edge.other])
    subject, object = ends[:: -1 if edge.direction else 1]
    return f"<{subject}, {relation}, {object}>"


def _names(gold: int, edge: Edge[int, int], which: str, snapshot: Snapshot, seed: int) -> tuple[str, ...]:
    """Return at most 20 entities with the edge, the right one among them, in the order of their names."""
    others = [int(entity) for entity in snapshot.graph.solutions(edge) if entity != gold]
    draw = generator(seed, which, "candidates")
    chosen = draw.sample(others, CANDIDATES - 1) if len(others) >= CANDIDATES else others
    return tuple(sorted(snapshot.labels[entity] for entity in (gold, *chosen)))
