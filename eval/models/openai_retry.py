"""What a call that went wrong means: is another try worth it, when, and does the endpoint still want us."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from random import random

from eval.models.openai_reply import FilteredError, GarbageError

TRIES = 8  # of a call that the endpoint put off or that never reached it
FIRST_TRIES = 3  # of a call to an address where nothing ever answered: it may be the wrong one
PAID_TRIES = 3  # of a call that may have been paid for: time-outs, and answers that are none
FIRST_WAIT, LONGEST_BACKOFF = 0.5, 60.0  # seconds
LONGEST_WAIT = 300.0  # seconds; an endpoint that asks for more (a day's limit is used up) gets its failure at once
MESSAGE = 500  # characters that are kept of a server's message
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|ns|h|m|s)")


@dataclass(frozen=True)
class Trouble:
    """How a try failed: `tries` are worth it in all, `wait` is what the endpoint asks for.

    `busy` concerns all calls: too many came. `shut` too: the key is refused, or its money is used up.
    """

    error: str
    tries: int = 1
    wait: float | None = None
    busy: bool = False
    shut: bool = False
    status: int = 0  # of HTTP


def trouble_of(error: Exception) -> Trouble:
    """Return what an exception of a try means, secrets still in its text; raises what is a defect of ours."""
    from openai import APIConnectionError, APIStatusError, OpenAIError

    match error:
        case APIStatusError():
            return _refusal(error.status_code, _message(error.body) or error.message, error.code, headers_of(error))
        case APIConnectionError():
            return Trouble(str(error.__cause__ or error), TRIES)
        case TimeoutError():
            return Trouble("time-out", PAID_TRIES)
        case GarbageError():
            return Trouble(str(error), PAID_TRIES)
        case FilteredError():
            return Trouble(str(error))
        case OpenAIError() | ValueError():  # a text that no UTF-8 can hold, a schema that is no JSON
            return Trouble(f"{type(error).__name__}: {error}")
    raise error


def headers_of(error: Exception) -> Mapping[str, str]:
    """Return the headers of the answer that an exception stands for, if there was one."""
    from openai import APIStatusError

    return error.response.headers if isinstance(error, APIStatusError) else {}


def _message(body: object) -> str:
    """Return what a server says in words, in the usual form of an error."""
    message = body.get("message") if isinstance(body, dict) else body
    return message if isinstance(message, str) else ""


def _refusal(status: int, message: str, code: str | None, headers: Mapping[str, str]) -> Trouble:
    trouble = Trouble(f"HTTP {status}: {' '.join(message.split())[:MESSAGE]}", status=status)
    if status in (401, 402, 403) or code == "insufficient_quota":
        return replace(trouble, shut=True)
    wait = retry_after(headers)
    if (wait or 0) <= LONGEST_WAIT and (status in (408, 409, 429) or status >= 500):
        return replace(trouble, tries=TRIES, wait=wait, busy=status in (429, 503))
    return trouble


def backoff(trouble: Trouble, attempt: int) -> float:
    """Return the seconds before the next try: what the endpoint asks for, else doubled each time; never in step."""
    if trouble.wait:
        return trouble.wait + random() * min(1.0, 0.1 * trouble.wait)
    return float(min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** (attempt - 1))) * (0.5 + random() / 2)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an answer's headers ask to wait, whether as milliseconds, seconds or a date."""
    milliseconds, text = number(headers.get("retry-after-ms")), headers.get("retry-after")
    if milliseconds is not None:
        return milliseconds / 1000
    if text is None or (seconds := number(text)) is not None:
        return seconds if text else None
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def number(text: str | None) -> float | None:
    """Return a finite number that is not negative, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None


def duration(text: str | None) -> float | None:
    """Return the seconds in `1s`, `6m0s`, `20ms` or a plain number, or None."""
    if not text or not re.fullmatch(rf"(?:{_DURATION.pattern})+", text):
        return number(text)
    return sum(float(count) * _UNITS[unit] for count, unit in _DURATION.findall(text))
