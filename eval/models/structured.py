"""Replies as records: a schema that the engine is told, a strict parser, and repair turns for what does not fit."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from eval.models.asker import Asker
from eval.models.engine import Failure, Message, Reply, Request
from eval.models.parse import final_text

R = TypeVar("R", bound=BaseModel)

_FENCE = re.compile(r"\A```\w*\n(.*)\n```\Z", re.DOTALL)
_REPAIR = "{error}. Give the whole reply again, as JSON that fits the schema and nothing else."


@dataclass(frozen=True)
class Structured(Generic[R]):
    """Records, failed calls, and the last fault of what never fitted; all by the key of the request as it was given.

    `faulty` are last records that fit the schema and in which the caller's check still found a fault.
    """

    records: Mapping[str, R]
    failures: Mapping[str, Failure]
    malformed: Mapping[str, str]
    faulty: Mapping[str, R] = field(default_factory=dict)


def ask_structured(
    asker: Asker,
    requests: Sequence[Request],
    record: type[R],
    repairs: int = 2,
    fault_in: Callable[[str, R], str] | None = None,
) -> Structured[R]:
    """Ask for one record a request; a reply that does not fit is sent back with its fault, `repairs` times at most.

    `fault_in` says in words what is wrong with a record that fits, given the key of its request; nothing if it is
    right. Every turn is a stored request of its own, so that a second run asks nothing and comes to the same records.
    """
    schema = response_schema(record)
    turns = {request.key: replace(request, schema=schema) for request in requests}
    records: dict[str, R] = {}
    failures: dict[str, Failure] = {}
    malformed: dict[str, str] = {}
    faulty: dict[str, R] = {}
    for _ in range(repairs + 1):
        answers = asker.ask(list(turns.values()))
        asked, turns, malformed, faulty = turns, {}, {}, {}
        for key, request in asked.items():
            if request.key not in answers.replies:
                failures[key] = replace(answers.failures[request.key], key=key)
                continue
            reply = answers.replies[request.key]
            try:
                found = parse_record(reply, record)
            except ValueError as error:
                malformed[key] = str(error)
                turns[key] = _repair(request, reply, f"This does not fit the schema: {error}")
                continue
            if fault := fault_in(key, found) if fault_in else "":
                faulty[key], turns[key] = found, _repair(request, reply, fault)
            else:
                records[key] = found
    in_order = {request.key: records[request.key] for request in requests if request.key in records}
    return Structured(in_order, failures, malformed, faulty)


def response_schema(record: type[BaseModel]) -> str:
    """Return the JSON schema of a record as text, the same for the same class."""
    return json.dumps(record.model_json_schema(), sort_keys=True)


def parse_record(reply: Reply, record: type[R]) -> R:
    """Return the record that a reply holds, alone or in one code fence; raises ValueError with what does not fit."""
    if reply.finish_reason == "length":
        raise ValueError(f"the reply was cut after {reply.completion_tokens} tokens")
    text = final_text(reply)
    text = fenced[1] if (fenced := _FENCE.match(text)) else text
    try:
        return record.model_validate_json(text, strict=True)
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}".removeprefix(": ") for one in error.errors())
        raise ValueError("; ".join(faults)) from None


def _repair(request: Request, reply: Reply, error: str) -> Request:
    # Some chat templates refuse an empty turn, others two turns of the user in a row.
    said = Message("assistant", final_text(reply) or "(no complete reply)")
    return replace(request, messages=(*request.messages, said, Message("user", _REPAIR.format(error=error))))
