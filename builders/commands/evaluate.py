"""`decoyqa eval`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.home import home


@click.command("eval")
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option("--model", "engine", required=True, metavar="ENGINE", help="llamacpp:NAME_OR_PATH or scripted:FILE.")
@click.option("--config", "configs", multiple=True, help="Configs to ask; all by default.")
@click.option("--prompt", "prompts", multiple=True, help="normal, unans, conflict, closed-book; all by default.")
@click.option("--conditions", multiple=True, help="Splits to ask; all by default.")
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions of each config.")
@click.option("--max-tokens", default=64, show_default=True, type=click.IntRange(1))
@click.option("--out", default="runs/latest", show_default=True, type=click.Path(path_type=Path), help="Run folder.")
def evaluate(artifact: Path, engine: str, out: Path, **given: Any) -> None:
    """Ask a model, keep every reply, print accuracy and RAD.

    What the request store holds is not asked again.
    """
    from eval.report import print_report
    from eval.run import evaluate as run

    given = {name: value or None for name, value in given.items()}
    result = run(artifact, engine, out=out, store=home() / "requests", **given)
    print_report(result.metrics)
    click.echo(f"{out}: {result.scored} scored, {result.truncated} cut at the token limit, {result.pending} pending")
