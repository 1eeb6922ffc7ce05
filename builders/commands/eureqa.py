"""`decoyqa build eureqa`."""

from pathlib import Path
from typing import Any

import click

from builders.commands.asking import ENGINE, asking_options
from builders.commands.building import building_options
from builders.commands.home import home

FILE = click.Path(path_type=Path)


@click.command()
@click.option("--source", default="dbpedia", show_default=True, help="dbpedia or sample: names the licence.")
@click.option("--input", "inputs", multiple=True, type=FILE, help="A dump: .nt or .ttl, plain or packed.")
@click.option("--types", multiple=True, type=FILE, help="Classes of entities, and the table of classes above classes.")
@click.option("--seeds", type=FILE, help="Where walks start: NAME [TAB category] lines; the most linked by default.")
@click.option("--strict", is_flag=True, help="Hard chains of which every layer needs the next one.")
@click.option("--properties", "with_properties", is_flag=True, help="Walk the raw dbp: relations too.")
@click.option("--hard", "hard_chains", type=click.IntRange(0), help="Hard chains wanted; the paper's number else.")
@click.option("--easy", "easy_chains", type=click.IntRange(0), help="Easy chains wanted.")
@click.option("--shallow", "shallow_chains", type=click.IntRange(0), help="Hard chains told at depths 1 to 4 too.")
@click.option(
    "--endpoint",
    default="",
    metavar="URL",
    help="Walk through this SPARQL endpoint, which holds what --input has; names, classes and proofs are --input's.",
)
@click.option("--endpoint-graph", default="", metavar="IRI", help="Its graph to ask, where it holds several.")
@click.option(
    "--endpoint-rate", default=10.0, show_default=True, type=click.FloatRange(0, min_open=True), help="Requests/s."
)
@click.option("--export", type=FILE, help="A folder for kept chains and what stands around them: GraphML, a picture.")
@click.option(
    "--export-chains", default=12, show_default=True, type=click.IntRange(1), help="Chains of each config in it."
)
@building_options
@click.option("--limit", type=click.IntRange(1), help="Only the first N seeds, categories taking turns.")
@click.option("--similarity", default="minilm", show_default=True, help="Sentence model, or spacy:PIPELINE.")
@click.option(
    "--writer",
    default="rules",
    show_default=True,
    metavar="rules|ENGINE",
    help="Who tells chains; the paper: ChatGPT.",
)
@click.option(
    "--hypernyms",
    type=click.Choice(["model", "rules"]),
    help="Who names the kind of what has no telling class; a model where one writes.",
)
@click.option("--checker", default="", metavar="ENGINE", help="Asked of each statement if it is true; recorded.")
@click.option("--checker-gates", is_flag=True, help="Drop chains with a statement that the checker does not know.")
@click.option("--seeds-model", default="", metavar="ENGINE", help=f"Names well-known entities to start from: {ENGINE}")
@click.option("--category", "categories", multiple=True, help="Of what it names: films, writers; repeat.")
@click.option("--per-category", "seeds_per_category", type=click.IntRange(1), help="Names asked for in each.")
@asking_options
def eureqa(**given: Any) -> None:
    """Chains walked through a knowledge graph, told layer by layer without names.

    The first run makes an index of all inputs, named after their checksums; later ones open it. What an endpoint
    answers is kept: a build that was stopped goes on, and a second one asks nothing.
    """
    from builders.eureqa import show

    show.run(home(), given)
