"""What `decoyqa build eureqa` takes from the command line and shows on the terminal."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table

from builders.console import print_plainly, wide_console
from builders.eureqa.assemble import FAMILY, Material
from builders.eureqa.build import Options, build, read_material
from builders.eureqa.recipe import EureQARecipe
from builders.sources.graphs import GRAPHS
from builders.targets import check_version, target_folder
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest

RECIPE = ("strict", "hard_chains", "easy_chains", "shallow_chains")


def run(home: Path, given: dict[str, Any]) -> None:
    """Build, or only say what would be built."""
    options = read_options(home, given)
    console = wide_console(stderr=True)
    with console.status("reading") as status:
        material = read_material(options, status.update)
        print_material(options, material)
        if given["dry_run"]:
            return
        folder = build(options, status.update, material)
    print_artifact(folder)


def read_options(home: Path, given: dict[str, Any]) -> Options:
    """Return checked options; raises DecoyQAError for what cannot be built."""
    if given["source"] not in GRAPHS:
        raise DecoyQAError(f"--source {given['source']}: expected one of {', '.join(GRAPHS)}")
    check_version(given["version"])
    recipe = replace(EureQARecipe(), **{name: given[name] for name in RECIPE if given[name] is not None})
    rest = {name: value for name, value in given.items() if name not in (*RECIPE, "dry_run")}
    options = Options(home=home, recipe=recipe, **rest)
    target_folder(options.out, FAMILY, options.version, home)
    return options


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
    print_plainly(console, f"to build: {options.out / FAMILY / options.version}, seed {options.seed}")


def print_artifact(folder: Path) -> None:
    """Print sizes, the funnel and where the artifact is."""
    console, manifest = wide_console(), read_manifest(folder)
    table = Table("config", *manifest["splits"], title="rows per split")
    for config in manifest["configs"]:
        table.add_row(config["name"], *(f"{config['rows'].get(split, 0):,}" for split in manifest["splits"]))
    console.print(table)
    for config in manifest["configs"]:
        walks = config["walks"]
        console.print(f"{config['name']}: {walks['performed']:,} walks from {config['seeds']:,} seeds")
        steps = Table("step", "entered", "kept", "rejected", title=f"funnel of {config['name']}")
        for step in config["funnel"]["chain"]:
            reasons = "\n".join(f"{reason} {n:,}" for reason, n in step["rejected"].items())
            steps.add_row(step["step"], f"{step['entered']:,}", f"{step['kept']:,}", reasons)
        console.print(steps)
        if config["left_out"]:
            console.print(f"config {config['name']}: no split {', '.join(config['left_out'])} (no chain reached it)")
    print_plainly(console, f"{folder}  content id {manifest['content_id'][:16]}")
