"""The engine that answers by written rules."""

import hashlib
import json
from pathlib import Path

import pytest

from eval.models.engine import Failure, Message, Reply, Request, open_engine
from loaders.errors import InputError

RULES = """\
{"contains": ["capital", "France"], "reply": "Paris it is"}
{"contains": ["France"], "reply": "Too long", "finish_reason": "length"}
{"contains": ["Atlantis"], "fail": "the server is down"}

{"reply": "UNANSWERABLE"}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "rules.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def ask(path: Path, *prompts: str) -> list[Reply | Failure]:
    with open_engine(f"scripted:{path}") as engine:
        return list(engine.ask([Request(engine.identity, (Message("user", prompt),)) for prompt in prompts]))


def test_first_matching_rule_answers(tmp_path):
    answers = ask(write(tmp_path, RULES), "The capital of France?", "France?", "Atlantis?", "capital?")
    assert [answer.text if isinstance(answer, Reply) else answer.error for answer in answers] == [
        "Paris it is",
        "Too long",
        "the server is down",
        "UNANSWERABLE",
    ]
    first, second = answers[0], answers[1]
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.prompt_tokens, first.completion_tokens, first.finish_reason) == (4, 3, "stop")
    assert json.loads(first.raw) == {"content": "Paris it is", "finish_reason": "stop"}
    assert second.finish_reason == "length"


def test_parts_may_stand_in_different_messages(tmp_path):
    with open_engine(f"scripted:{write(tmp_path, RULES)}") as engine:
        request = Request(engine.identity, (Message("system", "Name the capital."), Message("user", "France")))
        (answer,) = engine.ask([request])
    assert isinstance(answer, Reply)
    assert answer.text == "Paris it is"


def test_a_prompt_without_a_rule_fails(tmp_path):
    (answer,) = ask(write(tmp_path, '{"contains": ["x"], "reply": "y"}'), "Who?")
    assert isinstance(answer, Failure)
    assert answer.error == "no rule matches the prompt"


def test_identity_is_the_content_wherever_it_lies(tmp_path):
    (tmp_path / "other").mkdir()
    here, there = write(tmp_path, RULES), write(tmp_path / "other", RULES)
    digest = hashlib.sha256(RULES.encode()).hexdigest()
    assert open_engine(f"scripted:{here}").identity == f"scripted:rules@sha256:{digest}"
    assert open_engine(f"scripted:{there}").identity == open_engine(f"scripted:{here}").identity


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("reply: x", "Invalid JSON"),
        ("[1]", "Input should be"),
        ('{"contains": ["x"]}', "needs either reply or fail"),
        ('{"reply": "x", "fail": "y"}', "needs either reply or fail"),
        ('{"contain": ["x"], "reply": "y"}', "contain: Unexpected keyword argument"),
        ('{"contains": "x", "reply": "y"}', "contains: Input should be a valid"),
        ('{"reply": 3}', "reply: Input should be a valid string"),
    ],
)
def test_a_line_that_is_no_rule_is_named(tmp_path, line, said):
    path = write(tmp_path, '{"reply": "fine"}\n' + line)
    with pytest.raises(InputError, match=said) as error:
        open_engine(f"scripted:{path}")
    assert error.value.row == 2


def test_a_missing_file_and_a_directory_are_bad_input(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(InputError, match="expected a readable file of rules"):
            open_engine(f"scripted:{path}")
