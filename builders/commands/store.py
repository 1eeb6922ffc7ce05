"""`decoyqa store`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builders.commands.home import home
from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    from eval.models.store import RequestStore

DAY = 24.0


@click.group()
def store() -> None:
    """Care for the replies that models gave, in `$DECOYQA_HOME/requests`."""


@store.command()
@click.option("--prices", type=click.Path(path_type=Path), metavar="FILE", help="Prices of models in TOML.")
def stats(prices: Path | None) -> None:
    """Say what is stored, and by engine how many tokens it took and what it cost."""
    from builders.store import print_stats
    from eval.models.prices import read_prices
    from eval.models.store_stats import store_stats
    from eval.progress import counting

    table, folder = read_prices(prices), _folder()
    with counting("replies") as told:
        found = store_stats(folder, table, told)
    click.echo(f"{folder}: ", nl=False)
    print_stats(found, table)


@store.command()
@click.option(
    "--older-than",
    "hours",
    default=DAY,
    show_default=True,
    type=click.FloatRange(0),
    metavar="HOURS",
    help="Leave segments alone that were written to since: a run on any machine may still be using them.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
def gc(hours: float, dry_run: bool) -> None:
    """Make one segment of many, without duplicates and torn lines. No reply is ever removed."""
    from builders.store import print_compaction
    from eval.models.store_compact import compact
    from eval.progress import counting

    folder = _folder()
    with counting("lines") as told:
        done = compact(folder, hours, dry_run, told)
    print_compaction(done, dry_run)


@store.command("export")
@click.argument("file", type=click.Path(path_type=Path))
def export(file: Path) -> None:
    """Write all requests and replies to FILE.jsonl or FILE.parquet, for others who build without asking."""
    from eval.models.store_exchange import export_store
    from eval.progress import counting

    with _open() as found, counting("replies") as told:
        count = export_store(found, file, told)
    click.echo(f"{file}: {count:,} replies")


@store.command("import")
@click.argument("file", type=click.Path(path_type=Path))
def import_(file: Path) -> None:
    """Add the replies of a file that `decoyqa store export` wrote; those that are there stay."""
    from eval.models.store import RequestStore
    from eval.models.store_exchange import import_store

    with RequestStore(home() / "requests") as found:
        new, known = import_store(found, file)
    click.echo(f"{file}: {new:,} replies added, {known:,} were there")


def _folder() -> Path:
    folder = home() / "requests"
    if not folder.is_dir():
        raise DecoyQAError(f"{folder}: no request store there; DECOYQA_HOME says where to look")
    return folder


def _open() -> "RequestStore":
    from eval.models.store import RequestStore

    return RequestStore(_folder())
