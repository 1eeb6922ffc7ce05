"""The walks of `walk.py` as machine code (numba): the same draws, the same chains, dozens of times faster."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from builders.eureqa.backend import Edge
from builders.eureqa.graph import Graph, Ints
from builders.eureqa.index import Classes
from builders.eureqa.walk import Chain, Layer, Rules, WalkSettings
from loaders.errors import MissingExtraError

COLUMNS = 12  # of a layer as numbers: entity, edge, fact, and five counts


def has_numba() -> bool:
    """Whether the fast path can be taken."""
    return find_spec("numba") is not None


def fast_walks(
    seeds: Sequence[int],
    states: Sequence[int],
    graph: Graph,
    classes: Classes,
    rules: Rules[int, int],
    settings: WalkSettings,
) -> list[Chain[int, int]]:
    """Walk once from each seed, the draws starting at its state; raises MissingExtraError without numba."""
    found, lengths = walk_arrays(
        np.array(seeds, np.int64), np.array(states, np.uint64), graph, classes, rules, settings
    )
    return [tuple(_layer(row) for row in rows[:n].tolist()) for rows, n in zip(found, lengths, strict=True)]


def walk_arrays(
    seeds: Ints, states: Ints, graph: Graph, classes: Classes, rules: Rules[int, int], settings: WalkSettings
) -> tuple[Ints, Ints]:
    """Return layers as integers, (walks, layers, 12), and the number of layers of each walk."""
    kinds = max(rules.family, default=-1) + 1
    masks = [np.array([r in allowed for r in range(kinds)], dtype=bool) for allowed in (rules.chain, rules.fact)]
    family = np.array([rules.family[r] for r in range(kinds)], dtype=np.int64)
    arrays = tuple(getattr(graph, field.name) for field in fields(Graph))
    numbers = (settings.layers, settings.hard, settings.strict, settings.tries, settings.max_group)
    found: tuple[Ints, Ints] = _compiled()(seeds, states, arrays, *masks, family, classes.of, classes.last, *numbers)
    return found


def _layer(row: list[int]) -> Layer[int, int]:
    return Layer(row[0], Edge(*row[1:4]), Edge(*row[4:7]), *row[7:12])


@cache
def _compiled() -> Any:
    """Compile at the first call; about ten seconds, kept on disk by numba afterwards."""
    if not has_numba():
        raise MissingExtraError("numba", "pip install 'decoyqa[numba]'")
    from builders.eureqa import machine

    return machine.walks
