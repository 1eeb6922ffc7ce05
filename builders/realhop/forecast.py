"""What a build would ask its planner and its checker and what that would cost, before any model is asked."""

from collections.abc import Sequence
from pathlib import Path

from builders.engines import NOBODY, Engines
from builders.opinions import Opinion
from builders.realhop.model_plan import Proposal, plan_values
from builders.realhop.plan_source import source_fault
from builders.realhop.semantic import refers
from builders.realhop.voices import COMPETITOR, GOLD, PLAN, PLANNING, REFERENCES
from builders.voices import CHECKING, requests
from eval.models.estimate import Estimate, estimate
from eval.models.prices import read_prices
from eval.models.store import RequestStore
from eval.models.structured import response_schema
from loaders.records import Item

# What will be written is not known before: these stand for it and are about as long.
UNITS, PATHS_PER_HOP = "Entry K41 of the Halden Register is about Some Name. " * 3, 3
# Tokens of a usual reply, by prompt.
USUAL = {PLAN.stem: 300, GOLD.stem: 60, COMPETITOR.stem: 40, REFERENCES.stem: 30}


def forecasts(engines: Engines, items: Sequence[Item], *, seed: int, store: Path) -> list[Estimate]:
    """Return an estimate for each prompt that a model is asked, as if every item were planned and written.

    Repairs and rounds of pruning come on top. Only the planner's replies can be looked for in the store, and only where
    an engine's name is its identity, as with `openai:`; no model is opened.
    """
    sound = [item for item in items if source_fault(item) is None]
    prices = read_prices(engines.prices)
    roles = (
        (engines.writer, {PLAN: plan_values(sound)}, PLANNING, 0, Proposal),
        (engines.checker, checker_values(sound), CHECKING, seed, Opinion),
    )
    with RequestStore(store) as replies:
        return [
            found.at_length(USUAL[found.step], prices.of(name))
            for name, prompts, sampling, drawn, record in roles
            if name not in NOBODY
            for found in estimate(
                {
                    prompt.stem: requests(name, prompt, values, sampling, drawn, response_schema(record))
                    for prompt, values in prompts.items()
                },
                replies,
                prices,
            )
        ]


def checker_values(items: Sequence[Item]) -> dict[Path, list[dict[str, str]]]:
    """Return what fills each prompt of a checker, every passage with a pronoun taken for one that is asked about."""
    hops = [(item, hop) for item in items for hop in item.hops]
    return {
        GOLD: [
            {"question": item.question, "answer": item.answer, "sentences": UNITS * len(item.hops)} for item in items
        ],
        COMPETITOR: [
            {"sentences": f"{number} {UNITS}", "claim": f"{item.id}: {hop.relation}"}
            for item, hop in hops
            for number in range(PATHS_PER_HOP)
        ],
        REFERENCES: [
            {"title": passage.title, "passage": f"{passage.text} {UNITS}", "sentences": UNITS}
            for item in items
            for passage in item.passages
            if refers(passage.text)
        ],
    }
