"""Cases, drafts and models for the tests of GenADV's steps; the models are loaded once per session."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from zlib import crc32

import numpy as np
import pytest

import builders
from builders.entities import EMBEDDED_PIPELINE, Mention, load_pipeline
from builders.genadv.draft import Draft, Reading, Sentence
from builders.genadv.seeds import Case, case
from builders.genadv.tools import open_tools
from builders.pool import read_pool_text
from builders.similarity import Vectors, open_similarity
from builders.voices import Hearer, Sampling, Voice
from eval.answers import tokens
from eval.models.engine import Failure, Reply, Request
from eval.models.ledger import Ledger
from eval.models.store import RequestStore
from loaders.genadv import Replacement
from loaders.records import Document, Question

SAMPLE = Path(builders.__file__).parent / "sample" / "genadv"
ID_COLUMNS = ("id", "question_id", "qId")

Text = str | tuple[str, str]


class WordSimilarity:
    """Texts are near each other if they share tokens: hashed counts as unit rows, so that no model is needed."""

    identity = "tests:words"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit rows of shape (len(texts), 512); a text without tokens gives a zero row."""
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokens(text):
                row[crc32(token.encode()) % 512] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)


@dataclass(frozen=True)
class Parsed:
    """What the entity finder reads of a spaCy document, made by hand: entities, and tokens with a part of speech."""

    text: str
    ents: tuple[SimpleNamespace, ...]
    first: SimpleNamespace

    def __getitem__(self, index: int) -> SimpleNamespace:
        assert index == 0
        return self.first

    def char_span(self, start: int, end: int, **_: Any) -> list[SimpleNamespace]:
        """Return one token, an adjective: no ordinal that is made by hand is an adverb."""
        return [SimpleNamespace(text=self.text[start:end], pos_="ADJ")]


class Spoken:
    """An engine whose replies a function chooses by the prompt: a text, a text that was cut (in a list), or None."""

    runtime = "tests"

    def __init__(self, say: Callable[[str], str | list[str] | None], identity: str = "toy:writer") -> None:
        self.identity, self.say = identity, say
        self.asked: list[Request] = []

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Answer in order; `asked` remembers every request."""
        for request in requests:
            self.asked.append(request)
            said = self.say(request.messages[-1].content)
            text, finish = (said[0], "length") if isinstance(said, list) else (said, "stop")
            if text is None:
                yield Failure(request.key, "the server is down")
            else:
                yield Reply(request.key, text, finish, 50, len(text.split()), "{}", model="toy-1")

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def voice_of(engine: Spoken, store: Path, seed: int = 0) -> Voice:
    """Return an engine as a writer or checker whose replies are kept in a folder."""
    return Voice(Hearer(engine, RequestStore(store), Ledger(), lambda *_: None), Sampling(), seed)


def parsed_by_hand(text: str, tags: Sequence[tuple[str, str]] = (), first: str = "PROPN") -> Parsed:
    """Return a document whose entities are the first occurrences of the given names under the given types."""
    found = (
        SimpleNamespace(text=name, label_=kind, start_char=text.index(name), end_char=text.index(name) + len(name))
        for name, kind in tags
    )
    return Parsed(text, tuple(found), SimpleNamespace(text=text.split()[0], pos_=first))


def document(number: int, given: Text) -> Document:
    """Return a document of a text, or of a title and a text."""
    title, text = ("", given) if isinstance(given, str) else given
    return Document(f"d{number}", title, text, rank=number)


def case_of(question: str, answers: Sequence[str], texts: Sequence[Text], *, id: str = "q1", k: int = 5) -> Case:
    """Return the case of a question whose documents hold these texts."""
    documents = tuple(document(number, text) for number, text in enumerate(texts, 1))
    return case(Question(id, id, question, tuple(answers), documents), tuple(answers), k, seed=0)


def reading_of(
    texts: Sequence[Sequence[str]] = (), tags: dict[str, dict[str, int]] | None = None, common: str = ""
) -> Reading:
    """Return a reading whose documents consist of the given whole sentences."""
    sentences = tuple(
        Sentence(text, number, position) for number, found in enumerate(texts) for position, text in enumerate(found)
    )
    words = {word.lower() for found in texts for text in found for word in re.findall(r"\b[A-Z]\w{2,}", text)}
    counted = {name: Counter(kinds) for name, kinds in (tags or {}).items()}
    return Reading(sentences, counted, set(common.split()), words)


def draft_of(given: Case, statement: str, answer: str, **fields: Any) -> Draft:
    """Return a draft of a statement that holds the answer once; without a reading it gets an empty one."""
    start = statement.index(answer)
    fields = {"reading": reading_of(), "condition": "adversarial", **fields}
    return Draft(given, statement=statement, answer_span=(start, start + len(answer)), **fields)


def replacement_in(statement: str, name: str, kind: str, new: str) -> Replacement:
    """Return the replacement of a name at its place in the statement."""
    start = statement.index(name)
    return Replacement(name, kind, start, start + len(name), new, None)


def mention_in(statement: str, name: str, kind: str) -> Mention:
    """Return the mention of a name at its first place in the statement."""
    start = statement.index(name)
    return Mention(name, kind, start, start + len(name))


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """The makers of this file by name."""
    return SimpleNamespace(
        case=case_of,
        document=document,
        reading=reading_of,
        draft=draft_of,
        parsed=parsed_by_hand,
        replacement=replacement_in,
        mention=mention_in,
        similarity=WordSimilarity(),
        engine=Spoken,
        voice=voice_of,
    )


@pytest.fixture(scope="session")
def nlp() -> Any:
    """The embedded spaCy pipeline with its parser."""
    return load_pipeline(EMBEDDED_PIPELINE)


@pytest.fixture(scope="session")
def document_nlp() -> Any:
    """The embedded spaCy pipeline as documents are read with it."""
    return load_pipeline(EMBEDDED_PIPELINE, for_documents=True)


@pytest.fixture(scope="session")
def minilm() -> Any:
    """The embedded sentence model."""
    return open_similarity("minilm")


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All the embedded models, with names from the first lines of the sample's pool."""
    lines = read_pool_text(SAMPLE / "pool.txt")[:120]
    return open_tools(lines, EMBEDDED_PIPELINE, "minilm", "minilm", tmp_path_factory.mktemp("vectors"))


@pytest.fixture(scope="session")
def sample_rows() -> Callable[[str], list[dict[str, Any]]]:
    """The rows of a sample source."""
    return lambda name: [json.loads(line) for line in (SAMPLE / f"{name}.jsonl").read_text("utf-8").splitlines()]
