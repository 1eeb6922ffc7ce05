"""HotpotQA's form, which 2WikiMultiHopQA and Plausible Distractors share: one hop a supporting title.

A hop's support are the supporting sentences of its title, its relation that title; how hops depend on each other is not
said. Sentences are joined as each set has them: with nothing, or with a space (2Wiki).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from builders.sources.columns import Expected, identifier, parse_list, required, shown, string
from builders.sources.entries import entries
from builders.sources.items import read_items
from loaders.records import Hop, Item, Passage, Span

LICENSE = "CC-BY-SA-4.0"
IDS = ("_id", "id")


def read_hotpot(path: Path) -> Iterator[Item]:
    """Yield HotpotQA's items (distractor or fullwiki, authors' or Hub's form); raises InputError."""
    return read_items(path, to_item)


def to_item(row: Mapping[str, Any], joint: str = "", license: str = LICENSE) -> Item:
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
        hops=_hops(facts, titles, pieces),
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


def _hops(facts: Sequence[tuple[Any, ...]], titles: Sequence[str], pieces: Sequence[Sequence[str]]) -> tuple[Hop, ...]:
    by_title: dict[str, list[int]] = {}
    for title, number in facts:
        if not isinstance(number, int):
            raise Expected(f"expected the number of a supporting sentence, found {shown(number)}")
        by_title.setdefault(string("title of a supporting fact", title), []).append(number)
    return tuple(
        Hop(str(place), title, "", (), _support(title, numbers, titles, pieces))
        for place, (title, numbers) in enumerate(by_title.items(), 1)
    )


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
