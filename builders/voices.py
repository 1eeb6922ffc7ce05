"""The models that a build may ask, how each is asked, and what is known of who answered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.models.asker import Answers, Asker
from eval.models.engine import Engine, Message, Reply, Request
from eval.models.ledger import Ledger
from eval.models.prompts import fill, prompt_hash, read_prompt
from eval.models.store import RequestStore

RULES = "rules"


@dataclass(frozen=True)
class Sampling:
    """How replies are sampled; by default as GenADV's gpt-3.5-turbo-0125 does unless told (its section 5.3.1)."""

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 512  # ours: 100 words (GenADV's Table 10) never reach it, and a reply that does is no passage


CHECKING = Sampling(temperature=0.0)  # ours: a verdict is no matter of chance


def requests(
    engine: str, prompt: Path, values: Sequence[Mapping[str, str]], sampling: Sampling, seed: int, schema: str = ""
) -> list[Request]:
    """Return a request to an engine's identity for each set of values that fills the prompt of this file."""
    template = read_prompt(prompt)
    return [
        Request(engine, (Message("user", fill(template, one)),), seed=seed, schema=schema, **asdict(sampling))
        for one in values
    ]


def prompt_hashes(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the sha256 of each prompt file `NAME.txt`."""
    return {name: prompt_hash(folder / f"{name}.txt") for name in names}


class Hearer(Asker):
    """An asker that remembers which models said that they answered: an endpoint's name for one may cover several.

    `told` hears (what is asked, calls done, calls in all).
    """

    def __init__(
        self, engine: Engine, store: RequestStore, ledger: Ledger, told: Callable[[str, int, int], None]
    ) -> None:
        super().__init__(engine, store, ledger, lambda done, total: told(self.asked, done, total))
        self.asked = ""
        self.models: set[str] = set()

    def ask(self, requests: Sequence[Request]) -> Answers:
        """Ask as `Asker` does."""
        answers = super().ask(requests)
        self.models |= {reply.model for reply in answers.replies.values() if reply.model}
        return answers


@dataclass(frozen=True)
class Voice:
    """A model in one role."""

    asker: Hearer
    sampling: Sampling
    seed: int

    @property
    def identity(self) -> str:
        """What the engine says it is."""
        return self.asker.identity

    def requests(self, prompt: Path, values: Sequence[Mapping[str, str]], schema: str = "") -> list[Request]:
        """Return a request for each set of values that fills the prompt of this file."""
        self.asker.asked = prompt.stem
        return requests(self.identity, prompt, values, self.sampling, self.seed, schema)

    def ask(self, requests: Sequence[Request]) -> list[Reply | None]:
        """Return a reply for each request, in order; None where the call failed."""
        replies = self.asker.ask(requests).replies
        return [replies.get(request.key) for request in requests]


@dataclass(frozen=True)
class Voices:
    """Who writes (the rules where there is no writer) and who checks; `gates` says whether the checker may reject."""

    writer: Voice | None = None
    checker: Voice | None = None
    gates: bool = False

    @property
    def asked(self) -> bool:
        """Whether any model is asked."""
        return bool(self.roles())

    @property
    def writer_name(self) -> str:
        """What rows and manifest call the writer."""
        return self.writer.identity if self.writer else RULES

    def facts(self) -> dict[str, Any]:
        """Return what part key, recipe hash and manifest say of them."""
        facts: dict[str, Any] = {"writer": self.writer_name}
        for role, voice in self.roles().items():
            facts |= {role: voice.identity, f"{role}_sampling": asdict(voice.sampling)}
        return facts | ({"checker_gates": self.gates} if self.checker else {})

    def models(self) -> dict[str, list[str]]:
        """Return the models that answered since `forget_models`, by role, where an engine tells."""
        return {role: sorted(voice.asker.models) for role, voice in self.roles().items()}

    def forget_models(self) -> None:
        """Begin to remember anew."""
        for voice in self.roles().values():
            voice.asker.models.clear()

    def roles(self) -> dict[str, Voice]:
        """Return who is asked, by role."""
        return {role: voice for role, voice in (("writer", self.writer), ("checker", self.checker)) if voice}
