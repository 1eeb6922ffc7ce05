from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.models.engine import Message, Reply
from eval.prompting import template, template_hash
from eval.tasks.genadv import ASKED, CONDITIONS, TASK, render, score
from eval.tasks.task import Ask, plan
from loaders.genadv import GenADVRow
from loaders.records import Document

ASK = "Please provide the answer as a single word or term, without forming a complete sentence."
USE = f"Use the above documents to answer the subsequent question. {ASK}"
TEMPLATES = {
    "normal": f"Documents:{{documents}}\n{USE}\nQuestion: {{question}}\nAnswer:",
    "unans": f"Documents:{{documents}}\n{USE} If the answer cannot be found, write 'unanswerable'\n"
    "Question: {question}\nAnswer:",
    "conflict": f"Documents:{{documents}}\n{USE} If multiple documents present different answers, please respond with "
    "'conflict' to indicate the presence of conflicting information.\nQuestion: {question}\nAnswer:",
    "closed-book": f"Answer the following question. {ASK}\nQ: {{question}}\nA:",
}
HASHES = {
    "normal": "f6afedd79d69f57794b99986f0a32386b7b1a14d48e27a3c284baefeafb296f0",
    "unans": "b07f7b069cdea18373ba94adbaa7f657bbdf7d43a48b1b08ca7f59467baa74fb",
    "conflict": "bac2b463109d1bb6d455ae2493b43006a1bf0db8007b85ad2d5f6c487ed0baeb",
    "closed-book": "01b96213bedd3f3d91905d4eab49fbc275395e9e91c10316bcdd6a40df2fa195",
}


def _row(answers=("Paris",), answerable=True, conflict_answer="", holds=(True, False), **changes):
    documents = tuple(
        Document(f"d{i}", f"T{i}", f"Text {i}.", kind="retrieved", holds_answer=held) for i, held in enumerate(holds)
    )
    row = GenADVRow("x", "x", "Where?", answers, answerable, documents, -1, conflict_answer, "none", "CC0-1.0")
    return replace(row, **changes)


def _score(text, prompt="normal", condition="retrieved", finish_reason="stop", **row):
    ask = Ask("nq", condition, prompt, _row(**row), ())
    return score(ask, "k", Reply("k", text, finish_reason, 1, 1, "{}"))


@pytest.mark.parametrize("name", ASKED)
def test_the_wording_is_the_papers(name):
    assert template("genadv", name) == TEMPLATES[name]


@pytest.mark.parametrize("name", ASKED)
def test_the_wording_never_changes_unseen(name):
    assert template_hash("genadv", name) == HASHES[name]


def test_a_whole_prompt():
    assert render("normal", _row()) == (f"Documents:\nT0\nText 0.\n\nT1\nText 1.\n{USE}\nQuestion: Where?\nAnswer:")


def test_a_document_without_a_title_is_its_text():
    row = _row(documents=(Document("d", "", "Only text."),))
    assert render("normal", row).startswith("Documents:\nOnly text.\nUse the above")


@given(st.text(), st.text())
def test_what_stands_in_a_document_is_never_filled(text, question):
    text, question = f"{text}{{question}} {{documents}} $Q$ \\1", f"{question} {{documents}}"
    row = _row(documents=(Document("d", "T", text),), question=question)
    assert render("normal", row) == f"Documents:\nT\n{text}\n{USE}\nQuestion: {question}\nAnswer:"


@given(st.sampled_from(["retrieved", "adversarial", "conflict", "random", "topk"]), st.booleans(), st.integers(0, 9))
def test_the_kind_of_a_document_is_not_visible(kind, holds, rank):
    plain = _row()
    first = replace(plain.documents[0], kind=kind, holds_answer=holds, rank=rank, score=0.5, id=kind)
    assert render("unans", replace(plain, documents=(first, plain.documents[1]))) == render("unans", plain)


def test_prompts_keep_to_their_conditions(rows):
    asked = {}
    for ask in plan(TASK, rows, tuple(ASKED), CONDITIONS):
        asked.setdefault((ask.prompt, ask.condition), set()).add(ask.row.id)
    sizes = {place: len(ids) for place, ids in asked.items()}
    assert sizes == {
        ("normal", "retrieved"): 6,
        ("normal", "adversarial"): 5,
        ("normal", "conflict"): 4,
        ("normal", "random"): 4,
        ("normal", "topk"): 2,
        ("unans", "retrieved"): 6,
        ("unans", "adversarial"): 5,
        ("unans", "random"): 4,
        ("unans", "topk"): 2,
        ("conflict", "retrieved"): 6,
        ("conflict", "conflict"): 4,
        ("closed-book", "closed_book"): 6,
    }


def test_conditions_choose(rows):
    asks = plan(TASK, rows, ("normal", "unans"), ("retrieved", "conflict"))
    assert {(ask.prompt, ask.condition) for ask in asks} == {
        ("normal", "retrieved"),
        ("normal", "conflict"),
        ("unans", "retrieved"),
    }


