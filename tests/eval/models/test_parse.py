"""What of a reply is scored."""

import pytest

from eval.models.engine import Reply
from eval.models.parse import final_text


@pytest.mark.parametrize(
    ("text", "finish_reason", "expected"),
    [
        (" Paris\n", "stop", "Paris"),
        ("<think>Lyon?\nNo.</think>\n\nParis", "stop", "Paris"),
        ("<think>a</think>Paris<think>b</think>", "stop", "Paris"),
        ("Lyon? No.</think>Paris", "stop", "Paris"),
        ("<think></think>", "stop", ""),
        ("<think>Paris, or", "stop", ""),
        ("Paris <think>or Lyon", "stop", ""),
        ("Paris is the", "length", ""),
        ("<think>a</think>Paris is", "length", ""),
        ("", "stop", ""),
    ],
)
def test_final_text(text, finish_reason, expected):
    assert final_text(Reply("k", text, finish_reason, 1, 1, "{}")) == expected
