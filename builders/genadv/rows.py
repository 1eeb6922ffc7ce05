"""From cases and kept candidates to the published rows of each condition."""

from collections.abc import Sequence
from dataclasses import replace

from builders.genadv.seeds import Case, document_text
from builders.sources.documents import hashed_id
from loaders.conditions import insert_document
from loaders.genadv import Candidate, GenADVRow
from loaders.records import Document


def retrieved_row(case: Case, license: str) -> GenADVRow:
    """Return the row without any insertion."""
    return GenADVRow(
        id=case.id,
        source_id=case.source_id,
        question=case.question,
        answers=case.answers,
        answerable=case.answerable,
        documents=case.documents,
        inserted_at=-1,
        conflict_answer="",
        writer="none",
        source_license=license,
    )


def rows_of(case: Case, candidates: Sequence[Candidate], license: str) -> dict[str, GenADVRow]:
    """Return the rows of one case by split; conditions whose candidate was not kept are left out."""
    base = retrieved_row(case, license)
    kept = {found.condition: found for found in candidates if found.status == "kept"}
    return {"retrieved": base, **{name: _inserted(base, case, found) for name, found in kept.items()}}


def _inserted(base: GenADVRow, case: Case, found: Candidate) -> GenADVRow:
    answer = found.replacements[0].replacement if found.condition == "conflict" else ""
    row = insert_document(base, inserted_document(case, found), case.slot)
    return replace(row, conflict_answer=answer, writer=found.writer)


def inserted_document(case: Case, found: Candidate) -> Document:
    """Return the document of a candidate; a taken one keeps its id, a written one gets a hash that tells nothing."""
    taken = found.writer == "none"
    return Document(
        id=found.document_ids[0] if taken else hashed_id(found.title, found.passage),
        title=found.title,
        text=found.passage,
        kind=found.condition,
        holds_answer=case.matcher.holds(document_text(Document("", found.title, found.passage))),
        rank=case.next_ranked.rank if found.condition == "topk" and case.next_ranked else 0,
    )
