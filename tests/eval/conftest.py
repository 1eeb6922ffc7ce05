"""Six questions whose figures can be worked out by hand, and readers that decide from the prompt text alone."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Self

import pytest

from eval.models.engine import EngineOptions, Failure, Reply, Request
from loaders.artifact import write_rows
from loaders.genadv import GenADVRow
from loaders.manifest import write_manifest
from loaders.records import Document

# id, subject, gold answer, conflicting answer, slot of the inserted document, where the gold document stands
ITEMS = [
    ("q1", "Alba", "Arden", "Bridport", 0, 0),
    ("q2", "Birk", "Bexley", "Calder", 1, 0),
    ("q3", "Cope", "Corby", "Dundee", 0, 0),
    ("q4", "Dove", "Derby", "Exeter", 2, 0),
    ("q5", "Esk", "Epsom", "Falmouth", 0, 1),
    ("q6", "Fenn", "Frome", "Goole", 1, None),
]
WHO = {
    "adversarial": ("q1", "q2", "q3", "q5", "q6"),
    "conflict": ("q1", "q2", "q4", "q5"),
    "random": ("q2", "q3", "q4", "q6"),
    "topk": ("q1", "q6"),
}
STRAY = {"adversarial": ("Humber", "Hull"), "random": ("Swale", "Selby"), "topk": ("Aire", "Leeds")}
QUESTION = "Where does the {} flow?"
Rows = dict[tuple[str, str], list[GenADVRow]]


def _document(name: str, place: str, kind: str = "retrieved", holds: bool = False) -> Document:
    return Document(f"d-{name}", name, f"The {name} flows through {place}.", kind=kind, holds_answer=holds)


def _retrieved(subject: str, gold: str, gold_at: int | None) -> list[Document]:
    documents = [_document("Ouse", "Yarm"), _document("Tees", "Stow")]
    if gold_at is not None:
        documents[gold_at] = _document(subject, gold, holds=True)
    return documents


def _inserted(split: str, item: str, subject: str, gold: str, conflict: str) -> Document:
    if split == "conflict":
        return _document(subject, conflict, split)
    if split == "topk" and item == "q6":  # the next-ranked document brings the answer
        return _document(subject, gold, split, holds=True)
    return _document(*STRAY[split], split)


def _row(split: str, item: str, subject: str, gold: str, conflict: str, slot: int, gold_at: int | None) -> GenADVRow:
    documents = _retrieved(subject, gold, gold_at)
    if split != "retrieved":
        documents.insert(slot, _inserted(split, item, subject, gold, conflict))
    return GenADVRow(
        id=item,
        source_id=item,
        question=QUESTION.format(subject),
        answers=(gold, f"{gold} Town"),
        answerable=gold_at is not None,
        documents=tuple(documents),
        inserted_at=-1 if split == "retrieved" else slot,
        conflict_answer=conflict if split == "conflict" else "",
        writer="none",
        source_license="CC-BY-4.0",
    )


@pytest.fixture
def rows() -> Rows:
    """The six items of config `nq` in their five splits."""
    everyone = {"retrieved": tuple(item[0] for item in ITEMS), **WHO}
    return {("nq", split): [_row(split, *item) for item in ITEMS if item[0] in ids] for split, ids in everyone.items()}


def write_artifact(folder: Path, rows: Rows, **facts: str) -> Path:
    for (config, split), split_rows in rows.items():
        write_rows(folder, config, split, GenADVRow, split_rows)
    write_manifest(folder, {"family": "genadv", "content_id": "c0ffee", "version": "0.0.0.dev0", **facts})
    return folder


@pytest.fixture
def artifact(tmp_path: Path, rows: Rows) -> Path:
    return write_artifact(tmp_path / "artifact", rows)


Reader = Callable[[str], str]


def copyist(prompt: str) -> str:
    """Says whatever place the first document names."""
    found = re.search(r"flows through (\w+)\.", prompt)
    return found[1] if found else "unknown"


def expert(prompt: str) -> str:
    """Knows every answer, and does what the prompt asks."""
    documents, _, task = prompt.rpartition("\nUse the above documents")
    _, _, gold, conflict, _, _ = next(item for item in ITEMS if QUESTION.format(item[1]) in prompt)
    if "'conflict'" in task and conflict in documents:
        return "conflict"
    return "Unanswerable." if "'unanswerable'" in task and gold not in documents else f"In {gold}."


def refuser(prompt: str) -> str:
    """Never answers."""
    return "unanswerable"


READERS: dict[str, Reader] = {"copyist": copyist, "expert": expert, "refuser": refuser}


class ReaderEngine:
    """Answers with a reader and remembers the prompts that it was asked."""

    runtime = "a reader"

    def __init__(self, name: str) -> None:
        self.identity = f"scripted:{name}"
        self._read = READERS[name]
        self.prompts: list[str] = []

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for request in requests:
            prompt = request.messages[0].content
            self.prompts.append(prompt)
            yield Reply(request.key, self._read(prompt), "stop", len(prompt.split()), 1, "{}")

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[ReaderEngine]:
    """Let `evaluate` open a reader by its name; the list holds every engine that was opened."""
    opened: list[ReaderEngine] = []

    def open_reader(name: str, options: EngineOptions) -> ReaderEngine:
        opened.append(ReaderEngine(name))
        return opened[-1]

    monkeypatch.setattr("eval.run.open_engine", open_reader)
    return opened


@pytest.fixture
def write() -> Callable[..., Path]:
    return write_artifact


@pytest.fixture
def readers() -> dict[str, Reader]:
    return READERS
