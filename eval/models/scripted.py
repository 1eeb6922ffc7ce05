"""An engine that answers by written rules, so that everything around a model runs without one.

The file is JSON Lines, one rule a line; the first rule whose `contains` all stand in the prompt (all messages, joined
by newlines) answers. A rule without `contains` matches every prompt: as the last line it is the default.

    {"contains": ["capital", "France"], "reply": "Paris"}
    {"contains": ["Atlantis"], "fail": "the server is down"}
    {"contains": ["essay"], "reply": "It was a dark", "finish_reason": "length", "seconds": 0.2}
    {"reply": "UNANSWERABLE"}

`fail` in place of `reply` makes the call fail; `seconds` is how long it takes. A prompt that no rule matches fails.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from eval.models.engine import EngineOptions, Failure, Reply, Request
from loaders.errors import InputError


@dataclass(frozen=True, config=ConfigDict(extra="forbid", strict=True))
class Rule:
    """One line of the file; exactly one of `reply` and `fail` is given."""

    contains: tuple[str, ...] = ()
    reply: str | None = None
    fail: str | None = None
    finish_reason: str = "stop"
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if (self.reply is None) == (self.fail is None):
            raise ValueError("a rule needs either reply or fail")


class ScriptedEngine:
    """The rules of one file; its identity is the file's sha256, its tokens are words."""

    runtime = "scripted"

    def __init__(self, content: bytes, rules: tuple[Rule, ...]) -> None:
        self.identity = f"scripted:rules@sha256:{hashlib.sha256(content).hexdigest()}"
        self._rules = rules

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Answer one request after the other, in their order."""
        return map(self._answer, requests)

    def _answer(self, request: Request) -> Reply | Failure:
        prompt = "\n".join(message.content for message in request.messages)
        rule = next((rule for rule in self._rules if all(part in prompt for part in rule.contains)), None)
        if rule is None:
            return Failure(request.key, "no rule matches the prompt")
        time.sleep(rule.seconds)
        if rule.reply is None:
            return Failure(request.key, str(rule.fail))
        raw = json.dumps({"content": rule.reply, "finish_reason": rule.finish_reason})
        return Reply(request.key, rule.reply, rule.finish_reason, len(prompt.split()), len(rule.reply.split()), raw)

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(name: str, options: EngineOptions) -> ScriptedEngine:
    """Read the rules of a file; raises InputError with the row of the first line that is no rule."""
    path = Path(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(path, None, "expected a readable file of rules, one JSON object a line") from error
    rules = [_rule(path, row, line) for row, line in enumerate(content.splitlines(), 1) if line.strip()]
    return ScriptedEngine(content, tuple(rules))


def _rule(path: Path, row: int, line: bytes) -> Rule:
    try:
        return TypeAdapter(Rule).validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(path, row, f"expected a rule: {place + ': ' if place else ''}{first['msg']}") from error
