from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from builders.genadv.draft import Draft
from builders.genadv.others import take_next_ranked, take_random
from builders.genadv.seeds import Case, document_text
from builders.steps import Passed
from loaders.records import Document, Reason


def cases(make: SimpleNamespace, count: int = 30) -> list[Case]:
    """Every third question has the answer Oslo, and so has one of its two documents."""
    found = []
    for i in range(count):
        town = "Oslo" if i % 3 == 0 else f"Turku{i}"
        found.append(
            make.case(f"Where is {i}?", [town], [f"Person {i} lives in {town}.", f"A{i} is a metal."], id=f"q{i:02d}")
        )
    return found


def drawn(case: Case, everything: Sequence[Case], seed: int = 0, tries: int = 200) -> Document | Reason:
    result = take_random(Draft(case, "random"), everything, seed, tries)
    if isinstance(result, Reason):
        return result
    assert isinstance(result, Passed)
    assert result.draft.random is not None
    assert (result.draft.title, result.draft.passage) == (result.draft.random.title, result.draft.random.text)
    assert result.draft.sources == (result.draft.random,)
    return result.draft.random


@given(st.integers(0, 29), st.integers(0, 1000))
def test_a_document_of_another_question_without_an_answer(make: SimpleNamespace, number: int, seed: int) -> None:
    everything = cases(make)
    case = everything[number]
    found = drawn(case, everything, seed)
    assert isinstance(found, Document)
    assert not case.matcher.holds(document_text(found))
    assert found not in case.documents
    assert any(found in other.documents for other in everything if other.id != case.id)


def test_the_draw_depends_on_seed_and_id_but_not_on_the_rows_order(make: SimpleNamespace) -> None:
    everything = cases(make)
    before = [drawn(case, everything) for case in everything]
    shuffled = everything[:]
    Random(1).shuffle(shuffled)
    again = {case.id: drawn(case, sorted(shuffled, key=lambda case: case.id)) for case in shuffled}
    assert [again[case.id] for case in everything] == before
    assert len({d.text for d in before if isinstance(d, Document)}) > 10
    assert [drawn(case, everything, seed=1) for case in everything] != before


def test_the_same_text_in_another_question_is_no_foreign_document(make: SimpleNamespace) -> None:
    one = make.case("Where?", ["Oslo"], ["Tin is a metal.", "Lead is a metal."], id="q1")
    other = make.case("When?", ["1901"], ["TIN is a metal!", "In Oslo."], id="q2")
    assert drawn(one, [one, other]) == Reason("no_random_document", "none found in 200 draws")


def test_no_other_question_no_document(make: SimpleNamespace) -> None:
    (one,) = cases(make, 1)
    result = drawn(one, [one], tries=7)
    assert result == Reason("no_random_document", "none found in 7 draws")


def test_the_next_ranked_document(make: SimpleNamespace) -> None:
    case = make.case("Where?", ["Oslo"], [f"Text {i}." for i in range(1, 8)])
    result = take_next_ranked(Draft(case, "topk"))
    assert isinstance(result, Passed)
    assert result.draft.passage == "Text 6."
    assert result.draft.sources[0].rank == 6
    short = make.case("Where?", ["Oslo"], ["Text.", "Text two."])
    assert take_next_ranked(Draft(short, "topk")) == Reason("no_next_document", "2 documents, none behind them")
