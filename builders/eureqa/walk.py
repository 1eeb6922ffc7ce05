"""Random walks from a seed entity, layer by layer (section 2.1), many of them in lock-step over any backend."""

from collections.abc import Callable, Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from builders.eureqa.backend import Backend, Behind, Edge, Group, N, R
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
    small = [(*key, n) for key, n in counts.items() if n <= settings.max_group]
    ways = [group for group in small if group[1] in rules.chain and group[2] > 1]
    facts = [group for group in small if group[1] in rules.fact]
    for _ in range(settings.tries if ways and facts else 0):
        # The fact first: under the easy criterion few pass, and the edge is then not even drawn.
        about: _Drawn[R] = _draw(facts, draws)
        fact = yield from _edge(entity, about)
        if fact.other in taken:
            continue
        n_fact = yield "count", fact
        if (n_fact > 1) != settings.hard:
            continue
        way: _Drawn[R] = _draw(ways, draws)
        if rules.family[way.relation] == rules.family[about.relation]:
            continue
        edge = yield from _edge(entity, way)
        if edge.other == fact.other or edge.other in taken:
            continue
        layer = yield from _valid(Layer(entity, edge, fact, way.size, 0, n_fact, 0, 0), rules, settings)
        if layer is not None:
            return layer
    return None


class _Drawn(NamedTuple, Generic[R]):
    direction: int
    relation: R
    size: int
    place: int


def _draw(groups: Sequence[tuple[int, R, int]], draws: Draws) -> _Drawn[R]:
    """Draw a group, each as likely as any other, and one of its neighbours: a hub's many do not crowd out the rest."""
    direction, relation, size = groups[draws.below(len(groups))]
    return _Drawn(direction, relation, size, draws.below(size))


def _edge(entity: N, drawn: _Drawn[R]) -> Generator[tuple[str, Any], Any, Edge[N, R]]:
    others = yield "neighbours", Group(entity, drawn.direction, drawn.relation)
    return Edge(drawn.direction, drawn.relation, others[drawn.place])


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
    n_class = 0
    if settings.strict:
        direction, relation, other = layer.edge
        n_class = min((yield "behind", Behind(layer.fact, direction, relation, rules.shown(other))), 2)
        if n_class < 2:
            return None
    return layer._replace(n_relation=n_relation, n_joint=n_joint, n_class=n_class)


def run_walks(walks: Sequence[Walk[N, R]], backend: Backend[N, R]) -> list[Chain[N, R]]:
    """Run walks in lock-step, so that what they ask for at one time travels as one batch per kind."""
    done: list[Chain[N, R]] = [()] * len(walks)
    asked: dict[int, tuple[str, Any]] = {}
    for i, one in enumerate(walks):
        _go_on(i, one, None, asked, done)
    while asked:
        answers: dict[int, Any] = {}
        for kind in dict.fromkeys(kind for kind, _ in asked.values()):
            places = [i for i, (name, _) in asked.items() if name == kind]
            answers |= zip(places, getattr(backend, kind)([asked[i][1] for i in places]), strict=True)
        asked.clear()
        for i, answer in sorted(answers.items()):
            _go_on(i, walks[i], answer, asked, done)
    return done


def _go_on(i: int, one: Walk[N, R], answer: Any, asked: dict[int, tuple[str, Any]], done: list[Chain[N, R]]) -> None:
    try:
        asked[i] = one.send(answer)
    except StopIteration as end:
        done[i] = end.value
