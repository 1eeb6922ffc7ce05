"""`decoyqa build eureqa`: read the snapshot, choose seeds, walk, tell, ask what is known, prove, assemble."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders.engines import Open, Told
from builders.eureqa.assemble import assemble
from builders.eureqa.by_iri import other_counts, walker_by_iri
from builders.eureqa.draft import Draft
from builders.eureqa.fast import fast_walks, has_numba
from builders.eureqa.index import IndexBackend
from builders.eureqa.knowledge import knowledge_steps
from builders.eureqa.material import Material, Options, read_material
from builders.eureqa.model_nouns import nouns_step
from builders.eureqa.model_write import ruled_statements, statements_step
from builders.eureqa.neighbourhood import export_chains
from builders.eureqa.plan import WalkOnce, Walks, walk_seeds
from builders.eureqa.recipe import EureQARecipe, chain_steps, gate, take, written_steps
from builders.eureqa.rows import chain_id
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import ChainVoices, open_voices
from builders.eureqa.walk import Draws, Rules, WalkSettings, first_state, run_walks, walk
from builders.eureqa.write import questions, tell
from builders.similarity import open_similarity
from builders.steps import Passed, Result, Step, each, run_steps
from eval.models.engine import open_engine
from loaders.errors import DecoyQAError

CONFIGS = ("hard", "easy")


def untold(asked: str, done: int, total: int, cost: str) -> None:
    """Nobody listens."""


def build(
    options: Options,
    say: Callable[[str], None],
    told: Told = untold,
    read: Callable[[Material], None] = lambda material: None,
    opener: Open = open_engine,
) -> Path:
    """Build the artifact and return its folder.

    `say` hears what goes on, `told` how many calls are done, `read` what the build starts from once it is known.
    """
    started = time.time()
    with open_voices(options.engines, options.store, options.seed, told, opener) as voices:
        material = read_material(options, say, voices)
        read(material)
        configs = {name: make_config(name, material, options, say, voices) for name in CONFIGS}
        _check_kept(configs)
        similarity = open_similarity(options.similarity)
        folder = assemble(options, material, configs, similarity, voices, started)
    if options.export is not None:
        export(configs, material.snapshot, options.export, options.export_chains)
    return folder


def export(configs: Mapping[str, Walks], snapshot: Snapshot, folder: Path, wanted: int) -> None:
    """Write the first chains that each config kept, with what stands around them, into a folder by config."""
    for name, found in configs.items():
        kept = [trail.draft.chain for trail in found.trails if trail.status == "kept"][:wanted]
        if kept:
            export_chains({chain_id(name, chain, snapshot): chain for chain in kept}, snapshot, folder / name)


def _check_kept(configs: Mapping[str, Walks]) -> None:
    """Raise DecoyQAError with the reasons where there is nothing to publish."""
    trails = [trail for found in configs.values() for trail in found.trails]
    if any(trail.status == "kept" for trail in trails):
        return
    lost = Counter(f"{trail.verdicts[-1].gate}: {trail.reason.code}" for trail in trails if trail.reason)
    pending = Counter({"pending": sum(trail.pending for trail in trails)})
    reasons = ", ".join(f"{why} {n}" for why, n in (lost + pending).most_common()) or "no walk was long enough"
    raise DecoyQAError(f"no chain was kept: {reasons}; what models said is stored, and is not asked again")


def make_config(
    name: str, material: Material, options: Options, say: Callable[[str], None], voices: ChainVoices
) -> Walks:
    """Walk, check, tell and prove the chains of one config."""
    found = find_chains(name, material, options, say)
    say(f"{name}: chains are told")
    steps = telling_steps(material, voices, options.recipe.layers)
    return replace(found, trails=take(found.trails, options.recipe.chains(name), steps))


def find_chains(name: str, material: Material, options: Options, say: Callable[[str], None]) -> Walks:
    """Walk, and check the chains before anything is told."""
    recipe = options.recipe
    gates = gates_of(name, material, recipe)
    return walk_seeds(
        material.seeds,
        _walker(material, recipe.walk(hard=name == "hard"), options.seed),
        lambda trails: run_steps(trails, gates),
        layers=recipe.layers,
        at_most=recipe.walks_per_seed,
        wanted=recipe.chains_per_seed,
        progress=lambda satisfied: say(f"{name}: {satisfied:,} of {len(material.seeds):,} seeds have a chain"),
    )


def gates_of(name: str, material: Material, recipe: EureQARecipe) -> list[Step[Draft]]:
    """Return the gates of a config's chains; what an endpoint counted is counted again over the snapshot."""
    snapshot, rules = material.snapshot, material.rules
    gates = chain_steps(name, recipe, rules, snapshot, material.book, material.history.withdrawn(name))
    if material.endpoint is None:
        return gates
    return [Step("recount", each(gate(lambda draft: other_counts(draft.chain, rules, snapshot)))), *gates]


def _walker(material: Material, settings: WalkSettings, seed: int) -> WalkOnce:
    snapshot, rules = material.snapshot, material.rules
    if material.endpoint is not None:
        return walker_by_iri(snapshot, rules, settings, seed, material.endpoint)
    return walker(snapshot, rules, settings, seed)


def telling_steps(material: Material, voices: ChainVoices, layers: int) -> list[Step[Draft]]:
    """Return the steps of telling (section 2.2), by a model or by rules, and of the knowledge filter (2.3)."""
    snapshot, book = material.snapshot, material.book
    if voices.writer:
        kinds = voices.writer if voices.kinds else None
        telling = [
            Step("hypernyms", nouns_step(kinds, snapshot, book)),
            Step("statements", statements_step(voices.writer, snapshot, book)),
        ]
    else:
        telling = [Step("statements", each(lambda draft: _told(draft, snapshot)))]
    return [*telling, Step("questions", each(_asked)), *written_steps(book), *knowledge_steps(voices, layers)]


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
    return Passed(replace(draft, told=tell(draft.chain, snapshot), named=ruled_statements(draft.chain, snapshot)))


def _asked(draft: Draft) -> Result[Draft]:
    found = questions(draft.words())
    return Passed(replace(draft, questions=found), found[-1])
