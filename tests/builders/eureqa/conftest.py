"""Graphs that the index, a SPARQL server and rdflib are asked about, each read by the reader of its own."""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builders.eureqa.load import load_snapshot
from builders.eureqa.relations import rules_for
from builders.eureqa.seeds import most_linked
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Rules
from builders.sources.dbpedia import DISAMBIGUATES, LABEL, ONTOLOGY, RDF_TYPE, RESOURCE, SUBCLASS
from builders.sources.rdf import Broken, read_statements

if TYPE_CHECKING:
    from rdflib import Graph

# So that tests can import the servers that stand beside this file.
sys.path.insert(0, str(Path(__file__).parent))

PARENTS = {"Film": "Work", "Book": "Work", "Work": "Thing", "Actor": "Person", "Writer": "Person", "Person": "Thing"}
EACH = 250  # entities of a kind
KINDS = ("Film", "Film", "Book", "Actor", "Actor", "Writer", "Person", "City")
# Relations with the classes at their ends, as far as they go here.
RELATIONS = (
    ("starring", "Film", "Actor"),
    ("director", "Film", "Person"),
    ("writer", "Film", "Writer"),
    ("author", "Book", "Writer"),
    ("basedOn", "Film", "Book"),
    ("birthPlace", "Actor", "City"),
    ("residence", "Writer", "City"),
    ("spouse", "Actor", "Person"),
    ("influencedBy", "Writer", "Writer"),
    ("location", "Book", "City"),
)
# Names that need care in files and queries, the first two of which no proper IRI can have.
ODD = ('{}_"The_Rock"_Lee', "{}_`x`", "{}_(1951_film)", "Café_{},_Paris", "{}'s_*&;=@!$_Tale", "{}_%22q%22", "Ōkami_{}")
RARE = 30  # the first of them: low numbers are hubs


@dataclass(frozen=True)
class World:
    """A graph in files, and read."""

    files: tuple[Path, ...]
    snapshot: Snapshot

    @cached_property
    def rules(self) -> Rules[int, int]:
        return rules_for(self.snapshot)

    @cached_property
    def rdflib(self) -> "Graph":
        """All statements of the files, as they are: nothing is filtered."""
        from rdflib import BNode, Graph, Literal, URIRef

        graph = Graph(store="SimpleMemory")
        make = {"iri": URIRef, "blank": BNode}
        for file in self.files:
            for found in read_statements(file, Broken()):
                subject = BNode(found.subject[2:]) if found.subject.startswith("_:") else URIRef(found.subject)
                graph.add((subject, URIRef(found.predicate), make.get(found.kind, Literal)(found.object)))
        return graph

    def seeds(self, wanted: int) -> list[int]:
        return [seed.entity for seed in most_linked(self.snapshot, wanted, 10_000)]


def line(subject: str, predicate: str, object: str) -> str:
    ends = [name if name.startswith(("<", "_:", '"', "http")) else f"{RESOURCE}{name}" for name in (subject, object)]
    own = predicate if predicate.startswith("http") else f"{ONTOLOGY}{predicate}"
    return " ".join([*(one if one[0] in '_"<' else f"<{one}>" for one in (ends[0], own, ends[1])), "."])


def make_edges() -> Iterator[str]:
    """Yield 4,000 edges between 2,000 entities, some of them hubs, and what every dump has besides."""
    draw = random.Random(7)
    named = {kind: [name(kind, i) for i in range(EACH)] for kind in KINDS}
    below = {"Person": ("Person", "Actor", "Writer")}
    for _ in range(4000):
        relation, *ends = draw.choice(RELATIONS)
        pools = [[one for kind in below.get(end, (end,)) for one in named[kind]] for end in ends]
        subject, object = (pool[int(len(pool) * draw.random() ** 1.5)] for pool in pools)
        if subject != object:
            yield line(subject, relation, object)
    yield line(named["Film"][0], "starring", "List_of_actors")
    yield line(named["Film"][0], "starring", "Cast__1")
    yield line(named["Film"][0], "starring", f"{named['Film'][0]}")
    yield line(named["Film"][0], "starring", "http://fr.dbpedia.org/resource/Acteur")
    yield line(named["Film"][0], "starring", "_:b1")
    yield line(named["Film"][0], "starring", f'"{RESOURCE}Text"')
    yield line(named["Film"][0], "wikiPageWikiLink", named["Actor"][1])
    yield line(named["Film"][0], "http://dbpedia.org/property/starring", named["Actor"][1])
    yield line(named["Film"][0], "http://purl.org/dc/terms/subject", "Category:Films")
    yield line(named["Film"][0], "starring", "Category:Actors")
    yield line(named["Film"][0], "starring", "Mercury")
    yield line("Mercury", "birthPlace", named["City"][0])
    yield line("Mercury", DISAMBIGUATES, named["City"][1])
    yield line(named["Film"][0], LABEL, '"Film 0"@en')


def name(kind: str, number: int) -> str:
    return ODD[number - RARE].format(kind) if 0 <= number - RARE < len(ODD) else f"{kind}_{number}"


def make_types() -> Iterator[str]:
    """Yield every class of each entity, as an endpoint of DBpedia has them, and the classes above classes."""
    for kind in KINDS:
        for own in above(kind):
            yield from (line(name(kind, i), RDF_TYPE, f"{ONTOLOGY}{own}") for i in range(EACH) if i % 9)
    yield from (line(f"{ONTOLOGY}{one}", SUBCLASS, f"{ONTOLOGY}{other}") for one, other in PARENTS.items())


def above(kind: str) -> Iterator[str]:
    yield kind
    if kind in PARENTS:
        yield from above(PARENTS[kind])


def transitive_types(snapshot: Snapshot) -> Iterator[str]:
    """Yield every class of each entity of a snapshot."""
    for entity, number in enumerate(snapshot.classes.of.tolist()):
        for own in range(number + 1):
            if snapshot.classes.last[own] > number:
                yield line(snapshot.entities[entity], RDF_TYPE, f"{ONTOLOGY}{snapshot.class_names[own]}")


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A graph that we made up, of 2,000 entities."""
    folder = tmp_path_factory.mktemp("world")
    files = (folder / "edges.nt", folder / "types.nt")
    for file, lines in zip(files, (make_edges(), make_types()), strict=True):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return World(files, load_snapshot(files[:1], files[1:], folder / "graphs", lambda edges: None))


@pytest.fixture(scope="session")
def oxigraph(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an oxigraph that holds this graph as it is in the files."""
    from sparql_server import Oxigraph

    with Oxigraph(world.files, tmp_path_factory.mktemp("oxigraph")) as url:
        yield url


@pytest.fixture
def db15k(shared_data: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> World:
    """The real extract with its types from another source; all classes of an entity are in a file of their own."""
    import gzip

    edges, *types = (
        shared_data(f"dbpedia/{name}") for name in ("db15k.nt.gz", "db_InsType_mini.txt.gz", "dbpedia_types.tsv")
    )
    folder = tmp_path_factory.mktemp("db15k")
    snapshot = load_snapshot([edges], types, folder / "graphs", lambda edges: None)
    files = (folder / "edges.nt", folder / "types.nt")
    files[0].write_bytes(gzip.decompress(edges.read_bytes()))
    files[1].write_text("\n".join(transitive_types(snapshot)) + "\n", encoding="utf-8")
    return World(files, snapshot)
