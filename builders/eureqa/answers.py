"""How many entities a question allows: with all it says, without the closing line, without each single statement.

Statements are read as they stand: the classes of placeholders play no part, besides that of the last one, which is all
that is known of it once the closing line is gone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from builders.eureqa.backend import Edge
from builders.eureqa.graph import Graph, Ints
from builders.eureqa.index import Classes
from builders.eureqa.walk import Layer

CAP = 10_000  # a count or a set on the way that grows beyond it is given as this number

Layers = Sequence[Layer[int, int]]


class Left(NamedTuple):
    """A statement that is left out: `relation` or `fact` of a layer, counted from 0."""

    kind: str
    layer: int


def n_answers(layers: Layers, graph: Graph, left: Left | None = None) -> int:
    """Return how many entities the question allows, one statement left out or none; never more than `CAP`."""
    found: Ints = np.array([layers[-1].edge.other])
    for number, layer in reversed(list(enumerate(layers))):
        if left == Left("relation", number):
            found = graph.solutions(layer.fact)
        else:
            about = None if left == Left("fact", number) else graph.solutions(layer.fact)
            found = _pointing(layer.edge, found, about, graph)
        if len(found) > CAP:
            return CAP
    return len(found)


def n_answers_without_closing(layers: Layers, graph: Graph, classes: Classes) -> int:
    """Return how many entities the question allows where the last one may be any of the class that it is shown as."""
    last = layers[-1]
    shown = int(classes.of[last.edge.other])
    about = graph.solutions(last.fact)
    if len(about) > CAP:
        return CAP
    neighbours = (graph.neighbours(int(entity), last.edge.direction, last.edge.relation) for entity in about)
    found = about[[bool(classes.contains(shown, others).any()) for others in neighbours]] if len(about) else about
    for layer in layers[-2::-1]:
        found = _pointing(layer.edge, found, graph.solutions(layer.fact), graph)
    return min(len(found), CAP)


def _pointing(edge: Edge[int, int], ends: Ints, among: Ints | None, graph: Graph) -> Ints:
    """Return the entities, all or those among some, that have the edge's relation to one of the ends."""
    runs = [graph.solutions(edge._replace(other=int(end))) for end in ends]
    found = np.unique(np.concatenate(runs)) if runs else ends
    return found if among is None else np.intersect1d(found, among, assume_unique=True)
