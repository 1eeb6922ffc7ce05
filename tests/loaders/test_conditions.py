"""A document is inserted in its slot, once; with fewer documents a row is what it would have been built as."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from loaders.conditions import insert_document, insertion_slot, rearranged
from loaders.genadv import GenADVRow, load
from loaders.records import Document, Reason

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


def held(*places: int) -> tuple[Document, ...]:
    return tuple(replace(document, holds_answer=place in places) for place, document in enumerate(DOCUMENTS))


def ids(row: GenADVRow | Reason) -> list[str]:
    assert isinstance(row, GenADVRow)
    return [document.id for document in row.documents]


def test_fewer_documents_are_the_first_ones_and_answerable_is_about_them() -> None:
    row = replace(ROW, documents=held(1), answerable=True)
    assert rearranged(row, 0, 3) == row
    assert rearranged(row, 0, 2) == replace(row, documents=held(1)[:2])
    assert rearranged(row, 0, 1) == replace(row, documents=held(1)[:1], answerable=False)
    assert rearranged(row, 0, 3, slot=2) == row  # nothing is inserted


@pytest.mark.parametrize(
    ("k", "slot", "order"),
    [
        (3, 0, ["n", "d0", "d1", "d2"]),
        (3, 3, ["d0", "d1", "d2", "n"]),
        (2, 1, ["d0", "n", "d1"]),
        (1, 1, ["d0", "n"]),
        (5, 5, ["d0", "d1", "d2", "n"]),
    ],
)
def test_the_inserted_document_moves_to_the_slot_or_behind_the_last(k: int, slot: int, order: list[str]) -> None:
    row = insert_document(replace(ROW, documents=held(0), answerable=True), NEW, 2)
    found = rearranged(row, 0, k, slot)
    assert ids(found) == order
    assert isinstance(found, GenADVRow)
    assert found.documents[found.inserted_at] == NEW
    assert replace(found, documents=(), inserted_at=-1) == replace(row, documents=(), inserted_at=-1)


def test_a_conflict_needs_an_answer_among_the_documents_that_are_left() -> None:
    other = Document("n", "", "invented", kind="conflict")
    row = insert_document(replace(ROW, documents=held(1), answerable=True, conflict_answer="B"), other, 0)
    assert ids(rearranged(row, 0, 2, 1)) == ["d0", "n", "d1"]
    assert rearranged(row, 0, 1) == Reason("not_answerable", "none of the first 1 documents holds an answer")


def test_the_next_ranked_document_is_the_first_behind_those_that_are_left() -> None:
    following = Document("d3", "", "text 3", kind="topk", rank=4)
    row = insert_document(replace(ROW, documents=tuple(replace(d, score=0.5) for d in DOCUMENTS)), following, 0)
    assert rearranged(row, 0, 3, 0) == row
    found = rearranged(row, 0, 2, 0)
    assert ids(found) == ["d2", "d0", "d1"]
    assert isinstance(found, GenADVRow)
    assert found.documents[0] == Document("d2", "", "text 2", kind="topk", rank=3)  # without a score, as in a build


def test_the_slot_is_drawn_by_the_item_alone_and_uniform_over_all_places() -> None:
    assert [insertion_slot(7, f"q{i}", 5) for i in range(8)] == [insertion_slot(7, f"q{i}", 5) for i in range(8)]
    counts = Counter(insertion_slot(0, f"q{i}", 2) for i in range(3000))
    assert sorted(counts) == [0, 1, 2]
    assert all(abs(count - 1000) < 130 for count in counts.values())  # five standard deviations
    row = insert_document(replace(ROW, documents=held(0)), NEW, 0)
    assert {rearranged(replace(row, id=f"q{i}"), 0, 1).inserted_at for i in range(20)} == {0, 1}  # type: ignore[union-attr]


def test_with_the_k_of_the_release_every_row_is_as_it_was_built(small_artifact: Path) -> None:
    """Hence the slot is drawn here as the build draws it."""
    loaded = load(small_artifact)
    seed, k = loaded.manifest["seed"], loaded.manifest["recipe"]["k"]
    rows = [row for config in loaded.configs for split in loaded.splits(config) for row in loaded.rows(config, split)]
    assert (len(rows), seed, k) == (41, 7, 5)
    assert len({row.inserted_at for row in rows}) > 3
    assert [rearranged(row, seed, k) for row in rows] == rows
