"""Walks: every layer against plain loops over the triples, the machine code against Python, draws against the book."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.eureqa.backend import OUT, Edge
from builders.eureqa.fast import fast_walks, has_numba
from builders.eureqa.graph import Graph, build_graph
from builders.eureqa.index import Classes, IndexBackend
from builders.eureqa.walk import Chain, Draws, Rules, WalkSettings, first_state, run_walks, walk

Triple = tuple[int, int, int]
ENTITIES, RELATIONS = 40, 6
# Classes 0 (all below 3), 1 and 2 below 0; entities take turns.
CLASSES = Classes(np.array([i % 4 - 1 for i in range(ENTITIES)], dtype=np.int16), np.array([3, 2, 3]))
RULES = Rules(
    chain=frozenset({0, 1, 2, 3}),
    fact=frozenset({0, 1, 2, 4, 5}),
    family={0: 0, 1: 0, 2: 2, 3: 3, 4: 4, 5: 5},
    shown=lambda entity: int(CLASSES.of[entity]),
)
triples = st.lists(
    st.tuples(st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1)),
    min_size=60,
    max_size=300,
)
criteria = st.builds(WalkSettings, st.integers(1, 5), st.booleans(), st.booleans(), st.integers(1, 30), st.just(9))


def graph(found: Iterable[Triple]) -> Graph:
    # A last triple names every relation, so that all have a number.
    return build_graph(*np.array([*found, (0, RELATIONS - 1, 1)], dtype=np.int64).T, ENTITIES)


def chains(index: Graph, states: list[int], chosen: WalkSettings) -> list[Chain[int, int]]:
    walks = [walk(i, Draws(state), RULES, chosen) for i, state in enumerate(states)]
    return run_walks(walks, IndexBackend(index, CLASSES))


def test_draws_are_splitmix64() -> None:
    # The first words of the sequence from 1234567, as its authors' test vector has them.
    draws = Draws(1234567)
    assert [draws.below(1 << 64) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_walk_starts_from_seed_entity_and_number() -> None:
    states = {first_state(s, e, w) for s in (0, 1) for e in ("a", "b") for w in (0, 1)}
    assert len(states) == 8
    assert first_state(0, "a", 0) == first_state(0, "a", 0)


def having(plain: set[Triple], edge: Edge[int, int]) -> set[int]:
    ends = ((s, o) if edge.direction == OUT else (o, s) for s, r, o in plain if r == edge.relation)
    return {me for me, they in ends if they == edge.other}


def are_of(shown: int, entities: set[int]) -> bool:
    below = {-1: set(range(-1, 3)), 0: {0, 1, 2}, 1: {1}, 2: {2}}[shown]
    return any(RULES.shown(one) in below for one in entities)


@settings(deadline=None)
@given(triples, criteria, st.integers(0, 1 << 32))
def test_every_layer_is_what_loops_over_the_triples_say(found: list[Triple], chosen: WalkSettings, seed: int) -> None:
    index, plain = graph(found), {*found, (0, RELATIONS - 1, 1)}
    neighbours = lambda e, d, r: {o if d == OUT else s for s, x, o in plain if x == r and (s, o)[d] == e}  # noqa: E731
    for number, chain in enumerate(chains(index, [seed + i for i in range(ENTITIES)], chosen)):
        assert [layer.entity for layer in chain] == [number, *(layer.edge.other for layer in chain)][: len(chain)]
        named = [number, *(one for layer in chain for one in (layer.edge.other, layer.fact.other))]
        assert len(set(named)) == len(named)
        for layer in chain:
            with_edge, with_fact = having(plain, layer.edge), having(plain, layer.fact)
            assert with_edge & with_fact == {layer.entity}
            assert (layer.n_relation, layer.n_fact, layer.n_joint) == (len(with_edge), len(with_fact), 1)
            assert layer.n_next == len(neighbours(layer.entity, layer.edge.direction, layer.edge.relation)) > 1
            assert layer.n_next <= chosen.max_group
            assert (layer.n_fact > 1) == chosen.hard
            assert {layer.edge.relation} <= RULES.chain
            assert {layer.fact.relation} <= RULES.fact
            assert RULES.family[layer.edge.relation] != RULES.family[layer.fact.relation]
            if chosen.strict:
                shown = RULES.shown(layer.edge.other)
                left = [e for e in with_fact if are_of(shown, neighbours(e, layer.edge.direction, layer.edge.relation))]
                assert layer.n_relation > 1
                assert layer.n_class == min(len(left), 2) == 2


@pytest.mark.skipif(not has_numba(), reason="the extra `numba` is not installed")
@settings(deadline=None, max_examples=60)
@given(triples, criteria, st.integers(0, 1 << 63))
def test_machine_code_walks_as_python_does(found: list[Triple], chosen: WalkSettings, seed: int) -> None:
    index, states = graph(found), [seed + i for i in range(ENTITIES)]
    assert fast_walks(range(ENTITIES), states, index, CLASSES, RULES, chosen) == chains(index, states, chosen)


def test_walks_in_step_are_the_walks_alone() -> None:
    draws = np.random.default_rng(3)
    found = list(zip(*(draws.integers(0, n, 300).tolist() for n in (ENTITIES, RELATIONS, ENTITIES)), strict=True))
    index, states = graph(found), list(range(ENTITIES))
    together = chains(index, states, WalkSettings())
    backend = IndexBackend(index, CLASSES)
    alone = [run_walks([walk(i, Draws(i), RULES, WalkSettings())], backend)[0] for i in range(ENTITIES)]
    assert together == alone
    assert max(len(chain) for chain in together) == 5
