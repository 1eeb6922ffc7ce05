import json

import pytest

from eval.models.engine import Reply
from eval.prompting import template
from eval.tasks.judging import judge_messages, needs_judge, read_verdict
from loaders.records import Hop, Item, Passage

HOPS = (Hop("1", "", "", (), ()),)
ITEM = Item("x", "Where was Ada born?", "Cuba", ("Republic of Cuba",), (Passage("", "Rain."),), HOPS, True, "CC0-1.0")


def _reply(text, finish_reason="stop"):
    return Reply("k", text, finish_reason, 1, 1, "{}")


def test_the_judges_line_of_json_has_its_braces():
    lines = template("audit", "judge_system").splitlines()
    assert json.loads(lines[2]) == {"verdict": "<correct|partial|incorrect>", "reason": "<one short sentence>"}
    assert lines[0].startswith("You are a calibrated grader for short-answer multi-hop QA.")
    assert lines[-1] == "Do not output anything other than the JSON line."
    assert len([line for line in lines if line.startswith("- ")]) == 8


def test_the_judge_sees_no_document():
    system, user = judge_messages(ITEM, _reply("<think>Rome?</think>Havana, {question}"))
    assert (system.role, system.content) == ("system", template("audit", "judge_system"))
    assert user.content == (
        "Question: Where was Ada born?\n\nReference answer(s) (any one suffices):\n- Cuba\n- Republic of Cuba\n\n"
        "Model response:\nHavana, {question}\n\nNow grade the model response."
    )


@pytest.mark.parametrize(
    ("prompt", "reply", "needed"),
    [
        ("multihop", _reply("Cuba"), True),  # the paper lets its judge see exact matches too
        ("long", _reply("the Cuba."), False),
        ("long", _reply("In Cuba"), True),
        ("multihop", _reply(""), False),
        ("multihop", _reply("Cuba and", "length"), False),
    ],
)
def test_which_replies_a_judge_must_see(prompt, reply, needed):
    assert needs_judge(ITEM, prompt, reply) is needed


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"verdict": "correct", "reason": "Same."}', "correct"),
        ('```json\n{"verdict": "Partial", "reason": "x"}\n```', "partial"),
        ('Sure: {"verdict":"incorrect"}', "incorrect"),
        ('{"verdict": "correct"} {"verdict": "correct"}', "correct"),
        ('{"verdict": "correct"} or {"verdict": "incorrect"}', "unjudged"),
        ('{"verdict": "<correct|partial|incorrect>"}', "unjudged"),
        ('{"verdict": "right"}', "unjudged"),
        ('{"reason": "none"}', "unjudged"),
        ("{not json}", "unjudged"),
        ("correct", "unjudged"),
        ("", "unjudged"),
        ('<think>{"verdict": "correct"}</think>', "unjudged"),
    ],
)
def test_verdicts(text, verdict):
    assert read_verdict(_reply(text)) == verdict


def test_a_verdict_cut_at_the_limit_is_unjudged():
    assert read_verdict(_reply('{"verdict": "correct"}', "length")) == "unjudged"
