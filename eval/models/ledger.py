"""What a run spends: replies by the usage that they state, calls in flight by their worst case, and a hard stop."""

import threading

from eval.models.engine import Failure, Reply, Request
from eval.models.prices import Price, Prices, read_prices, usd
from loaders.errors import DecoyQAError

# A byte-level tokenizer makes no more tokens than bytes; these are for the chat template, a message and in all.
TOKENS_PER_MESSAGE = 16
TOKENS_PER_REQUEST = 64


def prompt_bound(request: Request) -> int:
    """Return how many tokens a request's prompt can have at most."""
    texts = [request.schema, *(text for one in request.messages for text in (one.role, one.content))]
    size = sum(len(text.encode(errors="surrogatepass")) for text in texts)
    return size + TOKENS_PER_MESSAGE * len(request.messages) + TOKENS_PER_REQUEST


def worst_case(request: Request, price: Price) -> float:
    """Return the USD that a call can cost at most: nothing cached, every token of the completion used."""
    return price.cost(prompt_bound(request), request.max_tokens)


class Ledger:
    """The money of one run, over all its engines; replies found in the store never come here.

    The bundled table of prices holds where none is given.
    The threads of an engine may take requests while answers are settled.
    """

    def __init__(self, prices: Prices | None = None, max_usd: float | None = None) -> None:
        if max_usd is not None and not max_usd >= 0:
            raise DecoyQAError(f"--max-usd {max_usd} is no amount of money")
        self.prices = read_prices() if prices is None else prices
        self.max_usd = max_usd
        self.spent = 0.0
        self._in_flight: dict[str, float] = {}
        self._counted: set[bool] = set()  # whether the price of the engines that were asked is known
        self._lock = threading.Lock()

    def require_price(self, engine: str) -> None:
        """Raise DecoyQAError where a limit is set and the engine's price is unknown."""
        if self.max_usd is not None and self.prices.of(engine) is None:
            raise DecoyQAError(
                f"--max-usd needs the price of {engine}, which no table has: give one with --prices FILE, in TOML, as "
                f'[[price]] with model = "{engine.partition("@")[0]}", input, cached_input, output (USD per million '
                "tokens; 0 where it is free), date and source"
            )

    def admit(self, request: Request) -> bool:
        """Reserve the worst case of a call; false where the limit has no room for it beside those in flight."""
        price = self.prices.of(request.engine)
        worst = worst_case(request, price) if price else 0.0
        with self._lock:
            if self.max_usd is not None and self.spent + sum(self._in_flight.values()) + worst > self.max_usd:
                return False
            self._in_flight[request.key] = worst
            return True

    def settle(self, request: Request, answer: Reply | Failure) -> None:
        """Put what a call cost in the place of its worst case; a failed call states no usage."""
        price = self.prices.of(request.engine)
        with self._lock:
            self._in_flight.pop(request.key, None)
            if isinstance(answer, Reply):
                self.spent += price.of(answer) if price else 0.0
                self._counted.add(price is not None)

    def note(self) -> str:
        """Return the cost so far for a progress line; empty where nothing cost anything."""
        limit = f" of {usd(self.max_usd)}" if self.max_usd is not None else ""
        known = [usd(self.spent) + limit] if self.spent or limit else []
        return " and ".join(known + ["cost unknown"] * (False in self._counted))


class BudgetReachedError(DecoyQAError):
    """Not one more call fits under `--max-usd`; everything that was answered is stored."""

    def __init__(self, ledger: Ledger, done: int, total: int) -> None:
        super().__init__(
            f"stopped before --max-usd: {ledger.note()} spent, {done} of {total} calls are done and stored; the same "
            "command with a higher --max-usd goes on from there and pays for nothing twice"
        )
