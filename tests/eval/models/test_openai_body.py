"""What is sent, and what a refusal teaches."""

import json

import pytest

from eval.models.engine import Message, Request
from eval.models.openai_body import OPTIONAL, body, estimated_tokens, is_strict, refused_parameter

REQUEST = Request("openai:m", (Message("system", "s" * 40), Message("user", "u" * 40)), max_tokens=9, schema="{}")
CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def test_the_whole_body():
    assert body("m", REQUEST, ()) == {
        "model": "m",
        "messages": [{"role": "system", "content": "s" * 40}, {"role": "user", "content": "u" * 40}],
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": REQUEST.draw_seed,
        "max_tokens": 9,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": {}, "strict": True}},
    }


def test_a_limit_on_tokens_is_always_there():
    assert body("m", REQUEST, OPTIONAL).keys() == {"model", "messages", "max_completion_tokens"}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (CLOSED | {"additionalProperties": True}, False),
        ({name: value for name, value in CLOSED.items() if name != "additionalProperties"}, False),
        (CLOSED | {"required": []}, False),
        (CLOSED | {"properties": {"a": {"type": "array", "items": CLOSED}}}, True),
        (CLOSED | {"properties": {"a": {"type": "array", "items": {"type": "object"}}}}, False),
        (CLOSED | {"properties": {"a": {"anyOf": [CLOSED, {"type": "object"}]}}}, False),
    ],
)
def test_strict_needs_closed_objects(schema, strict):
    assert is_strict(schema) is strict


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
        ("`temperature` and `top_p` cannot both be specified for this model.", "temperature"),
        ('Invalid JSON payload received. Unknown name "seed": Cannot find field.', "seed"),
        ("[{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]", "seed"),
        ("This response_format type is unavailable now", "response_format"),
        ("max_tokens is too large: 100000. This model supports at most 4096 completion tokens.", ""),
        ("This model's maximum context length is 2048 tokens. However, you requested 5000 tokens.", ""),
        ("Unsupported parameter: 'logprobs'", ""),
        ("The model `m` does not exist", ""),
    ],
)
def test_which_parameter_is_refused(message, name):
    assert refused_parameter(message, body("m", REQUEST, ())) == name


def test_what_was_not_sent_is_not_refused():
    message = "Unsupported parameter: 'max_tokens' is not supported."
    assert refused_parameter(message, body("m", REQUEST, ("max_tokens",))) == ""


def test_tokens_are_estimated_with_the_reply():
    assert estimated_tokens(REQUEST) == 80 // 4 + 9


def test_the_body_is_json():
    assert json.loads(json.dumps(body("m", REQUEST, ()))) == body("m", REQUEST, ())
