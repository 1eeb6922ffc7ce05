"""What the steps of GenADV hand on: a case and what has been written for it so far."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from builders.entities import VALUE_TYPES, Mention
from builders.genadv.mentions import Renaming, Rewriter
from builders.genadv.seeds import Case
from loaders.genadv import Candidate, Replacement
from loaders.records import Document, Reason, Verdict


@dataclass(frozen=True)
class Sentence:
    """A whole sentence of one of the question's documents; `document` is the index among the top k."""

    text: str
    document: int
    position: int

    @property
    def words(self) -> int:
        """Number of words between white space."""
        return len(self.text.split())


@dataclass(frozen=True)
class Reading:
    """What was read from a case's documents: whole sentences, tags of names with their counts, and written words."""

    sentences: tuple[Sentence, ...]
    tags: Mapping[str, Mapping[str, int]]
    common: AbstractSet[str]
    capitals: AbstractSet[str]  # words that stand with a capital somewhere, in lower case


@dataclass(frozen=True)
class Draft:
    """A candidate in the making; later steps fill later fields."""

    case: Case
    condition: str
    statement: str = ""
    answer_span: tuple[int, int] = (0, 0)
    parsed: Any = None
    reading: Reading | None = None
    mentions: tuple[Mention, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    sentence: str = ""
    title: str = ""
    passage: str = ""
    sources: tuple[Document, ...] = ()
    random: Document | None = None
    opinions: Mapping[str, str] = field(default_factory=dict)  # the checker's, by its question: yes, no or unjudged

    def read(self) -> Reading:
        """Return the reading, which an earlier step must have made."""
        assert self.reading is not None, "the step `documents` comes before"
        return self.reading

    @cached_property
    def rewriter(self) -> Rewriter:
        """Return the rewriter of the chosen replacements; all answers are aliases of the answer's entity."""
        return Rewriter(tuple(self._renaming(found) for found in self.replacements), self.read().common)

    @cached_property
    def question_rewriter(self) -> Rewriter:
        """Return the rewriter of what the question itself names: its names, or its values where it has no name."""
        others = [found for found in self.replacements if not self._is_answer(found)]
        names = [found for found in others if found.type not in VALUE_TYPES]
        return Rewriter(tuple(self._renaming(found) for found in names or others), self.read().common)

    @cached_property
    def answer_rewriter(self) -> Rewriter:
        """Return the rewriter of the answer alone; it finds what a text still says of it."""
        answers = (self._renaming(found) for found in self.replacements if self._is_answer(found))
        return Rewriter(tuple(answers), self.read().common)

    def _is_answer(self, found: Replacement) -> bool:
        start, end = self.answer_span
        return found.start < end and start < found.end

    def _renaming(self, found: Replacement) -> Renaming:
        aliases = self.case.answers if self._is_answer(found) else ()
        return Renaming(found.text, found.type, found.replacement, aliases)


def candidate(draft: Draft, verdicts: Sequence[Verdict], status: str, reason: Reason | None, writer: str) -> Candidate:
    """Return the published record of a draft, kept or not."""
    return Candidate(
        id=draft.case.id,
        condition=draft.condition,
        status=status,
        reason=reason.code if reason else "",
        question=draft.case.question,
        answers=draft.case.answers,
        answerable=draft.case.answerable,
        statement=draft.statement,
        replacements=draft.replacements,
        sentence=draft.sentence,
        title=draft.title,
        passage=draft.passage,
        document_ids=tuple(document.id for document in draft.sources),
        writer=writer,
        verdicts=tuple(verdicts),
    )
