"""What `decoyqa build genadv` takes from the command line and shows on the terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from builders.console import print_plainly, wide_console
from builders.engines import Engines
from builders.genadv.assemble import FAMILY
from builders.genadv.build import Options
from builders.genadv.estimate import forecasts
from builders.genadv.material import Input
from builders.genadv.seeds import recall, seeds
from builders.shown import pending_line
from builders.sources.hub import fetch
from builders.sources.openqa import SOURCES, check_config
from builders.targets import check_version, target_folder
from eval.models.estimate import render
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest
from loaders.records import Provenance, Question


def options(
    *,
    home: Path,
    sources: Sequence[str],
    paths: Sequence[Path],
    runs: Sequence[Path],
    similarity: str,
    dry_run: bool,
    **rest: Any,
) -> Options:
    """Return checked options; raises DecoyQAError for what cannot be built."""
    engines = Engines(**{field.name: rest.pop(field.name) for field in fields(Engines)})
    engines.check()
    check_version(rest["version"])
    if runs and not rest["passages"]:
        raise DecoyQAError("--run names passages by their ids; give the file that holds them with --passages")
    if not (paths or rest["passages"]):
        raise DecoyQAError("what the Hub has of a source are questions without documents: give --passages, or --input")
    found = Options(inputs=(), home=home, engines=engines, sentence_similarity=similarity, **rest)
    _target(found)
    return replace(found, inputs=pair_inputs(sources, paths, runs, home))


def pair_inputs(sources: Sequence[str], paths: Sequence[Path], runs: Sequence[Path], home: Path) -> tuple[Input, ...]:
    """Pair `NAME[:CONFIG]` words with files and runs in order; without files they are fetched from the Hub.

    Raises DecoyQAError for a bad word, a config used twice or another number of files, and where the Hub fails.
    """
    for option, given in (("--input", paths), ("--run", runs)):
        if given and len(sources) != len(given):
            raise DecoyQAError(f"{len(sources)} --source and {len(given)} {option}: expected one for each source")
    found: dict[str, Input] = {}
    for word, path, run in zip_longest(sources, paths, runs):
        name, _, config = word.partition(":")
        config = config if ":" in word else name
        if name not in SOURCES:
            raise DecoyQAError(f"--source {word}: expected one of {', '.join(SOURCES)}")
        check_config(config)
        if config in found or config.endswith("_construction"):
            raise DecoyQAError(f"--source {word}: config {config} is taken; name another one with NAME:CONFIG")
        found[config] = Input(name, config, path or Path(), "" if path else SOURCES[name].place, run)
    return tuple(
        replace(given, path=fetch(SOURCES[given.source], home / "sources")) if given.hub else given
        for given in found.values()
    )


def print_inputs(options: Options, inputs: Sequence[tuple[list[Question], Provenance]]) -> None:
    """Print what was read and what will be built."""
    console = Console(stderr=True)
    for questions, origin in inputs:
        with_documents = sum(bool(question.documents) for question in questions)
        console.print(
            f"[bold]{origin.config}[/]: {origin.rows:,} questions, {with_documents:,} with documents, {origin.license}"
        )
        for line in retrieval_lines(questions[: options.limit], origin, options):
            print_plainly(console, f"  {line}")
    checked = f", checker {options.engines.checker}" if options.engines.checker else ""
    who = f"writer {options.engines.writer}{checked}"
    print_plainly(console, f"to build: {_target(options)}, seed {options.seed}, {who}")


def retrieval_lines(questions: Sequence[Question], origin: Provenance, options: Options) -> Iterator[str]:
    """Yield what is known of a source from the Hub, and of what was retrieved for its questions."""
    if origin.hub:
        pinned = "as pinned" if SOURCES[origin.source].sha256 else "not pinned yet: put it into catalogue.toml"
        yield f"{origin.hub}, sha256 {origin.sha256} ({pinned})"
    if how := origin.retrieval:
        k = options.recipe.k
        share = recall(seeds(questions, k, options.seed).cases)
        counts = sorted(Counter(len(question.documents) for question in questions).items(), reverse=True)
        yield f"{how.retriever}, {how.n_passages:,} passages"
        yield f"Recall@{k} {share:.1%}; documents: questions " + ", ".join(f"{n}: {found:,}" for n, found in counts)


def print_forecasts(options: Options, inputs: Sequence[tuple[list[Question], Provenance]]) -> None:
    """Print what models would be asked and what that costs; nothing where the rules write and nobody checks."""
    if found := forecasts(
        *(options.engines, inputs, options.recipe), seed=options.seed, limit=options.limit, store=options.store
    ):
        print_plainly(Console(), render(found))


def _target(options: Options) -> Path:
    return target_folder(options.out, FAMILY, options.version, options.home)


def print_artifact(folder: Path, console: Console | None = None) -> None:
    """Print sizes, the funnel and where the artifact is."""
    console = console or wide_console()
    manifest = read_manifest(folder)
    console.print(sizes_table(manifest))
    for config in manifest["configs"]:
        console.print(funnel_table(config))
        if config["left_out"]:
            console.print(f"config {config['name']}: no split {', '.join(config['left_out'])} (no question reached it)")
        for line in opinion_lines(config):
            console.print(line, highlight=False)
    if pending := sum(config["pending"] for config in manifest["configs"]):
        console.print(pending_line(pending, "candidates", manifest["version"]), highlight=False)
    console.print(f"writer: [bold]{manifest['writer']}[/]; what it writes is invented and false by design")
    print_plainly(console, f"{folder}  content id {manifest['content_id'][:16]}")


def opinion_lines(config: dict[str, Any]) -> Iterator[str]:
    """Yield what the checker said, by condition and question."""
    for condition, questions in config["opinions"].items():
        for question, said in questions.items():
            counts = ", ".join(f"{answer} {n:,}" for answer, n in said.items())
            yield f"config {config['name']}, {condition}, {question}: {counts}"


def sizes_table(manifest: dict[str, Any]) -> Table:
    """Return the table of configs and rows per split."""
    table = Table("config", "questions", "Recall@k", "unanswerable", *manifest["splits"], title="rows per split")
    for config in manifest["configs"]:
        shares = (f"{config['recall']:.1%}", f"{config['unanswerable_share']:.1%}")
        rows = (f"{config['rows'].get(split, 0):,}" for split in manifest["splits"])
        table.add_row(config["name"], f"{config['questions']:,}", *shares, *rows)
    return table


def funnel_table(config: dict[str, Any]) -> Table:
    """Return a line per condition: what entered, what was kept, and the rest by step and reason."""
    table = Table("condition", "entered", "kept", "pending", "rejected", title=f"funnel of {config['name']}")
    for condition, steps in config["funnel"].items():
        reasons = [f"{step['step']}: {reason} {n:,}" for step in steps for reason, n in step["rejected"].items()]
        pending = sum(step["pending"] for step in steps)
        counts = (f"{n:,}" for n in (steps[0]["entered"], steps[-1]["kept"], pending))
        table.add_row(condition, *counts, "\n".join(reasons))
    return table
