"""A prompt is what its file holds; values go in at once and stay as they are."""

from hashlib import sha256
from pathlib import Path

import pytest

from eval.models.prompts import fill, prompt_hash, read_prompt


def test_the_line_end_that_closes_the_file_is_no_part_of_the_prompt(tmp_path: Path) -> None:
    path = tmp_path / "ask.txt"
    path.write_bytes(b"Question: {question}\nAnswer:\n")
    assert read_prompt(path) == "Question: {question}\nAnswer:"
    assert prompt_hash(path) == sha256(b"Question: {question}\nAnswer:").hexdigest()


def test_a_value_that_holds_a_placeholder_stays_as_it_is() -> None:
    filled = fill("{question} {answer}{question}", {"question": "what is {answer}", "answer": "{question}"})
    assert filled == "what is {answer} {question}what is {answer}"


def test_what_is_no_placeholder_stays() -> None:
    assert fill('{"a": {}} {Question}', {}) == '{"a": {}} {Question}'


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill("{answer}", {})
