"""What a build of EureQA is told to do, and what it starts from: the snapshot, and seeds in turn by category."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from builders.eureqa.check import NameBook
from builders.eureqa.endpoint import PER_SECOND, Endpoint
from builders.eureqa.load import load_snapshot
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.relations import rules_for
from builders.eureqa.seeds import Seed, most_linked, seeds_from_file, spread
from builders.eureqa.seeds_model import CATEGORIES, seeds_of_model
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.sparql import BATCH, SparqlBackend, open_sparql
from builders.eureqa.voices import ChainEngines, ChainVoices
from builders.eureqa.walk import Rules
from builders.options import BuildOptions
from builders.sources.files import sha256
from cards.history import History
from loaders.errors import DecoyQAError
from loaders.manifest import json_hash

FAMILY = "eureqa"
UNASKED = ChainVoices()
EXPORTED = 12  # chains of a config that one picture shows


@dataclass(frozen=True)
class Options(BuildOptions):
    """Everything that the command line can say."""

    inputs: tuple[Path, ...]
    types: tuple[Path, ...] = ()
    seeds: Path | None = None
    similarity: str = "minilm"
    with_properties: bool = False
    source: str = "dbpedia"
    replies: Path | None = None  # what an endpoint answered, where it is not in the home
    endpoint: str = ""  # the URL of a SPARQL endpoint with the same triples, which is then walked through
    endpoint_graph: str = ""
    endpoint_rate: float = PER_SECOND  # requests a second
    endpoint_stored: bool = False  # the endpoint is not asked, all its answers are kept
    export: Path | None = None
    export_chains: int = EXPORTED  # of each config
    categories: tuple[str, ...] = tuple(CATEGORIES)  # of the seeds that a model names
    engines: ChainEngines = field(default_factory=ChainEngines)
    recipe: EureQARecipe = field(default_factory=EureQARecipe)

    def endpoint_of(self, snapshot: Snapshot) -> Endpoint:
        """Return the endpoint, its answers kept under the checksums of the snapshot's files."""
        sums = json_hash({kind: snapshot.facts[kind] for kind in ("inputs", "types")})
        return Endpoint(
            self.endpoint, sums, self.endpoint_graph, per_second=self.endpoint_rate, stored=self.endpoint_stored
        )


@dataclass(frozen=True)
class Material:
    """All that a build starts from: the snapshot, the seeds in turn by category, and what is known of relations.

    `facts` are what the manifest says of the seeds; `endpoint` is what walks go through in place of the index.
    """

    snapshot: Snapshot
    seeds: tuple[Seed, ...]
    rules: Rules[int, int]
    book: NameBook
    facts: Mapping[str, Any]
    history: History
    endpoint: SparqlBackend | None = None


def read_material(options: Options, say: Callable[[str], None], voices: ChainVoices = UNASKED) -> Material:
    """Open the snapshot, made at the first time, and choose the seeds; raises InputError before anything is written.

    Where a model is to name seeds and no voice is given, the most linked entities stand in for them. Raises
    DecoyQAError for an endpoint that does not answer, or holds another graph.
    """
    history = options.history_of(FAMILY)
    snapshot = load_snapshot(
        options.inputs,
        options.types,
        options.home / "graphs",
        lambda edges: say(f"{edges:,} triples read"),
        with_properties=options.with_properties,
    )
    seeds, facts = choose_seeds(options, snapshot, voices)
    chosen = tuple(spread(seeds))[: options.limit]
    endpoint = open_endpoint(options, snapshot, chosen, say) if options.endpoint else None
    return Material(snapshot, chosen, rules_for(snapshot), NameBook(snapshot), facts, history, endpoint)


def open_endpoint(
    options: Options, snapshot: Snapshot, seeds: Sequence[Seed], say: Callable[[str], None]
) -> SparqlBackend:
    """Open the endpoint and ask about the first seeds; raises DecoyQAError where it knows none of them."""
    endpoint = options.endpoint_of(snapshot)
    found = open_sparql(
        endpoint,
        options.replies or options.home / "graphs",
        lambda requests: say(f"requests to {endpoint.name}: {requests:,}"),
        with_properties=options.with_properties,
    )
    first = [snapshot.entities[seed.entity] for seed in seeds[: BATCH // 2]]
    if not any(found.relations(first)):
        raise DecoyQAError(endpoint.problem("the graph of --input", f"none of {len(first)} seeds, as <{first[0]}>"))
    return found


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
