"""`decoyqa eval`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.asking import ENGINE, asking_options, open_ledger
from builders.commands.home import home
from builders.commands.places import artifact_folder


@click.command("eval")
@click.argument("artifact", metavar="ARTIFACT_OR_REPO")
@click.option("--model", "engine", required=True, metavar="ENGINE", help=ENGINE)
@click.option("--config", "configs", multiple=True, help="Configs to ask; all by default.")
@click.option("--judge", default="exact", show_default=True, metavar="ENGINE|exact", help="Of realhop's replies.")
@click.option(
    "--prompt", "prompts", multiple=True, help="normal, unans, conflict, closed-book / direct, icl, retrieved."
)
@click.option("--conditions", multiple=True, help="Splits to ask; all by default (realhop: both sides, no ablation).")
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions of each config.")
@click.option("--max-tokens", type=click.IntRange(1), help="Of a reply; 64 by default, 512 for eureqa.")
@click.option(
    "--samples", default=1, show_default=True, type=click.IntRange(1), help="How often each question is asked."
)
@click.option("--temperature", type=click.FloatRange(0), help="0 by default, the paper's 0.8 for eureqa.")
@asking_options
@click.option("--out", default="runs/latest", show_default=True, type=click.Path(path_type=Path), help="Run folder.")
def evaluate(
    artifact: str,
    engine: str,
    base_url: str,
    concurrency: int,
    max_usd: float | None,
    prices: Path | None,
    dry_run: bool,
    out: Path,
    judge: str,
    **given: Any,
) -> None:
    """Ask a model, keep every reply, print accuracy, RAD or BNR.

    Prompts of genadv: normal, unans, conflict, closed-book; of eureqa: direct, icl, retrieved; realhop has one.
    Conditions of realhop: full, drop, control, the same of the source (source, source_drop, source_control), and
    ablations gold_only, flexible, strict, no_orphans, each with its NAME_drop.
    The artifact is a folder, or a release on the Hub, ORG/NAME@vX.Y.Z. What the request store holds is not asked again.
    """
    from eval.choice import Choice
    from eval.models.engine import EngineOptions
    from eval.models.estimate import render
    from eval.report import report_run
    from eval.run import evaluate as run
    from eval.run import preview

    choice, folder = Choice(**given), artifact_folder(artifact)
    ledger, options, store = open_ledger(max_usd, prices), EngineOptions(base_url, concurrency), home() / "requests"
    if dry_run:
        found = preview(folder, engine, choice, store=store, options=options, prices=ledger.prices, judge_name=judge)
        click.echo(render(found))
        return
    result = run(folder, engine, choice, out=out, store=store, options=options, ledger=ledger, judge_name=judge)
    report_run(out, result.metrics)
    spent = f", {ledger.note()}" if ledger.note() else ""
    click.echo(
        f"{out}: {result.scored} scored, {result.truncated} cut at the token limit, "
        f"{result.unjudged} not judged, {result.pending} pending{spent}"
    )
