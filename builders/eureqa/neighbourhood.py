"""The part of a graph that chains went through, small enough for networkx: to look at, as GraphML and as a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import Any

import networkx

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.relations import local_name
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain
from loaders.errors import DecoyQAError

SHOWN = 12  # chains in one picture
WIDTH = 18  # characters of a line in a node
COLOURS = {"answer": "#f4c95d", "layer": "#cfe3f5", "closing": "#b6e3b6", "fact": "#eeeeee"}


@dataclass(frozen=True)
class Neighbourhood:
    """A graph of networkx, filled on demand around the entities that are visited.

    Nodes are IRIs with `label`, `class` and `role`: `answer`, `layer`, `closing`, `fact`, or `near` for what merely
    stands beside them. Edges run from subject to object, with `id`, `iri`, `relation` (its local name), `role`
    (`chain`, `fact`, `near`), `chains` (names of those that have it), and counts over the whole snapshot: `subjects`
    with that relation to the object, `objects` of the subject.
    """

    snapshot: Snapshot
    around: int = 5  # neighbours that are shown by each relation of a visited entity
    graph: "networkx.MultiDiGraph" = field(default_factory=networkx.MultiDiGraph)

    def visit(self, entity: int) -> str:
        """Add an entity with its nearest neighbours, and return its node."""
        known, graph = self.snapshot.entities[entity] in self.graph, self.snapshot.graph
        node = self._node(entity)
        if known and self.graph.nodes[node].get("visited"):
            return node
        self.graph.nodes[node]["visited"] = True
        for direction, relation in graph.relations(entity):
            for other in islice(graph.neighbours(entity, direction, relation), self.around):
                self._edge(entity, Edge(direction, relation, int(other)))
        return node

    def add(self, name: str, chain: Chain[int, int]) -> None:
        """Visit all entities of a chain, and mark the chain and its facts under its name."""
        for number, layer in enumerate(chain):
            self._mark(self.visit(layer.entity), "layer" if number else "answer")
            self._mark(self.visit(layer.edge.other), "layer" if number < len(chain) - 1 else "closing")
            for role, edge in (("fact", layer.fact), ("chain", layer.edge)):
                found = self._edge(layer.entity, edge)
                found |= {"role": role, "chains": " ".join(dict.fromkeys([*found["chains"].split(), name]))}
            self._mark(self._node(layer.fact.other), "fact")

    def _node(self, entity: int) -> str:
        iri = self.snapshot.entities[entity]
        if iri not in self.graph:
            self.graph.add_node(
                iri, label=self.snapshot.labels[entity], **{"class": self.snapshot.class_of(entity)}, role="near"
            )
        return iri

    def _edge(self, entity: int, edge: Edge[int, int]) -> dict[str, Any]:
        """Add an edge where it is not yet, and return its attributes."""
        subject, object = (entity, edge.other)[:: 1 if edge.direction == OUT else -1]
        ends, iri = (self._node(subject), self._node(object)), self.snapshot.relations[edge.relation]
        if not self.graph.has_edge(*ends, iri):
            counts = {
                "subjects": self.snapshot.graph.count(Edge(OUT, edge.relation, object)),
                "objects": self.snapshot.graph.count(Edge(IN, edge.relation, subject)),
            }
            words = {"iri": iri, "relation": local_name(iri), "role": "near", "chains": ""}
            self.graph.add_edge(*ends, iri, id=f"e{self.graph.number_of_edges()}", **words, **counts)
        found: dict[str, Any] = self.graph.edges[*ends, iri]
        return found

    def _mark(self, node: str, role: str) -> None:
        """Give a node a role; an entity that several chains go through keeps the first that is more than beside one."""
        if self.graph.nodes[node]["role"] == "near":
            self.graph.nodes[node]["role"] = role


def export_chains(chains: Mapping[str, Chain[int, int]], snapshot: Snapshot, folder: Path) -> tuple[Path, Path]:
    """Write chains by name, with what stands around them, as GraphML, and the first of them as a picture.

    Raises DecoyQAError where there are none.
    """
    if not chains:
        raise DecoyQAError("expected chains to export, found none")
    found = Neighbourhood(snapshot)
    for name, chain in chains.items():
        found.add(name, chain)
    folder.mkdir(parents=True, exist_ok=True)
    graph, picture = folder / "chains.graphml", folder / "chains.png"
    networkx.write_graphml_xml(found.graph, graph, edge_id_from_attribute="id")
    draw_chains(dict(islice(chains.items(), SHOWN)), snapshot, picture)
    return graph, picture


def draw_chains(chains: Mapping[str, Chain[int, int]], snapshot: Snapshot, path: Path) -> None:
    """Draw a row per chain: its entities from the answer on, below each the fact, and counts at the relations."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    longest = max(map(len, chains.values()))
    figure = Figure(figsize=(2.9 * (longest + 1), 2.4 * len(chains)), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    rows = figure.subplots(len(chains), 1, squeeze=False)[:, 0]
    for axes, (name, chain) in zip(rows, chains.items(), strict=True):
        axes.set(xlim=(-0.5, longest + 0.5), ylim=(-1.4, 0.4))
        axes.set_title(name, fontsize=9, loc="left", color="#555555")
        axes.axis("off")
        _draw(axes, chain, snapshot)
    figure.supxlabel("behind each relation: how many entities have that edge in the whole graph", fontsize=8)
    figure.savefig(path, metadata={"Software": None})


def _draw(axes: Any, chain: Chain[int, int], snapshot: Snapshot) -> None:
    entities = [*(layer.entity for layer in chain), chain[-1].edge.other]
    roles = ["answer", *["layer"] * (len(chain) - 1), "closing"]
    boxes = [_box(axes, (i, 0), *one, snapshot) for i, one in enumerate(zip(entities, roles, strict=True))]
    for number, layer in enumerate(chain):
        fact = _box(axes, (number, -1.1), layer.fact.other, "fact", snapshot)
        for edge, n, end in ((layer.edge, layer.n_relation, boxes[number + 1]), (layer.fact, layer.n_fact, fact)):
            _arrow(axes, *(boxes[number], end)[:: 1 if edge.direction == OUT else -1])
            text = f"{local_name(snapshot.relations[edge.relation])} · {n:,}"
            place, where = ((number + 0.05, -0.55), "left") if end is fact else ((number + 0.5, 0.06), "center")
            axes.text(*place, text, fontsize=7, ha=where, parse_math=False)


def _box(axes: Any, place: tuple[float, float], entity: int, role: str, snapshot: Snapshot) -> Any:
    text, kind = fill(snapshot.labels[entity], WIDTH, break_long_words=False), snapshot.class_of(entity)
    box = {"boxstyle": "round,pad=0.35", "facecolor": COLOURS[role], "edgecolor": "#777777", "linewidth": 0.8}
    style = {"fontsize": 8, "ha": "center", "va": "center", "parse_math": False}
    return axes.text(*place, f"{text}\n({kind})" if kind else text, bbox=box, **style)


def _arrow(axes: Any, start: Any, end: Any) -> None:
    """Draw an arrow from the edge of one box to that of another, however wide their texts are."""
    patches = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
    arrow = {"arrowstyle": "-|>", "color": "#333333", "mutation_scale": 12, **patches}
    axes.annotate("", end.get_position(), start.get_position(), arrowprops=arrow)
