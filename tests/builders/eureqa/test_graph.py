"""The index against plain loops over the triples, on a hand-counted graph and on random ones."""

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.graph import Graph, build_graph

# Two directors and three films: 0 Anna and 1 Bela directed (0) films; 5 Carl acts (1) in two of them.
TRIPLES = [(2, 0, 0), (3, 0, 0), (4, 0, 1), (2, 1, 5), (4, 1, 5), (2, 1, 5)]

triples = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(0, 7)), max_size=60)


def graph(found: list[tuple[int, int, int]], entities: int = 8) -> Graph:
    columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return build_graph(*columns, entities)


def test_a_hand_counted_graph() -> None:
    films = graph(TRIPLES, 6)
    assert (films.entities, films.triples) == (6, 5)  # the doubled line counts once
    assert films.relations(0) == {(IN, 0): 2}
    assert films.relations(2) == {(OUT, 0): 1, (OUT, 1): 1}
    assert films.neighbours(0, IN, 0).tolist() == [2, 3]
    assert films.neighbours(0, OUT, 0).tolist() == []
    assert films.solutions(Edge(OUT, 0, 0)).tolist() == [2, 3]  # what Anna directed
    assert films.solutions(Edge(OUT, 1, 5)).tolist() == [2, 4]  # what Carl acts in
    assert films.joint(Edge(OUT, 0, 0), Edge(OUT, 1, 5)) == 1  # by Anna, with Carl: film 2
    assert films.joint(Edge(IN, 0, 2), Edge(IN, 0, 4)) == 0  # nobody directed both


@given(triples, st.integers(0, 7), st.integers(0, 1), st.integers(0, 3), st.integers(0, 1), st.integers(0, 3))
def test_the_index_agrees_with_loops(
    found: list[tuple[int, int, int]], other: int, one: int, first: int, two: int, second: int
) -> None:
    index, plain = graph(found), set(found)

    def having(edge: Edge[int, int]) -> set[int]:
        ends = ((s, o) if edge.direction == OUT else (o, s) for s, r, o in plain if r == edge.relation)
        return {me for me, they in ends if they == edge.other}

    assert index.triples == len(plain)
    edges = Edge(one, first, other), Edge(two, second, 7 - other)
    assert [index.solutions(edge).tolist() for edge in edges] == [sorted(having(edge)) for edge in edges]
    assert index.joint(*edges) == len(having(edges[0]) & having(edges[1]))
    counts = Counter((OUT, r) for s, r, _ in plain if s == other) + Counter((IN, r) for _, r, o in plain if o == other)
    assert index.relations(other) == dict(sorted(counts.items()))
    for (direction, relation), n in counts.items():
        others = index.neighbours(other, direction, relation).tolist()
        assert len(others) == n
        for place, end in enumerate(others):
            same = having(Edge(direction, relation, end))
            assert index.neighbour(other, direction, relation, place) == (end, min(len(same), 2))
            assert index.count(Edge(direction, relation, end)) == len(same)


def test_numbers_that_do_not_fit_are_refused() -> None:
    one = np.array([1])
    with pytest.raises(ValueError, match="do not fit into 64-bit keys"):
        build_graph(one, np.array([1 << 20]), one, 1 << 30)


def test_24_bytes_a_triple_are_enough() -> None:
    draws = np.random.default_rng(1).integers(0, 20_000, (2, 100_000))
    index = build_graph(draws[0], draws[1] % 600, draws[1], 20_000)
    assert sum(getattr(index, field.name).nbytes for field in fields(Graph)) / index.triples < 24
