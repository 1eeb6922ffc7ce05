"""`decoyqa audit`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.asking import ENGINE, asking_options, open_ledger
from builders.commands.home import home


@click.command()
@click.argument("source")
@click.option("--input", "path", type=click.Path(path_type=Path), help="The benchmark's file.")
@click.option("--aliases", type=click.Path(path_type=Path), help="2wiki: its id_aliases.json.")
@click.option("--twin", type=click.Path(path_type=Path), help="plausible_distractors: the file without its fakes.")
@click.option("--paired", is_flag=True, help="Ask the twin too, and print the increase of BNR above it.")
@click.option("--model", "engine", required=True, metavar="ENGINE", help=ENGINE)
@click.option("--judge", default="exact", show_default=True, metavar="ENGINE|exact", help="Who judges the replies.")
@click.option("--unit", help="What a Drop takes: paragraph or sentences; the paper's for each source by default.")
@click.option("--conditions", multiple=True, help="full, drop_one, control (default), half, window, circular.")
@click.option("--prompt", default="multihop", show_default=True, help="multihop or long.")
@click.option("--limit", type=click.IntRange(1), help="A sample of N items, shared out among numbers of hops.")
@click.option("--seed", default=0, show_default=True, type=int)
@click.option("--max-tokens", default=64, show_default=True, type=click.IntRange(1))
@asking_options
@click.option("--out", default="runs/audit", show_default=True, type=click.Path(path_type=Path), help="Run folder.")
def audit(
    out: Path,
    conditions: tuple[str, ...],
    base_url: str,
    concurrency: int,
    max_usd: float | None,
    prices: Path | None,
    dry_run: bool,
    **given: Any,
) -> None:
    """Ask a multi-hop benchmark with and without each hop's evidence, print BNR.

    SOURCE is musique, hotpotqa, 2wiki, plausible_distractors, base, or a file in the base form.
    """
    from builders import audit as module
    from eval.models.engine import EngineOptions
    from eval.models.estimate import render

    chosen = module.options(conditions=conditions or module.BY_DEFAULT, **given)
    ledger, reached, store = open_ledger(max_usd, prices), EngineOptions(base_url, concurrency), home() / "requests"
    if dry_run:
        click.echo(render(module.dry_run(chosen, store, reached, ledger.prices)))
        return
    module.print_audit(module.run(chosen, out, store, reached, ledger))
    if ledger.note():
        click.echo(f"cost: {ledger.note()}")
