"""BM25 over a collection on disk: bm25s with k1 0.9 and b 0.4 for a small one, tantivy for one that memory cannot hold.

A question is searched as it stands. Hits are ordered by score, equal ones as in the collection, so that the same
collection and package versions give the same hits on every machine; a passage that shares no word is no hit.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from builders.sources.passages import BATCH, Passages
from loaders.artifact import replacing_folder
from loaders.errors import DecoyQAError, MissingExtraError

SMALL = 200_000  # passages; of more, bm25s answers under 100 questions a second, and takes 7 kB each to build
K1, B = 0.9, 0.4  # what is usual for passages of Wikipedia; tantivy's 1.2 and 0.75 cannot be changed
HEAP = 500_000_000  # bytes that tantivy's writer holds at most
EXTRA = "pip install 'decoyqa[retrieval]'"
SPARE = 20  # hits that are asked for beyond n, among which a tie at n ends


class Hit(NamedTuple):
    """A passage's place in the collection, and its score."""

    place: int
    score: float


class Index(Protocol):
    """An index that was opened; `name` is package and version, `retriever` says all that decides its hits."""

    name: str
    retriever: str

    def search(self, question: str, n: int) -> list[Hit]:
        """Return the n best passages, fewer where fewer share a word with the question."""
        ...


class SmallIndex:
    """bm25s: every score of every word in every passage, computed once, summed over a dense array per question."""

    package: ClassVar = "bm25s"
    settings: ClassVar = (
        f"BM25 as in Lucene with k1 {K1} and b {B}; words of two or more characters in lower case "
        "without bm25s's English stop words, not stemmed"
    )

    def __init__(self, folder: Path) -> None:
        import bm25s

        self.name, self.retriever = _named(self.package), f"{_named(self.package)}: {self.settings}"
        self._bm25 = bm25s.BM25.load(folder, mmap=True)

    @classmethod
    def build(cls, texts: Iterable[str], folder: Path) -> None:
        """Write the index of texts into an empty folder."""
        import bm25s

        words = bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        if not any(words.vocab):
            raise DecoyQAError("the passages hold no word that a question could share with them")
        index = bm25s.BM25(k1=K1, b=B, method="lucene")
        index.index(words, show_progress=False)
        index.save(folder)

    def search(self, question: str, n: int) -> list[Hit]:
        """Return the n best passages."""
        import bm25s

        (words,) = bm25s.tokenize([question], stopwords="en", return_ids=False, show_progress=False)
        known = self._bm25.get_tokens_ids(words)
        return best(self._bm25.get_scores_from_ids(known), n) if known else []


class LargeIndex:
    """tantivy: an inverted index in segments on disk; a length is kept as one byte, as in Lucene."""

    package: ClassVar = "tantivy"
    settings: ClassVar = (
        "BM25 with k1 1.2 and b 0.75; letters and digits in lower case, up to 40 bytes, "
        "without tantivy's English stop words, stemmed by Snowball's English"
    )

    def __init__(self, folder: Path) -> None:
        self.name, self.retriever = _named(self.package), f"{_named(self.package)}: {self.settings}"
        self._index, self._analyzer = _open_tantivy(folder)
        self._searcher = self._index.searcher()

    @classmethod
    def build(cls, texts: Iterable[str], folder: Path) -> None:
        """Write the index of texts into an empty folder; scores do not depend on how segments were cut or merged."""
        from tantivy import Document

        writer = _open_tantivy(folder)[0].writer(HEAP)
        try:
            for place, text in enumerate(texts):
                writer.add_document(Document(text=text, place=place))
            writer.commit()
            writer.wait_merging_threads()
        except ValueError as error:  # how tantivy tells of a full disk
            raise OSError(str(error)) from None

    def search(self, question: str, n: int) -> list[Hit]:
        """Return the n best passages."""
        from tantivy import Occur, Query

        words = [
            Query.term_query(self._index.schema, "text", word, "freq") for word in self._analyzer.analyze(question)
        ]
        query = Query.boolean_query([(Occur.Should, word) for word in words])
        asked = n + SPARE
        while len(found := self._searcher.search(query, asked, count=False).hits) == asked and _tied(found, n):
            asked *= 2
        places = self._searcher.fast_field_values("place", [address for _, address in found])
        hits = [Hit(place, score) for (score, _), place in zip(found, places, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.place))[:n]


def _tied(found: list[tuple[float, Any]], n: int) -> bool:
    return found[n - 1][0] == found[-1][0]


def _open_tantivy(folder: Path) -> tuple[Any, Any]:
    """Return the index in a folder, made if the folder is empty, and the analyzer of its texts and questions."""
    try:
        from tantivy import Filter, Index, SchemaBuilder, TextAnalyzerBuilder, Tokenizer
    except ImportError:
        raise MissingExtraError("tantivy", EXTRA) from None
    analyzer = TextAnalyzerBuilder(Tokenizer.simple())
    for one in (Filter.remove_long(41), Filter.lowercase(), Filter.stopword("English"), Filter.stemmer("English")):
        analyzer = analyzer.filter(one)
    words = analyzer.build()
    schema = SchemaBuilder()
    schema.add_text_field("text", tokenizer_name="words", index_option="freq")
    schema.add_integer_field("place", fast=True)
    index = Index(schema.build(), path=str(folder))
    index.register_tokenizer("words", words)
    return index, words


def best(scores: Any, n: int) -> list[Hit]:
    """Return the n highest of an array of scores, those above 0; equal ones in the order of their places."""
    least = np.partition(scores, -n)[-n] if n < len(scores) else 0
    candidates = np.flatnonzero((scores > 0) & (scores >= least))
    ordered = sorted((-float(scores[place]), int(place)) for place in candidates)
    return [Hit(place, -score) for score, place in ordered[:n]]


def open_index(passages: Passages, heard: Callable[[int, bool], None]) -> Index:
    """Return the index of a collection, beside it on disk, built unless it is there; `heard` hears of passages read.

    Raises MissingExtraError where a large collection needs tantivy and it is not installed.
    """
    kind = SmallIndex if len(passages) <= SMALL else LargeIndex
    folder = passages.folder.with_name(_named(kind.package))
    if not folder.is_dir():
        with replacing_folder(folder) as staging:
            kind.build(_counted(passages.texts(), heard), staging)
    return kind(folder)


def _counted(texts: Iterator[str], heard: Callable[[int, bool], None]) -> Iterator[str]:
    for number, text in enumerate(texts, 1):
        yield text
        if number % BATCH == 0:
            heard(BATCH, False)


def _named(package: str) -> str:
    try:
        return f"{package}-{version(package)}"
    except PackageNotFoundError:
        raise MissingExtraError(package, EXTRA) from None
