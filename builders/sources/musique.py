"""MuSiQue's questions as items: one hop a sub-question, its support the whole paragraph, the graph read from `#k`."""

import re
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

from builders.sources.columns import Expected, identifier, required, shown, string
from builders.sources.entries import entries
from builders.sources.items import read_items
from loaders.records import Hop, Item, Passage, Span

LICENSE = "CC-BY-4.0"
_REFERENCE = re.compile(r"#(\d{1,9})(?!\d)")


def read_musique(path: Path) -> Iterator[Item]:
    """Yield the items of a MuSiQue file; an unanswerable row, which shares its twin's id, is `<id>-unanswerable`.

    Raises InputError with file, row and what was expected.
    """
    return read_items(path, to_item)


def to_item(row: Mapping[str, Any]) -> Item:
    """Return the record of one row, paragraphs told apart by `idx` since titles repeat, or raise `Expected`."""
    own_id = identifier("id", required("id", ("id",), row)[1])
    answerable = row.get("answerable", True)
    if not isinstance(answerable, bool):
        raise Expected(f"expected answerable as true or false, found {shown(answerable)}")
    fields = ("idx", "title", "paragraph_text")
    paragraphs = entries("paragraphs", required("paragraphs", ("paragraphs",), row)[1], fields)
    passages = tuple(Passage(string("title", title), string("paragraph_text", text)) for _, title, text in paragraphs)
    places = {_idx(idx): place for place, (idx, _, _) in enumerate(paragraphs)}
    if len(places) != len(paragraphs):
        raise Expected("expected paragraphs with an idx of their own each")
    steps = entries(
        "question_decomposition",
        required("question_decomposition", ("question_decomposition",), row)[1],
        ("question", "answer", "paragraph_support_idx"),
    )
    return Item(
        id=own_id if answerable else f"{own_id}-unanswerable",
        question=string("question", required("question", ("question",), row)[1]),
        answer=string("answer", required("answer", ("answer",), row)[1]),
        answer_aliases=_aliases(row.get("answer_aliases")),
        passages=passages,
        hops=tuple(_hop(number, step, places, passages) for number, step in enumerate(steps, 1)),
        answerable=answerable,
        source_license=LICENSE,
        source_id=own_id,
    )


def _aliases(value: object) -> tuple[str, ...]:
    if value is not None and not isinstance(value, list):
        raise Expected(f"expected the answer_aliases as a list, found {shown(value)}")
    return tuple(string("answer_aliases", alias) for alias in value or ())


def _idx(value: object) -> Hashable:
    if not isinstance(value, Hashable):
        raise Expected(f"expected the idx of a paragraph as a number, found {shown(value)}")
    return value


def _hop(number: int, step: tuple[Any, ...], places: Mapping[Any, int], passages: tuple[Passage, ...]) -> Hop:
    question, answer, idx = string("sub-question", step[0]), string("answer of a sub-question", step[1]), _idx(step[2])
    if idx is not None and idx not in places:
        raise Expected(f"expected paragraph_support_idx as the idx of a paragraph, found {shown(idx)}")
    support = () if idx is None else (Span(places[idx], 0, len(passages[places[idx]].text)),)
    return Hop(str(number), question, answer, references(question, number), support)


def references(question: str, position: int) -> tuple[str, ...]:
    """Return the numbers of the earlier steps that a sub-question names; `#k` from its own place on is plain text."""
    found = (int(digits) for digits in _REFERENCE.findall(question))
    return tuple(dict.fromkeys(str(k) for k in found if 1 <= k < position))


def resolve(question: str, answers: tuple[str, ...]) -> str:
    """Put the answers of the earlier steps (the first stands for `#1`) into a sub-question, digits taken whole."""

    def answer(found: re.Match[str]) -> str:
        k = int(found[1])
        return answers[k - 1] if 1 <= k <= len(answers) else found[0]

    return _REFERENCE.sub(answer, question)
