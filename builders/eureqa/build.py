"""`decoyqa build eureqa`: read the snapshot, walk, write, prove, assemble."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from builders.eureqa.assemble import Material, assemble
from builders.eureqa.check import NameBook
from builders.eureqa.draft import Draft
from builders.eureqa.fast import fast_walks, has_numba
from builders.eureqa.index import IndexBackend
from builders.eureqa.load import load_snapshot
from builders.eureqa.plan import Walks, walk_seeds
from builders.eureqa.recipe import EureQARecipe, chain_steps, over_target, written_steps
from builders.eureqa.relations import rules_for
from builders.eureqa.rows import Origin, row
from builders.eureqa.seeds import most_linked, seeds_from_file, spread
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Draws, Rules, WalkSettings, first_state, run_walks, walk
from builders.eureqa.write import tell
from builders.similarity import Similarity, open_similarity
from builders.sources.graphs import GRAPHS
from builders.steps import Passed, Result, Step, each, run_steps
from loaders.eureqa import EureQARow

CONFIGS = ("hard", "easy")
WRITER = "rules"


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


def build(options: Options, say: Callable[[str], None]) -> Path:
    """Build the artifact and return its folder; `say` hears what goes on, a line at a time."""
    started = time.time()
    material = read_material(options, say)
    similarity = open_similarity(options.similarity)
    configs = {name: make_config(name, material, options, similarity, say) for name in CONFIGS}
    return assemble(options, material, configs, similarity.identity, time.time() - started)


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


def make_config(
    name: str, material: Material, options: Options, similarity: Similarity, say: Callable[[str], None]
) -> Walks:
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
        Step("questions", questions_step(name, material.snapshot, options, similarity)),
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


def questions_step(
    name: str, snapshot: Snapshot, options: Options, similarity: Similarity
) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that writes the question at every depth, with its counts and its similarity (section 5.2)."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        made = [_rows(draft, name, snapshot, options) for draft in drafts]
        scored = iter(with_similarity([one for rows in made for one in rows], snapshot, similarity))
        return [
            Passed(replace(draft, rows=tuple(next(scored) for _ in rows)), rows[-1].question)
            for draft, rows in zip(drafts, made, strict=True)
        ]

    return run


def _rows(draft: Draft, name: str, snapshot: Snapshot, options: Options) -> list[EureQARow]:
    origin = Origin(name, draft.seed.category, WRITER, GRAPHS[options.source].license)
    depths = range(1, len(draft.chain) + 1)
    return [row(draft.chain, draft.words(), depth, origin, snapshot, options.seed) for depth in depths]


def with_similarity(rows: Sequence[EureQARow], snapshot: Snapshot, similarity: Similarity) -> list[EureQARow]:
    """Fill in the mean cosine of the answer's name with the names that the question shows."""
    names = {
        name: i for i, name in enumerate(dict.fromkeys(n for row in rows for n in (row.answer, *shown(row, snapshot))))
    }
    vectors = similarity.encode(list(names))
    return [
        replace(row, similarity=_mean(vectors[names[row.answer]], vectors[[names[n] for n in shown(row, snapshot)]]))
        for row in rows
    ]


def _mean(answer: Any, others: Any) -> float:
    return round(float(np.mean(others @ answer)), 4)


def shown(row: EureQARow, snapshot: Snapshot) -> list[str]:
    """Return the names that a question shows: its facts' entities, and the one of the closing line."""
    iris = [*(layer.fact_entity for layer in row.layers), row.closing_entity]
    return [snapshot.labels[snapshot.entities.find(iri)] for iri in iris]
