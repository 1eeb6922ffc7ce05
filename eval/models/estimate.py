"""What asking would cost, before a single call."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Self

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from eval.models.engine import Reply, Request
from eval.models.ledger import prompt_bound
from eval.models.prices import FREE, Price, Prices
from eval.models.store import RequestStore

BYTES_PER_TOKEN = 4  # of English text, about
COLUMNS = ("calls", "stored", "tokens in, about", "at most", "tokens out, at most", "USD, about", "at most")


@dataclass(frozen=True)
class Estimate:
    """The calls of one step, each counted where it comes first; tokens and USD are of those that are not stored.

    The bounds are those that `--max-usd` reckons with: a run with the bound as its limit is never stopped. `usd` takes
    `BYTES_PER_TOKEN` for the prompt and the completion in full; both are None where the price is unknown.
    """

    step: str
    calls: int
    stored: int
    prompt_tokens: int
    prompt_bound: int
    completion_bound: int
    usd: float | None
    usd_bound: float | None
    price: Price | None = None

    def at_length(self, tokens: int, price: Price | None) -> Self:
        """Return the estimate with `usd` for replies of so many tokens each, their usual length."""
        completion = (self.calls - self.stored) * tokens
        return replace(self, usd=price.cost(self.prompt_tokens, completion) if price else None)


def estimate(steps: Mapping[str, Sequence[Request]], store: RequestStore, prices: Prices) -> list[Estimate]:
    """Return one estimate a step; nothing is asked and nothing is written."""
    seen: set[str] = set()
    return [_estimate(step, _new(requests, seen), store, prices) for step, requests in steps.items()]


def longest_reply(request: Request) -> Reply:
    """Return what a reply that is not known yet is taken to be: as long as it may be."""
    # The key makes the texts differ: a judge is asked once about two equal ones.
    text = request.key + "x" * BYTES_PER_TOKEN * request.max_tokens
    return Reply(request.key, text, "stop", 0, request.max_tokens, "")


def render(estimates: Sequence[Estimate]) -> str:
    """Return a table of the steps and their sum, and the prices it rests on.

    Amounts are rounded up, so that a limit copied from it suffices.
    """
    table = Table("", box=SIMPLE_HEAD, show_footer=False)
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for one in (*estimates, _total(estimates)):
        table.add_row(one.step, *_cells(one), end_section=one is estimates[-1])
    text = StringIO()
    Console(file=text, color_system=None, force_terminal=False, width=140).print(table)
    prices = dict.fromkeys(one.price for one in estimates if one.price not in (None, FREE))
    return text.getvalue() + "".join(f"{price}\n" for price in prices)


def _new(requests: Iterable[Request], seen: set[str]) -> list[Request]:
    found = {request.key: request for request in requests if request.key not in seen}
    seen.update(found)
    return list(found.values())


def _estimate(step: str, requests: Sequence[Request], store: RequestStore, prices: Prices) -> Estimate:
    missing = [request for request in requests if request.key not in store]
    bounds = [prompt_bound(request) for request in missing]
    about = sum(bound // BYTES_PER_TOKEN for bound in bounds)
    completion = sum(request.max_tokens for request in missing)
    price = prices.of(missing[0].engine) if missing else FREE
    usd, usd_bound = (price.cost(prompt, completion) if price else None for prompt in (about, sum(bounds)))
    stored = len(requests) - len(missing)
    return Estimate(step, len(requests), stored, about, sum(bounds), completion, usd, usd_bound, price)


def _total(estimates: Sequence[Estimate]) -> Estimate:
    return Estimate(
        step="all",
        calls=sum(one.calls for one in estimates),
        stored=sum(one.stored for one in estimates),
        prompt_tokens=sum(one.prompt_tokens for one in estimates),
        prompt_bound=sum(one.prompt_bound for one in estimates),
        completion_bound=sum(one.completion_bound for one in estimates),
        usd=_sum([one.usd for one in estimates]),
        usd_bound=_sum([one.usd_bound for one in estimates]),
    )


def _sum(amounts: Sequence[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _cells(one: Estimate) -> list[str]:
    counts = (one.calls, one.stored, one.prompt_tokens, one.prompt_bound, one.completion_bound)
    amounts = (
        "unknown" if usd is None else f"{math.ceil(usd * 10_000) / 10_000:,.4f}" for usd in (one.usd, one.usd_bound)
    )
    return [*(f"{count:,}" for count in counts), *amounts]
