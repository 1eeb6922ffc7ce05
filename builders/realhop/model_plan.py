"""A plan by a model (I.1): it tells constants, sentences and dependencies, and what fails our checks goes back to it.

Names are always drawn by our generator: a model sees neither the passages, so that it cannot know which names are
absent, nor what other models have read; and with drawn names another seed gives other names and the same plan.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from builders.realhop.graph import KEY, Entity, HopPlan, Plan
from builders.realhop.names import NamesExhaustedError, draw_names
from builders.realhop.plan_checks import plan_faults
from builders.realhop.plan_source import source_fault
from builders.realhop.plan_wording import wording_faults
from builders.realhop.relations import relation_in
from builders.realhop.voices import PLAN
from builders.steps import Dropped, Passed, Result
from builders.voices import Voice
from builders.written import unanswered
from eval.models.engine import Request
from eval.models.structured import Structured, ask_structured, response_schema
from loaders.records import Item, Reason

REPAIRS = 2
MOST_ENTITIES = 20  # no question has as many; a list without end would use up the names
Kind = Literal["person", "place", "organization", "work", "event", "thing", "date", "year", "number"]


class Constant(BaseModel):
    """A name or value of the question that is to be exchanged."""

    model_config = ConfigDict(extra="forbid")

    key: str
    text: str
    kind: Kind


class Step(BaseModel):
    """One hop's realization: a sentence over keys; two units are joined by a register entry, as everywhere."""

    model_config = ConfigDict(extra="forbid")

    hop: int
    depends_on: list[int]
    sentence: str
    answer_kind: Kind
    units: Literal[1, 2]


class Proposal(BaseModel):
    """What a planner replies."""

    model_config = ConfigDict(extra="forbid")

    constants: list[Constant]
    hops: list[Step]
    question: str


def plan_values(items: Sequence[Item]) -> list[dict[str, str]]:
    """Return what fills the prompt for each item: the question, and each step with its answer."""
    return [{"question": item.question, "steps": _steps(item)} for item in items]


def _steps(item: Item) -> str:
    return "\n".join(f"Step {hop.hop_id}: {hop.relation} => {hop.answer}" for hop in item.hops)


def plan_items(writer: Voice, items: Sequence[Item], seed: int, repairs: int = REPAIRS) -> list[Result[Plan]]:
    """Return a plan for each item, in order, that passes `plan_faults`; faults go back to the model.

    Nothing is asked of an item that `source_fault` finds unfit. Reasons: those of the checks, of the last plan, and
    `malformed_plan` where the last reply could not be read. An item whose call fails is pending.
    """
    faults = [source_fault(item) for item in items]
    asked = [item for item, fault in zip(items, faults, strict=True) if fault is None]
    requests = writer.requests(PLAN, plan_values(asked), response_schema(Proposal))
    by_key = {request.key: item for request, item in zip(requests, asked, strict=True)}

    def fault_in(key: str, proposal: Proposal) -> str:
        return _told(_judged(proposal, by_key[key], seed, writer.identity)[1])

    found = ask_structured(writer.asker, requests, Proposal, repairs, fault_in)
    results = (
        _result(request, item, found, seed, writer.identity) for request, item in zip(requests, asked, strict=True)
    )
    return [fault or next(results) for fault in faults]


def _told(faults: Sequence[Reason]) -> str:
    """What the model hears of its plan: each fault in a line."""
    lines = "".join(f"\n- {fault.code}: {fault.detail}" for fault in faults)
    return f"This plan has faults:{lines}\nMend them" if faults else ""


def _result(request: Request, item: Item, found: Structured[Proposal], seed: int, writer: str) -> Result[Plan]:
    key = request.key
    if key in found.malformed:
        return Reason("malformed_plan", found.malformed[key])
    proposal = found.records.get(key) or found.faulty.get(key)
    if proposal is None:
        return unanswered(request)
    plan, faults = _judged(proposal, item, seed, writer)
    if plan is None:
        return faults[0]
    return Dropped(plan, faults[0]) if faults else Passed(plan, f"request {key}")


def _judged(proposal: Proposal, item: Item, seed: int, writer: str) -> tuple[Plan | None, tuple[Reason, ...]]:
    """Return the plan of a proposal and its faults; `too_many_entities` and `names_exhausted` leave no plan."""
    if (count := len(proposal.constants) + len(proposal.hops)) > MOST_ENTITIES:
        return None, (Reason("too_many_entities", f"{count} constants and hops"),)
    try:
        plan = plan_of(proposal, item, seed, writer)
    except NamesExhaustedError as exhausted:
        return None, (Reason("names_exhausted", str(exhausted)),)
    return plan, plan_faults(plan, item) or tuple(wording_faults(plan, item))


def plan_of(proposal: Proposal, item: Item, seed: int, writer: str) -> Plan:
    """Return the plan that a proposal describes, sound or not, with drawn names; raises NamesExhaustedError."""
    answers = {hop.hop_id: hop.answer for hop in item.hops}
    told = [(one.key, one.kind, one.text) for one in proposal.constants]
    told += [(f"h{step.hop}", step.answer_kind, answers.get(str(step.hop), "")) for step in proposal.hops]
    names = draw_names(item, told, seed)
    return Plan(
        item_id=item.id,
        question=_filled(proposal.question, names),
        entities=tuple(Entity(key, names[key], kind, original) for key, kind, original in told),
        hops=tuple(_hop(step, item) for step in proposal.hops),
        writer=writer,
    )


def _hop(step: Step, item: Item) -> HopPlan:
    """The support is the source's: a model has no say in where a hop is told."""
    support = {hop.hop_id: [span.passage for span in hop.support] for hop in item.hops}.get(str(step.hop))
    return HopPlan(
        hop_id=str(step.hop),
        pattern=step.sentence,
        relation=relation_in(step.sentence) or "",
        depends_on=tuple(map(str, step.depends_on)),
        support=support[0] if support else -1,
        hardened=step.units > 1,
    )


def _filled(text: str, names: Mapping[str, str]) -> str:
    """Put names in the place of their keys; a key without a name stays."""
    return KEY.sub(lambda found: names.get(found[1], found[0]), text)
