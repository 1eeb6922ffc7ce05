"""DBpedia dumps read as what a graph is made of: edges, labels, classes, redirects; all else is a counted drop."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from builders.sources.files import read_lines
from builders.sources.rdf import Broken, Statement, read_statements
from loaders.errors import InputError

RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
PROPERTY = "http://dbpedia.org/property/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
REDIRECT = f"{ONTOLOGY}wikiPageRedirects"
DISAMBIGUATES = f"{ONTOLOGY}wikiPageDisambiguates"

# Pages that stand for no thing: lists, name spaces of Wikipedia, and nodes that only hold a group of values together.
LIST_PAGE = re.compile(r"Lists?_of_|Index_of_|Outline_of_|Timeline_of_")
NAME_SPACE = re.compile(r"(Category|Template|File|Image|Portal|Wikipedia|Help|Module|Draft|Book|MediaWiki):")
INTERMEDIATE = re.compile(r"__\d+$|__[A-Za-z]+__\d+$")


class Edge(NamedTuple):
    """A triple between two entities, by IRI."""

    subject: str
    relation: str
    object: str


@dataclass
class Dump:
    """What reading leaves behind besides the edges.

    Labels are English names by IRI, `redirects` lead from an IRI to another, `pages` are disambiguation pages, `types`
    all classes of an IRI, `parents` the class above a class; `dropped` counts lines by reason, `broken` by file.
    """

    labels: dict[str, str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    types: dict[str, list[str]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    broken: dict[str, Broken] = field(default_factory=dict)


def read_edges(paths: Sequence[Path], dump: Dump, *, with_properties: bool = False) -> Iterator[Edge]:
    """Yield the edges of all files and fill `dump` with the rest; redirects are not resolved yet.

    `with_properties` keeps the raw `dbp:` relations. Raises InputError as `read_statements` does.
    """
    kept = (ONTOLOGY, PROPERTY) if with_properties else (ONTOLOGY,)
    for path in paths:
        broken = dump.broken.setdefault(path.name, Broken())
        for found in read_statements(path, broken):
            if _is_about(found, dump):
                continue
            reason = _reason(found, kept)
            if reason:
                dump.dropped[reason] += 1
            else:
                yield Edge(found.subject, found.predicate, found.object)


def _is_about(found: Statement, dump: Dump) -> bool:
    """Take what names, types or redirects an entity out of the stream."""
    subject, predicate, object, kind = found
    if predicate == LABEL:
        if kind == "@en":
            dump.labels.setdefault(subject, object)
        else:
            dump.dropped["label_in_another_language"] += 1
    elif predicate == RDF_TYPE:
        if object.startswith(ONTOLOGY):
            dump.types.setdefault(subject, []).append(object.removeprefix(ONTOLOGY))
        else:
            dump.dropped["not_an_ontology_class"] += 1
    elif predicate == REDIRECT:
        dump.redirects[subject] = object
    elif predicate == DISAMBIGUATES:
        dump.pages.add(subject)
    elif predicate == SUBCLASS and subject.startswith(ONTOLOGY) and object.startswith(ONTOLOGY):
        dump.parents.setdefault(subject.removeprefix(ONTOLOGY), object.removeprefix(ONTOLOGY))
    else:
        return False
    return True


def _reason(found: Statement, kept: tuple[str, ...]) -> str:
    """Return why a statement is no edge of the graph, empty where it is one."""
    if found.kind.startswith("@"):
        return "literal"
    if found.kind == "blank" or found.subject.startswith("_:"):
        return "blank_node"
    if not found.predicate.startswith(kept) or found.predicate.startswith(f"{ONTOLOGY}wiki"):
        return "not_an_ontology_relation"
    return no_entity(found.subject) or no_entity(found.object) or ("self_loop" if found.subject == found.object else "")


def no_entity(iri: str) -> str:
    """Return why an IRI stands for no entity, empty where it does."""
    if not iri.startswith(RESOURCE):
        return "not_a_dbpedia_resource"
    name = iri[len(RESOURCE) :]
    if LIST_PAGE.match(name):
        return "list_page"
    if NAME_SPACE.match(name):
        return "no_article"
    return "intermediate_node" if INTERMEDIATE.search(name) else ""


def read_types(paths: Sequence[Path], dump: Dump) -> None:
    """Add classes of entities and classes above classes from files of their own.

    Three forms: N-Triples or Turtle; `entity TAB "type" TAB class`, by local names in snake case; and the table `Type
    Depth Parent` of the ontology. Raises InputError for a line of another form.
    """
    for path in paths:
        if any(suffix in (".nt", ".ttl") for suffix in path.suffixes):
            broken = dump.broken.setdefault(path.name, Broken())
            for found in read_statements(path, broken):
                if not _is_about(found, dump):
                    dump.dropped["not_a_type"] += 1
        else:
            _read_table(path, dump)


def _read_table(path: Path, dump: Dump) -> None:
    rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
    for number, row in enumerate(rows, 1):
        if number == 1 and row == ["Type", "Depth", "Parent"]:
            dump.parents |= _hierarchy(path)
            return
        if len(row) != 3 or row[1] != "type" or not row[0] or not row[2]:
            raise InputError(path, number, "expected `entity TAB type TAB class`, or the table Type, Depth, Parent")
        dump.types.setdefault(f"{RESOURCE}{row[0]}", []).append(row[2])


def _hierarchy(path: Path) -> dict[str, str]:
    parents = {}
    for number, line in enumerate(read_lines(path), 1):
        row = line.rstrip("\r\n").split("\t")
        if len(row) != 3:
            raise InputError(path, number, f"expected three columns, found {len(row)}")
        if number > 1:
            parents[_class(row[0])] = _class(row[2])
    return parents


def _class(name: str) -> str:
    return name.rpartition(":")[2]


def settle_classes(dump: Dump) -> None:
    """Give every class its name in the ontology.

    A released file of types writes `american_footbal_lplayer` for AmericanFootballPlayer: only the letters count.
    """
    known = {_letters(name): name for name in [*dump.parents, *dump.parents.values()]}
    for iri, names in dump.types.items():
        dump.types[iri] = [known.get(_letters(name)) or _camel_case(name) for name in names]


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _camel_case(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[\W_]+", name))


def plain_name(iri: str) -> str:
    """Return the name that an IRI spells, with blanks: what an entity without a label is called."""
    return unquote(iri.removeprefix(RESOURCE)).replace("_", " ")


def encoded(iri: str) -> str:
    """Return an IRI with every character that SPARQL does not take in `<...>` percent-encoded."""
    return re.sub(r'[\x00-\x20<>"{}|^`\\]', lambda found: quote(found[0]), iri)
