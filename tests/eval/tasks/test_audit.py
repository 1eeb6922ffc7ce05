import json

import pytest

from eval.models.engine import Message, Reply
from eval.prompting import template, template_hash
from eval.tasks.audit import Ask, Case, answer_elsewhere, plan, render, score
from loaders.records import Hop, Item, Passage, Span

ONLY = "Only give me the answer and do not output any other words."
HASHES = {
    "multihop": "6960a0ee35afd3f4",
    "long": "8e207f5610c7df2d",
    "choice": "f4e7a59d4410a2d6",
    "judge": "e7c9b05055045d0e",
    "judge_system": "094038ddcd0c6308",
}


def _item(**changes):
    facts = {
        "id": "x",
        "question": "Where was Ada born?",
        "answer": "Cuba",
        "answer_aliases": ("Republic of Cuba",),
        "passages": (Passage("Zig", "Ada wrote Zig."), Passage("Ada", "Ada was born in Cuba."), Passage("", "Rain.")),
        "hops": (
            Hop("1", "", "", (), (Span(0, 0, 14),)),
            Hop("2", "", "", ("1",), (Span(1, 0, 21),)),
        ),
        "answerable": True,
        "source_license": "CC0-1.0",
        "source_id": "s",
    }
    return Item(**facts | changes)


SOMETHING = (Message("user", "?"),)


def _ask(prompt="multihop", messages=SOMETHING, **item):
    return Ask("mine", "full", "", prompt, _item(**item), False, 0, messages)


def _reply(text, finish_reason="stop"):
    return Reply("k", text, finish_reason, 1, 1, "{}")


def test_the_wording_is_the_papers():
    assert template("audit", "multihop") == (
        f"Answer the question based on the given passages. {ONLY}\n\nThe following are given passages.\n{{context}}\n\n"
        f"Answer the question based on the given passages. {ONLY}\n\nQuestion: {{question}}\nAnswer:"
    )
    assert template("audit", "long") == (
        "Please read the following text and answer the question below.\n\n{context}\n\nQuestion: {question}\n"
        "Give only the concise answer. Do not provide an explanation or list alternatives."
    )
    assert template("audit", "choice") == (
        "Please read the following text and answer the question below.\n\n{context}\n\n"
        "What is the correct answer to this question: {question}\nChoices:\n(A) {choice_a}\n(B) {choice_b}\n"
        "(C) {choice_c}\n(D) {choice_d}\n\n"
        'Format your response as follows: "The correct answer is (insert answer here)".'
    )
    assert template("audit", "judge") == (
        "Question: {question}\n\nReference answer(s) (any one suffices):\n{references}\n\n"
        "Model response:\n{response}\n\nNow grade the model response."
    )


@pytest.mark.parametrize("name", HASHES)
def test_the_wording_never_changes_unseen(name):
    assert template_hash("audit", name)[:16] == HASHES[name]


def test_a_whole_prompt():
    assert render("multihop", "Where {context}?", _item().passages) == (
        f"Answer the question based on the given passages. {ONLY}\n\nThe following are given passages.\n"
        "Passage 1:\nZig\nAda wrote Zig.\n\nPassage 2:\nAda\nAda was born in Cuba.\n\nPassage 3:\nRain.\n\n"
        f"Answer the question based on the given passages. {ONLY}\n\nQuestion: Where {{context}}?\nAnswer:"
    )


def test_a_long_text_has_no_numbers():
    assert render("long", "Where?", _item().passages).startswith(
        "Please read the following text and answer the question below.\n\nZig\nAda wrote Zig.\n\nAda\nAda was born"
    )


def test_no_gap_in_the_numbers_tells_of_a_deletion():
    asks = plan([Case("mine", _item())], ("drop_one",), "multihop", "paragraph", 0)
    for ask in asks:
        numbers = [line for line in ask.messages[0].content.splitlines() if line.startswith("Passage ")]
        assert numbers == ["Passage 1:", "Passage 2:"]


