"""Seeds that a model names by category (section 2.1), found in the graph by their names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from builders.eureqa.check import plain_label
from builders.eureqa.seeds import Seed
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import SEEDS
from builders.voices import Voice
from eval.models.engine import Reply
from eval.models.parse import final_text
from loaders.errors import DecoyQAError

# Ours; the class is the one that is preferred where several entities have a name.
CATEGORIES: Mapping[str, str] = {
    "actors": "Actor",
    "athletes": "Athlete",
    "bands": "Band",
    "companies": "Company",
    "films": "Film",
    "film directors": "Person",
    "musicians": "MusicalArtist",
    "novels": "Book",
    "politicians": "Politician",
    "scientists": "Scientist",
    "songs": "Song",
    "television series": "TelevisionShow",
    "universities": "University",
    "video games": "VideoGame",
    "writers": "Writer",
}
_MARK = re.compile(r"\A(?:\d+\s*[.)]\s|[-*•–])\s*")


class Found(NamedTuple):
    """The seeds of all categories, each entity once, and by category the names that no entity has."""

    seeds: list[Seed]
    unknown: dict[str, list[str]]

    def facts(self) -> dict[str, Any]:
        """Return what the manifest says of them."""
        counts = {category: sum(seed.category == category for seed in self.seeds) for category in self.unknown}
        return {"found": counts, "unknown": self.unknown}


def seed_values(categories: Iterable[str], number: int) -> list[dict[str, str]]:
    """Return what fills the prompt for each category."""
    return [{"number": str(number), "category": category} for category in categories]


def seeds_of_model(voice: Voice, categories: Sequence[str], number: int, snapshot: Snapshot) -> Found:
    """Ask for well-known entities of each category and look their names up.

    Raises DecoyQAError where a call failed, since other seeds would make another benchmark, and where no name is found.
    """
    requests = voice.requests(SEEDS, seed_values(categories, number))
    named: dict[str, list[str]] = {}
    for category, reply in zip(categories, voice.ask(requests), strict=True):
        if reply is None:
            raise DecoyQAError(f"no reply on seeds of category {category!r}: the same command asks for it again")
        named[category] = read_names(reply)[:number]
    found = find_names(named, snapshot)
    if not found.seeds:
        raise DecoyQAError(f"{voice.identity} named no seed that the graph has; see --seeds for a file of your own")
    return found


def read_names(reply: Reply) -> list[str]:
    """Return the names in a reply, one a line, each once, without numbers and marks; a reply that was cut has none."""
    lines = (_MARK.sub("", line.strip()).strip('*_"“” ') for line in final_text(reply).splitlines())
    return list(dict.fromkeys(line for line in lines if re.search(r"\w", line)))


def find_names(named: Mapping[str, Sequence[str]], snapshot: Snapshot) -> Found:
    """Return the entity of each name: by label, with or without what tells namesakes apart, or another name.

    Where several have it, one of the category's class goes first, then the one with the most triples, then by IRI.
    """
    having = _having({_key(name) for names in named.values() for name in names}, snapshot)
    seeds: dict[int, Seed] = {}
    unknown: dict[str, list[str]] = {category: [] for category in named}
    for category, names in named.items():
        for name in names:
            entities = having.get(_key(name), ())
            if not entities:
                unknown[category].append(name)
                continue
            best = min(entities, key=lambda entity: (not _fits(entity, category, snapshot), -_links(entity, snapshot)))
            seeds.setdefault(best, Seed(best, category))
    return Found(list(seeds.values()), unknown)


def _key(name: str) -> str:
    return name.replace("_", " ").casefold()


def _having(wanted: set[str], snapshot: Snapshot) -> dict[str, list[int]]:
    """Return the entities of each wanted name, in the order of IRIs, in one pass over all of them."""
    found: dict[str, list[int]] = {}
    for entity, label in enumerate(snapshot.labels):
        names = {_key(label), _key(plain_label(label)), *map(_key, snapshot.aliases_of(entity))}
        for name in names & wanted:
            found.setdefault(name, []).append(entity)
    return found


def _fits(entity: int, category: str, snapshot: Snapshot) -> bool:
    number, above = int(snapshot.classes.of[entity]), snapshot.class_numbers.get(CATEGORIES.get(category, ""), -1)
    return 0 <= above <= number < int(snapshot.classes.last[above])


def _links(entity: int, snapshot: Snapshot) -> int:
    return sum(snapshot.graph.relations(entity).values())
