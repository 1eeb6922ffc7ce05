"""HotpotQA, 2WikiMultiHopQA and Plausible Distractors, which share a form: one hop a supporting title.

A hop's support are the supporting sentences of its title. HotpotQA does not say how hops depend on each other; 2Wiki's
evidence triples do. Sentences are joined as each set has them: with nothing, or with a space (2Wiki).
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from operator import eq
from pathlib import Path
from typing import Any, NamedTuple

from builders.sources.columns import Expected, first_of, identifier, parse_list, required, shown, string
from builders.sources.entries import entries
from builders.sources.items import numbered, read_items, unique
from builders.sources.rows import read_rows
from loaders.errors import InputError
from loaders.records import Hop, Item, Passage, Span

HOTPOT_LICENSE, TWOWIKI_LICENSE = "CC-BY-SA-4.0", "Apache-2.0"
IDS = ("_id", "id")
Aliases = Mapping[str, tuple[str, ...]]


class Triple(NamedTuple):
    """An evidence of 2Wiki: relation from subject to object."""

    subject: str
    relation: str
    object: str


def read_hotpot(path: Path) -> Iterator[Item]:
    """Yield HotpotQA's items (distractor or fullwiki, authors' or Hub's form); raises InputError."""
    return read_items(path, partial(to_item, joint="", license=HOTPOT_LICENSE))


def read_2wiki(path: Path, aliases: Path | None = None) -> Iterator[Item]:
    """Yield 2Wiki's items with the answer aliases of `id_aliases.json`, a second file; raises InputError."""
    known = read_aliases(aliases) if aliases else {}
    return read_items(path, partial(_to_2wiki, aliases=known))


def read_plausible(path: Path, twin: Path) -> list[tuple[Item, Item]]:
    """Return each item with its unmodified twin; a passage that the twin lacks was inserted.

    One question has several variants, so that an id is the question's plus a hash of the passages; both sides of a
    pair have the variant's. Raises InputError, also for a question that the twin's file lacks.
    """
    originals: defaultdict[str, list[Item]] = defaultdict(list)
    for _, original in numbered(twin, read_rows(twin, ("question",)), _to_variant):
        originals[original.source_id].append(original)
    items = unique(path, numbered(path, read_rows(path, ("question",)), _to_variant))
    return [_pair(path, number, item, originals) for number, item in items]


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


def to_item(row: Mapping[str, Any], joint: str, license: str) -> Item:
    """Return the record of one row, or raise `Expected`; a supporting fact that is not there leaves its hop without."""
    own_id = identifier("id", required("id", IDS, row)[1])
    context = entries("context", required("context", ("context",), row)[1], ("title", ("sentences", "content")))
    titles = [string("title", title) for title, _ in context]
    pieces = [_pieces(sentences, joint) for _, sentences in context]
    facts = entries(
        "supporting_facts", required("supporting_facts", ("supporting_facts",), row)[1], ("title", ("sent_id", "sent"))
    )
    return Item(
        id=own_id,
        question=string("question", required("question", ("question",), row)[1]),
        answer=string("answer", required("answer", ("answer",), row)[1]),
        answer_aliases=(),
        passages=tuple(Passage(title, "".join(parts)) for title, parts in zip(titles, pieces, strict=True)),
        hops=_hops(facts, titles, pieces, _triples(row)),
        answerable=True,
        source_license=license,
        source_id=own_id,
    )


def _pieces(sentences: object, joint: str) -> list[str]:
    """Return sentences that join with nothing; the joint belongs to the sentence that follows it."""
    if isinstance(sentences, str):
        sentences = parse_list("sentences", sentences)
    if not isinstance(sentences, list):
        raise Expected(f"expected the sentences of a paragraph as a list, found {shown(sentences)}")
    return [(joint if place else "") + string("sentence", sentence) for place, sentence in enumerate(sentences)]


def _hops(
    facts: Sequence[tuple[Any, ...]], titles: Sequence[str], pieces: Sequence[Sequence[str]], triples: Sequence[Triple]
) -> tuple[Hop, ...]:
    by_title: dict[str, list[int]] = {}
    for title, number in facts:
        if not isinstance(number, int):
            raise Expected(f"expected the number of a supporting sentence, found {shown(number)}")
        by_title.setdefault(string("title of a supporting fact", title), []).append(number)
    hops: list[Hop] = []
    for title, numbers in by_title.items():
        own = [triple for triple in triples if _same(triple.subject, title)]
        relation = "; ".join(triple.relation for triple in own) or title
        support = _support(title, numbers, titles, pieces)
        needs = tuple(hop.hop_id for hop, name in zip(hops, by_title, strict=False) if _leads(name, title, triples))
        hops.append(Hop(str(len(hops) + 1), relation, own[0].object if own else "", needs, support))
    return tuple(hops)


def _support(
    title: str, numbers: Sequence[int], titles: Sequence[str], pieces: Sequence[Sequence[str]]
) -> tuple[Span, ...]:
    """Return the sentences' spans in every paragraph of that title: a second copy would keep the evidence alive."""
    spans = []
    for place, name in enumerate(titles):
        if name == title:
            ends = list(accumulate(map(len, pieces[place])))
            spans += [
                Span(place, ends[number] - len(pieces[place][number]), ends[number])
                for number in sorted(set(numbers))
                if 0 <= number < len(ends)
            ]
    return tuple(spans)


def _leads(earlier: str, title: str, triples: Sequence[Triple]) -> bool:
    return any(_same(triple.subject, earlier) and _same(triple.object, title) for triple in triples)


def _same(name: str, title: str) -> bool:
    """Whether a triple's name is a title, disambiguation in brackets aside."""
    return name.casefold() in (title.casefold(), title.partition(" (")[0].casefold())


def _triples(row: Mapping[str, Any]) -> list[Triple]:
    names = (("fact", "subject"), "relation", ("entity", "object"))
    return [
        Triple(*(string("evidence", part) for part in triple))
        for triple in entries("evidences", row.get("evidences") or [], names)
    ]


def _to_2wiki(row: Mapping[str, Any], aliases: Aliases) -> Item:
    item = to_item(row, joint=" ", license=TWOWIKI_LICENSE)
    names = aliases.get(identifier("answer_id", first_of(("answer_id",), row)[1]), ())
    return replace(item, answer_aliases=tuple(name for name in dict.fromkeys(names) if name != item.answer))


def _to_variant(row: Mapping[str, Any]) -> Item:
    item = to_item(row, joint="", license=HOTPOT_LICENSE)
    passages = json.dumps([[passage.title, passage.text] for passage in item.passages], ensure_ascii=False)
    return replace(item, id=f"{item.id}-{hashlib.sha256(passages.encode()).hexdigest()[:12]}")


def _pair(path: Path, number: int, item: Item, originals: Mapping[str, Sequence[Item]]) -> tuple[Item, Item]:
    """Pair an item with the twin that has most passages in the same place: variants shuffle them."""
    if item.source_id not in originals:
        raise InputError(path, number, f"expected a question that the unmodified twin has too, found {item.source_id}")
    original = max(originals[item.source_id], key=lambda twin: sum(map(eq, twin.passages, item.passages)))
    there = set(original.passages)
    fakes = [place for place, passage in enumerate(item.passages) if passage not in there]
    inserted = tuple(Span(place, 0, len(item.passages[place].text)) for place in fakes)
    return replace(item, inserted=inserted), replace(original, id=item.id)
