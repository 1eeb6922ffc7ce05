"""What a reply says once label, quotes and line breaks are off it, and the name of what makes it useless."""

import pytest

from builders.written import read_text
from eval.models.engine import Reply
from loaders.records import Reason

PASSAGE = "Jesse Douglas was an American mathematician. He won the Fields Medal in 1936."


def reply(text: str, finish: str = "stop") -> Reply:
    return Reply("k", text, finish, 9, 7, "{}")


@pytest.mark.parametrize(
    "text",
    [
        PASSAGE,
        f"Passage: {PASSAGE}",
        f"passage:\n{PASSAGE}\n",
        f'"{PASSAGE}"',
        f"<think>Who was that?</think>\n\n{PASSAGE}",
        PASSAGE.replace(". He", ".\n\nHe"),
        PASSAGE.replace(" was", "\n was"),
    ],
)
def test_the_form_of_a_reply_is_taken_off(text: str) -> None:
    assert read_text(reply(text), "Passage") == (PASSAGE, None)


FAULTS = [
    ("I'm sorry, but I can't help with that.", "refusal"),
    ("I’m very sorry, but this is false.", "refusal"),
    ("Sorry, but the claim cannot be supported.", "refusal"),
    ("I cannot write this passage.", "refusal"),
    ("Unfortunately, I can't verify this.", "refusal"),
    ("I apologize for the confusion.", "refusal"),
    ("Douglas won. As an AI language model, I have no access to more.", "refusal"),
    ("The medal is old. However, I cannot provide sources.", "refusal"),
    ("Claim: Douglas won the medal.", "prompt_echo"),
    (f"Question: who won\n{PASSAGE}", "prompt_echo"),
    ("Given a claim, write a concise, factual passage.", "prompt_echo"),
    (f"Sure! {PASSAGE}", "model_talk"),
    (f"Here is a passage in the style of Wikipedia: {PASSAGE}", "model_talk"),
    (f"{PASSAGE} (Note: this is fiction.)", "model_talk"),
    (f"{PASSAGE}\nWord count: 58", "model_talk"),
    ("The claim is false. Douglas won nothing.", "model_talk"),
    ("Contrary to the given claim, Douglas won nothing.", "model_talk"),
    (f"# Jesse Douglas\n{PASSAGE}", "markup"),
    ("- Douglas was born in New York.\n- He won a medal.", "markup"),
    ("Douglas did two things:\n1. He won.\n2. He taught.", "markup"),
    ("**Jesse Douglas** was a mathematician.", "markup"),
    ("Douglas won the [Fields Medal](https://example.org).", "markup"),
    ("Douglas won the Fields Medal.[1]", "markup"),
    ("<p>Douglas won.</p>", "markup"),
    ("", "empty_reply"),
    (" ... \n", "empty_reply"),
    ("Passage:", "empty_reply"),
    ("<think>He must have won", "empty_reply"),
]


@pytest.mark.parametrize(("text", "code"), FAULTS)
def test_every_fault_has_its_name(text: str, code: str) -> None:
    fault = read_text(reply(text), "Passage").fault
    assert fault is not None
    assert fault.code == code


def test_what_was_cut_is_kept_and_named() -> None:
    text = "Jesse Douglas was an"
    assert read_text(reply(text, "length"), "Passage") == (text, Reason("reply_cut", "after 7 tokens"))


@pytest.mark.parametrize(
    "text",
    [
        '"Sorry" is a song by Justin Bieber.',
        "I Can't Make You Love Me is a song by Bonnie Raitt.",
        "1. FC Köln is a German football club.",
        "Sure Thing is a song. The band said that it was a note to a friend.",
        "He disputed the claim of the duke, and the answer was no: the passage stayed closed.",
        "Sorry We Missed You is a film. Here is where it was made, near the Tyne - and at sea.",
    ],
)
def test_honest_sentences_pass(text: str) -> None:
    assert read_text(reply(text), "Passage") == (text, None)


def test_a_label_of_another_prompt_is_an_echo() -> None:
    assert read_text(reply("Sentence: Douglas won."), "Sentence") == ("Douglas won.", None)
    fault = read_text(reply("Sentence: Douglas won."), "Passage").fault
    assert fault == Reason("prompt_echo", "Sentence:")
