"""Patterns in the words of the whole question, and refusals of questions that no pattern could say."""

import pytest
from realhop_items import item

from builders.realhop.as_asked import as_asked
from builders.realhop.claims import Constant
from builders.realhop.constants import Mention
from builders.realhop.refusals import unfit, unsound
from builders.realhop.understand import Understood

KINDS = {"c1": "work", "h1": "person", "h2": "place"}


def constant(text: str) -> Constant:
    norms = tuple(text.lower().split())
    return Constant("c1", text, norms, (Mention(text, 0, len(text), norms),))


@pytest.mark.parametrize(
    ("question", "pattern", "asked"),
    [
        ("What is the title role of Emma?", "The character of {c1} is {h1}.", "The character of {c1} is {h1}."),
        ("Who is the title character of X?", "The character of {c1} is {h1}.", "The title character of {c1} is {h1}."),
        (
            "What is the leading school in the city of X?",
            "{h1} is a university in {h2}.",
            "{h1} is a university in {h2}.",
        ),
        (
            "What is the leading ballet company in the country of X?",
            "{h1} is a ballet company in {h2}.",
            "{h1} is the leading ballet company in {h2}.",
        ),
        ("What is the county whose capital is X?", "{h1} is the capital of {h2}.", "{h1} is the capital of {h2}."),
        ("What is the same capital of X?", "{h1} is the capital of {h2}.", "{h1} is the capital of {h2}."),
        ("Where is the city where X died?", "{h1} lived in {h2} when he died.", "{h1} died in {h2}."),
        ("Where did X live when he died?", "{h1} lived in {h2} when he died.", "{h1} lived in {h2} when he died."),
        ("In which country that X is from?", "The nationality of {h1} was {h2}.", "{h1} comes from {h2}."),
        ("What nationality was X?", "The nationality of {h1} was {h2}.", "The nationality of {h1} was {h2}."),
        ("How many work at the school that holds X?", "{c1} is part of {h1}.", "{h1} holds {c1}."),
        ("Where is the Golden event held?", "{c1} are held in {h2}.", "{c1} is held in {h2}."),
        ("Where are Golden Gloves held?", "{c1} are held in {h2}.", "{c1} are held in {h2}."),
        ("What do those of X speak?", "{h1} speak {h2}.", "{h1} speaks {h2}."),
        ("Who is it?", "{h1} and {h2} speak {c1}.", "{h1} and {h2} speak {c1}."),
        ("What is X by Y called?", "{c1} of {h1} is known as {h2}.", "{c1} by {h1} is known as {h2}."),
    ],
)
def test_a_pattern_says_what_the_question_asks(question: str, pattern: str, asked: str) -> None:
    assert as_asked(question, pattern, {"c1": constant("Golden Gloves")}, KINDS) == asked


STEPS = [("Emma >> author", "Ann"), ("#1 >> place of birth", "Leeds")]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the child of the physicist who who wrote Emma?",
        "How many rooms does the bank that bought Emma has are there?",
        "When did the merchant of the city where the composer of Emma takes place?",
        "What year did the Governor of the city where Ann Lee died end?",
    ],
)
def test_a_question_that_is_no_english_is_refused(question: str) -> None:
    reason = unfit(item(question, STEPS))
    assert reason
    assert reason.code == "broken_question"


@pytest.mark.parametrize("question", ["When did the war that takes after Emma end?", "Who is it who wrote Emma?"])
def test_a_sound_question_is_not(question: str) -> None:
    assert unfit(item(question, STEPS)) is None


@pytest.mark.parametrize(
    ("question", "pattern", "code"),
    [
        ("Who played the one in Emma that he was named after?", "{h1} played {h2} in {c1}.", "hop_not_asked"),
        ("Where is the city of the composer of Emma?", "{h2} worked in {h1} with {c1}.", "hop_not_asked"),
        ("What publisher was formed from the owner of Emma?", "{c1} is part of {h1}.", "hop_not_asked"),
        ("Who had crossover hits played with Emma?", "{h1} was featured with {c1}.", "hop_not_asked"),
        ("Who is the oldest actor of Emma?", "{h1} acted in {c1}.", "rank_not_in_hops"),
        ("What does Emma pay?", "The average salary of a working {h1} in {c1} is {h2}.", "not_rebindable"),
        ("What does Emma pay?", "{c1} is an {h1}.", "not_rebindable"),
        ("What is a film by Emma?", "{h2} is a film by {h1} and {c1}.", None),
        ("Who was born in Emma?", "{h1} was born in {c1}.", None),
        ("What is the most populous city of Emma?", "The largest city of {c1} is {h1}.", None),
        ("Who died in the east of Emma?", "{h1} died in {c1}.", None),
    ],
)
def test_hops_and_question_ask_the_same(question: str, pattern: str, code: str | None) -> None:
    known = Understood((constant("Emma"),), {"h1": "place", "h2": "place"}, {"1": pattern})
    reason = unsound(item(question, STEPS), known)
    assert (reason and reason.code) == code