def test_shared_prefixes_follow_each_other_whatever_the_order_of_rows(rows):
    asks = plan(TASK, rows, tuple(ASKED), CONDITIONS)
    texts = [ask.messages[0].content for ask in asks]
    assert texts == sorted(texts)
    assert asks == plan(TASK, {key: kept[::-1] for key, kept in reversed(rows.items())}, tuple(ASKED), CONDITIONS)
    assert asks[0].messages == (Message("user", texts[0]),)


def test_a_right_reply():
    found = _score("It is in Paris, France")
    assert (found.accuracy, found.substring_accuracy, found.em, found.held_gold) == (1, 1, 0, 1)
    assert found.f1 == pytest.approx(2 / 6)  # one token of five shared with one: 2 * 1 / (5 + 1)
    assert (found.status, found.prediction, found.request) == ("scored", "It is in Paris, France", "k")
    assert found.took_decoy is None


def test_part_of_a_word_is_right_for_the_paper_alone():
    found = _score("unknown", answers=("NO",))
    assert (found.accuracy, found.substring_accuracy) == (0, 1)


def test_a_reply_cut_at_the_limit_is_empty_and_counted_so():
    found = _score("Paris is the capital and", finish_reason="length")
    assert (found.status, found.prediction) == ("truncated", "")
    assert (found.accuracy, found.substring_accuracy, found.em, found.f1) == (0, 0, 0, 0)


def test_an_empty_reply_is_never_right():
    found = _score("", answers=("The A",))
    assert (found.accuracy, found.substring_accuracy, found.em, found.f1) == (0, 0, 0, 0)


def test_a_failed_call_is_pending_without_scores():
    found = score(Ask("nq", "conflict", "normal", _row(), ()), "k", None)
    assert (found.status, found.request) == ("pending", "k")
    scores = (found.accuracy, found.substring_accuracy, found.em, found.f1, found.took_decoy, found.held_gold)
    assert scores == (None,) * 6


@pytest.mark.parametrize(
    ("text", "abstained", "accuracy", "held"),
    [
        ("Unanswerable.", True, 1, 0),
        ("'unanswerable'", True, 1, 0),
        ("Unanswerable, but perhaps Paris", True, 1, 0),
        ("Paris", False, 0, 1),
        ("Rome", False, 0, 0),
        ("It is not unanswerable: Rome", False, 0, 0),
    ],
)
def test_where_no_document_answers_abstaining_is_right(text, abstained, accuracy, held):
    found = _score(text, "unans", answerable=False, holds=(False, False))
    assert (found.abstained, found.accuracy, found.held_gold) == (abstained, accuracy, held)
    assert found.abstention_due


def test_abstaining_from_an_answerable_question_is_wrong():
    # `S` is a substring of `unanswerable`, and would be right by the paper's rule
    found = _score("unanswerable", "unans", answers=("S",))
    assert (found.abstained, found.abstention_due) == (True, False)
    assert (found.accuracy, found.substring_accuracy, found.em, found.f1, found.held_gold) == (0, 0, 0, 0, 0)


def test_a_next_ranked_document_can_bring_the_answer():
    found = _score("Paris", "unans", "topk", answerable=False, holds=(False, True))
    assert (found.abstention_due, found.accuracy, found.answerable) == (False, 1, False)


def test_under_the_normal_prompt_no_word_abstains():
    found = _score("unanswerable", answerable=False, holds=(False, False))
    assert (found.abstained, found.abstention_due, found.accuracy) == (False, False, 0)


@pytest.mark.parametrize(
    ("text", "accuracy", "took"),
    [("Conflict", 1, 0), ("Paris", 0, 0), ("Lyon", 0, 1), ("There is no conflict. Lyon", 0, 1), ("the NFL", 0, 0)],
)
def test_beside_a_conflicting_document_conflict_is_the_right_word(text, accuracy, took):
    found = _score(text, "conflict", "conflict", conflict_answer="Lyon")
    assert (found.accuracy, found.took_decoy, found.abstention_due) == (accuracy, took, True)


def test_a_false_alarm_is_no_answer():
    found = _score("conflict", "conflict", answers=("the NFL",))
    assert (found.abstained, found.accuracy, found.substring_accuracy) == (True, 0, 0)
    assert found.took_decoy is None


def test_the_abstain_word_inside_an_answer_is_the_answer():
    found = _score("The Korean conflict", "conflict", answers=("Korean War", "Korean Conflict"))
    assert (found.abstained, found.accuracy) == (False, 1)
    both = _score("conflict: Korean Conflict or not", "conflict", answers=("Korean Conflict",))
    assert (both.abstained, both.accuracy) == (True, 0)


@pytest.mark.parametrize(("text", "took"), [("Lyon", 1), ("Lyon or Paris", 0), ("Paris", 0), ("Rome", 0)])
def test_the_decoy_is_taken_where_its_answer_stands_without_the_gold_one(text, took):
    assert _score(text, condition="conflict", conflict_answer="Lyon").took_decoy == took


def test_thoughts_are_not_the_answer():
    assert _score("<think>Rome? No.</think>Paris").prediction == "Paris"
    assert _score("<think>Paris, surely").prediction == ""
