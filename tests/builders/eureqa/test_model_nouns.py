"""What a model calls an entity: a common noun of one to three words, or the rules' noun and a reason that counts."""

import pytest

from builders.eureqa.check import Names
from builders.eureqa.knowledge import opinion
from builders.eureqa.model_nouns import read_noun
from eval.models.engine import Reply
from loaders.records import Reason

NAMES = Names("Warner Music Group", ("WMG",))


def reply(text: str, finish: str = "stop") -> Reply:
    return Reply("k", text, finish, 9, 7, "{}")


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("record label", "record label"),
        ("Record label.", "record label"),
        ("Kind: a media company", "media company"),
        ('"publisher"', "publisher"),
        ("TV network owner", "TV network owner"),
        ("stock-holding firm", "stock-holding firm"),
        ("<think>Who is it?</think>label", "label"),
    ],
)
def test_a_noun_is_taken(text: str, noun: str) -> None:
    assert read_noun(reply(text), NAMES) == noun


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", "empty_reply"),
        ("record", "length", "reply_cut"),
        ("I'm sorry, but I can't tell.", "stop", "refusal"),
        ("company that sells records", "stop", "not_a_noun"),
        ("American company", "stop", "not_a_noun"),
        ("owner of Atlantic", "stop", "not_a_noun"),
        ("label, publisher", "stop", "not_a_noun"),
        ("3 labels", "stop", "not_a_noun"),
        ("organisation", "stop", "noun_too_wide"),
        ("music company", "stop", "noun_holds_name"),
        ("wmg", "stop", "noun_holds_name"),
        ("Entity: Atlantic\nKind: label", "stop", "prompt_echo"),
    ],
)
def test_what_is_no_noun_is_a_reason(text: str, finish: str, reason: str) -> None:
    found = read_noun(reply(text, finish), NAMES)
    assert isinstance(found, Reason)
    assert found.code == reason


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Yes", "yes"),
        ("yes.", "yes"),
        ("**Yes**, he did.", "yes"),
        ("Answer: No", "no"),
        ("The answer is no.", "no"),
        ("No, Steven Spielberg did.", "no"),
        ("That is right, yes.", "yes"),
        ("<think>Is it? No.</think>Yes", "yes"),
        ("Yes and no.", "unjudged"),
        ("Yes or No?", "unjudged"),
        ("I do not know, yes or no.", "unjudged"),
        ("No doubt.", "unjudged"),
        ("There is no information on that.", "unjudged"),
        ("Yesterday.", "unjudged"),
        ("Correct.", "unjudged"),
        ("", "unjudged"),
        ("<think>Yes", "unjudged"),
    ],
)
def test_an_opinion_is_read_with_care(text: str, verdict: str) -> None:
    assert opinion(reply(text)) == verdict


def test_an_opinion_that_was_cut_is_none() -> None:
    assert opinion(reply("Yes", "length")) == "unjudged"
