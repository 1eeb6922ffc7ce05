"""How many entities a question allows, against loops over every assignment of its placeholders."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.eureqa.answers import CAP, Left, n_answers, n_answers_without_closing
from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.graph import Graph, build_graph
from builders.eureqa.index import Classes
from builders.eureqa.walk import Layer

ENTITIES, RELATIONS = 6, 3
CLASSES = Classes(np.array([0, 0, 1, 1, 2, -1], dtype=np.int16), np.array([2, 2, 3]))
BELOW = {-1: {-1, 0, 1, 2}, 0: {0, 1}, 1: {1}, 2: {2}}
Triple = tuple[int, int, int]

edges = st.builds(Edge, st.integers(0, 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1))
layers = st.lists(st.builds(Layer, st.just(0), edges, edges, *[st.just(0)] * 5), min_size=1, max_size=3)
triples = st.sets(
    st.tuples(st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1)),
    min_size=1,
    max_size=40,
)


def graph(found: set[Triple]) -> Graph:
    return build_graph(*np.array(sorted(found), dtype=np.int64).T, ENTITIES)


def allowed(chain: list[Layer[int, int]], plain: set[Triple], left: Left | None, closing: bool) -> int:
    """Try every assignment of entities to the placeholders, the one of the closing line among them."""

    def holds(entity: int, edge: Edge[int, int], other: int) -> bool:
        ends = (entity, other) if edge.direction == OUT else (other, entity)
        return (ends[0], edge.relation, ends[1]) in plain

    last = chain[-1].edge.other
    ends = [last] if closing else [e for e in range(ENTITIES) if CLASSES.of[e] in BELOW[int(CLASSES.of[last])]]
    answers = set()
    for assigned in product(*[range(ENTITIES)] * len(chain), ends):
        facts = [holds(e, layer.fact, layer.fact.other) for e, layer in zip(assigned, chain, strict=False)]
        relations = [holds(assigned[i], layer.edge, assigned[i + 1]) for i, layer in enumerate(chain)]
        if left is not None:
            (facts if left.kind == "fact" else relations)[left.layer] = True
        if all(facts) and all(relations):
            answers.add(assigned[0])
    return len(answers)


@settings(deadline=None, max_examples=150)
@given(layers, triples)
def test_counts_agree_with_loops(chain: list[Layer[int, int]], plain: set[Triple]) -> None:
    index = graph(plain)
    # A relation that no triple has is no relation of the index; a fact left out of the last layer is bounded by it.
    assert n_answers(chain, index) == allowed(chain, plain, None, closing=True)
    assert n_answers_without_closing(chain, index, CLASSES) == allowed(chain, plain, None, closing=False)
    for number in range(len(chain)):
        fact, relation = Left("fact", number), Left("relation", number)
        assert n_answers(chain, index, fact) == allowed(chain, plain, fact, closing=True)
        # Layers behind a relation that is left out hang on nothing; they hold in a real chain, so they are not asked.
        front = chain[: number + 1]
        assert n_answers(chain, index, relation) == allowed(front, plain, relation, closing=True)


def test_a_hand_counted_question() -> None:
    # 0 and 1 are by director 4 (relation 0, out); 0 and 2 are with actor 5 (relation 1, out); 2 is by director 3.
    index = graph({(0, 0, 4), (1, 0, 4), (2, 0, 3), (0, 1, 5), (2, 1, 5)})
    film = Layer(0, Edge(OUT, 0, 4), Edge(OUT, 1, 5), 1, 2, 2, 1, 0)
    assert n_answers([film], index) == 1
    assert n_answers([film], index, Left("fact", 0)) == 2  # by director 4: 0 and 1
    assert n_answers([film], index, Left("relation", 0)) == 2  # with actor 5: 0 and 2
    # Entity 4 is shown as class 2, of which it is the only one; shown as a class of 3 too, both films would be left.
    assert n_answers_without_closing([film], index, CLASSES) == 1
    assert n_answers_without_closing([film], index, Classes(CLASSES.of * 0, np.array([1]))) == 2


def test_counts_stop_at_the_cap() -> None:
    many = np.arange(1, CAP + 2)
    index = build_graph(many, many * 0, many * 0, CAP + 2)
    layer = Layer(1, Edge(OUT, 0, 0), Edge(OUT, 0, 0), 1, CAP + 1, CAP + 1, 1, 0)
    assert n_answers([layer], index) == CAP
    assert n_answers([layer], index, Left("relation", 0)) == CAP
    everything = Classes(np.zeros(CAP + 2, dtype=np.int16), np.array([1]))
    assert n_answers_without_closing([layer], index, everything) == CAP


@pytest.mark.parametrize("direction", [OUT, IN])
def test_nothing_left_is_zero(direction: int) -> None:
    index = graph({(0, 0, 1)})
    layer = Layer(0, Edge(direction, 0, 5), Edge(direction, 0, 5), 1, 1, 1, 1, 0)
    assert n_answers([layer, layer], index) == 0
