"""A checker's opinion: yes or no with the words that it rests on; what cannot be read is neither."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from builders.voices import Voice
from eval.models.engine import Request
from eval.models.structured import ask_structured, response_schema

REPAIRS = 2
YES, NO, UNJUDGED = "yes", "no", "unjudged"


class Opinion(BaseModel):
    """What a checker replies."""

    model_config = ConfigDict(extra="forbid")

    quote: str
    verdict: Literal["yes", "no"]


@dataclass(frozen=True)
class Said:
    """What came of one question: yes, no, unjudged (never readable), or nothing where the call failed."""

    request: Request
    verdict: str
    evidence: str = ""


def ask_opinions(checker: Voice, prompt: Path, values: Sequence[Mapping[str, str]]) -> list[Said]:
    """Ask the prompt of a file once for each set of values; a malformed reply is sent back `REPAIRS` times at most."""
    requests = checker.requests(prompt, values, response_schema(Opinion))
    found = ask_structured(checker.asker, requests, Opinion, REPAIRS)

    def said(request: Request) -> Said:
        key = request.key
        if opinion := found.records.get(key):
            return Said(request, opinion.verdict, f"request {key}: {opinion.quote}")
        if key in found.malformed:
            return Said(request, UNJUDGED, f"request {key}: {found.malformed[key]}")
        return Said(request, "")

    return [said(request) for request in requests]
