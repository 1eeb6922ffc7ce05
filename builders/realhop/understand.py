"""What the rules make of an item before any name is drawn: its constants, kinds, and hops as sentence patterns."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from builders.realhop.as_asked import as_asked
from builders.realhop.asked import cues
from builders.realhop.claims import Constant, constants
from builders.realhop.constants import context_of, holds, mentions
from builders.realhop.graph import KEY
from builders.realhop.hops import label_sentence, plain_sentence
from builders.realhop.kinds import answer_kind, kind_of, kind_order, label_kinds
from builders.realhop.masks import masked
from builders.realhop.reading import read_sentence
from builders.realhop.relations import relations
from builders.realhop.values import VALUE_KINDS, has_day
from loaders.records import Hop, Item, Reason

Patterns = dict[str, str | Reason]


@dataclass(frozen=True)
class Understood:
    """An item over registry keys; of a hop that the rules cannot turn into a sentence the pattern is the reason."""

    constants: tuple[Constant, ...]
    kinds: dict[str, str]  # by key, of constants and answers
    patterns: Patterns  # by hop


def understand(item: Item, nlp: Any) -> Understood:
    """Find the constants, mask the sub-questions, decide the kinds, and turn each hop into a pattern.

    Reasons of a hop: `constant_not_in_question`, `no_constant`, `unread_relation`, `not_controlled`,
    `name_left_out` (the sentence lacks a name of its sub-question), those of `builders.statements`.
    """
    context = context_of(item)
    known = constants(mentions(item, context))
    texts = masked(item, known, context)
    if phrases := _nameless(item, texts, nlp):
        known = constants(mentions(item, context, phrases))
        texts = masked(item, known, context)
    kinds = _kinds(item, known, texts, nlp)
    patterns = _patterns(item, known, texts, kinds, nlp)
    fitting = _fitting(kinds, (pattern for pattern in patterns.values() if isinstance(pattern, str)))
    if fitting != kinds:
        patterns = _patterns(item, known, texts, fitting, nlp)
    return Understood(known, fitting, patterns)


def _nameless(item: Item, texts: Mapping[str, str | Reason], nlp: Any) -> list[str]:
    """What a hop without any name is about, if the question says it in the same words: its last noun phrase."""
    found = []
    for hop in item.hops:
        text = texts[hop.hop_id]
        if isinstance(text, str) and not KEY.search(text):
            chunks = [re.sub(r"^(?:the|an?) ", "", chunk.text) for chunk in nlp(hop.relation).noun_chunks]
            chunks = [chunk for chunk in chunks if " " in chunk and holds(item.question, chunk)]
            found += [chunk for chunk in chunks if not re.match(r"(?:what|which|who)\b", chunk, re.IGNORECASE)][-1:]
    return found


def _kinds(item: Item, known: Sequence[Constant], texts: Mapping[str, str | Reason], nlp: Any) -> dict[str, str]:
    told = [text for text in texts.values() if isinstance(text, str)]
    hints = cues(told)
    for text in told:
        head, mark, label = text.partition(" >> ")
        sides = label_kinds(label)[0] if mark else frozenset()
        if len(sides) == 1 and KEY.fullmatch(head):
            hints.setdefault(head[1:-1], []).extend(sides)
    kinds = {c.key: kind_of(c.original, item, nlp, hints.get(c.key, ())) for c in known}
    answers = {f"h{hop.hop_id}": hop for hop in item.hops}
    return kinds | {key: answer_kind(hop, item, nlp, hints.get(key, ())) for key, hop in answers.items()}


def _patterns(
    item: Item, known: Sequence[Constant], texts: Mapping[str, str | Reason], kinds: Mapping[str, str], nlp: Any
) -> Patterns:
    by_key = {constant.key: constant for constant in known}
    found: Patterns = {}
    for hop in item.hops:
        text = texts[hop.hop_id]
        pattern = text if isinstance(text, Reason) else _pattern(hop, text, kinds, nlp)
        asked = pattern if isinstance(pattern, Reason) else as_asked(item.question, pattern, by_key, kinds)
        found[hop.hop_id] = asked
    return found


def _pattern(hop: Hop, text: str, kinds: Mapping[str, str], nlp: Any) -> str | Reason:
    """The pattern of a hop whose text is over keys."""
    keys, answer = KEY.findall(text), f"h{hop.hop_id}"
    if not keys:
        return Reason("no_constant", hop.relation)
    if answer in keys or any(key not in kinds for key in keys):
        return Reason("constant_not_in_question", text)
    head, mark, label = text.partition(" >> ")
    pattern = label_sentence(head, label, answer, kinds) if mark else plain_sentence(text, answer, kinds, nlp)
    if isinstance(pattern, str) and set(KEY.findall(pattern)) != {*keys, answer}:
        return Reason("name_left_out", pattern)
    if isinstance(pattern, str) and kinds[answer] == "date" and not has_day(hop.answer):
        return pattern.replace(f" on {{{answer}}}", f" in {{{answer}}}")  # a month
    return pattern


def _fitting(kinds: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """The kinds, changed where the relation of a pattern does not take them.

    Another name for a thing is of its kind, and so are the makers that a list of organizations names.
    """
    patterns = tuple(patterns)
    kinds = dict(kinds) | _of_one_kind(kinds, patterns)
    taken: dict[str, Set[str]] = {}
    for atom in filter(None, map(read_sentence, patterns)):
        relation = relations()[atom.relation]
        before, _, after = atom.frame.partition("<>")
        sides = {0: relation.subject} if before.startswith("{}") else {}
        sides |= {before.count("{}"): relation.object} if after.startswith(" {}") else {}
        for place, side in sides.items():
            key = atom.args[place][1:-1]
            taken[key] = (taken.get(key, side) & side) or side
    return {
        key: kind if kind in VALUE_KINDS or kind in taken.get(key, {kind}) else kind_order(taken[key])
        for key, kind in kinds.items()
    }


def _of_one_kind(kinds: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pattern in patterns:
        listed = re.match(r"\{\w+\}(?: and \{\w+\})+", pattern)
        keys = KEY.findall(listed[0]) if listed else []
        if "organization" in {kinds[key] for key in keys}:
            found |= {key: "organization" for key in keys if kinds[key] == "person" and key.startswith("h")}
        called = re.match(r"\{(\w+)\}(?: by \{\w+\})? (?:is|was) (?:known|referred to) as \{(h\d+)\}", pattern)
        if called:
            found[called[2]] = kinds[called[1]]
    return found
