"""From seeds to chains: up to 50 walks each, in rounds, so that all that are still without a chain walk together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic

from builders.eureqa.backend import N, R
from builders.eureqa.walk import Chain
from loaders.records import Reason

# Walks once from each entity; the number of the walk tells one try from the next.
WalkOnce = Callable[[Sequence[N], int], Sequence[Chain[N, R]]]


@dataclass(frozen=True)
class Tried(Generic[N, R]):
    """A complete chain with the number of its walk, and why it was not taken, if it was not."""

    seed: N
    walk: int
    chain: Chain[N, R]
    reason: Reason | None


@dataclass
class Walks(Generic[N, R]):
    """What became of all walks: complete chains one by one, the others counted by the number of their layers.

    performed = complete + the sum of `stopped`.
    """

    tried: list[Tried[N, R]] = field(default_factory=list)
    stopped: Counter[int] = field(default_factory=Counter)
    performed: int = 0


def walk_seeds(
    seeds: Sequence[N],
    walk_once: WalkOnce[N, R],
    decide: Callable[[Chain[N, R]], Reason | None],
    *,
    layers: int,
    at_most: int,
    wanted: int,
) -> Walks[N, R]:
    """Walk from each seed until it has `wanted` chains that pass `decide`, or `at_most` walks are done (section 2.1).

    A chain that was found before, from the same seed, is rejected as `duplicate_chain`.
    """
    found: Walks[N, R] = Walks()
    taken: Counter[N] = Counter()
    seen: set[Chain[N, R]] = set()
    for number in range(at_most):
        waiting = [seed for seed in seeds if taken[seed] < wanted]
        if not waiting:
            break
        found.performed += len(waiting)
        for seed, chain in zip(waiting, walk_once(waiting, number), strict=True):
            if len(chain) < layers:
                found.stopped[len(chain)] += 1
                continue
            reason = Reason("duplicate_chain", "found by an earlier walk") if chain in seen else decide(chain)
            seen.add(chain)
            found.tried.append(Tried(seed, number, chain, reason))
            taken[seed] += reason is None
    order = {seed: place for place, seed in enumerate(seeds)}
    found.tried.sort(key=lambda one: (order[one.seed], one.walk))
    return found
