import pytest
from scipy.stats import chisquare

from builders.genadv.seeds import Case, recall, seeds
from loaders.records import Document, Question, Reason


def document(rank: int, text: str = "", title: str = "") -> Document:
    return Document(f"d{rank}", title, text or f"Passage {rank}.", rank=rank)


def question(*ranks: int, id: str = "q", answers: tuple[str, ...] = ("Oslo",)) -> Question:
    return Question(id, id, "Where?", answers, tuple(document(rank) for rank in ranks))


def only(given: Question, k: int = 5, seed: int = 0) -> Case:
    (case,) = seeds([given], k, seed).cases
    return case


def test_the_first_five_with_text_and_the_next_one_with_its_rank() -> None:
    # Ranks count the whole list; 3 and 6 to 8 were empty and are gone when a source was read.
    case = only(question(1, 2, 4, 5, 9, 10, 11))
    assert [d.rank for d in case.documents] == [1, 2, 4, 5, 9]
    assert case.next_ranked is not None
    assert case.next_ranked.rank == 10


def test_five_documents_have_none_behind_them_and_fewer_are_kept() -> None:
    assert only(question(1, 2, 3, 4, 5)).next_ranked is None
    case = only(question(1, 2, 3))
    assert len(case.documents) == 3
    assert case.next_ranked is None
    assert len(only(question(1, 2, 3), k=2).documents) == 2


def test_who_is_turned_away_at_the_door() -> None:
    none, empty = question(id="none"), question(1, id="empty", answers=("---", "@"))
    found = seeds([none, question(1, id="kept"), empty], 5, 0)
    assert [case.id for case in found.cases] == ["kept"]
    assert [(q.id, reason.code) for q, reason in found.rejected] == [("none", "no_documents"), ("empty", "no_answer")]
    assert [reason.code for reason in found.dropped_answers] == ["empty_after_normalising"] * 2


def test_answers_are_cleaned_and_what_was_dropped_is_told() -> None:
    found = seeds([question(1, answers=("Oslo", "oslo", "---"))], 5, 0)
    assert found.cases[0].answers == ("Oslo",)
    assert found.dropped_answers == (
        Reason("duplicate_answer", "oslo = Oslo"),
        Reason("empty_after_normalising", "---"),
    )


def test_documents_are_marked_by_title_or_text() -> None:
    documents = (
        document(1, "He lived in Oslo."),
        document(2, "A town.", "Oslo"),
        document(3, "Oslofjord is wide."),
        *(document(rank) for rank in (4, 5)),
        document(6, "In Oslo."),
    )
    case = only(Question("q", "q", "Where?", ("Oslo",), documents))
    assert [d.holds_answer for d in case.documents] == [True, True, False, False, False]
    assert case.answerable
    assert case.next_ranked is not None
    assert case.next_ranked.holds_answer


def test_an_answer_behind_the_top_five_does_not_make_it_answerable() -> None:
    documents = (*(document(rank) for rank in range(1, 6)), document(6, "In Oslo."))
    case = only(Question("q", "q", "Where?", ("Oslo",), documents))
    assert not case.answerable
    assert recall([case]) == 0.0
    assert recall([case, only(Question("q", "q", "Where?", ("Oslo",), documents[::-1]))]) == 0.5
    assert recall([]) == 0.0


@pytest.mark.parametrize(
    ("answers", "text", "expected"),
    [
        (("Kristiania", "Oslo"), "He lived in Oslo.", "Oslo"),
        (("Kristiania", "Oslo"), "In Kristiania, now Oslo.", "Kristiania"),
        (("Kristiania", "Oslo"), "He lived there.", "Kristiania"),
    ],
)
def test_the_answer_of_the_statement_is_the_first_that_a_document_holds(
    answers: tuple[str, ...], text: str, expected: str
) -> None:
    assert only(Question("q", "q", "Where?", answers, (document(1, text),))).answer == expected


@pytest.mark.parametrize(("ranks", "slots"), [((1, 2, 3, 4, 5), 6), ((1, 2, 3), 4), ((1,), 2)])
def test_slots_are_uniform_over_all_places_the_last_included(ranks: tuple[int, ...], slots: int) -> None:
    found = [only(question(*ranks, id=f"id-{i}")).slot for i in range(3000)]
    counts = [found.count(slot) for slot in range(slots)]
    assert sum(counts) == 3000
    assert counts[-1] > 0
    # The draw is fixed by the ids, so this either always passes or never.
    assert chisquare(counts).pvalue > 0.001


def test_the_slot_depends_on_id_and_seed_alone() -> None:
    one = only(question(1, 2, 3, 4, 5, id="a"))
    other = Question("a", "a", "When?", ("1901",), tuple(document(rank) for rank in range(2, 8)))
    assert one.slot == only(other).slot
    assert len({only(question(1, 2, 3, 4, 5, id="a"), seed=seed).slot for seed in range(60)}) == 6


def test_a_withdrawn_item_is_left_out_by_name_and_still_lends_its_documents() -> None:
    given = [question(1, id="a"), question(1, id="b"), question(1, id="c")]
    before, after = seeds(given, 5, 0), seeds(given, 5, 0, {"b": "the passage gives the answer"})
    assert [case.id for case in after.cases] == ["a", "c"]
    assert [(one.id, reason.code, reason.detail) for one, reason in after.rejected] == [
        ("b", "withdrawn", "the passage gives the answer")
    ]
    assert sorted(case.id for case in after.lenders) == [case.id for case in before.lenders] == ["a", "b", "c"]
