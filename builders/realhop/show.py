"""What `decoyqa build realhop` takes from the command line and shows on the terminal."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.console import print_plainly, wide_console
from builders.engines import Engines
from builders.progress import ProgressReporter
from builders.realhop.build import build
from builders.realhop.forecast import forecasts
from builders.realhop.material import FAMILY, Material, Options, read_material
from builders.realhop.recipe import RealHopRecipe
from builders.shown import pending_line, rows_table, steps_table
from builders.sources.multihop import MULTIHOP
from builders.targets import check_version, target_folder
from eval.models.estimate import render
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest

LENGTHS = {2: "two_hops", 3: "three_hops", 4: "four_hops"}
_TARGET = re.compile(r"(\d+)=(\d+)", re.ASCII)


def run(home: Path, given: dict[str, Any]) -> None:
    """Build, or only say what would be built."""
    dry_run = given.pop("dry_run")
    options = read_options(home, given)
    material = read_material(options)
    print_material(options, material)
    if dry_run:
        found = forecasts(options.engines, material.items, seed=options.seed, store=options.store)
        print_plainly(wide_console(), render(found) if found else "no model is asked")
        return
    with ProgressReporter() as report:
        folder = build(options, report, material)
    print_artifact(folder)


def read_options(home: Path, given: dict[str, Any]) -> Options:
    """Return checked options; raises DecoyQAError for what cannot be built."""
    if given["source"] not in MULTIHOP:
        raise DecoyQAError(f"--source {given['source']}: expected one of {', '.join(MULTIHOP)}")
    check_version(given["version"])
    engines = Engines(**{field.name: given.pop(field.name) for field in fields(Engines)})
    engines.check()
    wanted: dict[str, Any] = dict(targets(given.pop("target")))
    recipe = RealHopRecipe(orphans=given.pop("orphans"), **wanted)
    options = Options(home=home, engines=engines, recipe=recipe, **given)
    target_folder(options.out, FAMILY, options.version, home)
    return options


def targets(text: str | None) -> dict[str, int]:
    """Return how many items of each length `2=430,3=244,4=116` wants, none of those that it does not name."""
    if text is None:
        return {}
    found = [_TARGET.fullmatch(part.strip()) for part in text.split(",")]
    lengths = [int(one[1]) if one else 0 for one in found]
    if len(set(lengths)) != len(lengths) or not set(lengths) <= set(LENGTHS):
        raise DecoyQAError(f"--target {text}: expected HOPS=ITEMS for 2, 3 or 4 hops, such as 2=430,3=244,4=116")
    wanted = {LENGTHS[int(one[1])]: int(one[2]) for one in found if one}
    if not any(wanted.values()):
        raise DecoyQAError(f"--target {text}: expected at least one item")
    return dict.fromkeys(LENGTHS.values(), 0) | wanted


def print_material(options: Options, material: Material) -> None:
    """Print what was read and what will be built."""
    console = wide_console(stderr=True)
    lengths = ", ".join(f"{hops} hops {len(items):,}" for hops, items in material.by_hops.items())
    origin, taken = material.origin, len(material.items)
    first = f", the first {taken:,} of them" if taken < origin.rows else ""
    print_plainly(console, f"{origin.config}: {origin.rows:,} questions{first} ({lengths}), {origin.license}")
    engines = options.engines
    checked = f", checker {engines.checker}" if engines.checker else ""
    where = options.out / FAMILY / options.version
    print_plainly(console, f"to build: {where}, seed {options.seed}, writer {engines.writer}{checked}")


def print_artifact(folder: Path) -> None:
    """Print sizes, the funnel, what the proofs say and where the artifact is."""
    console, manifest = wide_console(), read_manifest(folder)
    console.print(rows_table(manifest))
    for config in manifest["configs"]:
        console.print(steps_table(f"funnel of {config['name']}", config["funnel"]["item"]))
        for line in config_lines(config):
            print_plainly(console, line)
    if pending := sum(config["pending"] for config in manifest["configs"]):
        print_plainly(console, pending_line(pending, "items", manifest["version"]))
    print_plainly(console, f"{folder}  content id {manifest['content_id'][:16]}")


def config_lines(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was kept and lost in all, by reason, the lengths, the paths, the proofs, and what a checker said."""
    steps = config["funnel"]["item"]
    lost = sum((Counter(step["rejected"]) for step in steps), Counter())
    kept = config["rows"].get("full", 0)
    counts = f"{config['items']:,} items = {kept:,} kept + {lost.total():,} rejected + {config['pending']:,} pending"
    yield f"{config['name']}: {counts}"
    yield f"kept by number of hops: {_counts(config['hops'])}"
    yield f"competing paths: {_counts(config['paths'])}; dropped: {_counts(config['dropped_paths'])}"
    found = config["proof"]
    drops = f"{found['drops']:,} Drops, {found['drops_with_an_answer']:,} with an answer left"
    yield f"proofs: {drops}; of {found['units']:,} evidence units {found['needed_units']:,} are needed"
    for question, said in config["opinions"].get("item", {}).items():
        yield f"{question}: {_counts(said)}"
    if config["left_out"]:
        yield f"config {config['name']}: no split {', '.join(config['left_out'])} (no item reached it)"


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in found.items()) or "none"
