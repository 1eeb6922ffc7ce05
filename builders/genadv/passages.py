"""Choose whole sentences of a question's own documents and make a passage of them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from builders.genadv.draft import Sentence
from builders.similarity import Vectors
from eval.answers import tokens
from loaders.records import Document

_WHOLE = re.compile(r"[\"'“‘(\[]?[A-Z0-9À-ÖØ-Þ].*[.!?][\"'”’)\]]*", re.S)
# Lists, addresses, footnotes and headings are no prose; a sentence that ends in an abbreviation was cut there.
_UNFIT = re.compile(
    r"&[a-z]+;| [;|•·] | {3,}|\.{4,}|https?:|\[\d+\]|\n|\"\"|^\"[^\"]+\",? [a-z]"
    r"|\b(?:ca|c|vs|Dr|Mr|Mrs|St|No|Jr|Sr|Vol|Gen|Col|Lt|Rev|[A-Z])\.$"
)
MIN_SENTENCE_WORDS = 4
# Two sentences of which the shorter shares this part of its words with the other say the same.
SAME_WORDS = 0.8


class Words(NamedTuple):
    """Bounds on a number of words, both included."""

    low: int
    high: int


def whole_sentences(parsed: Iterable[str], document: int, title: str) -> Iterator[Sentence]:
    """Yield those sentences of a parsed document that begin and end as sentences do; passages are often cut mid-way."""
    for position, parsed_text in enumerate(parsed):
        text = without_title(parsed_text.strip(), title)
        # Where a passage begins with a figure, it was more likely cut there than its sentence begins so.
        if is_whole(text) and not (position == 0 and text[0].isdigit()):
            yield Sentence(text, document, position)


def is_whole(text: str) -> bool:
    """Whether the text begins and ends as a sentence of prose does, with its quotes and brackets closed."""
    if not _WHOLE.fullmatch(text) or _UNFIT.search(text) or len(text.split()) < MIN_SENTENCE_WORDS:
        return False
    return text.count('"') % 2 == 0 and text.count("(") == text.count(")")


def without_title(text: str, title: str) -> str:
    """Return the text without the copy of its title that some collections put before an article's first sentence."""
    rest = text[len(title) :].lstrip()
    if not title or not text.startswith(f"{title} "):
        return text
    subject = rf"[\"“'‘]?(?:The |A |An )?{re.escape(title.split()[0])}\b|[\"“]"
    return rest if re.match(subject, rest) else text


def runs(sentences: Sequence[Sentence], words: Words) -> Iterator[tuple[int, ...]]:
    """Yield index tuples of neighbouring sentences of one document with that many words."""
    for first in range(len(sentences)):
        total = 0
        for last in range(first, len(sentences)):
            if last > first and not _follows(sentences[last - 1], sentences[last]):
                break
            total += sentences[last].words
            if total > words.high:
                break
            if total >= words.low:
                yield tuple(range(first, last + 1))


def _follows(one: Sentence, other: Sentence) -> bool:
    return one.document == other.document and other.position == one.position + 1


def patchworks(sentences: Sequence[Sentence], closeness: Sequence[float], words: Words) -> Iterator[tuple[int, ...]]:
    """Yield one choice of the closest sentences over all documents: for documents shorter than a passage."""
    chosen: list[int] = []
    for i in sorted(range(len(sentences)), key=lambda i: (-closeness[i], i)):
        total = sum(sentences[j].words for j in chosen)
        if total >= words.low:
            break
        fits = total + sentences[i].words <= words.high
        if fits and not repeats([sentences[j].text for j in (*chosen, i)]):
            chosen.append(i)
    if sum(sentences[j].words for j in chosen) >= words.low:
        yield tuple(sorted(chosen))


def closest_choices(
    sentences: Sequence[Sentence], vectors: Vectors, target: Vectors, words: Words
) -> list[tuple[int, ...]]:
    """Return possible passages, most similar to the target first; runs of one document come before patchworks.

    The similarity of a passage is the cosine of its sentences' mean vector.
    """
    closeness = [round(float(value), 6) for value in vectors @ target] if len(sentences) else []
    found = list(runs(sentences, words))
    ranked = sorted(found, key=lambda choice: (-_cosine(vectors[list(choice)], target), choice))
    return [*ranked, *patchworks(sentences, closeness, words)]


def _cosine(rows: Vectors, target: Vectors) -> float:
    mean = rows.mean(axis=0)
    return round(float(mean @ target / (np.linalg.norm(mean) or 1.0)), 6)


def overlap(passage: str, document: Document) -> float:
    """Return the share of the passage's tokens, as a multiset, that occur in the document."""
    found, known = Counter(tokens(passage)), Counter(tokens(document.text))
    return (found & known).total() / max(found.total(), 1)


class Mix(NamedTuple):
    """How much of a conflicting passage may come from where."""

    words: Words
    per_document: int
    max_overlap: float
    documents: int
    considered: int


def mixtures(
    lead: str, sentences: Sequence[Sentence], order: Sequence[int], mix: Mix
) -> Iterator[tuple[Sentence, ...]]:
    """Yield choices of sentences that stand behind `lead`: from several documents, few words from each.

    `order` ranks the sentences; choices of early ones come first, then smaller choices before larger ones.
    """
    ranked = [sentences[i] for i in order if sentences[i].words <= mix.per_document][: mix.considered]
    sizes = range(mix.documents, len(ranked) + 1)
    for chosen in (choice for size in sizes for choice in combinations(ranked, size)):
        total = len(lead.split()) + sum(sentence.words for sentence in chosen)
        if mix.words.low <= total <= mix.words.high and _well_mixed(lead, chosen, mix):
            yield chosen


def _well_mixed(lead: str, chosen: Sequence[Sentence], mix: Mix) -> bool:
    share = Counter[int]()
    for sentence in chosen:
        share[sentence.document] += sentence.words
    repeated = repeats([lead, *(sentence.text for sentence in chosen)])
    return not repeated and len(share) >= mix.documents and max(share.values()) <= mix.per_document


def repeats(texts: Sequence[str]) -> bool:
    """Whether one of the sentences says again what another says, in nearly the same words."""
    words = [set(tokens(text)) for text in texts]
    pairs = ((one, other) for one, other in combinations(words, 2) if one and other)
    return any(len(one & other) >= SAME_WORDS * min(len(one), len(other)) for one, other in pairs)
