"""Open the models that a build asks, with the request store and one ledger for all of them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from builders.voices import RULES, Hearer, Sampling, Voice
from eval.models.engine import Engine, EngineOptions, open_engine, split_name
from eval.models.ledger import Ledger
from eval.models.prices import read_prices
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

Open = Callable[[str, EngineOptions], Engine]
Told = Callable[[str, int, int, str], None]  # hears (what is asked, calls done, calls in all, cost so far)
NOBODY = (RULES, "")


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

    def check(self) -> None:
        """Raise DecoyQAError for a name that no engine has, rules that check, and gates without anybody who checks."""
        for name in (self.writer, self.checker):
            if name not in NOBODY:
                split_name(name)
        if self.checker == RULES:
            raise DecoyQAError("--checker rules: rules check every item as it is; name an engine for a second opinion")
        if self.checker_gates and not self.checker:
            raise DecoyQAError("--checker-gates: nobody is to check; name an engine with --checker")


@contextmanager
def open_roles(
    roles: Mapping[str, tuple[str, Sampling]],
    engines: Engines,
    store: Path,
    seed: int,
    told: Told,
    opener: Open = open_engine,
) -> Iterator[dict[str, Voice]]:
    """Open the engine of each role, one that has several roles once; nothing is opened or written where none has one.

    Raises DecoyQAError for an engine that cannot be opened, or whose price must be known and is not.
    """
    asked = {role: given for role, given in roles.items() if given[0] not in NOBODY}
    if not asked:
        yield {}
        return
    reached = EngineOptions(base_url=engines.base_url, concurrency=engines.concurrency)
    ledger = Ledger(read_prices(engines.prices), engines.max_usd)
    with ExitStack() as stack:
        names = dict.fromkeys(name for name, _ in asked.values())
        opened = {name: stack.enter_context(opener(name, reached)) for name in names}
        replies = RequestStore(store)

        def voice(name: str, sampling: Sampling) -> Voice:
            tell = lambda asked, done, total: told(asked, done, total, ledger.note())  # noqa: E731
            return Voice(stack.enter_context(Hearer(opened[name], replies, ledger, tell)), sampling, seed)

        yield {role: voice(*given) for role, given in asked.items()}
