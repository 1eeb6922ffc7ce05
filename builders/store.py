"""What `decoyqa store` prints."""

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from eval.models.prices import FREE, Prices, usd
from eval.models.store_compact import Compaction
from eval.models.store_stats import StoreStats, Use

COLUMNS = ("replies", "prompt tokens", "cached", "completion", "reasoning", "cost", "first", "last")
WIDTH = 150  # where there is no terminal to fit


def print_stats(found: StoreStats, prices: Prices, console: Console | None = None) -> None:
    """Print what a store holds, and a row for each engine with what it cost by these prices."""
    click.echo(f"{count(found.segments, 'segment')}, {count(found.replies, 'reply', 'replies')}, {size(found.size)}")
    if found.duplicates or found.torn:
        lines = (count(found.duplicates, "duplicate"), count(found.torn, "torn line"))
        click.echo(f"{' and '.join(lines)}, which decoyqa store gc leaves out")
    if not found.uses:
        return
    table = Table("engine", box=SIMPLE_HEAD)
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for use in found.uses:
        table.add_row(use.engine, *_cells(use))
    console = console or Console()
    if not console.is_terminal:
        console.width = WIDTH
    console.print(table)
    if dates := {price.date for use in found.uses if (price := prices.of(use.engine)) and price is not FREE}:
        click.echo(f"cost by the prices of {' and '.join(sorted(map(str, dates)))}")


def print_compaction(found: Compaction, dry_run: bool) -> None:
    """Print what was compacted, or would be."""
    if found.young:
        click.echo(f"{count(found.young, 'segment')} left alone: written to too lately, or nothing to gain")
    if not found.merged:
        click.echo("nothing to compact")
        return
    merged = f"{count(len(found.merged), 'segment')} {'would become' if dry_run else 'became'} one"
    left_out = f"{count(found.duplicates, 'duplicate')} and {count(found.torn, 'torn line')} left out"
    click.echo(f"{merged} of {count(found.kept, 'reply', 'replies')}, {left_out}")


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(number: float) -> str:
    """Return a number of bytes for people, in powers of ten."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1_000:
            return f"{number:.{0 if unit == 'bytes' else 1}f} {unit}"
        number /= 1_000
    return f"{number:.1f} GB"


def _cells(use: Use) -> list[str]:
    tokens = (use.prompt_tokens, use.cached_tokens, use.completion_tokens, use.reasoning_tokens)
    cost = "unknown" if use.usd is None else usd(use.usd)
    return [f"{use.replies:,}", *(f"{number:,}" for number in tokens), cost, use.first[:10], use.last[:10]]
