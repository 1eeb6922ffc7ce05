"""The walk itself for numba, over bare arrays; it mirrors `walk.py` draw by draw, and a test holds the two together."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Ints = Any
F = TypeVar("F", bound=Callable[..., Any])


def _njit(function: F) -> F:
    """Compile, once and for all: numba keeps the machine code beside this file."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


@_njit
def _below(state: Ints, limit: int) -> Any:
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((word ^ (word >> np.uint64(31))) % np.uint64(limit))


@_njit
def _bound(values: Ints, low: int, high: int, wanted: int, right: bool) -> int:
    """Return where `wanted` stands in the sorted values[low:high], or behind it."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted or (right and values[middle] == wanted):
            low = middle + 1
        else:
            high = middle
    return low


@_njit
def _run(sides: Any, direction: int, entity: int, relation: int) -> tuple[int, int]:
    offsets, relations = (sides[3], sides[4]) if direction else (sides[0], sides[1])
    first, last = offsets[entity], offsets[entity + 1]
    return _bound(relations, first, last, relation, False), _bound(relations, first, last, relation, True)


@_njit
def _groups(sides: Any, entity: int, found: Ints) -> int:
    """Fill rows of direction, relation, start and size, and return how many there are."""
    size = 0
    for direction in range(2):
        offsets, relations = (sides[3], sides[4]) if direction else (sides[0], sides[1])
        start, last = offsets[entity], offsets[entity + 1]
        while start < last:
            end = _bound(relations, start, last, relations[start], True)
            found[size, 0], found[size, 1], found[size, 2], found[size, 3] = (
                direction,
                relations[start],
                start,
                end - start,
            )
            size += 1
            start = end
    return size


@_njit
def _joint(sides: Any, one: Ints, other: Ints) -> int:
    """Count the entities with both edges, up to 2: look up each of the fewer in the many."""
    a, b = _run(sides, 1 - one[0], one[2], one[1]), _run(sides, 1 - other[0], other[2], other[1])
    others_a = sides[2] if one[0] else sides[5]
    others_b = sides[2] if other[0] else sides[5]
    if a[1] - a[0] > b[1] - b[0]:
        a, b, others_a, others_b = b, a, others_b, others_a
    found, low = 0, b[0]
    for i in range(a[0], a[1]):
        low = _bound(others_b, low, b[1], others_a[i], False)
        if low < b[1] and others_b[low] == others_a[i]:
            found += 1
            if found == 2:
                break
    return found


@_njit
def _behind(sides: Any, fact: Ints, edge: Ints, shown: int, of: Ints, last: Ints) -> int:
    """Count the entities with the fact and the edge's relation to some entity of the shown class, up to 2."""
    start, end = _run(sides, 1 - fact[0], fact[2], fact[1])
    with_fact = sides[2] if fact[0] else sides[5]
    with_edge = sides[5] if edge[0] else sides[2]
    found = 0
    for i in range(start, end):
        first, behind = _run(sides, edge[0], with_fact[i], edge[1])
        for j in range(first, behind):
            kind = of[with_edge[j]]
            if shown < 0 or shown <= kind < last[shown]:
                found += 1
                break
        if found == 2:
            break
    return found


@_njit
def _valid(sides: Any, edge: Ints, fact: Ints, counts: Ints, of: Ints, last: Ints, strict: bool) -> bool:
    """Fill n_relation, n_joint and n_class; False where one of them is not what the criteria ask for."""
    start, end = _run(sides, 1 - edge[0], edge[2], edge[1])
    counts[1] = end - start
    if strict and counts[1] < 2:
        return False
    counts[3] = _joint(sides, edge, fact) if min(counts[1], counts[2]) > 1 else 1
    if counts[3] != 1:
        return False
    counts[4] = _behind(sides, fact, edge, of[edge[2]], of, last) if strict else 0
    return not strict or counts[4] >= 2


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
def _drawn(sides: Any, groups: Ints, places: Ints, n: int, state: Ints, edge: Ints) -> Any:
    """Draw a group and one of its neighbours into `edge`; return the group's size."""
    place = places[_below(state, n)]
    others = sides[5] if groups[place, 0] else sides[2]
    edge[0], edge[1] = groups[place, 0], groups[place, 1]
    edge[2] = others[groups[place, 2] + _below(state, groups[place, 3])]
    return groups[place, 3]


@_njit
def walks(
    seeds: Ints,
    states: Ints,
    sides: Any,
    chain: Ints,
    fact_allowed: Ints,
    family: Ints,
    of: Ints,
    last: Ints,
    layers: int,
    hard: bool,
    strict: bool,
    tries: int,
    max_group: int,
) -> tuple[Ints, Ints]:
    """Walk once from each seed; return layers as integers, (walks, layers, 12), and how many each walk has."""
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
            groups = _groups(sides, entity, table)
            n_ways = _allowed(table, groups, chain, 2, max_group, ways)
            n_facts = _allowed(table, groups, fact_allowed, 1, max_group, facts)
            done = False
            for _ in range(tries if n_ways and n_facts else 0):
                _drawn(sides, table, facts, n_facts, state, fact)
                if (taken[:size] == fact[2]).any():
                    continue
                start, end = _run(sides, 1 - fact[0], fact[2], fact[1])
                counts[2] = end - start
                if (counts[2] > 1) != hard:
                    continue
                n_next = _drawn(sides, table, ways, n_ways, state, edge)
                if family[edge[1]] == family[fact[1]] or edge[2] == fact[2] or (taken[:size] == edge[2]).any():
                    continue
                counts[0] = n_next
                if _valid(sides, edge, fact, counts, of, last, strict):
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
