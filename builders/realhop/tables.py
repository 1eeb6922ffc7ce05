"""The curated tables, ours: relations with their forms, patterns of Wikidata labels, and near misses."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VERB, NOUN = "verb", "noun"


@dataclass(frozen=True)
class Relation:
    """One row of `relations.tsv`: what it is called, whom it joins and what follows from it."""

    key: str
    kind: str  # verb or noun
    forms: tuple[str, ...]  # phrases in the base form, all of one meaning; of a verb the first word is inflected
    subject: frozenset[str]  # kinds of entity, as `Entity.kind`
    object: frozenset[str]
    inverse: str  # key of the relation that holds with subject and object changed over, or empty
    symmetric: bool
    transitive: bool
    entails: tuple[str, ...]  # keys


@dataclass(frozen=True)
class Miss:
    """One row of `near_misses.tsv`: a real other relation that fits the same kinds and does not entail the first."""

    relation: str
    near_miss: str
    why: str


@cache
def relations() -> dict[str, Relation]:
    """Return every relation by its key."""
    return {row["key"]: _relation(row) for row in _rows("relations.tsv")}


@cache
def misses() -> dict[str, tuple[Miss, ...]]:
    """Return the near misses of each relation that has any, in the table's order."""
    found: dict[str, list[Miss]] = {}
    for row in _rows("near_misses.tsv"):
        miss = Miss(row["relation"], row["near_miss"], row["why_not_entailed"])
        found.setdefault(miss.relation, []).append(miss)
    return {key: tuple(rows) for key, rows in found.items()}


@cache
def labels() -> dict[str, str]:
    """Return the sentence pattern of each Wikidata label: `{s}` is what it is asked of, `{o}` the answer."""
    return {row["label"]: row["pattern"] for row in _rows("labels.tsv")}


def _rows(name: str) -> Iterator[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)


def _relation(row: dict[str, str]) -> Relation:
    return Relation(
        key=row["key"],
        kind=row["kind"],
        forms=tuple(row["forms"].split("|")),
        subject=frozenset(row["subject"].split("|")),
        object=frozenset(row["object"].split("|")),
        inverse=row["inverse"],
        symmetric=row["symmetric"] == "yes",
        transitive=row["transitive"] == "yes",
        entails=tuple(filter(None, row["entails"].split("|"))),
    )
