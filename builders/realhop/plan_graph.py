"""How a plan hangs together (I.1): keys of the registry, the source's hops and dependencies, hardening, bindings."""

import re
from collections import Counter
from collections.abc import Iterator
from math import ceil

from builders.realhop.graph import HopPlan, Plan
from loaders.records import Item, Reason

_KEY = re.compile(r"[ch]\d+")


def registry_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Reasons: `bad_key`, `duplicate_key`, `entity_without_hop`, `answer_unregistered`."""
    counts = Counter(entity.key for entity in plan.entities)
    answers = {hop.answer_key for hop in plan.hops}
    for key, count in counts.items():
        if not _KEY.fullmatch(key):
            yield Reason("bad_key", f"{key!r} is neither c and a number nor h and a hop's number")
        elif count > 1:
            yield Reason("duplicate_key", f"{key} stands {count} times in the registry")
        elif key.startswith("h") and key not in answers:
            yield Reason("entity_without_hop", f"{key} is the answer of no hop")
    yield from (Reason("answer_unregistered", f"{key} has no entity") for key in sorted(answers - set(counts)))


def hops_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """The hops are the source's, in its order. Reasons: `hop_dropped`, `hop_added`, `hops_reordered`."""
    planned, given = [hop.hop_id for hop in plan.hops], [hop.hop_id for hop in item.hops]
    yield from (Reason("hop_dropped", f"hop {one} has no sentence") for one in given if one not in planned)
    yield from (Reason("hop_added", f"the question has no hop {one}") for one in planned if one not in given)
    if planned != given and sorted(set(planned)) == sorted(given):
        yield Reason("hops_reordered", f"hops {', '.join(planned)} instead of {', '.join(given)}")


def graph_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """What goes before and where it is told: `dependency_cycle`, `dependency_changed`, `support_changed`."""
    earlier: set[str] = set()
    for hop, given in zip(plan.hops, item.hops, strict=True):
        needs, wanted = set(hop.depends_on), set(given.depends_on)
        if later := sorted(needs - earlier):
            yield Reason("dependency_cycle", f"hop {hop.hop_id} rests on {', '.join(later)}, which does not go before")
        elif needs != wanted:
            yield Reason(
                "dependency_changed", f"hop {hop.hop_id} rests on {_listed(needs)} instead of {_listed(wanted)}"
            )
        if [hop.support] != [span.passage for span in given.support]:
            yield Reason("support_changed", f"passage {hop.support} does not support hop {hop.hop_id}, or not alone")
        earlier.add(hop.hop_id)


def _listed(ids: set[str]) -> str:
    return ", ".join(sorted(ids)) or "none"


def hardening_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Half of the hops, the last among them (I.1). Reasons: `hardening_missing`, `last_hop_not_hardened`."""
    hardened, needed = sum(hop.hardened for hop in plan.hops), ceil(len(plan.hops) / 2)
    if hardened < needed:
        yield Reason("hardening_missing", f"{hardened} hops are told in two units, at least {needed} must be")
    if not plan.hops[-1].hardened:
        yield Reason("last_hop_not_hardened", f"hop {plan.hops[-1].hop_id} is told in one unit")


def bindings_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Patterns are over the registry. Reasons: `unknown_key`, `constant_unused`, and those of `_arguments`."""
    registered = {entity.key for entity in plan.entities}
    used: set[str] = set()
    for hop in plan.hops:
        used.update(hop.keys)
        yield from (
            Reason("unknown_key", f"{key} in hop {hop.hop_id} is not registered")
            for key in hop.keys
            if key not in registered
        )
        yield from _arguments(hop)
    for key in sorted(registered - used):
        if key.startswith("c"):
            yield Reason("constant_unused", f"no hop speaks of {key}")


def _arguments(hop: HopPlan) -> Iterator[Reason]:
    """Reasons: `answer_not_in_pattern`, `dependency_not_in_pattern`, `answer_of_another_hop`, `key_repeated`."""
    keys, needed = hop.keys, {f"h{one}" for one in hop.depends_on}
    if hop.answer_key not in keys:
        yield Reason("answer_not_in_pattern", f"hop {hop.hop_id} does not say {{{hop.answer_key}}}")
    for key in sorted(needed - set(keys)):
        yield Reason("dependency_not_in_pattern", f"hop {hop.hop_id} rests on {{{key}}} and does not say it")
    for key in sorted(key for key in set(keys) - needed - {hop.answer_key} if key.startswith("h")):
        yield Reason("answer_of_another_hop", f"hop {hop.hop_id} says {{{key}}} and does not rest on it")
    if len(keys) > len(set(keys)):
        yield Reason("key_repeated", f"hop {hop.hop_id} says a key twice")
