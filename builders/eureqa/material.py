"""What a build of EureQA is told to do, and what it starts from: the snapshot, and seeds in turn by category."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from builders.eureqa.check import NameBook
from builders.eureqa.load import load_snapshot
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.relations import rules_for
from builders.eureqa.seeds import Seed, most_linked, seeds_from_file, spread
from builders.eureqa.seeds_model import CATEGORIES, seeds_of_model
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import ChainEngines, ChainVoices
from builders.eureqa.walk import Rules
from builders.sources.files import sha256

UNASKED = ChainVoices()


@dataclass(frozen=True)
class Options:
    """Everything that the command line can say."""

    inputs: tuple[Path, ...]
    out: Path
    home: Path
    types: tuple[Path, ...] = ()
    seeds: Path | None = None
    version: str = "0.0.0.dev0"
    seed: int = 0
    limit: int | None = None
    similarity: str = "minilm"
    with_properties: bool = False
    source: str = "dbpedia"
    requests: Path | None = None  # the request store, where it is not the home's
    categories: tuple[str, ...] = tuple(CATEGORIES)  # of the seeds that a model names
    engines: ChainEngines = field(default_factory=ChainEngines)
    recipe: EureQARecipe = field(default_factory=EureQARecipe)

    @property
    def store(self) -> Path:
        """The folder of the request store."""
        return self.requests or self.home / "requests"


@dataclass(frozen=True)
class Material:
    """All that a build starts from: the snapshot, the seeds in turn by category, and what is known of relations.

    `facts` are what the manifest says of the seeds.
    """

    snapshot: Snapshot
    seeds: tuple[Seed, ...]
    rules: Rules[int, int]
    book: NameBook
    facts: Mapping[str, Any]


def read_material(options: Options, say: Callable[[str], None], voices: ChainVoices = UNASKED) -> Material:
    """Open the snapshot, made at the first time, and choose the seeds; raises InputError before anything is written.

    Where a model is to name seeds and no voice is given, the most linked entities stand in for them.
    """
    snapshot = load_snapshot(
        options.inputs,
        options.types,
        options.home / "graphs",
        lambda edges: say(f"{edges:,} triples read"),
        with_properties=options.with_properties,
    )
    seeds, facts = choose_seeds(options, snapshot, voices)
    chosen = tuple(spread(seeds))[: options.limit]
    return Material(snapshot, chosen, rules_for(snapshot), NameBook(snapshot), facts)


def choose_seeds(options: Options, snapshot: Snapshot, voices: ChainVoices) -> tuple[list[Seed], dict[str, Any]]:
    """Return the seeds, and what the manifest says of them: `seeds_from`, and what became of a model's names."""
    if options.seeds is not None:
        given = {"from": "file", "sha256": sha256(options.seeds)}
        return seeds_from_file(options.seeds, snapshot), {"seeds_from": given}
    if voices.seeder:
        found = seeds_of_model(voices.seeder, options.categories, options.recipe.seeds_per_category, snapshot)
        chosen = {"from": "model", "categories": list(options.categories)}
        return found.seeds, {"seeds_from": chosen, "seeds_named": found.facts()}
    return most_linked(snapshot, options.recipe.seeds, options.recipe.max_links), {"seeds_from": {"from": "links"}}
