"""What we know of relations: how they read in both directions, what stands at their ends, which may make a layer."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from builders.eureqa.graph import Graph, Ints
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Rules
from builders.sources.dbpedia import ONTOLOGY, PROPERTY
from builders.sources.files import file_identity

TABLE = Path(__file__).with_name("relations.tsv")
# Two relations with this share of their pairs in common, as they stand or turned round, say the same.
TWIN_SHARE, TWIN_PAIRS = 0.8, 20


@dataclass(frozen=True)
class Relation:
    """One line of the table.

    `out` tells the triple from its subject `{s}`, `into` from its object `{o}`; `subject` and `object` say what stands
    there where no class is known; `use` is `both`, `fact` (too plain for a chain: country, language) or `none`;
    relations of one `family` say the same of two things, or the same turned round.
    """

    relation: str
    out: str
    into: str
    subject: str
    object: str
    use: str
    family: str


@cache
def table() -> Mapping[str, Relation]:
    """Read our table, by local name."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return {row[0]: Relation(*row) for row in rows}


@cache
def table_identity() -> str:
    """Return what names our table in a recipe: another table tells chains in other words."""
    return file_identity(TABLE)


def local_name(iri: str) -> str:
    """Return a relation's name without its name space."""
    return iri.removeprefix(ONTOLOGY).removeprefix(PROPERTY)


def rules_for(snapshot: Snapshot) -> Rules[int, int]:
    """Return which relations of a snapshot may be used how, and which say the same."""
    known = [table().get(local_name(iri)) for iri in snapshot.relations]
    return Rules(
        # What the table does not know may state a fact or extend a chain: the fall-back can word it.
        chain=frozenset(i for i, one in enumerate(known) if one is None or one.use == "both"),
        fact=frozenset(i for i, one in enumerate(known) if one is None or one.use != "none"),
        family=families(snapshot, known),
        shown=lambda entity: int(snapshot.classes.of[entity]),
    )


def families(snapshot: Snapshot, known: list[Relation | None]) -> dict[int, int]:
    """Return the lowest relation of each one's family: the table's, joined where the snapshot shows twins."""
    lowest = list(range(len(known)))
    first: dict[str, int] = {}
    for i, one in enumerate(known):
        if one is not None and one.family:
            lowest[i] = first.setdefault(one.family, i)
    for one_relation, other in twins(snapshot.graph, len(known)):
        _join(lowest, one_relation, other)
    return dict(enumerate(lowest))


def _join(lowest: list[int], one: int, other: int) -> None:
    keep, give = sorted((lowest[one], lowest[other]))
    lowest[:] = [keep if name == give else name for name in lowest]


def twins(graph: Graph, relations: int) -> list[tuple[int, int]]:
    """Return pairs of relations that hold between the same pairs of entities, or between the same ones turned round."""
    pairs = _pairs(graph, relations)
    turned = {r: np.sort(_turned(own)) for r, own in pairs.items()}
    order = sorted(pairs, key=lambda r: len(pairs[r]))
    return [
        (a, b)
        for place, a in enumerate(order)
        for b in order[place + 1 :]
        if len(pairs[a]) >= TWIN_SHARE * len(pairs[b])
        and max(_share(pairs[a], pairs[b]), _share(turned[a], pairs[b])) >= TWIN_SHARE
    ]


def _pairs(graph: Graph, relations: int) -> dict[int, Ints]:
    """Return the sorted pairs of each relation that has enough of them, subject and object in one number."""
    out = graph.out
    owners = np.repeat(np.arange(graph.entities, dtype=np.int64), np.diff(out.offsets))
    order = np.argsort(out.relations, kind="stable")
    ends = np.searchsorted(out.relations[order], np.arange(relations + 1))
    both = (owners << 32 | out.others)[order]
    found = {r: both[ends[r] : ends[r + 1]] for r in range(relations)}
    return {r: np.sort(own) for r, own in found.items() if len(own) >= TWIN_PAIRS}


def _turned(pairs: Ints) -> Ints:
    return (pairs & 0xFFFFFFFF) << 32 | pairs >> 32


def _share(few: Ints, many: Ints) -> float:
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return float((many[places] == few).mean())
