"""The walk itself for numba, over bare arrays; it mirrors `walk.py` draw by draw, and a test holds the two together.

All in one file, because what numba has compiled it keeps until that file changes, whatever it imports.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Ints = Any
F = TypeVar("F", bound=Callable[..., Any])


def _njit(function: F) -> F:
    """Compile, once and for all: numba keeps the machine code beside this file.

    All in one piece: to call a function with the arrays of a graph takes longer than most of them do.
    """
    return cast(F, numba.njit(cache=True, nogil=True, inline="always")(function))


@_njit
def _below(state: Ints, limit: int) -> Any:
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((word ^ (word >> np.uint64(31))) % np.uint64(limit))


@_njit
def _bound(values: Ints, low: int, high: int, wanted: int) -> int:
    """Return where `wanted` stands in the sorted values[low:high], or the first above it."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@_njit
def _run(graph: Any, node: int, relation: int) -> tuple[int, int]:
    """Return where a node's other ends by relation begin and end."""
    groups, kinds, starts, _, _ = graph
    last = groups[node + 1]
    group = _bound(kinds, groups[node], last, relation)
    if group == last or kinds[group] != relation:
        return 0, 0
    return starts[group], starts[group + 1]


@_njit
def _having(graph: Any, edge: Ints) -> tuple[int, int]:
    """Return where the entities that have an edge begin and end."""
    entities = (len(graph[0]) - 1) // 2
    return _run(graph, (1 - edge[0]) * entities + edge[2], edge[1])


@_njit
def _groups(graph: Any, entity: int, found: Ints) -> int:
    """Fill rows of direction, relation, start and size, and return how many there are."""
    groups, kinds, starts, _, _ = graph
    entities, size = (len(groups) - 1) // 2, 0
    for direction in range(2):
        node = direction * entities + entity
        for group in range(groups[node], groups[node + 1]):
            found[size, 0], found[size, 1] = direction, kinds[group]
            found[size, 2], found[size, 3] = starts[group], starts[group + 1] - starts[group]
            size += 1
    return size


@_njit
def _joint(graph: Any, one: Ints, other: Ints) -> int:
    """Count the entities with both edges, up to 2: look up each of the fewer in the many."""
    others = graph[3]
    a, b = _having(graph, one), _having(graph, other)
    if a[1] - a[0] > b[1] - b[0]:
        a, b = b, a
    found, low = 0, b[0]
    for i in range(a[0], a[1]):
        low = _bound(others, low, b[1], others[i])
        if low < b[1] and others[low] == others[i]:
            found += 1
            if found == 2:
                break
    return found


@_njit
def _behind(graph: Any, fact: Ints, edge: Ints, shown: int, of: Ints, below: Ints) -> int:
    """Count the entities with the fact and the edge's relation to some entity of the shown class, up to 2."""
    others, node = graph[3], edge[0] * ((len(graph[0]) - 1) // 2)
    start, end = _having(graph, fact)
    found = 0
    for i in range(start, end):
        first, last = _run(graph, node + others[i], edge[1])
        for j in range(first, last):
            kind = of[others[j]]
            if shown < 0 or shown <= kind < below[shown]:
                found += 1
                break
        if found == 2:
            break
    return found


@_njit
def _valid(graph: Any, edge: Ints, fact: Ints, counts: Ints, of: Ints, below: Ints, strict: bool) -> bool:
    """Fill n_relation, n_fact, n_joint and n_class; False where one of them is not what the criteria ask for."""
    start, end = _having(graph, edge)
    counts[1] = end - start
    if strict and counts[1] < 2:
        return False
    start, end = _having(graph, fact)
    counts[2] = end - start
    counts[3] = _joint(graph, edge, fact) if min(counts[1], counts[2]) > 1 else 1
    if counts[3] != 1:
        return False
    counts[4] = _behind(graph, fact, edge, of[edge[2]], of, below) if strict else 0
    return not strict or counts[4] >= 2


@_njit
def _is_in(entity: int, taken: Ints, size: int) -> bool:
    for i in range(size):  # noqa: SIM110 - a loop allocates nothing
        if taken[i] == entity:
            return True
    return False


@_njit
def _allowed(groups: Ints, size: int, allowed: Ints, at_least: int, at_most: int, places: Ints) -> int:
    """Fill the places of the groups that may be drawn from, and return how many they are."""
    n = 0
    for i in range(size):
        if allowed[groups[i, 1]] and at_least <= groups[i, 3] <= at_most:
            places[n] = i
            n += 1
    return n


@_njit
def _drawn(groups: Ints, places: Ints, n: int, state: Ints, edge: Ints) -> Any:
    """Draw a group and one of its neighbours into `edge`, as yet by its place; return the group's size."""
    group = places[_below(state, n)]
    edge[0], edge[1] = groups[group, 0], groups[group, 1]
    edge[2] = groups[group, 2] + _below(state, groups[group, 3])
    return groups[group, 3]


@_njit
def walks(
    seeds: Ints,
    states: Ints,
    graph: Any,
    chain: Ints,
    fact_allowed: Ints,
    family: Ints,
    of: Ints,
    below: Ints,
    layers: int,
    hard: bool,
    strict: bool,
    tries: int,
    max_group: int,
) -> tuple[Ints, Ints]:
    """Walk once from each seed; return layers as integers, (walks, layers, 12), and how many each walk has.

    `graph` has the arrays of `Graph`, `below` says of each class where those below it end.
    """
    others, shared = graph[3], graph[4]
    found, lengths = np.zeros((len(seeds), layers, 12), np.int64), np.zeros(len(seeds), np.int64)
    # An entity has at most all relations in both directions.
    table, taken = np.zeros((2 * len(family), 4), np.int64), np.zeros(2 * layers + 1, np.int64)
    ways, facts = np.zeros(len(table), np.int64), np.zeros(len(table), np.int64)
    edge, fact, counts = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(5, np.int64)
    state = np.zeros(1, np.uint64)
    for w in range(len(seeds)):
        state[0], entity, size = states[w], seeds[w], 1
        taken[0] = entity
        while lengths[w] < layers:
            groups = _groups(graph, entity, table)
            n_ways = _allowed(table, groups, chain, 2, max_group, ways)
            n_facts = _allowed(table, groups, fact_allowed, 1, max_group, facts)
            done = False
            for _ in range(tries if n_ways and n_facts else 0):
                _drawn(table, facts, n_facts, state, fact)
                if shared[fact[2]] != hard:
                    continue
                fact[2] = others[fact[2]]
                if _is_in(fact[2], taken, size):
                    continue
                n_next = _drawn(table, ways, n_ways, state, edge)
                if family[edge[1]] == family[fact[1]]:
                    continue
                edge[2] = others[edge[2]]
                if edge[2] == fact[2] or _is_in(edge[2], taken, size):
                    continue
                counts[0] = n_next
                if _valid(graph, edge, fact, counts, of, below, strict):
                    done = True
                    break
            if not done:
                break
            row = found[w, lengths[w]]
            row[0], row[1:4], row[4:7], row[7:12] = entity, edge, fact, counts
            lengths[w] += 1
            entity = edge[2]
            taken[size], taken[size + 1] = edge[2], fact[2]
            size += 2
    return found, lengths
