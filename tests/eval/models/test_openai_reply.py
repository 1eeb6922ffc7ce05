"""What counts as a reply, and what is read out of it."""

import json

import pytest
from faults import completion

from eval.models.openai_reply import FilteredError, GarbageError, read_reply, same_model
from eval.models.parse import final_text


def read(answer: object):
    return read_reply("k", json.dumps(answer).encode())


def message(finish_reason: str = "stop", **fields: object):
    """Return the reply to a completion whose message holds these fields."""
    return read(completion("", finish_reason=finish_reason, message={"role": "assistant", **fields}))


@pytest.mark.parametrize(
    ("finish_reason", "fields", "text", "reasoning"),
    [
        ("stop", {"content": "Paris"}, "Paris", ""),
        ("stop", {"content": "Paris", "reasoning": "Hm."}, "Paris", "Hm."),
        ("stop", {"content": "Paris", "reasoning_content": "Hm."}, "Paris", "Hm."),
        ("stop", {"content": "Paris", "reasoning": "", "reasoning_content": "Hm."}, "Paris", "Hm."),
        ("stop", {"content": "Paris", "reasoning": None}, "Paris", ""),
        ("stop", {"content": "", "reasoning": "Hm."}, "", "Hm."),
        ("stop", {"content": None, "reasoning": "Hm."}, "", "Hm."),
        ("length", {"content": None, "reasoning": "Hm, wel"}, "", "Hm, wel"),
        ("length", {"content": None}, "", ""),
        ("length", {"content": "Par"}, "Par", ""),
        ("stop", {"content": ""}, "", ""),
        ("stop", {"content": None, "refusal": "I cannot."}, "I cannot.", ""),
        ("stop", {"content": [{"type": "text", "text": "Pa"}, {"type": "text", "text": "ris"}]}, "Paris", ""),
        ("stop", {"content": [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "Paris"}]}, "Paris", ""),
    ],
)
def test_text_and_reasoning(finish_reason, fields, text, reasoning):
    reply = message(finish_reason, **fields)
    assert (reply.text, reply.reasoning, reply.finish_reason) == (text, reasoning, finish_reason)
    assert final_text(reply) == ("" if finish_reason == "length" else text)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (0, 0, 0, 0)),
        ({}, (0, 0, 0, 0)),
        ("none", (0, 0, 0, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 4}, (9, 4, 0, 0)),
        ({"prompt_tokens": "9", "completion_tokens": -4, "prompt_tokens_details": None}, (0, 0, 0, 0)),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 8},
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            (9, 4, 8, 3),
        ),
    ],
)
def test_usage(usage, counts):
    reply = read(completion("x") | {"usage": usage})
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens, reply.reasoning_tokens) == counts


def test_raw_is_what_came():
    content = b'{ "choices":[{"message": {"content":"a\\ud83d \\ud83d\\udc0d"}, "finish_reason":"stop"}],\n"x": 1.50}'
    reply = read_reply("k", content)
    assert reply.raw == content.decode()
    assert (reply.text, reply.model) == ("a? 🐍", "")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([], "no JSON object"),
        (None, "no JSON object"),
        ({}, "one choice"),
        ({"choices": None}, "one choice"),
        ({"choices": [None]}, "one choice"),
        ({"choices": completion("a")["choices"] * 2}, "one choice"),
        ({"error": {"message": "gone"}}, 'an error in place of an answer: {"message": "gone"}'),
        (completion("Par", finish_reason=None), "not finished"),
        (completion("Par", finish_reason=["stop"]), "not finished"),
        (completion("Par", finish_reason="abort"), "not finished"),
        (completion(None, finish_reason="tool_calls"), "not finished"),
        (completion("Par", message="Par"), "not finished"),
        (completion(None), "no content"),
        (completion("", message={"content": 7}), "no content"),
    ],
)
def test_garbage(answer, error):
    with pytest.raises(GarbageError, match=error.replace("{", "\\{")):
        read(answer)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"<html>", b"[" * 100_000, b'{"choices": [{"fini'])
def test_no_json(content):
    with pytest.raises(GarbageError, match="the answer is no JSON"):
        read_reply("k", content)


def test_what_a_filter_cut_is_no_reply():
    with pytest.raises(FilteredError):
        read(completion("Par", finish_reason="content_filter"))


@pytest.mark.parametrize(
    ("asked", "answered", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("openai/gpt-4o", "gpt-4o", True),
        ("smollm2", "SmolLM2-135M-Instruct.Q4_1", True),
        ("gpt-4o", "", True),
        ("gpt-4o", "gpt-3.5-turbo", False),
    ],
)
def test_same_model(asked, answered, same):
    assert same_model(asked, answered) is same
