"""The base form: multi-hop questions that users write themselves, one JSON object a line, checked strictly.

    {"id": "q1",
     "question": "In which country was the author of Zig Zag born?",
     "answer": "Cuba", "answer_aliases": ["Republic of Cuba"],
     "passages": [{"title": "Zig Zag", "text": "Zig Zag is a novel by José Somoza. It appeared in 2006."},
                  {"title": "José Somoza", "text": "José Somoza was born in Cuba."},
                  {"title": "Ana Lemos", "text": "Ana Lemos was born in Chile."}],
     "hops": [{"id": "1", "relation": "Zig Zag >> author", "answer": "José Somoza",
               "support": [{"passage": 0, "text": "Zig Zag is a novel by José Somoza."}]},
              {"id": "2", "relation": "#1 >> country of birth", "answer": "Cuba", "depends_on": ["1"],
               "support": [{"passage": 1}]}],
     "inserted": [{"passage": 2}],
     "competitor_answers": ["Chile"]}

A support is a whole passage, a text that stands in it once, or code points `start` to `end` (half-open); passages count
from 0. Needed are question, answer, passages and hops with their support; an unknown key is refused. `inserted` is text
that was added to mislead, `competitor_answers` are the ends of competing paths, `source_id` is shared by variants of
one question, `answerable` and `source_license` are as in `loaders.records.Item`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from builders.sources.columns import Expected, shown
from builders.sources.items import read_items
from builders.sources.openqa import hashed_id
from loaders.records import Hop, Item, Passage, Span

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_STRICT)
class BasePassage:
    """A passage as a user writes it."""

    text: str
    title: str = ""


@dataclass(frozen=True, config=_STRICT)
class BaseSpan:
    """A whole passage, a text that stands in it once, or a half-open range of its code points."""

    passage: int
    text: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, config=_STRICT)
class BaseHop:
    """A hop as a user writes it."""

    id: str
    support: tuple[BaseSpan, ...]
    relation: str = ""
    answer: str = ""
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, config=_STRICT)
class BaseItem:
    """A line of the file."""

    question: str
    answer: str
    passages: tuple[BasePassage, ...]
    hops: tuple[BaseHop, ...]
    id: str = ""
    source_id: str = ""
    answer_aliases: tuple[str, ...] = ()
    answerable: bool = True
    source_license: str = "unknown"
    inserted: tuple[BaseSpan, ...] = ()
    competitor_answers: tuple[str, ...] = ()


_ADAPTER = TypeAdapter(BaseItem)


def read_base(path: Path) -> Iterator[Item]:
    """Yield the items of a file in the base form; raises InputError with file, row and what was expected."""
    return read_items(path, to_item)


def to_item(row: Mapping[str, Any]) -> Item:
    """Return the record of one line, or raise `Expected`."""
    try:
        given = _ADAPTER.validate_python(dict(row))
    except ValidationError as error:
        first = error.errors()[0]
        raise Expected(f"expected the base form: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    own_id = given.id or hashed_id("base", given.question, (given.answer, *given.answer_aliases))
    passages = tuple(Passage(passage.title, passage.text) for passage in given.passages)
    return Item(
        id=own_id,
        question=given.question,
        answer=given.answer,
        answer_aliases=given.answer_aliases,
        passages=passages,
        hops=_hops(given, passages),
        answerable=given.answerable,
        source_license=given.source_license,
        source_id=given.source_id or own_id,
        inserted=tuple(_span("inserted", span, passages) for span in given.inserted),
        competitor_answers=given.competitor_answers,
    )


def _hops(given: BaseItem, passages: tuple[Passage, ...]) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    for hop in given.hops:
        earlier = {one.hop_id for one in hops}
        if hop.id in earlier:
            raise Expected(f"expected hops with an id of their own each, found {shown(hop.id)} twice")
        if forward := [name for name in hop.depends_on if name not in earlier]:
            raise Expected(f"expected hop {hop.id} to depend on hops before it, found {shown(forward[0])}")
        if given.answerable and not hop.support:
            raise Expected(f"expected a support for hop {hop.id}, found none")
        support = tuple(_span(f"support of hop {hop.id}", span, passages) for span in hop.support)
        hops.append(Hop(hop.id, hop.relation, hop.answer, hop.depends_on, support))
    return tuple(hops)


def _span(what: str, span: BaseSpan, passages: tuple[Passage, ...]) -> Span:
    if not 0 <= span.passage < len(passages):
        raise Expected(f"expected the {what} in passage 0 to {len(passages) - 1}, found {span.passage}")
    text = passages[span.passage].text
    if span.text is not None:
        if not span.text or text.count(span.text) != 1:
            raise Expected(f"expected the {what} once in passage {span.passage}: {shown(span.text)}")
        start = text.index(span.text)
        return Span(span.passage, start, start + len(span.text))
    start, end = span.start or 0, len(text) if span.end is None else span.end
    if not 0 <= start < end <= len(text):
        raise Expected(f"expected the {what} between 0 and {len(text)}, found {start} to {end}")
    return Span(span.passage, start, end)
