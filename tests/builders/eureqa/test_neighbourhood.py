"""What stands around chains: every edge is one of the snapshot's, roles are told, files are the same each time."""

from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.build import walker
from builders.eureqa.by_iri import chain_by_iri
from builders.eureqa.graph import build_graph
from builders.eureqa.index import Classes
from builders.eureqa.names import pack
from builders.eureqa.neighbourhood import Neighbourhood, draw_chains, export_chains
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Layer, WalkSettings
from builders.sources.dbpedia import ONTOLOGY, RESOURCE
from loaders.errors import DecoyQAError

World = Any  # of conftest.py
# In the order of their IRIs: Anna directed Rushmore and Solaris, Bela and Carl star in Rushmore, Carl in Solaris.
NAMES = ["Anna", "Bela", "Carl", "Rushmore", "Solaris"]
TRIPLES = [(3, 0, 0), (4, 0, 0), (3, 1, 1), (3, 1, 2), (4, 1, 2)]
CHAIN = (
    Layer(4, Edge(OUT, 1, 2), Edge(OUT, 0, 0), 2, 2, 2, 1, 0),
    Layer(2, Edge(IN, 1, 3), Edge(IN, 1, 4), 2, 2, 1, 1, 0),
)


def films() -> Snapshot:
    graph = build_graph(*np.array(TRIPLES).T, len(NAMES))
    names, labels = pack([f"{RESOURCE}{name}" for name in NAMES]), pack([*NAMES[:3], "Rushmore $_1_$ <&>", "Solaris"])
    classes = Classes(np.array([0, 0, 0, 1, -1]), np.array([1, 2]))
    relations = (f"{ONTOLOGY}director", f"{ONTOLOGY}starring")
    return Snapshot(graph, classes, names, labels, pack([""] * 5), relations, ("Person", "Film"), {})


def test_a_hand_drawn_chain() -> None:
    found = Neighbourhood(films())
    found.add("one", CHAIN)
    nodes = {node.removeprefix(RESOURCE): facts for node, facts in found.graph.nodes.items()}
    roles = {name: facts["role"] for name, facts in nodes.items()}
    # Solaris is the answer before it is a fact; Bela only stars in Rushmore, too.
    assert roles == {"Solaris": "answer", "Carl": "layer", "Rushmore": "closing", "Anna": "fact", "Bela": "near"}
    assert (nodes["Rushmore"]["label"], nodes["Rushmore"]["class"]) == ("Rushmore $_1_$ <&>", "Film")
    assert nodes["Solaris"]["class"] == ""
    edges = {
        (a.removeprefix(RESOURCE), b.removeprefix(RESOURCE)): facts for a, b, facts in found.graph.edges(data=True)
    }
    assert len(edges) == len(TRIPLES)
    shown = ("relation", "role", "subjects", "objects", "chains")
    told = {ends: tuple(facts[name] for name in shown) for ends, facts in edges.items()}
    # Two films are by Anna, each by her alone; two star Carl, and Rushmore stars two.
    assert told["Solaris", "Anna"] == ("director", "fact", 2, 1, "one")
    assert told["Rushmore", "Carl"] == ("starring", "chain", 2, 2, "one")
    assert told["Rushmore", "Bela"] == ("starring", "near", 1, 2, "")
    # The second layer's fact is the first layer's edge, from the other end.
    assert told["Solaris", "Carl"] == ("starring", "fact", 2, 1, "one")
    assert edges["Solaris", "Anna"]["iri"] == f"{ONTOLOGY}director"


def test_only_what_is_visited_is_filled_in_and_no_hub_is_whole() -> None:
    many = np.arange(1, 41)
    iris = [f"{RESOURCE}{i:02}" for i in range(41)]
    graph = build_graph(many, many * 0, many * 0, 41)
    classes, relations = Classes(np.zeros(41, int) - 1, np.array([1])), (f"{ONTOLOGY}genre",)
    hub = Snapshot(graph, classes, pack(iris), pack(iris), pack([""] * 41), relations, ("Thing",), {})
    found = Neighbourhood(hub, around=7)
    assert len(found.graph) == 0
    assert found.visit(0) == iris[0]
    assert sorted(found.graph) == iris[:8]
    assert found.visit(0) == iris[0]
    assert found.graph.number_of_edges() == 7
    found.visit(9)
    assert sorted(found.graph) == [*iris[:8], iris[9]]


def chains(world: World) -> dict[str, Any]:
    found = walker(world.snapshot, world.rules, WalkSettings(), 2)(world.seeds(30), 0)
    whole = [chain for chain in found if len(chain) == 5]
    return {f"hard-{i}": chain for i, chain in enumerate(whole[:4])}


def test_a_sample_goes_to_disk_and_back(world: World, tmp_path: Path) -> None:
    sample = chains(world)
    assert len(sample) == 4
    graphml, picture = export_chains(sample, world.snapshot, tmp_path / "a")
    found = networkx.read_graphml(graphml, force_multigraph=True)
    snapshot, written = world.snapshot, [(a, b, facts["iri"]) for a, b, facts in found.edges(data=True)]
    assert len(set(written)) == len(written) == len({facts["id"] for *_, facts in found.edges(data=True)}) > 100
    for subject, object, relation in written:
        ends = [snapshot.entities.find(name) for name in (subject, object)]
        assert ends[1] in snapshot.graph.neighbours(ends[0], OUT, snapshot.relations.index(relation))
    edges = {(a, b, facts["iri"]): facts for a, b, facts in found.edges(data=True)}
    for name, chain in sample.items():
        for layer in chain_by_iri(chain, snapshot):
            for edge, n in ((layer.edge, layer.n_relation), (layer.fact, layer.n_fact)):
                ends = (layer.entity, edge.other)[:: -1 if edge.direction else 1]
                facts = edges[*ends, edge.relation]
                assert name in facts["chains"].split()
                assert facts["objects" if edge.direction else "subjects"] == n
    again = export_chains(sample, world.snapshot, tmp_path / "b")
    assert [path.read_bytes() for path in again] == [graphml.read_bytes(), picture.read_bytes()]


def test_names_do_not_touch_each_other(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    drawn: list[Figure] = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kw: (save(self, *args, **kw), drawn.append(self))[0])
    draw_chains(chains(world), world.snapshot, tmp_path / "c.png")
    (figure,) = drawn
    assert len(figure.axes) == 4
    for axes in figure.axes:
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
        assert len(boxes) == 5 + 1 + 5 + 10
        assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert all(figure.bbox.containsx(box.x0) and figure.bbox.containsx(box.x1) for box in boxes)


def test_a_chain_with_signs_of_mathematics_can_be_drawn(tmp_path: Path) -> None:
    graphml, picture = export_chains({"one $x$": CHAIN}, films(), tmp_path)
    assert networkx.read_graphml(graphml).nodes[f"{RESOURCE}Rushmore"]["label"] == "Rushmore $_1_$ <&>"
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_no_chains_are_no_picture(tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match="expected chains to export, found none"):
        export_chains({}, films(), tmp_path / "none")
    assert not (tmp_path / "none").exists()
