"""The options of every command that asks a model."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from eval.models.ledger import Ledger

Command = TypeVar("Command", bound=Callable[..., Any])

ENGINE = "openai:NAME, vllm:NAME, llamacpp:NAME_OR_PATH or scripted:FILE."

_OPTIONS = (
    click.option("--base-url", default="", metavar="URL", help="openai: endpoint; OPENAI_BASE_URL by default."),
    click.option(
        "--concurrency", default=64, show_default=True, type=click.IntRange(1), help="Calls in flight at most."
    ),
    click.option("--max-usd", type=click.FloatRange(0), metavar="USD", help="Stop before more is spent; resumable."),
    click.option(
        "--prices",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Prices of models in TOML, before the bundled table; DECOYQA_PRICES by default.",
    ),
    click.option("--dry-run", is_flag=True, help="Say what would be asked and what it costs at most, write nothing."),
)


def asking_options(command: Command) -> Command:
    """Give a command `base_url`, `concurrency`, `max_usd`, `prices` and `dry_run`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def open_ledger(max_usd: float | None, prices: Path | None) -> "Ledger":
    """Return the ledger of a run; raises InputError for a price table that is none."""
    from eval.models.ledger import Ledger
    from eval.models.prices import read_prices

    return Ledger(read_prices(prices), max_usd)
