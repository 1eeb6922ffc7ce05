"""Open the models that a build asks, with the request store and one ledger for all of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from builders.genadv.voices import CHECKING, RULES, Hearer, Sampling, Voice, Voices
from eval.models.engine import Engine, EngineOptions, open_engine
from eval.models.ledger import Ledger
from eval.models.prices import read_prices
from eval.models.store import RequestStore

Open = Callable[[str, EngineOptions], Engine]


@dataclass(frozen=True)
class Engines:
    """Who writes and who checks by name (`rules`, an engine, or empty), where they are reached, what they may cost."""

    writer: str = RULES
    checker: str = ""
    checker_gates: bool = False
    base_url: str = ""
    concurrency: int = EngineOptions.concurrency
    max_usd: float | None = None
    prices: Path | None = None


@contextmanager
def open_voices(
    engines: Engines, store: Path, seed: int, told: Callable[[str, int, int, str], None], opener: Open = open_engine
) -> Iterator[Voices]:
    """Open writer and checker, an engine that is both once; nothing is opened or written where the rules write alone.

    `told` hears (what is asked, calls done, calls in all, cost so far). Raises DecoyQAError for an engine that cannot
    be opened, or whose price must be known and is not.
    """
    names = [name for name in (engines.writer, engines.checker) if name not in (RULES, "")]
    if not names:
        yield Voices()
        return
    reached = EngineOptions(base_url=engines.base_url, concurrency=engines.concurrency)
    ledger = Ledger(read_prices(engines.prices), engines.max_usd)
    with ExitStack() as stack:
        opened = {name: stack.enter_context(opener(name, reached)) for name in dict.fromkeys(names)}
        replies = RequestStore(store)

        def voice(name: str, sampling: Sampling) -> Voice | None:
            if name not in opened:
                return None
            tell = lambda asked, done, total: told(asked, done, total, ledger.note())  # noqa: E731
            return Voice(stack.enter_context(Hearer(opened[name], replies, ledger, tell)), sampling, seed)

        yield Voices(voice(engines.writer, Sampling()), voice(engines.checker, CHECKING), engines.checker_gates)
