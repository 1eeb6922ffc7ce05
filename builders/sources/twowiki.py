"""2WikiMultiHopQA: HotpotQA's form with evidence triples, which are the graph, and answer aliases in a second file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from builders.sources.columns import Expected, first_of, identifier, required, shown, string
from builders.sources.entries import entries
from builders.sources.hotpot import to_item
from builders.sources.items import read_items
from builders.sources.rows import read_rows
from loaders.errors import InputError
from loaders.records import Hop, Item

LICENSE = "Apache-2.0"
Aliases = Mapping[str, tuple[str, ...]]


class Triple(NamedTuple):
    """An evidence of 2Wiki: relation from subject to object."""

    subject: str
    relation: str
    object: str


def read_2wiki(path: Path, aliases: Path | None = None) -> Iterator[Item]:
    """Yield 2Wiki's items with the answer aliases of `id_aliases.json`, a second file; raises InputError."""
    known = read_aliases(aliases) if aliases else {}
    return read_items(path, partial(_to_2wiki, aliases=known))


def read_aliases(path: Path) -> Aliases:
    """Return aliases and demonyms by Wikidata id from the lines of 2Wiki's `id_aliases.json`; raises InputError."""
    found = {}
    for row in read_rows(path, ("Q_id",)):
        try:
            names = [*_names("aliases", row.columns), *_names("demonyms", row.columns)]
            found[identifier("Q_id", required("Q_id", ("Q_id",), row.columns)[1])] = tuple(names)
        except Expected as error:
            raise InputError(path, row.number, str(error)) from None
    return found


def _names(column: str, row: Mapping[str, Any]) -> list[str]:
    value = row.get(column) or []
    if not isinstance(value, list):
        raise Expected(f"expected {column} as a list, found {shown(value)}")
    return [string(column, name) for name in value]


def _to_2wiki(row: Mapping[str, Any], aliases: Aliases) -> Item:
    item = to_item(row, joint=" ", license=LICENSE)
    names = aliases.get(identifier("answer_id", first_of(("answer_id",), row)[1]), ())
    others = tuple(name for name in dict.fromkeys(names) if name != item.answer)
    return replace(item, answer_aliases=others, hops=_with_triples(item.hops, _triples(row)))


def _triples(row: Mapping[str, Any]) -> list[Triple]:
    names = (("fact", "subject"), "relation", ("entity", "object"))
    return [
        Triple(*(string("evidence", part) for part in triple))
        for triple in entries("evidences", row.get("evidences") or [], names)
    ]


def _with_triples(hops: Sequence[Hop], triples: Sequence[Triple]) -> tuple[Hop, ...]:
    """Give each title's hop its triples' relations; it depends on earlier hops whose triples lead to its title."""
    found: list[Hop] = []
    for hop in hops:
        own = [triple for triple in triples if _same(triple.subject, hop.relation)]
        relation, answer = "; ".join(triple.relation for triple in own), own[0].object if own else ""
        needs = tuple(one.hop_id for one in hops[: len(found)] if _leads(one.relation, hop.relation, triples))
        found.append(replace(hop, relation=relation or hop.relation, answer=answer, depends_on=needs))
    return tuple(found)


def _leads(earlier: str, title: str, triples: Sequence[Triple]) -> bool:
    return any(_same(triple.subject, earlier) and _same(triple.object, title) for triple in triples)


def _same(name: str, title: str) -> bool:
    """Whether a triple's name is a title, disambiguation in brackets aside."""
    return name.casefold() in (title.casefold(), title.partition(" (")[0].casefold())
