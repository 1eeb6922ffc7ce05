"""A layer's counts as one query that anybody can run against any endpoint with the snapshot."""

from builders.eureqa.backend import Edge
from builders.eureqa.sparql_queries import UNWRITABLE, edge_pattern, is_entity, literal
from builders.sources.dbpedia import encoded

Named = Edge[str, str]


def layer_query(entity: str, edge: Named, fact: Named) -> str:
    """Return a query with one row: n_relation, n_fact, n_joint and n_next, as the row of the data set names them.

    It counts what the reader of dumps lets through: no list pages, no loops, and the like.
    """
    onwards = Edge(1 - edge.direction, edge.relation, entity)  # what the edge leads to has it the other way round
    counts = {"n_relation": (edge,), "n_fact": (fact,), "n_joint": (edge, fact), "n_next": (onwards,)}
    return f"SELECT * WHERE {{ {' '.join(_count(name, edges) for name, edges in counts.items())} }}"


def _count(name: str, edges: tuple[Named, ...]) -> str:
    ends = [_end(edge.other, f"?o{i}") for i, edge in enumerate(edges)]
    pairs = zip(edges, ends, strict=True)
    patterns = [edge_pattern("?x", f"<{edge.relation}>", end, edge.direction) for edge, (end, _) in pairs]
    where = " ".join([*patterns, *(only for _, only in ends if only), is_entity("?x", *(end for end, _ in ends))])
    return f"{{ SELECT (COUNT(DISTINCT ?x) AS ?{name}) WHERE {{ {where} }} }}"


def _end(name: str, variable: str) -> tuple[str, str]:
    """Return how a query names an entity, and what it must say of that besides.

    A name that cannot stand between brackets is looked up as text, as it is and percent-encoded: stores keep either.
    """
    if not UNWRITABLE.search(name):
        return f"<{name}>", ""
    return variable, f"FILTER(STR({variable}) IN ({literal(name)}, {literal(encoded(name))}))"
