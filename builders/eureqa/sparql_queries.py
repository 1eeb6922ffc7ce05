"""What a walk asks, as SPARQL over many entities at a time; the graph is the one that the reader of dumps lets through.

Every kind of question counts or lists `?e`, an entity of the graph. Full IRIs everywhere: prefixes of local names with
brackets or commas are read differently by different servers.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from builders.eureqa.backend import OUT
from builders.sources.dbpedia import (
    DISAMBIGUATES,
    INTERMEDIATE,
    LIST_PAGE,
    NAME_SPACE,
    ONTOLOGY,
    RDF_TYPE,
    REDIRECT,
    RESOURCE,
)

# What an IRI between brackets may hold (RFC 3987, without the sign of a fragment); real graphs have other names too.
_PLANES = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
_LETTERS = rf"A-Za-z0-9_\-.~:/?@!$&'()*+,;=%\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{_PLANES}\U000e1000-\U000efffd"
UNWRITABLE = re.compile(rf"[^{_LETTERS}]|%(?![0-9A-Fa-f]{{2}})")
_NO_ENTITY = f"^{re.escape(RESOURCE)}(({LIST_PAGE.pattern})|{NAME_SPACE.pattern})|{INTERMEDIATE.pattern}"


@dataclass(frozen=True)
class Kind:
    """A kind of question: the variables that its names fill, what is selected, and the patterns."""

    fills: tuple[str, ...]
    select: tuple[str, ...]
    where: str

    @property
    def counts(self) -> bool:
        """Whether entities are counted, not listed."""
        return "n" in self.select


@dataclass(frozen=True)
class Question:
    """`names` fill the variables of a kind in their order; `rows` is how many must come back, where that is known."""

    kind: Kind
    names: tuple[str, ...]
    rows: int | None = None

    @cached_property
    def key(self) -> str:
        """What its answer is kept under: 64 hex digits, of the query that asks nothing else."""
        return hashlib.sha256(query([self]).encode()).hexdigest()

    @property
    def form(self) -> tuple[Kind, tuple[str, ...]]:
        """What questions must share to fit one pattern: their kind, and each name that no IRI in brackets has."""
        return self.kind, tuple(name if UNWRITABLE.search(name) else "" for name in self.names)


def groups(direction: int, prefixes: Sequence[str] = (ONTOLOGY,)) -> Kind:
    """Ask for each relation of entity `a`, among those of the given name spaces, and its number of neighbours."""
    own = " || ".join(f"STRSTARTS(STR(?p), {literal(prefix)})" for prefix in prefixes)
    relation = f"FILTER(({own}) && !STRSTARTS(STR(?p), {literal(f'{ONTOLOGY}wiki')}))"
    return Kind(("a",), ("p", "n"), f"{edge_pattern('?a', '?p', '?e', direction)} {relation} {is_entity('?e', '?a')}")


def members(direction: int) -> Kind:
    """Ask for the neighbours of entity `a` by relation `p`."""
    return Kind(("a", "p"), ("e",), f"{edge_pattern('?a', '?p', '?e', direction)} {is_entity('?e', '?a')}")


def having(direction: int) -> Kind:
    """Ask how many entities have relation `p` to entity `a`."""
    return Kind(("p", "a"), ("n",), f"{edge_pattern('?e', '?p', '?a', direction)} {is_entity('?e', '?a')}")


def having_both(one: int, other: int) -> Kind:
    """Ask how many entities have relation `p` to `a` and `q` to `b`."""
    both = f"{edge_pattern('?e', '?p', '?a', one)} {edge_pattern('?e', '?q', '?b', other)}"
    return Kind(("p", "a", "q", "b"), ("n",), f"{both} {is_entity('?e', '?a', '?b')}")


def having_some(one: int, other: int, *, typed: bool) -> Kind:
    """Ask how many entities have relation `p` to `a`, and `q` to something, of class `c` where there is one."""
    both = f"{edge_pattern('?e', '?p', '?a', one)} {edge_pattern('?e', '?q', '?x', other)}"
    kind, fills = (f" ?x <{RDF_TYPE}> ?c .", ("c",)) if typed else ("", ())
    return Kind(("p", "a", "q", *fills), ("n",), f"{both}{kind} {is_entity('?e', '?a')} {is_entity('?x', '?e')}")


def edge_pattern(me: str, relation: str, other: str, direction: int) -> str:
    """Return an edge of `me` to another end as a triple pattern."""
    return f"{me} {relation} {other} ." if direction == OUT else f"{other} {relation} {me} ."


def is_entity(me: str, *others: str) -> str:
    """Return what lets through the entities that the reader of dumps would, and no loop."""
    tests = [f"isIRI({me})", f"STRSTARTS(STR({me}), {literal(RESOURCE)})", f"!REGEX(STR({me}), {literal(_NO_ENTITY)})"]
    pages = " ".join(f"FILTER NOT EXISTS {{ {me} <{one}> ?page }}" for one in (DISAMBIGUATES, REDIRECT))
    return f"FILTER({' && '.join([*tests, *(f'{me} != {other}' for other in others)])}) {pages}"


def query(questions: Sequence[Question]) -> str:
    """Return one query for questions that select the same; `?i` tells which of them a row answers."""
    forms: dict[object, list[int]] = {}
    for i, one in enumerate(questions):
        forms.setdefault(one.form, []).append(i)
    where = " UNION ".join(f"{{ {_pattern(questions, places)} }}" for places in forms.values())
    kind = questions[0].kind
    keys = " ".join(["?i", *(f"?{name}" for name in kind.select if name != "n")])
    select = f"{keys} (COUNT(DISTINCT ?e) AS ?n)" if kind.counts else f"DISTINCT {keys}"
    return f"SELECT {select} WHERE {{ {where} }}{f' GROUP BY {keys}' if kind.counts else ''}"


def _pattern(questions: Sequence[Question], places: Sequence[int]) -> str:
    """Return the patterns of questions of one form.

    A name that cannot stand between brackets is compared as text, for which a server looks at every candidate.
    """
    kind, odd = questions[places[0]].form
    fills = [place for place, text in enumerate(odd) if not text]
    rows = (" ".join([str(i), *(f"<{questions[i].names[place]}>" for place in fills)]) for i in places)
    values = " ".join(f"({row})" for row in rows)
    variables = " ".join(["?i", *(f"?{kind.fills[place]}" for place in fills)])
    texts = [f"FILTER(STR(?{name}) = {literal(text)})" for name, text in zip(kind.fills, odd, strict=True) if text]
    return " ".join([f"VALUES ({variables}) {{ {values} }}", *texts, kind.where])


def literal(value: str) -> str:
    """Return a literal; what JSON escapes, SPARQL reads in the same way."""
    return json.dumps(value, ensure_ascii=False)
