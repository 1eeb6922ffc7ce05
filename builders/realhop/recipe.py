"""REALHOP as a list of steps that can be held against the paper, with every setting and its section."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builders.realhop.draft import Draft, draft
from builders.realhop.graph import Plan
from builders.realhop.model_plan import plan_items
from builders.realhop.plan import plan_item
from builders.realhop.plan_checks import check_plan
from builders.realhop.prove import path_faults, prove
from builders.realhop.review import Reviewed, review
from builders.realhop.settings import Settings
from builders.realhop.voices import Voices
from builders.sources.items import unfit
from builders.steps import Dropped, Passed, Pending, Result, Step, each
from builders.voices import Voice
from loaders.records import Item, Reason, Verdict

SEMANTIC = "semantic"


@dataclass(frozen=True)
class RealHopRecipe(Settings):
    """The settings of the competing paths, and how many items of each length are wanted: null takes all."""

    two_hops: int | None = None  # 430 in the paper's set (appendix J.1)
    three_hops: int | None = None  # 244
    four_hops: int | None = None  # 116
    version: int = 1  # raised when the same settings would give other items

    def wanted(self, hops: int) -> int | None:
        """Return how many items with so many hops are wanted; null for all of them."""
        return {2: self.two_hops, 3: self.three_hops, 4: self.four_hops}.get(hops)


@dataclass(frozen=True)
class Work:
    """One item on its way through the steps."""

    item: Item
    plan: Plan | None = None
    draft: Draft | None = None
    opinions: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Means:
    """What decides what becomes of an item: settings, seed, the rules' parser, models, and withdrawn items."""

    recipe: RealHopRecipe
    seed: int
    nlp: Any
    voices: Voices
    withdrawn: Mapping[str, str]


def steps(means: Means) -> list[Step[Work]]:
    """Return the steps of section 4, appendix I and our own in their order."""
    writer = means.voices.writer
    planning = _by_model(writer, means.seed) if writer else each(lambda work: _by_rules(work, means))
    return [
        Step("errata", each(lambda work: _not_withdrawn(work, means.withdrawn))),
        Step("source", each(lambda work: unfit(work.item) or Passed(work))),
        Step("plan", planning),  # I.1
        Step("plan_checks", each(_checked)),  # I.1, I.3
        Step("rewrite", each(lambda work: _rewritten(work, means, {}))),  # 4.1, 4.2, I.2, I.3
        *_review(means),  # 4.2, I.3
        Step("proof", each(_proved)),  # 3.1
    ]


def _not_withdrawn(work: Work, withdrawn: Mapping[str, str]) -> Result[Work]:
    reason = withdrawn.get(work.item.id)
    return Reason("withdrawn", reason) if reason else Passed(work)


def _by_rules(work: Work, means: Means) -> Result[Work]:
    return _planned(work, plan_item(work.item, means.seed, means.nlp))


def _by_model(writer: Voice, seed: int) -> Callable[[Sequence[Work]], list[Result[Work]]]:
    def run(works: Sequence[Work]) -> list[Result[Work]]:
        made = plan_items(writer, [work.item for work in works], seed)
        return [_told(work, result) for work, result in zip(works, made, strict=True)]

    return run


def _told(work: Work, result: Result[Plan]) -> Result[Work]:
    if isinstance(result, Dropped):
        return Dropped(replace(work, plan=result.draft), result.reason)
    return result if isinstance(result, Reason | Pending) else _planned(work, result.draft)


def _planned(work: Work, plan: Plan | Reason) -> Result[Work]:
    return plan if isinstance(plan, Reason) else Passed(replace(work, plan=plan), plan.question)


def _checked(work: Work) -> Result[Work]:
    assert work.plan
    return check_plan(work.plan, work.item) or Passed(work)


def _rewritten(work: Work, means: Means, rejected: Mapping[str, Reason]) -> Result[Work]:
    """Write the item; what its own text, read back, says of a competing path prunes it in at most two rounds (I.3)."""
    for _ in range(means.recipe.pruning_rounds + 1):
        assert work.plan
        made = draft(work.item, work.plan, means.seed, means.recipe, rejected)
        if isinstance(made, Reason):
            return made
        work = replace(work, draft=made)
        faults = path_faults(made.full)
        if not faults:
            return Passed(work, f"{len(made.paths)} competing paths, {len(made.dropped)} dropped")
        rejected = {**rejected, **faults}
    return Dropped(work, Reason("pruning_rounds_used", ", ".join(faults)))


def _review(means: Means) -> list[Step[Work]]:
    """Return the step of the checker, if there is one; what it says is kept, and rejects only where it may."""
    checker = means.voices.checker
    if not checker:
        return []

    def run(works: Sequence[Work]) -> list[Result[Work]]:
        by_id = {work.item.id: work for work in works}

        def redraft(before: Draft, rejected: Mapping[str, Reason]) -> Draft | Reason:
            made = _rewritten(by_id[before.full.id], means, rejected)
            if isinstance(made, Passed) and made.draft.draft:
                return made.draft.draft
            return made if isinstance(made, Reason) else Reason("pruning_rounds_used", "in the second writing")

        drafts = [work.draft for work in works if work.draft]
        gates, rounds = means.voices.gates, means.recipe.pruning_rounds
        found = review(checker, drafts, redraft, gates=gates, rounds=rounds)
        return [_reviewed(work, one) for work, one in zip(works, found, strict=True)]

    return [Step(SEMANTIC, run)]


def _reviewed(work: Work, found: Reviewed) -> Result[Work]:
    after = replace(work, draft=found.draft, opinions=found.verdicts)
    if found.pending:
        return Pending(found.pending)
    if found.reason:
        return Dropped(after, found.reason)
    return Passed(after, f"{len(found.verdicts)} questions, {len(found.rejected)} paths pruned")


def _proved(work: Work) -> Result[Work]:
    assert work.draft
    proof = prove(work.draft.full, work.draft.source)
    if isinstance(proof, Reason):
        return proof
    full = replace(work.draft.full, proof=proof)
    return Passed(replace(work, draft=replace(work.draft, full=full)), f"{len(proof.drops)} Drops without a solution")
