"""What each reader must do with a hand-made item and its source, condition by condition."""

from dataclasses import replace

import pytest
from realhop_chain import CHAIN, CHAIN_SOURCE
from realhop_readers import figures, table
from realhop_rows import rewritten

from builders.realhop.text_readers import rebuilt_readers, source_readers
from eval.models.readers import UNKNOWN
from eval.tasks.audit import render
from loaders.realhop_conditions import ABLATIONS, dropped, only

OURS, SOURCE = rebuilt_readers([CHAIN], [CHAIN_SOURCE]), source_readers([CHAIN_SOURCE])


def _read(read, row):
    return read(render("multihop", row.question, row.passages))


@pytest.mark.parametrize(
    ("name", "full", "first", "last"),
    [
        ("exact graph", "Delmar Quay", UNKNOWN, UNKNOWN),
        ("last hop", "Arden Locks", "Arden Locks", "Arden Locks"),
        ("lexical", "Arden Locks", "Arden Locks", "Arden Locks"),
        ("elimination", "Delmar Quay", UNKNOWN, "Ostrel"),  # without hop 2 the orphan is what is left over
        ("closed book", "Steventon", "Steventon", "Steventon"),
    ],
)
def test_on_ours(name, full, first, last):
    left = [_read(OURS[name], row) for row in (CHAIN, dropped(CHAIN, "1"), dropped(CHAIN, "2"))]
    assert left == [full, first, last]


@pytest.mark.parametrize(
    ("name", "full", "first", "last"),
    [
        ("exact graph", "Steventon", UNKNOWN, UNKNOWN),
        ("last hop", "Steventon", "Steventon", UNKNOWN),
        ("elimination", "Steventon", "Steventon", UNKNOWN),
        ("closed book", "Steventon", "Steventon", "Steventon"),
    ],
)
def test_on_the_source(name, full, first, last):
    rows = (CHAIN_SOURCE, dropped(CHAIN_SOURCE, "1"), dropped(CHAIN_SOURCE, "2"))
    assert [_read(SOURCE[name], row) for row in rows] == [full, first, last]


def test_without_orphans_elimination_finds_gold():
    """What the orphans are for."""
    papers = dropped(only(CHAIN, ABLATIONS["no_orphans"]), "1")
    assert _read(OURS["elimination"], papers) == "Delmar Quay"


def test_the_loose_end_with_most_facts():
    """A near miss that hangs on gold's head, outside of the first support, tells it from the orphan's."""
    more = rewritten(CHAIN, "Fog is wet.", "Corin Vasse was buried in Ely.")
    assert _read(OURS["most mentioned"], dropped(more, "1")) == "Delmar Quay"
    other = rewritten(CHAIN, "Fog is wet.", "Tovin Brask was buried in Ely.")
    assert _read(OURS["most mentioned"], dropped(other, "1")) == "Ostrel"


def test_a_table_of_both_sides():
    found = figures([CHAIN], [CHAIN_SOURCE])
    assert {name: found[name, "ours"]["bnr"].value for name in OURS} == {
        "exact graph": 1.0,
        "last hop": None,  # never right, so that there is nothing to lose
        "lexical": None,
        "elimination": 1.0,
        "most mentioned": 0.5,
        "closed book": None,
    }
    assert {name: found[name, "source"]["bnr"].value for name in ("last hop", "elimination", "closed book")} == {
        "last hop": 0.5,
        "elimination": 0.5,
        "closed book": 0.0,
    }
    lines = list(table([CHAIN], [CHAIN_SOURCE]))
    assert [line.split(" | ")[1] for line in lines[2:]] == ["source", "ours"] * 6


def test_another_question_is_an_error():
    with pytest.raises(KeyError):
        _read(OURS["last hop"], replace(CHAIN, question="Why?"))
