"""Requests and their keys, and engines by name."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.models.engine import Message, Request, open_engine
from loaders.errors import DecoyQAError

REQUEST = Request("scripted:rules@sha256:00", (Message("user", "Who wrote Emma?"),))


def test_key_is_pinned():
    # A change of this value makes every stored reply unreachable.
    assert REQUEST.key == "93d2fd35c6b84ee197db796eb1b38c377e08b239c5ae8cc9aeae40fc589018a9"


@pytest.mark.parametrize(
    "change",
    [
        {"engine": "other"},
        {"messages": (Message("system", "Who wrote Emma?"),)},
        {"messages": (Message("user", "Who wrote Emma? "),)},
        {"messages": (Message("user", "Who wrote"), Message("user", " Emma?"))},
        {"temperature": 0.7},
        {"max_tokens": 65},
        {"seed": 1},
        {"top_p": 0.9},
        {"sample": 1},
        {"schema": "{}"},
    ],
)
def test_every_field_is_part_of_the_key(change):
    assert replace(REQUEST, **change).key != REQUEST.key


def test_a_whole_number_is_the_same_temperature():
    assert replace(REQUEST, temperature=0, top_p=1).key == REQUEST.key


@given(st.text(st.characters()))
def test_any_text_has_a_key(text):
    assert len(replace(REQUEST, messages=(Message("user", text),)).key) == 64


def test_samples_and_seeds_draw_differently():
    draws = {replace(REQUEST, seed=seed, sample=sample).draw_seed for seed in range(5) for sample in range(5)}
    assert len(draws) == 25
    assert all(0 <= draw < 2**31 for draw in draws)


@pytest.mark.parametrize("name", ["gpt:x", "scripted", "scripted:", "llamacpp", ""])
def test_an_unknown_engine_names_the_known_ones(name):
    with pytest.raises(DecoyQAError, match=r"known engines: llamacpp:\.\.\., openai:\.\.\., "):
        open_engine(name)
