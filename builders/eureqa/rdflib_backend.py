"""The backend over an rdflib graph in memory, for small graphs and for checking: no index of ours takes part."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib import RDF, Graph, URIRef
from rdflib.term import Node

from builders.eureqa.backend import IN, OUT, Behind, Edge, Group, Place, facts_in_parts
from builders.sources.dbpedia import DISAMBIGUATES, ONTOLOGY, REDIRECT, no_entity


@dataclass(frozen=True)
class RdflibBackend:
    """Answers from a graph of edges and of `rdf:type` triples; what the reader of dumps drops is not seen."""

    graph: Graph
    prefixes: tuple[str, ...] = (ONTOLOGY,)

    def relations(self, entities: Sequence[str]) -> list[Mapping[tuple[int, str], int]]:
        """Return each entity's number of neighbours by direction and relation."""
        return [self._relations(entity) for entity in entities]

    def _relations(self, entity: str) -> Mapping[tuple[int, str], int]:
        found = Counter(
            (direction, relation)
            for direction in (OUT, IN)
            for relation, _ in self._edges(entity, direction, None)
            if relation.startswith(self.prefixes) and not relation.startswith(f"{ONTOLOGY}wiki")
        )
        return dict(sorted(found.items()))

    def neighbours(self, groups: Sequence[Group[str, str]]) -> list[list[str]]:
        """Return the neighbours of each group, sorted."""
        return [sorted(self._others(*group)) for group in groups]

    def facts(self, places: Sequence[Place[str, str]]) -> list[tuple[str, int]]:
        """Return the neighbour at each place, and how many entities have that edge to it."""
        return facts_in_parts(self, places)

    def count(self, patterns: Sequence[Edge[str, str]]) -> list[int]:
        """Return how many entities have each edge."""
        return [len(self._having(pattern)) for pattern in patterns]

    def joint(self, pairs: Sequence[tuple[Edge[str, str], Edge[str, str]]]) -> list[int]:
        """Return how many entities have both edges of each pair."""
        return [len(self._having(one) & self._having(other)) for one, other in pairs]

    def behind(self, asked: Sequence[Behind[str, str]]) -> list[int]:
        """Return how many entities each question leaves without its next entity's name."""
        return [
            sum(
                any(self._is(other, one.shown) for other in self._others(entity, one.direction, one.relation))
                for entity in self._having(one.fact)
            )
            for one in asked
        ]

    def _is(self, entity: str, shown: str) -> bool:
        return not shown or (URIRef(entity), RDF.type, URIRef(shown)) in self.graph

    def _having(self, edge: Edge[str, str]) -> set[str]:
        return self._others(edge.other, 1 - edge.direction, edge.relation)

    def _others(self, entity: str, direction: int, relation: str) -> set[str]:
        return {other for _, other in self._edges(entity, direction, relation)}

    def _edges(self, entity: str, direction: int, relation: str | None) -> Iterator[tuple[str, str]]:
        """Yield (relation, other end) of an entity's triples with other entities."""
        me, way = URIRef(entity), URIRef(relation) if relation is not None else None
        pattern = (me, way, None) if direction == OUT else (None, way, me)
        for subject, predicate, object in self.graph.triples(pattern):
            other = object if direction == OUT else subject
            if other != me and self._is_entity(other):
                yield str(predicate), str(other)

    def _is_entity(self, node: Node) -> bool:
        if not isinstance(node, URIRef) or no_entity(str(node)):
            return False
        return not any((node, URIRef(page), None) in self.graph for page in (DISAMBIGUATES, REDIRECT))
