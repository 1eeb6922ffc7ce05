"""A layer's counts as one query that anybody can run against any endpoint with the snapshot."""

from builders.eureqa.backend import OUT, Edge
from builders.sources.dbpedia import encoded

Named = Edge[str, str]


def layer_query(entity: str, edge: Named, fact: Named) -> str:
    """Return a query with one row: n_relation, n_fact, n_joint and n_next, as the row of the data set names them."""
    with_edge, with_fact = pattern("?x", edge), pattern("?x", fact)
    onwards = Edge(edge.direction, edge.relation, "?x")
    counts = {
        "n_relation": with_edge,
        "n_fact": with_fact,
        "n_joint": f"{with_edge} {with_fact}",
        "n_next": pattern(iri(entity), onwards),
    }
    parts = (f"{{ SELECT (COUNT(DISTINCT ?x) AS ?{name}) WHERE {{ {text} }} }}" for name, text in counts.items())
    return f"SELECT * WHERE {{ {' '.join(parts)} }}"


def pattern(me: str, edge: Named) -> str:
    """Return an edge as a triple pattern with `me`, a variable or an IRI in brackets, at the edge's near end."""
    other = edge.other if edge.other.startswith("?") else iri(edge.other)
    ends = (me, other) if edge.direction == OUT else (other, me)
    return f"{ends[0]} {iri(edge.relation)} {ends[1]} ."


def iri(name: str) -> str:
    """Return an IRI in brackets; what SPARQL does not take between them is percent-encoded."""
    return f"<{encoded(name)}>"
