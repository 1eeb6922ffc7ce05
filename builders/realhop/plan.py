"""The plan of one item by rules: what is understood of it, under invented names (I.1)."""

from collections.abc import Mapping
from typing import Any

from builders.realhop.graph import KEY, Entity, HopPlan, Plan
from builders.realhop.names import NamesExhaustedError, draw_names
from builders.realhop.plan_patterns import NEAR_MISSES, other_relations
from builders.realhop.question import rebuilt
from builders.realhop.reading import read_sentence
from builders.realhop.refusals import unfit, unsound
from builders.realhop.understand import Understood, understand
from loaders.records import Hop, Item, Reason

WRITER = "rules"


def plan_item(item: Item, seed: int, nlp: Any) -> Plan | Reason:
    """Plan an item, or name why the rules cannot; another seed gives other names and otherwise the same plan.

    `nlp` is a spaCy pipeline with a parser. The last hop and every second one before it are told in two units.
    Reasons: those of `unfit`, `understand` and `unsound`; `unread_hop` (the sentence does not read back to its names),
    `no_near_miss`, `names_exhausted`; those of `rebuilt`.
    """
    if reason := unfit(item):
        return reason
    known = understand(item, nlp)
    for hop_id, pattern in known.patterns.items():
        if isinstance(pattern, Reason):
            return Reason(pattern.code, f"hop {hop_id}: {pattern.detail}")
    return unsound(item, known) or _named(item, seed, known, nlp)


def _named(item: Item, seed: int, known: Understood, nlp: Any) -> Plan | Reason:
    originals = {c.key: c.original for c in known.constants} | {f"h{hop.hop_id}": hop.answer for hop in item.hops}
    try:
        names = draw_names(item, [(key, known.kinds[key], original) for key, original in originals.items()], seed)
    except NamesExhaustedError as exhausted:
        return Reason("names_exhausted", str(exhausted))
    question = rebuilt(item, known.constants, names, nlp)
    if isinstance(question, Reason):
        return question
    hops = list[HopPlan]()
    for number, hop in enumerate(item.hops):
        hardened = (len(item.hops) - 1 - number) % 2 == 0
        planned = _hop_plan(hop, str(known.patterns[hop.hop_id]), names, hardened=hardened)
        if isinstance(planned, Reason):
            return planned
        hops.append(planned)
    entities = tuple(Entity(key, names[key], known.kinds[key], original) for key, original in originals.items())
    return Plan(item.id, question, entities, tuple(hops), WRITER)


def _hop_plan(hop: Hop, pattern: str, names: Mapping[str, str], *, hardened: bool) -> HopPlan | Reason:
    relation = read_back(pattern, names)
    if isinstance(relation, Reason):
        return Reason(relation.code, f"hop {hop.hop_id}: {relation.detail}")
    return HopPlan(hop.hop_id, pattern, relation, hop.depends_on, hop.support[0].passage, hardened)


def read_back(pattern: str, names: Mapping[str, str]) -> str | Reason:
    """The relation of a pattern, once its sentence reads back to all of its names and has near misses enough."""
    keys = KEY.findall(pattern)
    atom = read_sentence(pattern.format_map(names))
    if atom is None or sorted(atom.args) != sorted(names[key] for key in keys) or len(keys) > len(set(keys)):
        return Reason("unread_hop", pattern)
    if len(other_relations(pattern, atom.relation)) < NEAR_MISSES:
        return Reason("no_near_miss", f"{pattern} ({atom.relation})")
    return atom.relation
