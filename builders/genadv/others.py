"""The two comparison documents: one of another question, and the next-ranked one (section 5.3.3)."""

from collections.abc import Sequence
from dataclasses import replace

from builders.genadv.draft import Draft
from builders.genadv.seeds import Case, document_text
from builders.steps import Passed, Result
from eval.answers import normalise
from loaders.draw import generator
from loaders.records import Document, Reason


def take_random(draft: Draft, everything: Sequence[Case], seed: int, tries: int) -> Result[Draft]:
    """Draw a document of another question that holds no answer and is none of the question's own.

    `everything` must be sorted by id, so that the order of a source's rows does not matter.
    Reason: `no_random_document`.
    """
    draw = generator(seed, draft.case.id, "random document")
    own = {normalise(document.text) for document in draft.case.documents}
    for _ in range(tries):
        other = draw.choice(everything)
        document = draw.choice(other.documents)
        if other.id != draft.case.id and _is_foreign(document, draft.case, own):
            return Passed(_taken(replace(draft, random=document), document), f"of question {other.id}")
    return Reason("no_random_document", f"none found in {tries} draws")


def _is_foreign(document: Document, case: Case, own: set[str]) -> bool:
    return not case.matcher.holds(document_text(document)) and normalise(document.text) not in own


def take_next_ranked(draft: Draft) -> Result[Draft]:
    """Take the first document with text behind the top k. Reason: `no_next_document`."""
    document = draft.case.next_ranked
    if document is None:
        return Reason("no_next_document", f"{len(draft.case.documents)} documents, none behind them")
    return Passed(_taken(draft, document), f"rank {document.rank}")


def _taken(draft: Draft, document: Document) -> Draft:
    return replace(draft, title=document.title, passage=document.text, sources=(document,))
