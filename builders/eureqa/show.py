"""What `decoyqa build eureqa` takes from the command line and shows on the terminal."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.status import Status

from builders.console import print_plainly, wide_console
from builders.engines import Told
from builders.eureqa.build import build
from builders.eureqa.endpoint import Endpoint
from builders.eureqa.forecast import forecasts
from builders.eureqa.material import FAMILY, Material, Options, read_material
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.voices import MODEL, ChainEngines
from builders.progress import ProgressReporter
from builders.shown import pending_line, rows_table, steps_table
from builders.sources.graphs import GRAPHS
from builders.targets import check_place, check_version, target_folder
from eval.models.estimate import render
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest

RECIPE = ("strict", "hard_chains", "easy_chains", "shallow_chains", "seeds_per_category")
ENGINES = tuple(field.name for field in fields(ChainEngines))
AS_IF = (
    "if every chain that is told is kept: one that is rejected gives its place to another, which costs as much again"
)


def run(home: Path, given: dict[str, Any]) -> None:
    """Build, or only say what would be built."""
    options = read_options(home, given)
    console = wide_console(stderr=True)
    with console.status("reading") as status:
        if given["dry_run"]:
            material = read_material(options, status.update)
            print_material(options, material)
            found = forecasts(options, material, status.update)
        else:
            folder = build(
                options, status.update, _telling(console, status), lambda read: print_material(options, read)
            )
    if not given["dry_run"]:
        print_artifact(folder)
    elif found:
        print_plainly(wide_console(), render(found) + AS_IF)


def _telling(console: Console, status: Status) -> Told:
    """Return what hears of calls: the status line of a terminal, lines elsewhere."""
    if not console.is_terminal:
        return ProgressReporter(console).asked
    return lambda asked, done, total, cost: status.update(
        f"{asked}: {done:,} of {total:,}{f' ({cost})' if cost else ''}"
    )


def read_options(home: Path, given: dict[str, Any]) -> Options:
    """Return checked options; raises DecoyQAError for what cannot be built."""
    if given["source"] not in GRAPHS:
        raise DecoyQAError(f"--source {given['source']}: expected one of {', '.join(GRAPHS)}")
    if not given["inputs"]:
        raise DecoyQAError("expected --input FILE, with --endpoint too: an endpoint gives no names, classes and proofs")
    check_version(given["version"])
    recipe = replace(EureQARecipe(), **{name: given[name] for name in RECIPE if given[name] is not None})
    engines = ChainEngines(**{name: given[name] for name in ENGINES})
    categories = tuple(given["categories"]) or Options.categories
    _check_engines(engines, given)
    _check_endpoint(given["endpoint"], given["endpoint_graph"])
    if given["export"]:
        check_place(given["export"])
    rest = {name: value for name, value in given.items() if name not in (*RECIPE, *ENGINES, "dry_run", "categories")}
    options = Options(home=home, recipe=recipe, engines=engines, categories=categories, **rest)
    target_folder(options.out, FAMILY, options.version, home)
    return options


def _check_endpoint(url: str, graph: str) -> None:
    if url:
        Endpoint(url)
    elif graph:
        raise DecoyQAError("--endpoint-graph: there is nothing to ask it of; give the URL with --endpoint")


def _check_engines(engines: ChainEngines, given: dict[str, Any]) -> None:
    if engines.checker_gates and not engines.checker:
        raise DecoyQAError("--checker-gates: nobody is to check; name an engine with --checker")
    if engines.hypernyms == MODEL and not engines.asks_kinds:
        raise DecoyQAError("--hypernyms model: nobody is to be asked; name an engine with --writer")
    if given["categories"] and not engines.seeds_model:
        raise DecoyQAError("--category: nobody is to name seeds; name an engine with --seeds-model")
    if given["seeds"] and engines.seeds_model:
        raise DecoyQAError("--seeds and --seeds-model: seeds come from one of them")


def print_material(options: Options, material: Material) -> None:
    """Print what was read and what will be built."""
    console, snapshot = wide_console(stderr=True), material.snapshot
    console.print(f"{snapshot.graph.triples:,} triples between {snapshot.graph.entities:,} entities")
    dropped = ", ".join(f"{reason} {n:,}" for reason, n in snapshot.facts["dropped"].items() if n)
    console.print(f"lines dropped: {dropped or 'none'}")
    for name, broken in snapshot.facts["broken"].items():
        if broken["count"]:
            rows = ", ".join(str(row) for row, _ in broken["first"])
            console.print(f"{name}: {broken['count']:,} broken lines, the first in row {rows}")
    console.print(f"{len(material.seeds):,} seeds")
    for category, names in material.facts.get("seeds_named", {}).get("unknown", {}).items():
        if names:
            print_plainly(console, f"{category}: {len(names)} names that the graph does not have: {', '.join(names)}")
    engines = options.engines
    roles = (("writer", engines.writer), ("checker", engines.checker), ("seeds by", engines.seeds_model))
    who = ", ".join(f"{role} {name}" for role, name in roles if name)
    if material.endpoint:
        print_plainly(console, f"walks go through {material.endpoint.asker.endpoint.name}")
    print_plainly(console, f"to build: {options.out / FAMILY / options.version}, seed {options.seed}, {who}")


def print_artifact(folder: Path) -> None:
    """Print sizes, the funnel and where the artifact is."""
    console, manifest = wide_console(), read_manifest(folder)
    console.print(rows_table(manifest))
    for config in manifest["configs"]:
        walks = config["walks"]
        console.print(f"{config['name']}: {walks['performed']:,} walks from {config['seeds']:,} seeds")
        console.print(steps_table(f"funnel of {config['name']}", config["funnel"]["chain"]))
        for line in _said_lines(config):
            console.print(line, highlight=False)
        if config["left_out"]:
            console.print(f"config {config['name']}: no split {', '.join(config['left_out'])} (no chain reached it)")
    if pending := sum(config["pending"] for config in manifest["configs"]):
        console.print(pending_line(pending, "chains", manifest["version"]))
    print_plainly(console, f"{folder}  content id {manifest['content_id'][:16]}")


def _said_lines(config: dict[str, Any]) -> Iterator[str]:
    """Yield where the nouns of a config come from, and what the checker said."""
    if config["hypernyms"]:
        yield f"{config['name']}, nouns: " + ", ".join(f"{source} {n:,}" for source, n in config["hypernyms"].items())
    said: Counter[str] = Counter()
    for counts in config["opinions"].get("chain", {}).values():
        said.update(counts)
    if said:
        yield f"{config['name']}, statements known: " + ", ".join(f"{word} {n:,}" for word, n in sorted(said.items()))
