"""Whether sentences that were worded freely say what their steps ask: of a model's plan, as rules derive theirs."""

from collections.abc import Iterator

from builders.realhop.function_words import AUXILIARIES, BE, FUNCTION_WORDS
from builders.realhop.graph import HopPlan, Plan
from builders.realhop.reading import Atom, read_sentence
from builders.realhop.relations import label_pattern, relations
from builders.realhop.tables import VERB
from builders.realhop.words import noun_forms, verb_forms
from eval.answers import tokens
from loaders.records import Hop, Item, Reason


def wording_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Compare the patterns of a plan without other faults to its steps. `relation_changed`, `arguments_swapped`.

    A label asks for the relation of its own sentence, or the inverse. The words of a sub-question are the only ones
    that a model may take for its relation: a paraphrase may be a near miss, and nothing here could tell.
    """
    for hop, given in zip(plan.hops, item.hops, strict=True):
        yield from _changed(hop, given)


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
    """The words that say a relation, inflected; small ones where it has no others (`be from`, `have`)."""
    relation = relations()[key]
    inflected = verb_forms if relation.kind == VERB else noun_forms
    phrases = (set(phrase.split()) for form in relation.forms for shown in inflected(form).values() for phrase in shown)
    return {word for words in phrases for word in words - AUXILIARIES - FUNCTION_WORDS or words - BE}


def _asked(given: Hop) -> Atom | None:
    """The atom of `entity >> label`, with `{o}` for the answer; None for any other form."""
    _, form, label = given.relation.partition(">>")
    pattern = label_pattern(label) if form else None
    return read_sentence(pattern) if pattern else None
