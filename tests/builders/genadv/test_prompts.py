"""The writing prompts are those of Table 10, word for word; every prompt of a build is hashed."""

import re

import pytest

from builders.genadv.voices import CHECKING_PROMPTS, PROMPTS, WRITING_PROMPTS
from eval.models.prompts import prompt_hash, read_prompt

TABLE_10 = {
    "answer_sentence": (
        "Please write a single sentence using the following question and answer. The sentence should include the "
        "answer and be as realistic as possible.:\nQuestion: {question}\nAnswer: {answer}\nSentence:",
        "b81a2f47263bc2e9",
    ),
    "adversarial_sentence": (
        "Rewrite the sentence by replacing the specified words with others, ensuring that the new sentence retains a "
        "meaning as close as possible to the original while not being identical. The words to replace are named "
        "entities, which should be substituted with entities of the same type. The revised sentence must also remain "
        "factually accurate.\nOriginal sentence: {answer_sentence}\nWords to replace: {named_entities}\n"
        "Revised sentence:",
        "d9bc13703e744078",
    ),
    "adversarial_passage": (
        "Given a claim, write a concise, factual passage using 50 to 100 words to support it. Please write the passage "
        "in the style of Wikipedia:\nClaim: {adversarial_sentence}\nPassage:",
        "f9e9d04c2defeb54",
    ),
}


@pytest.mark.parametrize("name", WRITING_PROMPTS)
def test_the_prompts_of_table_10(name: str) -> None:
    text, digest = TABLE_10[name]
    assert read_prompt(PROMPTS / f"{name}.txt") == text
    assert prompt_hash(PROMPTS / f"{name}.txt")[:16] == digest


@pytest.mark.parametrize("name", CHECKING_PROMPTS)
def test_what_a_checker_sees(name: str) -> None:
    text = read_prompt(PROMPTS / f"{name}.txt")
    assert re.findall(r"\{(\w+)\}", text) == ["question", "answer", "title", "passage"]
    assert '"quote"' in text
    assert '"verdict" is "yes" or "no"' in text


def test_every_file_is_asked_by_somebody() -> None:
    assert {path.stem for path in PROMPTS.iterdir()} == {*WRITING_PROMPTS, *CHECKING_PROMPTS}
