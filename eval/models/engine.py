"""What a model is asked and what it says, whichever engine runs it."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import Protocol, Self, cast

from loaders.draw import generator
from loaders.errors import DecoyQAError

# A new engine is one file with `open_model(name: str, options: EngineOptions) -> Engine`, and one line here.
ENGINES = {
    "llamacpp": "eval.models.llamacpp",
    "openai": "eval.models.openai",
    "scripted": "eval.models.scripted",
    "vllm": "eval.models.vllm",
}


@dataclass(frozen=True)
class Message:
    """One turn of a chat; role is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True)
class Request:
    """Everything that decides a reply, nothing about how it travels; `schema` is a JSON schema as text, or empty."""

    engine: str
    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int = 64
    seed: int = 0
    top_p: float = 1.0
    sample: int = 0
    schema: str = ""

    @cached_property
    def key(self) -> str:
        """The sha256, in hex, of the request's canonical JSON."""
        numbers = {"temperature": float(self.temperature), "top_p": float(self.top_p)}
        return hashlib.sha256(json.dumps(asdict(self) | numbers, sort_keys=True).encode()).hexdigest()

    @property
    def draw_seed(self) -> int:
        """The 31-bit seed that an engine samples with: another one for each sample of the same request."""
        return generator(self.seed, str(self.sample), "sampling").getrandbits(31)


@dataclass(frozen=True)
class Reply:
    """One finished reply; `raw` is the engine's own JSON, from which everything else was read.

    `cached_tokens` are part of the prompt's, `reasoning_tokens` of the completion's; `model` is what the engine says
    answered, where that can differ from what was asked.
    """

    key: str
    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    raw: str
    reasoning: str = ""
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    model: str = ""


@dataclass(frozen=True)
class Failure:
    """A call that gave no reply: never a data point, the caller leaves its item pending."""

    key: str
    error: str


@dataclass(frozen=True)
class EngineOptions:
    """How an engine is reached: nothing here may decide a reply, so nothing here enters a request's key."""

    base_url: str = ""  # of an OpenAI-compatible endpoint; OPENAI_BASE_URL where empty
    concurrency: int = 64  # calls in flight at most
    timeout: float = 600.0  # seconds a call may take


DEFAULTS = EngineOptions()


class Engine(Protocol):
    """A model that can be asked: `identity` names what decides its replies, `runtime` what ran it (versions, slots)."""

    identity: str
    runtime: str

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Yield one reply or failure for each request, as they finish.

        The next request is taken when there is room for it, so a caller stops asking by ending `requests`: what is in
        flight is still yielded.
        """

    def close(self) -> None:
        """Free the model."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def split_name(name: str) -> tuple[str, str]:
    """Return prefix and rest of `PREFIX:NAME`; raises DecoyQAError for an unknown prefix."""
    prefix, colon, rest = name.partition(":")
    if prefix not in ENGINES or not colon or not rest:
        known = ", ".join(f"{prefix}:..." for prefix in sorted(ENGINES))
        raise DecoyQAError(f"unknown engine {name!r}; known engines: {known}")
    return prefix, rest


def open_engine(name: str, options: EngineOptions = DEFAULTS) -> Engine:
    """Open `PREFIX:NAME`; raises DecoyQAError for an unknown prefix, MissingExtraError without its package."""
    prefix, rest = split_name(name)
    return cast(Engine, import_module(ENGINES[prefix]).open_model(rest, options))
