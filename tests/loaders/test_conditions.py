"""A document is inserted in its slot, once, and nothing else moves."""

import pytest

from loaders.conditions import insert_document
from loaders.genadv import GenADVRow
from loaders.records import Document

DOCUMENTS = tuple(Document(f"d{i}", "", f"text {i}", rank=i + 1) for i in range(3))
ROW = GenADVRow("q", "s", "who?", ("A",), False, DOCUMENTS, -1, "", "none", "MIT")
NEW = Document("n", "", "invented", kind="adversarial")


@pytest.mark.parametrize(
    ("slot", "order"),
    [(0, ["n", "d0", "d1", "d2"]), (1, ["d0", "n", "d1", "d2"]), (3, ["d0", "d1", "d2", "n"])],
)
def test_the_document_stands_in_its_slot_and_the_others_keep_their_order(slot: int, order: list[str]) -> None:
    row = insert_document(ROW, NEW, slot)
    assert [document.id for document in row.documents] == order
    assert row.documents[row.inserted_at] is NEW
    assert row.documents[:slot] + row.documents[slot + 1 :] == DOCUMENTS
    assert (row.id, row.question, row.answers, row.answerable) == ("q", "who?", ("A",), False)
    assert ROW.documents == DOCUMENTS


@pytest.mark.parametrize("slot", [-1, 4])
def test_a_slot_outside_is_refused(slot: int) -> None:
    with pytest.raises(ValueError, match=f"q: slot {slot} of 3, inserted_at -1"):
        insert_document(ROW, NEW, slot)


def test_a_second_insertion_is_refused() -> None:
    with pytest.raises(ValueError, match="inserted_at 0"):
        insert_document(insert_document(ROW, NEW, 0), NEW, 1)


def test_a_row_without_documents_takes_one_in_slot_0() -> None:
    row = insert_document(GenADVRow("q", "", "who?", ("A",), False, (), -1, "", "none", "MIT"), NEW, 0)
    assert (row.documents, row.inserted_at) == ((NEW,), 0)
