"""What a build would ask and what that would cost, before any model is asked: it walks, which costs nothing."""

from collections.abc import Callable, Mapping, Sequence

from builders.engines import NOBODY
from builders.eureqa.build import CONFIGS, find_chains
from builders.eureqa.draft import Draft
from builders.eureqa.knowledge import statement_values
from builders.eureqa.material import Material, Options
from builders.eureqa.model_nouns import entities_of, kind_values, says_nothing
from builders.eureqa.model_write import ruled_statements, statements_of, triple_values
from builders.eureqa.seeds_model import seed_values
from builders.eureqa.voices import KIND, KNOWS, NAMING_SEEDS, SEEDS, TELLING, VERBALISE
from builders.voices import CHECKING, Sampling, requests
from eval.models.estimate import Estimate, estimate
from eval.models.prices import read_prices
from eval.models.store import RequestStore

# Tokens of a usual reply, by prompt; each name of a seed takes about as many as stand for it.
USUAL = {VERBALISE.stem: 25, KIND.stem: 4, KNOWS.stem: 2, SEEDS.stem: 400}


def forecasts(options: Options, material: Material, say: Callable[[str], None]) -> list[Estimate]:
    """Return an estimate for each prompt that a model is asked, if every chain that is told is kept.

    A chain that is rejected gives its place to another one, which costs as much again. Its `usd` takes replies at their
    usual length. What stands in the store counts only where an engine's name is its identity, as with `openai:`, and a
    checker's only where the rules write; no model is opened.
    """
    engines, prices = options.engines, read_prices(options.engines.prices)
    asked: list[tuple[str, Mapping[str, list[dict[str, str]]], Sampling]] = []
    if engines.seeds_model:
        values = {SEEDS.stem: seed_values(options.categories, options.recipe.seeds_per_category)}
        asked.append((engines.seeds_model, values, NAMING_SEEDS))
    if not {engines.writer, engines.checker} <= set(NOBODY):
        drafts = wanted_chains(options, material, say)
        asked.append((engines.writer, writer_values(options, drafts, material), TELLING))
        asked.append((engines.checker, checker_values(drafts, material), CHECKING))
    prompts = {prompt.stem: prompt for prompt in (SEEDS, KIND, VERBALISE, KNOWS)}
    with RequestStore(options.store) as store:
        return [
            found.at_length(USUAL[found.step], prices.of(name))
            for name, steps, sampling in asked
            if name not in NOBODY
            for found in estimate(
                {step: requests(name, prompts[step], given, sampling, options.seed) for step, given in steps.items()},
                store,
                prices,
            )
        ]


def wanted_chains(options: Options, material: Material, say: Callable[[str], None]) -> list[Draft]:
    """Return the first chains of both configs, up to their targets."""
    found = ((name, find_chains(name, material, options, say).trails) for name in CONFIGS)
    kept = ((name, [trail.draft for trail in trails if trail.status == "kept"]) for name, trails in found)
    return [draft for name, drafts in kept for draft in drafts[: options.recipe.chains(name)]]


def writer_values(options: Options, drafts: Sequence[Draft], material: Material) -> dict[str, list[dict[str, str]]]:
    """Return what fills each prompt of a writer."""
    snapshot = material.snapshot
    triples = triple_values((one for draft in drafts for one in statements_of(draft.chain)), snapshot)
    if not options.engines.asks_kinds:
        return {VERBALISE.stem: triples}
    entities = dict.fromkeys(entity for draft in drafts for entity in entities_of(draft))
    wide = [entity for entity in entities if says_nothing(entity, snapshot)]
    return {KIND.stem: kind_values(wide, snapshot), VERBALISE.stem: triples}


def checker_values(drafts: Sequence[Draft], material: Material) -> dict[str, list[dict[str, str]]]:
    """Return what fills the checker's prompt: the rules' statements stand for a model's, and are about as long."""
    texts = (text for draft in drafts for text in ruled_statements(draft.chain, material.snapshot))
    return {KNOWS.stem: statement_values(texts)}
