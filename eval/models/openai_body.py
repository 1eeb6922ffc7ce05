"""The body of a call, and what of it an endpoint turns out not to take.

Every compatible server knows `max_tokens`, so that name is tried first; OpenAI's reasoning models refuse it and name
`max_completion_tokens`, and they take no temperature, top_p or seed. A refusal costs nothing, so it is what decides,
not a list of model names: the parameter is renamed or left out in this call and all later ones. A model that takes no
temperature has one way to sample, hence the request and its key stay as they are; `runtime` says what was left out.
The limit on tokens is never left out.
"""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from eval.models.engine import Request

# What can be left out (max_tokens: renamed). Without response_format the reply is parsed and mended all the same.
OPTIONAL = ("max_tokens", "temperature", "top_p", "seed", "response_format")
_REFUSED = re.compile(
    r"not (be )?support|unsupported|unavailable|unknown|unrecogni[sz]ed|unexpected|extra inputs|cannot both", re.I
)


def body(model: str, request: Request, refused: Collection[str]) -> dict[str, Any]:
    """Return what is sent; raises ValueError for a schema that is no JSON."""
    limit = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
    whole: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.draw_seed,
        limit: request.max_tokens,
    }
    if request.schema:
        schema = json.loads(request.schema)
        form = {"name": "reply", "schema": schema, "strict": is_strict(schema)}
        whole["response_format"] = {"type": "json_schema", "json_schema": form}
    return {name: value for name, value in whole.items() if name not in refused}


def is_strict(schema: Any) -> bool:
    """Return whether strict mode can hold a schema: each object is closed, and all its properties are required."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("required", ())) != set(schema.get("properties", ())):
            return False
    return all(map(is_strict, schema.values()))


def refused_parameter(message: str, sent: Mapping[str, Any]) -> str:
    """Return which parameter of the body a server's error (HTTP 400 or 422) says it does not take, or nothing."""
    if not _REFUSED.search(message):
        return ""
    named = ((re.search(rf"\b{name}\b", message), name) for name in OPTIONAL if name in sent)
    return min(((found.start(), name) for found, name in named if found), default=(0, ""))[1]


def estimated_tokens(request: Request) -> int:
    """Return roughly what a call counts against a limit on tokens: four characters a token, and all of the reply."""
    return sum(len(message.content) for message in request.messages) // 4 + request.max_tokens
