"""Take cases through the steps of every condition: four candidates a case, kept or not."""

from collections.abc import Sequence
from dataclasses import replace

from builders.genadv.checker import checking_steps
from builders.genadv.draft import Draft, candidate
from builders.genadv.others import take_next_ranked, take_random
from builders.genadv.recipe import GenADVRecipe, model_steps, rule_steps
from builders.genadv.seeds import Case
from builders.genadv.tools import Tools
from builders.genadv.voices import Voices
from builders.steps import Step, Trail, each, run_steps
from loaders.genadv import Candidate

RULED = Voices()


def make_candidates(
    cases: Sequence[Case],
    everything: Sequence[Case],
    recipe: GenADVRecipe,
    tools: Tools,
    seed: int,
    voices: Voices = RULED,
) -> list[Candidate]:
    """Return the candidates of a batch of cases, four per case, in the order of cases and conditions.

    `everything` holds all cases of the source, from whose documents the random ones are drawn.
    """
    random_step = Step("random", each(lambda draft: take_random(draft, everything, seed, recipe.random_tries)))
    randoms = run_steps([Trail(Draft(case, "random")) for case in cases], [random_step])
    topk = run_steps([Trail(Draft(case, "topk")) for case in cases], [Step("next_ranked", each(take_next_ranked))])
    drafts = [Trail(Draft(case, "adversarial", random=t.draft.random)) for case, t in zip(cases, randoms, strict=True)]
    writer = voices.writer
    steps = model_steps(recipe, tools, seed, writer) if writer else rule_steps(recipe, tools, seed)
    shared = run_steps(drafts, steps.shared)
    adversarial = run_steps(shared, steps.adversarial)
    conflict = run_steps([_as_conflict(trail) for trail in shared], steps.conflict)
    written = run_steps([*adversarial, *conflict], checking_steps(voices))
    quartets = zip(written[: len(cases)], written[len(cases) :], randoms, topk, strict=True)
    return [_candidate(trail, voices.writer_name) for quartet in quartets for trail in quartet]


def _as_conflict(trail: Trail[Draft]) -> Trail[Draft]:
    return replace(trail, draft=replace(trail.draft, condition="conflict"))


def _candidate(trail: Trail[Draft], writer: str) -> Candidate:
    writer = writer if trail.draft.condition in ("adversarial", "conflict") else "none"
    return candidate(trail.draft, trail.verdicts, trail.status, trail.reason, writer)
