"""Documents for questions from a collection of passages: by BM25, or as the run file of another retriever has them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from builders.sources.bm25 import Index, open_index
from builders.sources.columns import shown
from builders.sources.files import sha256
from builders.sources.passages import Passages, open_passages
from builders.sources.runs import Found, Run, read_run, write_run
from loaders.errors import DecoyQAError, InputError
from loaders.records import Provenance, Question, Retrieval

DEPTH = 10  # passages a question; GenADV uses the first k and the next-ranked one
SAVED = 500  # questions after which what was found is on disk

Start = Callable[[str, int | None], Callable[[int, bool], None]]


def quiet(what: str, total: int | None) -> Callable[[int, bool], None]:
    """Announce to nobody."""
    return lambda count, found: None


@dataclass(frozen=True)
class Search:
    """Where passages are looked for and how many; `cache` is `$DECOYQA_HOME/retrieval`, `start` announces the work."""

    path: Path
    cache: Path
    depth: int = DEPTH
    start: Start = quiet

    @cached_property
    def passages(self) -> Passages:
        """The collection, read at first use."""
        with _room(self.cache):
            return open_passages(self.path, self.cache, self.start("passages", None))

    @cached_property
    def index(self) -> Index:
        """The BM25 index of the collection, built at first use."""
        with _room(self.cache):
            return open_index(self.passages, self.start("index", len(self.passages)))

    def bm25(self, questions: Sequence[Question], origin: Provenance, limit: int | None) -> Run:
        """Return the BM25 run of the first `limit` questions; what is on disk from before is not looked for again."""
        index, passages = self.index, self.passages
        ids = {question.id for question in questions}
        name = f"{index.name}-{origin.config}-{origin.sha256[:16]}-{self.depth}.tsv"
        path = passages.folder.with_name("runs") / name
        found = dict(read_run(path, ids, self.depth).found) if path.is_file() else {}
        asked = questions[:limit]
        missing = [question for question in asked if question.id not in found]
        done = self.start(f"{origin.config}, retrieval", len(asked))
        if len(missing) < len(asked):
            done(len(asked) - len(missing), True)
        for first in range(0, len(missing), SAVED):
            batch = missing[first : first + SAVED]
            found |= {question.id: self._search(question.question) for question in batch}
            with _room(path):
                write_run(path, Run(index.name, {q.id: found[q.id] for q in questions if q.id in found}))
            done(len(batch), False)
        return Run(index.name, {question.id: found.get(question.id, ()) for question in asked})

    def _search(self, question: str) -> tuple[Found, ...]:
        hits = self.index.search(question, self.depth)
        return tuple(Found(self.passages.id(hit.place), round(hit.score, 4)) for hit in hits)


def retrieved(
    questions: Sequence[Question], origin: Provenance, search: Search, run_file: Path | None, limit: int | None
) -> tuple[list[Question], Provenance]:
    """Return questions with retrieved documents in place of those they came with, and where these are from.

    Only the first `limit` questions get any. Raises InputError for a run that names an unknown question or passage.
    """
    passages = search.passages
    if run_file:
        run = read_run(run_file, {question.id for question in questions}, search.depth)
        how = Retrieval(passages.sha256, len(passages), run.name or "unnamed", search.depth, sha256(run_file))
    else:
        run = search.bm25(questions, origin, limit)
        how = Retrieval(passages.sha256, len(passages), search.index.retriever, search.depth)
    places = _places(run, passages, run_file, search.path)
    asked = {question.id for question in questions[:limit]}
    documents = {
        id: tuple(passages.document(places[one.passage], one.score, rank) for rank, one in enumerate(found, 1))
        for id, found in run.found.items()
        if id in asked
    }
    answered = [replace(question, documents=documents.get(question.id, ())) for question in questions]
    return answered, replace(origin, retrieval=how)


def _places(run: Run, passages: Passages, run_file: Path | None, path: Path) -> Mapping[str, int]:
    found = [one for ones in run.found.values() for one in ones]
    places = passages.places({one.passage for one in found})
    if unknown := [one for one in found if one.passage not in places]:
        first = min(unknown, key=lambda one: one.row)
        what = f"expected the id of a passage with text in {path}, found {shown(first.passage)}"
        raise InputError(run_file or "run", first.row, what)
    return places


@contextmanager
def _room(place: Path) -> Iterator[None]:
    """Turn a full disk and the like into one line."""
    try:
        yield
    except OSError as error:
        raise DecoyQAError(f"{place}: cannot be written: {error.strerror or error}") from None
