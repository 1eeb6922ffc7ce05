"""What a plan calls things: answers are the source's, kinds are kept, names are new and distinct."""

import re
from collections.abc import Iterator

from builders.realhop.asked import asked_value
from builders.realhop.graph import Entity, Plan
from builders.realhop.values import VALUE_KINDS
from eval.answers import normalise, tokens
from loaders.records import Item, Reason

_FIGURES = re.compile(r"[$€£]?\d[\d,.]*%?")
_NAME = re.compile(r"[^\W\d_][^\d]*")
_FORMS = {"year": re.compile(r"\d{3,4}"), "number": re.compile(r"\D{0,2}\d.*"), "date": re.compile(r".*\d{3,4}.*")}


def names_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Names are new to the item and share no word. Reasons: `unnamed_entity`, `duplicate_name`, `name_in_item`."""
    source, taken = set(tokens(item_text(item))), dict[str, str]()
    for entity in plan.entities:
        own = _telling(entity)
        if not own:
            yield Reason("unnamed_entity", f"{entity.key} has no name")
        if shared := sorted(own & taken.keys()):
            yield Reason("duplicate_name", f"{entity.key} and {taken[shared[0]]} are both called {shared[0]}")
        if known := sorted(own & source):
            yield Reason("name_in_item", f"{known[0]} of {entity.key} stands in the source")
        taken |= dict.fromkeys(own, entity.key)


def _telling(entity: Entity) -> set[str]:
    """The words that tell a name from others; of a date, year or number its longest figure, as months run out."""
    words = set(tokens(entity.name))
    figures = {word for word in words if word[0].isdigit()}
    return {max(figures, key=len)} if entity.kind in VALUE_KINDS and figures else words


def item_text(item: Item) -> str:
    """Return everything that a source says: question, answers, sub-questions, titles and passages, a line each."""
    hops = (text for hop in item.hops for text in (hop.relation, hop.answer))
    passages = (text for passage in item.passages for text in (passage.title, passage.text))
    return "\n".join((item.question, *item.answers, *hops, *passages))


def answer_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """What an answer stands for is the source's, and no two entities stand for the same.

    Reasons: `original_changed`, `same_original`.
    """
    originals = {entity.key: entity.original for entity in plan.entities}
    for hop, given in zip(plan.hops, item.hops, strict=True):
        if normalise(originals[hop.answer_key]) != normalise(given.answer):
            yield Reason(
                "original_changed", f"hop {hop.hop_id} answers {given.answer}, not {originals[hop.answer_key]}"
            )
    keys: dict[str, str] = {}
    for entity in plan.entities:
        first = keys.setdefault(normalise(entity.original), entity.key)
        if first != entity.key:
            yield Reason("same_original", f"{first} and {entity.key} are both {entity.original}")


def kinds_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """An answer is of the kind that its hop asks for, and a name of its own kind. Reason: `kind_changed`."""
    entities = {entity.key: entity for entity in plan.entities}
    for hop, given in zip(plan.hops, item.hops, strict=True):
        asked, kind = asked_value(given), entities[hop.answer_key].kind
        if (asked or kind in VALUE_KINDS) and kind != asked:
            yield Reason("kind_changed", f"hop {hop.hop_id} asks for {_a(asked)}, {hop.answer_key} is {_a(kind)}")
    for entity in plan.entities:
        if _FIGURES.fullmatch(entity.original) and entity.kind not in VALUE_KINDS:
            yield Reason("kind_changed", f"{entity.original} of {entity.key} is a value and no {entity.kind}")
        elif not _FORMS.get(entity.kind, _NAME).fullmatch(entity.name):
            yield Reason("kind_changed", f"what {entity.key} is called is no {entity.kind}")


def _a(kind: str) -> str:
    return f"a {kind}" if kind else "no value"
