"""What a plan's patterns say: controlled sentences that read back and that another relation can nearly say."""

import re
from collections.abc import Iterator

from builders.realhop.graph import KEY, HopPlan, Plan
from builders.realhop.reading import read_sentence
from builders.realhop.relations import near_misses
from loaders.records import Item, Reason

NEAR_MISSES = 2  # two independent Strict candidates a hop (I.2)
_LOOSE = re.compile(r"[A-Z0-9{}\"“”#]")  # in a pattern without its keys and its first letter


def pattern_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Each pattern is a controlled sentence, reads back to its own relation and names, and has near misses.

    Reasons: `not_controlled`; `unread_pattern`, `relation_misread`, `arguments_misread`; `no_near_miss`.
    """
    for hop in plan.hops:
        yield from _loose(hop) or _misread(hop, plan.names) or _without_near_misses(hop)


def _loose(hop: HopPlan) -> list[Reason]:
    """A controlled sentence holds no name of its own, nor a comma; one full stop ends it."""
    told = f"hop {hop.hop_id}: {hop.pattern!r}"
    words = KEY.sub("", hop.pattern[:1].lower() + hop.pattern[1:])
    if loose := _LOOSE.search(words):
        return [Reason("not_controlled", f"{told} holds {loose[0]!r} outside of its keys")]
    if re.search(r"[^.]\.\Z", hop.pattern) is None or re.search(r"[.;:?!()]", words[:-1]):
        return [Reason("not_controlled", f"{told} is not one plain sentence with a full stop at its end alone")]
    return []


def _misread(hop: HopPlan, names: dict[str, str]) -> list[Reason]:
    told = f"hop {hop.hop_id}: {hop.pattern!r}"
    atom = read_sentence(hop.pattern.format_map(names))
    if atom is None:
        return [Reason("unread_pattern", f"{told} holds no relation that the reader knows")]
    if atom.relation != hop.relation:
        return [Reason("relation_misread", f"{told} is read as {atom.relation}, not as {hop.relation}")]
    if sorted(atom.args) != sorted(names[key] for key in hop.keys):
        return [Reason("arguments_misread", f"{told} is read with other names than its own")]
    return []


def other_relations(pattern: str, relation: str) -> set[str]:
    """Return the relations by which a pattern can be missed."""
    return {miss.relation for miss in near_misses(pattern)} - {relation}


def _without_near_misses(hop: HopPlan) -> list[Reason]:
    others = other_relations(hop.pattern, hop.relation)
    few = f"hop {hop.hop_id}: {hop.pattern!r} has {len(others)} near misses, {NEAR_MISSES} are needed"
    return [Reason("no_near_miss", few)] if len(others) < NEAR_MISSES else []
