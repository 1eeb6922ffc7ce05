"""From seeds to chains: up to 50 walks each, in rounds, so that all that are still without a chain walk together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from builders.eureqa.draft import Draft
from builders.eureqa.seeds import Seed
from builders.eureqa.walk import Chain
from builders.steps import Trail

# Walks once from each entity; the number of the walk tells one try from the next.
WalkOnce = Callable[[Sequence[int], int], Sequence[Chain[int, int]]]


@dataclass
class Walks:
    """What became of all walks: complete chains with their verdicts, the others counted by their number of layers.

    performed = chains + the sum of `stopped`.
    """

    trails: list[Trail[Draft]] = field(default_factory=list)
    stopped: Counter[int] = field(default_factory=Counter)
    performed: int = 0


def walk_seeds(
    seeds: Sequence[Seed],
    walk_once: WalkOnce,
    decide: Callable[[list[Trail[Draft]]], list[Trail[Draft]]],
    *,
    layers: int,
    at_most: int,
    wanted: int,
    progress: Callable[[int], None] = lambda satisfied: None,
) -> Walks:
    """Walk from each seed until it has `wanted` chains that `decide` keeps, or `at_most` walks are done (section 2.1).

    `decide` runs the gates over all complete chains of a round; `progress` hears of seeds that have what they need.
    """
    found = Walks()
    taken: Counter[int] = Counter()
    for number in range(at_most):
        waiting = [seed for seed in seeds if taken[seed.entity] < wanted]
        if not waiting:
            break
        found.performed += len(waiting)
        chains = walk_once([seed.entity for seed in waiting], number)
        whole = [(s, chain) for s, chain in zip(waiting, chains, strict=True) if len(chain) == layers]
        found.stopped += Counter(len(chain) for chain in chains if len(chain) < layers)
        trails = decide([Trail(Draft(seed, number, chain)) for seed, chain in whole])
        found.trails += trails
        taken += Counter(trail.draft.seed.entity for trail in trails if trail.status == "kept")
        progress(sum(n >= wanted for n in taken.values()))
    order = {seed.entity: place for place, seed in enumerate(seeds)}
    found.trails.sort(key=lambda trail: (order[trail.draft.seed.entity], trail.draft.walk))
    return found
