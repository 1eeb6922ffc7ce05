"""What a plan's patterns say: controlled sentences that read back and tell what the source asks."""

import re
from collections.abc import Iterator

from builders.realhop.graph import KEY, HopPlan, Plan
from builders.realhop.phrases import AUXILIARIES, FUNCTION_WORDS
from builders.realhop.reading import Atom, read_sentence
from builders.realhop.relations import label_pattern, near_misses, relation_in, relations
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
    """Compare with the sentence of the source's label; a sub-question holds the relation, or none that is known."""
    own, asked = read_sentence(hop.pattern), _asked(given)
    key = asked.relation if asked else relation_in(f"{given.relation.rstrip(' ?.')}.")
    if own is None or key is None:
        return []
    flipped = own.relation == relations()[key].inverse
    if own.relation != key and not flipped and (asked or not _worded(own.relation) & set(tokens(given.relation))):
        return [Reason("relation_changed", f"hop {hop.hop_id} asks for {key}, its sentence says {own.relation}")]
    answer_first = own.args[0] == f"{{{hop.answer_key}}}"
    if asked and not relations()[key].symmetric and answer_first != ((asked.args[0] == "{o}") != flipped):
        return [Reason("arguments_swapped", f"hop {hop.hop_id}: {hop.pattern!r} says it the wrong way round")]
    return []


def _worded(key: str) -> set[str]:
    """The words that say a relation, in all of their inflections."""
    relation = relations()[key]
    inflected = verb_forms if relation.kind == VERB else noun_forms
    shown = (phrase for form in relation.forms for phrases in inflected(form).values() for phrase in phrases)
    return {word for phrase in shown for word in phrase.split()} - FUNCTION_WORDS - AUXILIARIES


def _asked(given: Hop) -> Atom | None:
    """The atom of `entity >> label`, with `{o}` for the answer; None for any other form."""
    _, form, label = given.relation.partition(">>")
    pattern = label_pattern(label) if form else None
    return read_sentence(pattern) if pattern else None


def _without_near_misses(hop: HopPlan) -> list[Reason]:
    others = {miss.relation for miss in near_misses(hop.pattern)} - {hop.relation}
    few = f"hop {hop.hop_id}: {hop.pattern!r} has {len(others)} near misses, {NEAR_MISSES} are needed"
    return [Reason("no_near_miss", few)] if len(others) < NEAR_MISSES else []
