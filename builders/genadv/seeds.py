"""What GenADV starts from: a question with its top k documents, the next-ranked one, and its answers (section 4.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from eval.answers import Matcher, clean_answers
from loaders.conditions import insertion_slot
from loaders.records import Document, Question, Reason

NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Case:
    """A question that has answers and documents; `documents` are the top k, each marked where it holds an answer."""

    id: str
    source_id: str
    question: str
    answers: tuple[str, ...]
    documents: tuple[Document, ...]
    next_ranked: Document | None
    slot: int

    @property
    def answerable(self) -> bool:
        """Whether one of the k documents holds an answer (section 5.2)."""
        return any(document.holds_answer for document in self.documents)

    @cached_property
    def matcher(self) -> Matcher:
        """The matcher of all answers."""
        return Matcher(self.answers)

    @property
    def answer(self) -> str:
        """The answer that the statement uses: the first in the list that a document holds, else the first."""
        texts = [document_text(document) for document in self.documents if document.holds_answer]
        held = (answer for answer in self.answers if any(Matcher([answer]).holds(text) for text in texts))
        return next(held, self.answers[0])


@dataclass(frozen=True)
class Seeds:
    """The cases of one source, what was turned away at the door, and why answers were dropped.

    `lenders` are all cases from which others may borrow a document: a withdrawn one still lends its own, so that
    leaving it out changes no other item.
    """

    cases: tuple[Case, ...]
    rejected: tuple[tuple[Question, Reason], ...]
    dropped_answers: tuple[Reason, ...]
    lenders: tuple[Case, ...] = ()


def document_text(document: Document) -> str:
    """Return what a reader sees of a document, and hence what is searched for answers: title and text."""
    return f"{document.title}\n{document.text}"


def seeds(questions: Iterable[Question], k: int, seed: int, withdrawn: Mapping[str, str] = NONE) -> Seeds:
    """Turn questions into cases; reasons are `no_answer`, `no_documents`, and `withdrawn` for ids with an erratum."""
    cases: list[Case] = []
    lent: list[Case] = []
    rejected: list[tuple[Question, Reason]] = []
    dropped: list[Reason] = []
    for question in questions:
        answers = clean_answers(question.answers)
        dropped += answers.dropped
        if not answers.kept:
            rejected.append((question, Reason("no_answer", "every answer normalises to nothing")))
        elif not question.documents:
            rejected.append((question, Reason("no_documents", "no document with text")))
        elif question.id in withdrawn:
            rejected.append((question, Reason("withdrawn", withdrawn[question.id])))
            lent.append(case(question, answers.kept, k, seed))
        else:
            cases.append(case(question, answers.kept, k, seed))
    return Seeds(tuple(cases), tuple(rejected), tuple(dropped), (*cases, *lent))


def case(question: Question, answers: tuple[str, ...], k: int, seed: int) -> Case:
    """Cut the documents at k; the slot of an inserted document is uniform over all k+1 places, one per id."""
    matcher = Matcher(answers)
    top = tuple(marked(document, matcher) for document in question.documents[:k])
    following = question.documents[k : k + 1]
    return Case(
        id=question.id,
        source_id=question.source_id,
        question=question.question,
        answers=answers,
        documents=top,
        next_ranked=marked(following[0], matcher) if following else None,
        slot=insertion_slot(seed, question.id, len(top)),
    )


def marked(document: Document, matcher: Matcher) -> Document:
    """Return the document with `holds_answer` set."""
    return replace(document, holds_answer=matcher.holds(document_text(document)))


def recall(cases: Sequence[Case]) -> float:
    """Return the share of cases with an answer among their k documents (Recall@k of Table 3)."""
    return sum(case.answerable for case in cases) / len(cases) if cases else 0.0
