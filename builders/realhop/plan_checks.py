"""The checks that every plan passes, whoever made it (I.1): registry, graph, hardening, names, question, patterns."""

from collections.abc import Callable, Iterator

from builders.realhop.graph import Plan
from builders.realhop.plan_graph import (
    bindings_faults,
    graph_faults,
    hardening_faults,
    hops_faults,
    registry_faults,
)
from builders.realhop.plan_names import answer_faults, kinds_faults, names_faults
from builders.realhop.plan_patterns import pattern_faults
from builders.realhop.plan_question import question_faults
from builders.realhop.plan_source import source_fault
from loaders.records import Item, Reason

# Every reason is named where it is given; a stage rests on what those before it make sure.
_STAGES: tuple[tuple[Callable[[Plan, Item], Iterator[Reason]], ...], ...] = (
    (registry_faults, hops_faults),
    (graph_faults, hardening_faults, bindings_faults),
    (answer_faults, kinds_faults, names_faults, question_faults),
    (pattern_faults,),
)


def check_plan(plan: Plan, item: Item) -> Reason | None:
    """Return the first fault of a plan, None where it is sound."""
    return next(iter(plan_faults(plan, item)), None)


def plan_faults(plan: Plan, item: Item) -> tuple[Reason, ...]:
    """Return what makes the item unfit for any plan, or else all faults of the first stage that has any."""
    if unfit := source_fault(item):
        return (unfit,)
    for stage in _STAGES:
        if found := tuple(fault for check in stage for fault in check(plan, item)):
            return found
    return ()
