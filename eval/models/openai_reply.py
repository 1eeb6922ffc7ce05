"""From the bytes of an endpoint's answer to a reply, or to the reason why they are none."""

import json
from typing import Any

from eval.models.engine import Reply

# `abort` (a server that shuts down), `error` or nothing at all mean half a text. `content_filter` has its own error.
_FINISHED = ("stop", "length")


class GarbageError(Exception):
    """An answer that is no whole chat completion; another try may bring one."""


class FilteredError(Exception):
    """The endpoint's filter cut the text: not what the model says, and the same again at every try."""


def read_reply(key: str, content: bytes) -> Reply:
    """Return the reply in the body of an answer; raises GarbageError or FilteredError.

    The text is empty where a model thought until its limit, and the refusal where it refused a schema. Usage that is
    missing counts as 0.
    """
    try:
        raw = content.decode()
        answer = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise GarbageError("the answer is no JSON") from error
    choice, message = _choice(answer)
    thought, text = _reasoning(message), _text(message)
    if text is None and not thought and choice["finish_reason"] != "length":
        raise GarbageError("the answer has no content")
    usage = answer.get("usage")
    return Reply(
        key=key,
        text=_whole(text or ""),
        finish_reason=choice["finish_reason"],
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        raw=raw,
        reasoning=_whole(thought),
        cached_tokens=_count(usage, "prompt_tokens_details", "cached_tokens"),
        reasoning_tokens=_count(usage, "completion_tokens_details", "reasoning_tokens"),
        model=_whole(str(answer.get("model") or "")),
    )


def same_model(asked: str, answered: str) -> bool:
    """Return whether an endpoint's name for what answered can be the model that was asked: `gpt-4o-2024-08-06` is."""
    asked, answered = (name.lower().rpartition("/")[2] for name in (asked, answered))
    return not answered or asked in answered or answered in asked


def _choice(answer: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the one choice and its message."""
    if not isinstance(answer, dict):
        raise GarbageError("the answer is no JSON object")
    if answer.get("error"):
        raise GarbageError(f"an error in place of an answer: {json.dumps(answer['error'])[:500]}")
    choices = answer.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise GarbageError("the answer does not have one choice")
    message, reason = choices[0].get("message"), choices[0].get("finish_reason")
    if reason == "content_filter":
        raise FilteredError("the endpoint's filter cut the reply (finish_reason content_filter)")
    if not isinstance(message, dict) or reason not in _FINISHED:
        raise GarbageError(f"the reply is not finished (finish_reason {reason!r})")
    return choices[0], message


def _text(message: dict[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, list):  # parts, of which some are thoughts
        parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
        return "".join(str(part.get("text", "")) for part in parts)
    for text in (content, message.get("refusal")):
        if isinstance(text, str):
            return text
    return None


def _reasoning(message: dict[str, Any]) -> str:
    """Return the thoughts; servers call them either way."""
    for name in ("reasoning", "reasoning_content"):
        if isinstance(message.get(name), str) and message[name]:
            return str(message[name])
    return ""


def _count(usage: Any, *path: str) -> int:
    for name in path:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if isinstance(usage, int) and usage > 0 else 0


def _whole(text: str) -> str:
    """Return a text without halves of surrogate pairs, which JSON can hold and no file can."""
    return text.encode("utf-8", "replace").decode()
