"""The GenADV family: its rows (config per question source, split per condition), and `load()`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from loaders.benchmark import Benchmark
from loaders.records import Document, Verdict
from loaders.release import open_release

SPLITS = ("retrieved", "adversarial", "conflict", "random", "topk")
CANARY = "decoyqa-genadv-canary 5b0f6c1e-8f0a-5d0e-9d43-6c0f4f7b2a11: benchmark data, keep out of training sets"


@dataclass(frozen=True)
class GenADVRow:
    """One question under one condition (paper sections 5.2 to 5.4)."""

    id: Annotated[str, "pairs the splits of a config"]
    source_id: Annotated[str, "the source's own id; empty where it has none"]
    question: Annotated[str, "the question as the source has it"]
    answers: Annotated[tuple[str, ...], "gold answers; those that normalise to nothing are dropped and counted"]
    answerable: Annotated[bool, "whether one of the k retrieved documents holds an answer (section 5.2)"]
    documents: Annotated[tuple[Document, ...], "k retrieved documents, and the inserted one in its slot"]
    inserted_at: Annotated[int, "0-based slot of the inserted document; -1 if nothing was inserted"]
    conflict_answer: Annotated[str, "the answer that the conflicting document gives; empty in other splits"]
    writer: Annotated[str, "who wrote the inserted text; `none` where it is a retrieved document"]
    source_license: Annotated[str, "licence of the question source"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


@dataclass(frozen=True)
class Replacement:
    """An entity of the statement and what took its place."""

    text: Annotated[str, "entity as the statement has it"]
    type: Annotated[str, "entity type of the spaCy pipeline"]
    start: Annotated[int, "first code point in the statement"]
    end: Annotated[int, "one past the last code point"]
    replacement: Annotated[str, "what took its place; empty where none was found"] = ""
    similarity: Annotated[float | None, "cosine of the two names; null for values such as dates and numbers"] = None


@dataclass(frozen=True)
class Candidate:
    """One condition of one question with every step's verdict, kept or not."""

    id: Annotated[str, "id of the question"]
    condition: Annotated[str, "the condition that was tried"]
    status: Annotated[str, "kept, rejected or pending"]
    reason: Annotated[str, "named reason of a rejected candidate; empty otherwise"]
    question: Annotated[str, "the question"]
    answers: Annotated[tuple[str, ...], "gold answers that survived cleaning"]
    answerable: Annotated[bool, "whether one of the k retrieved documents holds an answer"]
    statement: Annotated[str, "question and answer as one sentence"]
    replacements: Annotated[tuple[Replacement, ...], "entities of the statement and their replacements"]
    sentence: Annotated[str, "the statement with its entities replaced"]
    title: Annotated[str, "title of the passage"]
    passage: Annotated[str, "the passage, or the document that was taken"]
    document_ids: Annotated[tuple[str, ...], "documents from which the passage was made or taken"]
    writer: Annotated[str, "who wrote the passage"]
    verdicts: Annotated[tuple[Verdict, ...], "steps and gates in their order"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


class GenADV(Benchmark[GenADVRow]):
    """A loaded GenADV benchmark: configs are question sources, splits are conditions."""

    record = GenADVRow

    def candidates(self, config: str) -> list[Candidate]:
        """Return every candidate of a config with its verdicts, the rejected ones too."""
        return self.release.rows(f"{config}_construction", "candidates", Candidate)


def load(where: str | Path, revision: str = "") -> GenADV:
    """Load a GenADV benchmark: `load("ORG/NAME", "v1.0.0")` from the Hub, or `load(FOLDER)`.

    The revision is a tag or a full commit id. The first load of a tag stores the files and what the tag named; later
    ones need no network. Raises DecoyQAError where a file is changed, missing or extra, the version or a row count is
    not as expected, or the tag has moved since.
    """
    return GenADV(open_release(where, revision, "genadv"))
