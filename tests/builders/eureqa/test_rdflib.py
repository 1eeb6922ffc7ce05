"""The rdflib backend on a graph counted by hand, and against plain loops over random triples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, Graph, Literal, URIRef

from builders.eureqa.backend import IN, OUT, Behind, Edge, Group
from builders.eureqa.rdflib_backend import RdflibBackend
from builders.sources.dbpedia import DISAMBIGUATES, ONTOLOGY, RESOURCE

Triple = tuple[str, str, str]
FILMS = [
    ("Rushmore", "director", "Anna"),
    ("Rushmore", "starring", "Bela"),
    ("Solaris", "director", "Anna"),
    ("Solaris", "starring", "Carl"),
    ("Stalker", "director", "Dora"),
    ("Stalker", "starring", "Bela"),
]


def graph(triples: list[Triple]) -> Graph:
    found = Graph()
    for subject, relation, object in triples:
        found.add((URIRef(RESOURCE + subject), URIRef(ONTOLOGY + relation), URIRef(RESOURCE + object)))
    return found


def edge(direction: int, relation: str, other: str) -> Edge[str, str]:
    return Edge(direction, ONTOLOGY + relation, RESOURCE + other)


def test_a_hand_counted_graph() -> None:
    films = graph(FILMS)
    films.add((URIRef(f"{RESOURCE}Bela"), RDF.type, URIRef(f"{ONTOLOGY}Actor")))
    films.add((URIRef(f"{RESOURCE}Carl"), RDF.type, URIRef(f"{ONTOLOGY}Singer")))
    store = RdflibBackend(films)
    assert store.relations([f"{RESOURCE}Anna", f"{RESOURCE}Solaris"]) == [
        {(IN, f"{ONTOLOGY}director"): 2},
        {(OUT, f"{ONTOLOGY}director"): 1, (OUT, f"{ONTOLOGY}starring"): 1},
    ]
    anna = Group(f"{RESOURCE}Anna", IN, f"{ONTOLOGY}director")
    assert store.neighbours([anna]) == [[f"{RESOURCE}Rushmore", f"{RESOURCE}Solaris"]]
    by_anna, with_bela = edge(OUT, "director", "Anna"), edge(OUT, "starring", "Bela")
    assert store.count([by_anna, with_bela, edge(IN, "director", "Stalker")]) == [2, 2, 1]
    assert store.joint([(by_anna, with_bela), (by_anna, by_anna)]) == [1, 2]
    # Of Anna's films both star somebody, one an actor, one a singer, none a dancer.
    shown = ["", *(ONTOLOGY + name for name in ("Actor", "Singer", "Dancer"))]
    assert store.behind([Behind(by_anna, OUT, f"{ONTOLOGY}starring", one) for one in shown]) == [2, 1, 1, 0]


@pytest.mark.parametrize("object", ["List_of_films", "Film__1", "Category:Films", "Rushmore", "Mercury"])
def test_what_is_no_entity_is_not_seen(object: str) -> None:
    films = graph([*FILMS, ("Rushmore", "related", object)])
    films.add((URIRef(f"{RESOURCE}Mercury"), URIRef(DISAMBIGUATES), URIRef(f"{RESOURCE}Mercury_(planet)")))
    films.add((URIRef(f"{RESOURCE}Rushmore"), URIRef(f"{ONTOLOGY}runtime"), Literal("93")))
    films.add((URIRef(f"{RESOURCE}Rushmore"), URIRef(f"{ONTOLOGY}wikiPageWikiLink"), URIRef(f"{RESOURCE}Anna")))
    (found,) = RdflibBackend(films).relations([f"{RESOURCE}Rushmore"])
    assert found == {(OUT, f"{ONTOLOGY}director"): 1, (OUT, f"{ONTOLOGY}starring"): 1}


names, relations = st.sampled_from("ABCDE"), st.sampled_from(["r", "s"])
triples = st.lists(st.tuples(names, relations, names), max_size=25)
edges = st.tuples(st.integers(0, 1), relations, names)


@settings(deadline=None)
@given(triples, edges, edges)
def test_answers_agree_with_loops(found: list[Triple], one: tuple[int, str, str], other: tuple[int, str, str]) -> None:
    plain, store = {t for t in found if t[0] != t[2]}, RdflibBackend(graph(found))

    def having(direction: int, relation: str, name: str) -> set[str]:
        return {t[2 * direction] for t in plain if t[1] == relation and t[2 - 2 * direction] == name}

    a, b = edge(*one), edge(*other)
    assert store.count([a, b]) == [len(having(*one)), len(having(*other))]
    assert store.joint([(a, b)]) == [len(having(*one) & having(*other))]
    group = Group(a.other, 1 - a.direction, a.relation)
    assert store.neighbours([group]) == [sorted(RESOURCE + name for name in having(*one))]
    onwards = [name for name in having(*one) if having(1 - b.direction, other[1], name)]
    assert store.behind([Behind(a, b.direction, b.relation, "")]) == [len(onwards)]
