"""`decoyqa build eureqa`: read the snapshot, walk, write, prove, assemble."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from builders.eureqa.assemble import Material, assemble
from builders.eureqa.check import NameBook
from builders.eureqa.draft import Draft
from builders.eureqa.fast import fast_walks, has_numba
from builders.eureqa.index import IndexBackend
from builders.eureqa.load import load_snapshot
from builders.eureqa.plan import Walks, walk_seeds
from builders.eureqa.recipe import EureQARecipe, chain_steps, over_target, written_steps
from builders.eureqa.relations import rules_for
from builders.eureqa.seeds import most_linked, seeds_from_file, spread
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Draws, Rules, WalkSettings, first_state, run_walks, walk
from builders.eureqa.write import questions, tell
from builders.similarity import open_similarity
from builders.steps import Passed, Result, Step, each, run_steps

CONFIGS = ("hard", "easy")


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
    recipe: EureQARecipe = field(default_factory=EureQARecipe)


def build(options: Options, say: Callable[[str], None], material: Material | None = None) -> Path:
    """Build the artifact and return its folder; `say` hears what goes on, `material` is what `read_material` gave."""
    started = time.time()
    material = material or read_material(options, say)
    configs = {name: make_config(name, material, options, say) for name in CONFIGS}
    return assemble(options, material, configs, open_similarity(options.similarity), started)


def read_material(options: Options, say: Callable[[str], None]) -> Material:
    """Open the snapshot, made at the first time, and choose the seeds; raises InputError before anything is written."""
    snapshot = load_snapshot(
        options.inputs,
        options.types,
        options.home / "graphs",
        lambda edges: say(f"{edges:,} triples read"),
        with_properties=options.with_properties,
    )
    if options.seeds is not None:
        seeds = seeds_from_file(options.seeds, snapshot)
    else:
        seeds = most_linked(snapshot, options.recipe.seeds, options.recipe.max_links)
    return Material(snapshot, tuple(spread(seeds))[: options.limit], rules_for(snapshot), NameBook(snapshot))


def make_config(name: str, material: Material, options: Options, say: Callable[[str], None]) -> Walks:
    """Walk, check, write and prove the chains of one config."""
    recipe = options.recipe
    gates = chain_steps(name, recipe, material.rules, material.snapshot, material.book)
    found = walk_seeds(
        material.seeds,
        walker(material.snapshot, material.rules, recipe.walk(hard=name == "hard"), options.seed),
        lambda trails: run_steps(trails, gates),
        layers=recipe.layers,
        at_most=recipe.walks_per_seed,
        wanted=recipe.chains_per_seed,
        progress=lambda satisfied: say(f"{name}: {satisfied:,} of {len(material.seeds):,} seeds have a chain"),
    )
    steps = [
        Step("target", lambda drafts: over_target(drafts, recipe.chains(name))),
        Step("statements", each(lambda draft: _told(draft, material.snapshot))),
        Step("questions", each(_asked)),
        *written_steps(material.book),
    ]
    return replace(found, trails=run_steps(found.trails, steps))


def walker(
    snapshot: Snapshot, rules: Rules[int, int], settings: WalkSettings, seed: int
) -> Callable[[Sequence[int], int], Sequence[Any]]:
    """Return what walks once from each entity: as machine code where numba is installed, with the same chains."""
    graph, classes = snapshot.graph, snapshot.classes

    def walk_once(entities: Sequence[int], number: int) -> Sequence[Any]:
        states = [first_state(seed, snapshot.entities[entity], number) for entity in entities]
        if has_numba():
            return fast_walks(entities, states, graph, classes, rules, settings)
        walks = [walk(e, Draws(state), rules, settings) for e, state in zip(entities, states, strict=True)]
        return run_walks(walks, IndexBackend(graph, classes))

    return walk_once


def _told(draft: Draft, snapshot: Snapshot) -> Result[Draft]:
    return Passed(replace(draft, told=tell(draft.chain, snapshot)))


def _asked(draft: Draft) -> Result[Draft]:
    found = questions(draft.words())
    return Passed(replace(draft, questions=found), found[-1])