def test_what_is_asked():
    asks = plan([Case("mine", _item())], ("full", "drop_one", "control", "half"), "multihop", "sentences", 0)
    found = {(ask.condition, ask.target): ask for ask in asks}
    assert set(found) == {
        ("full", ""),
        *(("drop_one", hop) for hop in "12"),
        *(("control", hop) for hop in "12"),
        *(("half", name) for name in ("first", "second")),
    }
    assert found["control", "1"].messages is not None
    assert found["drop_one", "2"].removed_tokens == 6
    assert found["drop_one", "2"].messages == found["half", "first"].messages


def test_the_order_of_items_changes_nothing():
    cases = [Case("mine", _item(id=name, question=f"{name}?")) for name in "abc"]
    for conditions in (("full", "drop_one", "control"), ("window",)):
        asks = plan(cases, conditions, "multihop", "paragraph", 0)
        assert asks == plan(cases[::-1], conditions, "multihop", "paragraph", 0)


@pytest.mark.parametrize(
    ("changes", "elsewhere"),
    [
        ({}, False),
        ({"answer": "rain"}, True),
        ({"answer": "no", "answer_aliases": ()}, False),
        ({"answer": "yes", "passages": (*_item().passages[:2], Passage("", "Yes, it rains."))}, False),
        ({"answer_aliases": ("Rain",)}, True),
        ({"answer_aliases": ("stands nowhere",)}, False),
        ({"answer": "Zig"}, False),  # in a support, and in its title
        ({"passages": (*_item().passages[:2], Passage("Cuba", "Rain."))}, False),
        ({"passages": (*_item().passages[:2], Passage("", "A fake Cuba.")), "inserted": (Span(2, 0, 12),)}, True),
    ],
)
def test_an_answer_outside_of_every_support_is_seen(changes, elsewhere):
    assert answer_elsewhere(_item(**changes), "sentences") is elsewhere


def _judged(text, verdict, **item):
    found = score(_ask(**item), "r", _reply(text), "j", _reply(json.dumps({"verdict": verdict})))
    return found.status, found.verdict, found.correct


def test_only_correct_is_correct():
    assert _judged("Havana", "correct") == ("scored", "correct", 1)
    assert _judged("Havana", "partial") == ("scored", "partial", 0)
    assert _judged("Cuba", "incorrect") == ("scored", "incorrect", 0)
    assert _judged("Cuba", "who knows") == ("unjudged", "unjudged", None)


def test_without_a_judge_the_verdict_is_exact_match():
    found = score(_ask(), "r", _reply("The republic of Cuba!"))
    assert (found.status, found.verdict, found.correct, found.judge_request) == ("scored", "correct", 1, "")
    assert score(_ask(), "r", _reply("in Cuba")).correct == 0
    assert score(_ask(answer="The A", answer_aliases=()), "r", _reply("")).correct == 0


def test_no_reply_and_no_judgement_are_pending():
    assert (score(_ask(), "r", None).status, score(_ask(), "r", None).correct) == ("pending", None)
    found = score(_ask(), "r", _reply("Cuba"), "j", None)
    assert (found.status, found.verdict, found.correct) == ("pending", "", None)


def test_a_reply_cut_at_the_limit_is_incorrect_and_counted():
    found = score(_ask(), "r", _reply("Cuba", "length"))
    assert (found.status, found.verdict, found.correct, found.prediction) == ("truncated", "incorrect", 0, "")


def test_a_condition_that_cannot_be_made_is_unavailable():
    found = score(_ask(messages=None), "", None)
    assert (found.status, found.correct, found.request) == ("unavailable", None, "")


@pytest.mark.parametrize(
    ("text", "took"), [("Chile", 1), ("the Chile.", 1), ("In Chile", 0), ("Cuba", 0), ("Peru", 0), ("", 0)]
)
def test_a_wrong_reply_can_be_the_end_of_a_competing_path(text, took):
    assert score(_ask(competitor_answers=("Chile", "Cuba")), "r", _reply(text)).took_endpoint == took
    assert score(_ask(), "r", _reply(text)).took_endpoint is None
