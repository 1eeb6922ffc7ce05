"""The kind of a constant or an answer: by its form, by what is asked, by its passage, by its last word."""

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Any

from builders.realhop.asked import (
    NAME_KINDS,
    NOUN_KIND,
    asked_kind,
    asked_value,
    bare,
    form_kind,
    head_kind,
    word_kind,
)
from builders.realhop.cased import norms_of
from builders.realhop.relations import label_pattern, relation_in, relations
from loaders.records import Hop, Item

_ORDER = (*NAME_KINDS, "date", "year", "number")
ALL_KINDS = frozenset(_ORDER)
_BY_LABEL = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organization",
    "WORK_OF_ART": "work",
    "EVENT": "event",
}
# Labels that, whatever their verb takes, are asked of one kind.
_ASKED_OF = {
    "located in the administrative territorial entity": "place",
    "contains administrative territorial entity": "place",
    "located on terrain feature": "place",
    "located in or next to body of water": "place",
    "place of birth": "person",
    "place of death": "person",
    "country of citizenship": "person",
    "educated at": "person",
    "position held": "person",
    "member of political party": "person",
    "member of sports team": "person",
    "residence": "person",
}
_IS_A = re.compile(r"(?<!\w)(?:is|was|are|were) (?:an?|the|one of) ([^.,;]*)")


def kind_of(text: str, item: Item, nlp: Any, hints: Sequence[str] = (), allowed: Set[str] = ALL_KINDS) -> str:
    """The kind of a constant or an answer, one of those `allowed`.

    Its form, the `hints` in their order (kinds; others are passed over), its first or last word, what its own passage
    says it is, what the pipeline takes it for; else `thing`, or the first kind that is allowed.
    """
    found = (form_kind(text), *hints, word_kind(text), _by_passage(text, item), _by_pipeline(text, item, nlp), "thing")
    kinds = allowed & ALL_KINDS or ALL_KINDS
    return next((kind for kind in found if kind in kinds), kind_order(kinds))


def kind_order(kinds: Iterable[str]) -> str:
    """The first of some kinds, in the order in which names say most."""
    return min(kinds, key=_ORDER.index)


def answer_kind(hop: Hop, item: Item, nlp: Any, hints: Sequence[str] = ()) -> str:
    """The kind of a hop's answer: what the hop asks for goes first; `hints` are kinds that later hops take it for."""
    if asked := asked_value(hop):
        return asked
    answer, label = bare(hop.answer), hop.relation.partition(">>")[2]
    if label:
        return kind_of(answer, item, nlp, hints, label_kinds(label)[1])
    wanted = asked_kind(hop)
    if wanted == "person":
        told = word_kind(answer) or _by_passage(answer, item) or _by_question(hop, item)
        return told if told in {"organization", "place", *hints} and told != "work" else "person"
    return kind_of(answer, item, nlp, [wanted, *hints])


def _by_question(hop: Hop, item: Item) -> str:
    """What the whole question calls somebody of whom a hop says the same ("the bank that bought", "the state that")."""
    for verb in re.findall(r"\b[a-z]{3,}\b", hop.relation.lower()):
        stem = verb[: max(3, len(verb) - 2)]
        found = re.search(rf"\b(\w+) (?:that|which|who) (?:has |had )?{stem}", item.question.lower())
        if found and found[1] in NOUN_KIND:
            return NOUN_KIND[found[1]]
    return ""


def label_kinds(label: str) -> tuple[Set[str], Set[str]]:
    """The kinds that a relation label takes: what it is asked of, and the answer; empty sets where unknown."""
    label = label.strip()
    pattern = label_pattern(label)
    key = relation_in(pattern.replace("{s}", "{a}").replace("{o}", "{b}")) if pattern else None
    if not pattern or not key:
        return frozenset(), frozenset()
    sides = relations()[key].subject, relations()[key].object
    asked_of, answer = sides if pattern.index("{s}") < pattern.index("{o}") else sides[::-1]
    return (frozenset({_ASKED_OF[label]}) if label in _ASKED_OF else asked_of), answer


def _by_passage(text: str, item: Item) -> str:
    """What the first sentences of the passage of that title say it is."""
    norms = norms_of(text)
    for passage in item.passages:
        if norms_of(re.sub(r"\s*\([^)]*\)$", "", passage.title)) == norms:
            hint = re.search(r"\(([^)]*)\)$", passage.title)
            said = _IS_A.search(passage.text[:400])
            for phrase in filter(None, (hint and hint[1], said and said[1])):
                if kind := head_kind(phrase):
                    return kind
    return ""


def _by_pipeline(text: str, item: Item, nlp: Any) -> str:
    """What the pipeline takes the name for, in the question or else alone."""
    for told in (item.question, text[:1].upper() + text[1:]):
        for name, label in _entities(told, nlp):
            if name in text and 2 * len(name) > len(text) and label in _BY_LABEL:
                return _BY_LABEL[label]
    return ""


@lru_cache(maxsize=1024)
def _entities(text: str, nlp: Any) -> tuple[tuple[str, str], ...]:
    return tuple((entity.text, entity.label_) for entity in nlp(text).ents)
