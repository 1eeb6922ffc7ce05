"""Random walks from a seed entity, layer by layer (section 2.1), many of them in lock-step over any backend."""

from collections.abc import Callable, Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from builders.eureqa.backend import Backend, Behind, Edge, Group, N, Place, R
from loaders.draw import generator

_MASK = (1 << 64) - 1


class Draws:
    """A splitmix64 sequence: small enough to be the same in Python and in machine code."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return (word ^ (word >> 31)) % limit


def first_state(seed: int, entity: str, walk: int) -> int:
    """Return where the sequence of one walk starts: from the seed, the seed entity's IRI and the walk's number."""
    return generator(seed, entity, f"walk {walk}").getrandbits(64)


@dataclass(frozen=True)
class WalkSettings:
    """Section 2.1, and ours where it is silent."""

    layers: int = 5  # N_max
    hard: bool = True  # a fact alone must not name its entity; easy: it must
    strict: bool = False  # ours: relation alone, and fact with some next entity of the shown class, leave several
    tries: int = 50  # ours: facts drawn per layer before a walk is given up
    max_group: int = 10_000  # ours: no draw from more neighbours than that, which is also what endpoints return


@dataclass(frozen=True)
class Rules(Generic[N, R]):
    """Which relations may extend a chain or state a fact, which say the same, and what class an entity is shown as.

    Relations of one family are twins or inverses of each other. `shown` names a class as `Behind` does.
    """

    chain: AbstractSet[R]
    fact: AbstractSet[R]
    family: Mapping[R, int]
    shown: Callable[[N], Any]


class Layer(NamedTuple, Generic[N, R]):
    """An entity, its edge to the next one, its fact, and the counts over the whole snapshot.

    `n_next`: neighbours by the edge's relation; `n_relation`, `n_fact`, `n_joint`: entities with the edge, with the
    fact, with both; `n_class`: entities with the fact and with the relation to some entity of the shown class (2 stands
    for more; 0 where it was not asked).
    """

    entity: N
    edge: Edge[N, R]
    fact: Edge[N, R]
    n_next: int
    n_relation: int
    n_fact: int
    n_joint: int
    n_class: int


Chain = tuple[Layer[N, R], ...]
# What a walk yields is a method's name and one argument; what it is sent is that method's answer.
Walk = Generator[tuple[str, Any], Any, Chain[N, R]]


def walk(seed: N, draws: Draws, rules: Rules[N, R], settings: WalkSettings) -> Walk[N, R]:
    """Walk from a seed until no valid layer is found or all layers are; ask for what is needed by yielding it."""
    chain: list[Layer[N, R]] = []
    taken, entity = {seed}, seed
    while len(chain) < settings.layers:
        layer = yield from _layer(entity, taken, draws, rules, settings)
        if layer is None:
            break
        chain.append(layer)
        entity = layer.edge.other
        taken |= {entity, layer.fact.other}
    return tuple(chain)


def _layer(
    entity: N, taken: AbstractSet[N], draws: Draws, rules: Rules[N, R], settings: WalkSettings
) -> Generator[tuple[str, Any], Any, Layer[N, R] | None]:
    counts = yield "relations", entity
    small: list[tuple[int, R, int]] = [(*key, n) for key, n in counts.items() if n <= settings.max_group]
    ways = [group for group in small if group[1] in rules.chain and group[2] > 1]
    facts = [group for group in small if group[1] in rules.fact]
    for _ in range(settings.tries if ways and facts else 0):
        # The fact first: under the easy criterion few pass, and the edge is then not even drawn.
        direction, about, _, place = _draw(facts, draws)
        other, n_fact = yield "facts", Place(entity, direction, about, place)
        if (n_fact > 1) != settings.hard or other in taken:
            continue
        fact = Edge(direction, about, other)
        direction, way, size, place = _draw(ways, draws)
        if rules.family[way] == rules.family[about]:
            continue
        others = yield "neighbours", Group(entity, direction, way)
        edge = Edge(direction, way, others[place])
        if edge.other == fact.other or edge.other in taken:
            continue
        layer = yield from _valid(Layer(entity, edge, fact, size, 0, n_fact, 0, 0), rules, settings)
        if layer is not None:
            return layer
    return None


def _draw(groups: Sequence[tuple[int, R, int]], draws: Draws) -> tuple[int, R, int, int]:
    """Draw a group, each as likely as any other so that a hub's many do not crowd out the rest, and a place in it."""
    direction, relation, size = groups[draws.below(len(groups))]
    return direction, relation, size, draws.below(size)


def _valid(
    layer: Layer[N, R], rules: Rules[N, R], settings: WalkSettings
) -> Generator[tuple[str, Any], Any, Layer[N, R] | None]:
    """Count over the whole snapshot; None where a count is not what the criteria ask for."""
    n_relation = yield "count", layer.edge
    if settings.strict and n_relation < 2:
        return None
    n_joint = (yield "joint", (layer.edge, layer.fact)) if min(layer.n_fact, n_relation) > 1 else 1
    if n_joint != 1:
        return None
    n_fact = (yield "count", layer.fact) if layer.n_fact > 1 else 1
    n_class = 0
    if settings.strict:
        direction, relation, other = layer.edge
        n_class = min((yield "behind", Behind(layer.fact, direction, relation, rules.shown(other))), 2)
        if n_class < 2:
            return None
    return layer._replace(n_relation=n_relation, n_fact=n_fact, n_joint=n_joint, n_class=n_class)


def run_walks(walks: Sequence[Walk[N, R]], backend: Backend[N, R]) -> list[Chain[N, R]]:
    """Run walks in lock-step, so that what they ask for at one time travels as one batch per kind."""
    done: list[Chain[N, R]] = [()] * len(walks)
    answered: list[tuple[int, Any]] = [(i, None) for i in range(len(walks))]
    while answered:
        asked: dict[str, tuple[list[int], list[Any]]] = {}
        for i, answer in answered:
            try:
                kind, question = walks[i].send(answer)
            except StopIteration as end:
                done[i] = end.value
                continue
            askers, questions = asked.setdefault(kind, ([], []))
            askers.append(i)
            questions.append(question)
        answered = [
            pair
            for kind, (askers, questions) in asked.items()
            for pair in zip(askers, getattr(backend, kind)(questions), strict=True)
        ]
    return done
