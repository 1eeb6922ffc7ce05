"""What models cost: a dated table in USD per million tokens, which a file of one's own can extend and correct."""

import os
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from eval.models.engine import Reply
from loaders.errors import InputError

TABLE = Path(__file__).with_name("prices.toml")
VARIABLE = "DECOYQA_PRICES"
MILLION = 1_000_000

_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_STRICT = ConfigDict(extra="forbid", str_min_length=1)
_Usd = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, config=_STRICT)
class Price:
    """USD per million tokens; completion includes reasoning, `cached_input` is what a prompt's cached tokens cost."""

    model: str
    input: _Usd
    cached_input: _Usd
    output: _Usd
    date: date
    source: str

    def cost(self, prompt: int, completion: int, cached: int = 0) -> float:
        """Return USD for so many tokens; `cached` are part of `prompt`."""
        cached = min(cached, prompt)
        fresh = prompt - cached
        return (fresh * self.input + cached * self.cached_input + completion * self.output) / MILLION

    def __str__(self) -> str:
        rates = f"${self.input:g} in, ${self.cached_input:g} cached, ${self.output:g} out"
        return f"{self.model}: {rates} a million tokens, {self.date} ({self.source})"

    def of(self, reply: Reply) -> float:
        """Return USD for a reply, by the usage that it states."""
        return self.cost(reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens)


FREE = Price("any", 0.0, 0.0, 0.0, date.min, "runs on one's own machine")


@dataclass(frozen=True, config=_STRICT)
class Prices:
    """The prices of models, and the engines that cost nothing."""

    price: tuple[Price, ...] = ()
    free: tuple[str, ...] = ()

    def of(self, engine: str) -> Price | None:
        """Return the price of an engine's identity; None where no table has it.

        `PREFIX:NAME@REVISION` is looked up without its revision, a dated snapshot also without its date. Other names
        are never taken for each other: of one family, one model may cost a hundred times another.
        """
        name = engine.partition("@")[0]
        if name.partition(":")[0] in self.free:
            return FREE
        known = {price.model: price for price in reversed(self.price)}
        return known.get(name) or known.get(_SNAPSHOT.sub("", name))


def read_prices(own: Path | None = None) -> Prices:
    """Return the table, led by one's own, `$DECOYQA_PRICES` by default; raises InputError for a file that is none."""
    own = own or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    ours = _read(TABLE)
    if own is None:
        return ours
    mine = _read(own)
    return Prices(mine.price + ours.price, mine.free + ours.free)


def usd(amount: float) -> str:
    """Return an amount for people: cents from a dollar on, hundredths of a cent below."""
    return f"${amount:,.2f}" if amount >= 1 else f"${amount:.4f}"


def _read(path: Path) -> Prices:
    try:
        return TypeAdapter(Prices).validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, None, "expected a readable table of prices in TOML") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, None, f"expected a table of prices in TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(path, None, f"expected prices: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
