"""What a question calls an entity that it does not name: a readable class, else what its relations make of it."""

from collections import Counter
from collections.abc import Mapping

from builders.eureqa.backend import IN
from builders.eureqa.nouns import DULL, PERSONS, WIDE, kinds, narrower, noun
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot

# Share of the votes for the likeliest kind with which another kind of an entity without a class counts as possible, and
# share of the votes for nouns that may stand for an entity that a noun needs.
POSSIBLE, TELLING = 0.75, 0.2
PLAIN = frozenset({"person", "place", "work", "organisation", "event", "character", "award", "language"})


def hypernym(entity: int, snapshot: Snapshot) -> str:
    """Return the noun for an entity: of its class where that says something, else of its relations, else the class."""
    known = snapshot.class_of(entity)
    if known and known not in WIDE:
        return noun(known)
    votes: Counter[str] = Counter()
    for word, n in _votes(entity, snapshot).items():
        votes[word.partition("|")[0]] += n  # the first of several words names most of what stands there
    wanted = narrower(known) if known else _likeliest(votes)
    fitting = Counter({word: n for word, n in votes.items() if word in wanted or kinds(word) & wanted})
    telling = {word: n for word, n in fitting.items() if word not in DULL and n >= TELLING * fitting.total()}
    best = min(telling, key=lambda word: (-telling[word], word), default="")
    return best or (noun(known) if known else _plain(wanted))


def _plain(wanted: frozenset[str]) -> str:
    """Return what an entity is called of which nothing but its kind is known."""
    return next(iter(wanted)) if len(wanted) == 1 and wanted <= PLAIN else "thing"


def likely_kinds(entity: int, snapshot: Snapshot) -> frozenset[str]:
    """Return what an entity without a class may be by its relations; empty where they say nothing."""
    weights = _weights(_votes(entity, snapshot))
    most = max(weights.values(), default=0)
    return frozenset(kind for kind, weight in weights.items() if weight >= POSSIBLE * most)


def _votes(entity: int, snapshot: Snapshot) -> Counter[str]:
    """Return how many of an entity's edges say that it is what; `thing` says nothing."""
    votes: Counter[str] = Counter()
    for (direction, relation), n in snapshot.graph.relations(entity).items():
        known = table().get(local_name(snapshot.relations[relation]))
        if known is not None:
            votes[known.object if direction == IN else known.subject] += n
    del votes["thing"]
    return votes


def _weights(votes: Mapping[str, int]) -> Counter[str]:
    """Return the votes by kind; that for a noun of several kinds is shared between them."""
    weights: Counter[str] = Counter()
    for word, n in votes.items():
        for kind in kinds(word):
            weights[kind] += n / len(kinds(word))  # type: ignore[assignment]
    return weights


def _likeliest(votes: Mapping[str, int]) -> frozenset[str]:
    weights = _weights(votes)
    most = max(weights.values(), default=0)
    return frozenset(kind for kind, weight in weights.items() if weight == most)


def is_person(entity: int, word: str, snapshot: Snapshot) -> bool:
    """Whether to ask `Who is`: the class lies below Person or, where none is known, the noun is one of a person."""
    number, person = int(snapshot.classes.of[entity]), snapshot.class_numbers.get("Person", -1)
    if number < 0 or person < 0:
        return word in PERSONS
    return word == "character" or person <= number < int(snapshot.classes.last[person])
