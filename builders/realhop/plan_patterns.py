"""What a plan's patterns say: controlled sentences that read back and tell what the source asks."""

import re
from collections.abc import Iterator

from builders.realhop.graph import KEY, HopPlan, Plan
from builders.realhop.phrases import AUXILIARIES, FUNCTION_WORDS
from builders.realhop.reading import Atom, read_sentence
from builders.realhop.relations import label_pattern, near_misses, relations
from builders.realhop.tables import VERB
from builders.realhop.words import noun_forms, verb_forms
from eval.answers import tokens
from loaders.records import Hop, Item, Reason

NEAR_MISSES = 2  # two independent Strict candidates a hop (I.2)
_LOOSE = re.compile(r"[A-Z0-9{}\"“”#]")  # in a pattern without its keys and its first letter


def pattern_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Each pattern is a controlled sentence, reads back to its own relation and names, and says what the source asks.

    Reasons: `not_controlled`; `unread_pattern`, `relation_misread`, `arguments_misread`; `relation_changed`,
    `arguments_swapped`; `no_near_miss`.
    """
    for hop, given in zip(plan.hops, item.hops, strict=True):
        yield from _loose(hop) or _misread(hop, plan.names) or _changed(hop, given) or _without_near_misses(hop)


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


def _changed(hop: HopPlan, given: Hop) -> list[Reason]:
    """Compare with the sentence of the source's label; else the relation is said in words of the sub-question."""
    own, asked = read_sentence(hop.pattern), _asked(given)
    told = f"hop {hop.hop_id}: {hop.pattern!r}"
    if own is None:
        return []
    if asked is None:
        same = _worded(own.relation) & set(tokens(given.relation))
        return (
            [] if same else [Reason("relation_changed", f"{told} takes no verb or noun of its step for the relation")]
        )
    wanted = relations()[asked.relation]
    if own.relation not in (wanted.key, wanted.inverse):
        return [Reason("relation_changed", f"{told} does not say what its step asks, the relation {wanted.key}")]
    answer_first = asked.args[0] == "{o}" if own.relation == wanted.key else asked.args[0] != "{o}"
    if not wanted.symmetric and answer_first != (own.args[0] == f"{{{hop.answer_key}}}"):
        return [Reason("arguments_swapped", f"{told} says it the wrong way round")]
    return []


def _worded(key: str) -> set[str]:
    """The words that say a relation, in all of their inflections; small ones where it has no others (`be from`)."""
    relation = relations()[key]
    inflected = verb_forms if relation.kind == VERB else noun_forms
    shown = (phrase for form in relation.forms for phrases in inflected(form).values() for phrase in phrases)
    words = {word for phrase in shown for word in phrase.split()} - AUXILIARIES
    return words - FUNCTION_WORDS or words


def _asked(given: Hop) -> Atom | None:
    """The atom of `entity >> label`, with `{o}` for the answer; None for any other form."""
    _, form, label = given.relation.partition(">>")
    pattern = label_pattern(label) if form else None
    return read_sentence(pattern) if pattern else None


def _without_near_misses(hop: HopPlan) -> list[Reason]:
    others = {miss.relation for miss in near_misses(hop.pattern)} - {hop.relation}
    few = f"hop {hop.hop_id}: {hop.pattern!r} has {len(others)} near misses, {NEAR_MISSES} are needed"
    return [Reason("no_near_miss", few)] if len(others) < NEAR_MISSES else []
