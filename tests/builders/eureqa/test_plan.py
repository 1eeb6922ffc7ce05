"""Rounds of walks: who walks on, what is kept, and that everything is counted."""

from collections import Counter
from collections.abc import Sequence

from builders.eureqa.backend import OUT, Edge
from builders.eureqa.draft import Draft
from builders.eureqa.plan import Walks, walk_seeds
from builders.eureqa.seeds import Seed
from builders.eureqa.walk import Chain, Layer
from builders.steps import Trail
from loaders.records import Reason

SEEDS = [Seed(3, "b"), Seed(1, "a"), Seed(2, "a")]


def chain(entity: int, number: int, length: int) -> Chain[int, int]:
    return (Layer(entity, Edge(OUT, 0, 9), Edge(OUT, 1, number), 2, 2, 2, 1, 0),) * length


class World:
    """Entity 1 finds a whole chain at once, 2 at its second walk, 3 never; walk 3 of anybody is no good."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, tuple[int, ...]]] = []

    def walk(self, entities: Sequence[int], number: int) -> list[Chain[int, int]]:
        self.asked.append((number, tuple(entities)))
        lengths = {1: 2, 2: 2 if number else 1, 3: 0 if number == 0 else 1}
        return [chain(entity, number, lengths[entity]) for entity in entities]


def decide(trails: list[Trail[Draft]]) -> list[Trail[Draft]]:
    bad = Reason("bad", "")
    return [Trail(t.draft, reason=bad) if t.draft.chain[0].fact.other in (0, 3) else t for t in trails]


def walked(world: World, at_most: int, wanted: int, heard: list[int] | None = None) -> Walks:
    progress = (heard if heard is not None else []).append
    return walk_seeds(SEEDS, world.walk, decide, layers=2, at_most=at_most, wanted=wanted, progress=progress)


def test_a_seed_walks_until_it_has_its_chain() -> None:
    world, heard = World(), []
    found = walked(world, 3, 1, heard)
    assert world.asked == [(0, (3, 1, 2)), (1, (3, 1, 2)), (2, (3,))]
    assert heard == [0, 2, 2]
    assert [(t.draft.seed.entity, t.draft.walk, t.status) for t in found.trails] == [
        (1, 0, "rejected"),  # in the order of seeds, then of walks
        (1, 1, "kept"),
        (2, 1, "kept"),
    ]
    assert found.stopped == Counter({0: 1, 1: 3})
    assert found.performed == 7 == len(found.trails) + found.stopped.total()


def test_several_chains_a_seed() -> None:
    found = walked(World(), 6, 2)
    kept = Counter(trail.draft.seed.entity for trail in found.trails if trail.status == "kept")
    assert kept == {1: 2, 2: 2}
    assert found.performed == len(found.trails) + found.stopped.total()


def test_nobody_walks_more_often_than_told() -> None:
    assert walked(World(), 0, 1) == Walks()
    assert walked(World(), 1, 1).performed == 3


def test_without_seeds_nothing_is_asked() -> None:
    world = World()
    assert walk_seeds([], world.walk, decide, layers=2, at_most=9, wanted=1) == Walks()
    assert world.asked == []
