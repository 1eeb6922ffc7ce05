"""From a stored reply to the text that is scored."""

import re

from eval.models.engine import Reply

_THINK = re.compile(r"<think>.*?</think>", re.DOTALL)


def final_text(reply: Reply) -> str:
    """Return the reply without its think blocks; empty if it was cut at the token limit or never stopped thinking."""
    text = _THINK.sub("", reply.text)
    # Some chat templates write the opening tag themselves: the reply then holds only the closing one.
    text = text.rpartition("</think>")[2]
    if reply.finish_reason == "length" or "<think>" in text:
        return ""
    return text.strip()
