"""Readers that decide from the prompt text alone, so that an audit's figures can be known beforehand.

Some know questions and their evidence from the items that they are made with; none is told what was taken away.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from eval.answers import tokens
from eval.models.engine import Failure, Reply, Request
from loaders.records import Item

UNKNOWN = "I cannot tell"
Read = Callable[[str], str]

_PASSAGE = re.compile(r"^Passage \d+:\n", re.MULTILINE)
_AFTER = re.compile(r"\n(?:Answer:|Give only )")
_NAME = re.compile(r"[A-Z][\w'-]*(?: (?:of |the |de )?[A-Z][\w'-]*)*")


class Page(NamedTuple):
    """What a solver prompt shows: the question, and each passage as one text; a long text is one passage."""

    question: str
    passages: tuple[str, ...]


@lru_cache(maxsize=1)
def parse(prompt: str) -> Page:
    """Take a solver prompt apart; raises ValueError for any other text."""
    head, mark, tail = prompt.rpartition("\n\nQuestion: ")
    if not mark:
        raise ValueError("not a prompt of the audit")
    context = head.removesuffix(head.partition("\n")[0])  # the multi-hop prompt says its first line again
    parts = _PASSAGE.split(context)
    return Page(_AFTER.split(tail)[0], tuple(part.strip() for part in parts[1:] or parts))


@dataclass(frozen=True)
class Known:
    """What a reader knows of a question: its answer, and the texts that each hop rests on."""

    answer: str
    evidence: tuple[tuple[str, ...], ...]


def knowledge(items: Iterable[Item]) -> Mapping[str, tuple[Known, ...]]:
    """Return what the items tell by question; a question that several items ask keeps all their evidence."""
    found: dict[str, tuple[Known, ...]] = {}
    for item in items:
        texts = tuple(tuple(_text(item, hop_number)) for hop_number in range(len(item.hops)))
        found[item.question] = (*found.get(item.question, ()), Known(item.answer, texts))
    return found


def _text(item: Item, hop_number: int) -> Iterator[str]:
    for span in item.hops[hop_number].support:
        yield item.passages[span.passage].text[span.start : span.end].strip()


def graph_lookup(items: Iterable[Item]) -> Read:
    """Answer where every hop's evidence is there: Full 1, Drop-one 0, BNR 1 by construction."""
    return _knowing(items, lambda known: known.evidence)


def last_hop_only(items: Iterable[Item]) -> Read:
    """Answer where the last hop's evidence is there: of n hops one is needed, so that BNR is the mean of 1/n."""
    return _knowing(items, lambda known: known.evidence[-1:])


def closed_book(items: Iterable[Item]) -> Read:
    """Answer from memory: BNR 0."""
    return _knowing(items, lambda known: ())


def _knowing(items: Iterable[Item], needed: Callable[[Known], Sequence[Sequence[str]]]) -> Read:
    memory = knowledge(items)

    def read(prompt: str) -> str:
        question, passages = parse(prompt)
        for known in memory.get(question, ()):
            texts = (text for hop in needed(known) for text in hop)
            if all(any(text in passage for passage in passages) for text in texts):
                return known.answer
        return UNKNOWN

    return read


def lexical_overlap(prompt: str) -> str:
    """Name whom the passage sentence that shares most words with the question names beyond it."""
    question, passages = parse(prompt)
    asked = frozenset(tokens(question))
    sentences = [sentence for passage in passages for sentence in re.split(r"(?<=[.!?])\s+|\n", passage)]
    ranked = sorted(sentences, key=lambda sentence: -len(asked.intersection(tokens(sentence))))
    return next((name for sentence in ranked for name in _new_names(sentence, asked)), UNKNOWN)


def first_name(prompt: str) -> str:
    """Name whoever is named first and not in the question."""
    question, passages = parse(prompt)
    asked = frozenset(tokens(question))
    return next((name for passage in passages for name in _new_names(passage, asked)), UNKNOWN)


def _new_names(text: str, asked: frozenset[str]) -> Iterator[str]:
    for found in _NAME.finditer(text):
        words = tokens(found[0])
        if words and asked.isdisjoint(words):
            yield found[0]


def refuser(prompt: str) -> str:
    """Never answer."""
    parse(prompt)
    return UNKNOWN


def readers(items: Sequence[Item]) -> dict[str, Read]:
    """Return every reader by name; the first three know the items."""
    return {
        "graph lookup": graph_lookup(items),
        "last hop only": last_hop_only(items),
        "closed book": closed_book(items),
        "lexical overlap": lexical_overlap,
        "first name": first_name,
        "refuser": refuser,
    }


class ReaderEngine:
    """A reader as an engine, which answers one request after the other."""

    runtime = "a reader"

    def __init__(self, name: str, read: Read) -> None:
        self.identity = f"reader:{name.replace(' ', '-')}"
        self._read = read

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Answer in order."""
        return map(self.answer, requests)

    def answer(self, request: Request) -> Reply:
        """Return the reply to the last message of a request."""
        prompt = request.messages[-1].content
        text = self._read(prompt)
        raw = json.dumps({"content": text})
        return Reply(request.key, text, "stop", len(prompt.split()), len(text.split()), raw)

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
