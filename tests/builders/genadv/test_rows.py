from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from builders.genadv.draft import candidate
from builders.genadv.rows import inserted_document, rows_of
from builders.genadv.seeds import Case
from builders.sources.documents import hashed_id
from loaders.genadv import SPLITS, Candidate, Replacement
from loaders.records import Document, Reason

LICENSE = "CC-BY-4.0"


@pytest.fixture
def case(make: SimpleNamespace) -> Case:
    texts = [("Bohr", "Niels Bohr was born in Copenhagen."), *(("", f"Passage {i}.") for i in range(2, 8))]
    found: Case = make.case("In what city was Niels Bohr born?", ["Copenhagen"], texts)
    return found


def found(make: SimpleNamespace, case: Case, condition: str, **fields: Any) -> Candidate:
    draft = make.draft(case, "Niels Bohr was born in Copenhagen.", "Copenhagen", condition=condition, **fields)
    writer = "rules" if condition in ("adversarial", "conflict") else "none"
    return candidate(draft, (), "kept", None, writer)


def written(make: SimpleNamespace, case: Case) -> list[Candidate]:
    new = (Replacement("Copenhagen", "GPE", 23, 33, "Turku", 0.4),)
    foreign = Document("f1", "Tin", "Tin is a metal.", rank=3)
    after = case.next_ranked
    assert after is not None
    return [
        found(make, case, "adversarial", title="Planck", passage="Max Planck was born in Turku."),
        found(make, case, "conflict", title="Bohr", passage="Niels Bohr was born in Turku.", replacements=new),
        found(make, case, "random", title=foreign.title, passage=foreign.text, sources=(foreign,)),
        found(make, case, "topk", title=after.title, passage=after.text, sources=(after,)),
    ]


def test_one_row_per_condition_with_one_slot(make: SimpleNamespace, case: Case) -> None:
    rows = rows_of(case, written(make, case), LICENSE)
    assert set(rows) == set(SPLITS)
    assert rows["retrieved"].documents == case.documents
    assert rows["retrieved"].inserted_at == -1
    assert rows["retrieved"].writer == "none"
    for split in SPLITS[1:]:
        row = rows[split]
        assert row.inserted_at == case.slot
        assert len(row.documents) == 6
        assert row.documents[: case.slot] + row.documents[case.slot + 1 :] == case.documents
        assert row.documents[case.slot].kind == split
        assert (row.id, row.question, row.answers) == ("q1", case.question, ("Copenhagen",))
        assert row.source_license == LICENSE


@pytest.mark.parametrize("slot", range(6))
def test_every_slot(make: SimpleNamespace, case: Case, slot: int) -> None:
    row = rows_of(replace(case, slot=slot), written(make, case), LICENSE)["adversarial"]
    assert row.documents[slot].text == "Max Planck was born in Turku."
    assert [d.rank for d in row.documents if d.rank] == [1, 2, 3, 4, 5]


def test_who_wrote_and_what_the_conflict_answers(make: SimpleNamespace, case: Case) -> None:
    rows = rows_of(case, written(make, case), LICENSE)
    assert {split: row.writer for split, row in rows.items()} == {
        "retrieved": "none",
        "adversarial": "rules",
        "conflict": "rules",
        "random": "none",
        "topk": "none",
    }
    assert {split: row.conflict_answer for split, row in rows.items() if row.conflict_answer} == {"conflict": "Turku"}


def test_ids_of_inserted_documents(make: SimpleNamespace, case: Case) -> None:
    adversarial, conflict, random, topk = (inserted_document(case, c) for c in written(make, case))
    assert adversarial.id == hashed_id("Planck", "Max Planck was born in Turku.")
    assert conflict.id.startswith("doc-")
    assert (random.id, random.rank) == ("f1", 0)  # its rank in another question's list tells nothing here
    assert (topk.id, topk.rank) == ("d6", 6)


def test_holds_answer_is_worked_out_for_the_inserted_document(make: SimpleNamespace, case: Case) -> None:
    leaking = found(make, case, "adversarial", title="Copenhagen", passage="A town.")
    assert inserted_document(case, leaking).holds_answer
    assert not any(inserted_document(case, c).holds_answer for c in written(make, case))


def test_what_was_rejected_has_no_row(make: SimpleNamespace, case: Case) -> None:
    draft = make.draft(case, "Niels Bohr was born in Copenhagen.", "Copenhagen")
    rejected = candidate(draft, (), "rejected", Reason("too_few_entities", "1 of 2"), "rules")
    assert rejected.reason == "too_few_entities"
    pending = candidate(draft, (), "pending", None, "rules")
    assert set(rows_of(case, [rejected, pending], LICENSE)) == {"retrieved"}
