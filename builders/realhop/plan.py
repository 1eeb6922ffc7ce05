"""The plan of one item by rules: constants, hops as patterns, invented names, the rebuilt question (I.1)."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import permutations
from typing import Any

from builders.realhop.constants import context_of, holds, mentions
from builders.realhop.graph import KEY, Entity, HopPlan, Plan
from builders.realhop.hops import label_sentence, plain_sentence
from builders.realhop.kinds import answer_kind, cues, kind_of, kind_order, label_kinds
from builders.realhop.masks import Constant, constants, masked
from builders.realhop.names import draw_names
from builders.realhop.question import rebuilt
from builders.realhop.reading import read_sentence
from builders.realhop.rebinding import refused
from builders.realhop.relations import near_misses, relations
from builders.realhop.values import VALUE_KINDS
from loaders.records import Hop, Item, Reason

WRITER = "rules"
_KIN = re.compile(r"\b(?:father|mother|parent|child|son|daughter|sibling|brother|sister|spouse|wife|husband)\b")
NEAR_MISSES = 2  # two independent Strict candidates a hop (I.2)


def plan_item(item: Item, seed: int, nlp: Any) -> Plan | Reason:
    """Plan an item, or name why the rules cannot; another seed gives other names and otherwise the same plan.

    Reasons: `no_single_support`, `no_constant`, `constant_not_in_question`, `constant_not_in_hops`, `not_rebindable`,
    `unread_relation`, `unread_hop`, `no_near_miss`, `unbound_constant`, `answer_in_question`, those of
    `builders.statements`.
    """
    if reason := _unfit(item):
        return reason
    context = context_of(item)
    known = constants(mentions(item, context))
    texts = masked(item, known, context)
    if not isinstance(texts, Reason) and (phrases := _nameless(item, texts, nlp)):
        known = constants(mentions(item, context, phrases))
        texts = masked(item, known, context)
    if isinstance(texts, Reason):
        return texts
    if reason := _unbound(item, known, texts):
        return reason
    kinds = _kinds(item, known, texts, nlp)
    patterns = _patterns(item, texts, kinds, nlp)
    if isinstance(patterns, Reason):
        return patterns
    fitting = _fitting(kinds, patterns.values())
    if fitting != kinds:
        kinds, patterns = fitting, _patterns(item, texts, fitting, nlp)
        if isinstance(patterns, Reason):
            return patterns
    for hop in item.hops:
        if set(KEY.findall(patterns[hop.hop_id])) != {*KEY.findall(texts[hop.hop_id]), f"h{hop.hop_id}"}:
            return Reason("unread_hop", f"hop {hop.hop_id}: {patterns[hop.hop_id]} lacks a name")
    if reason := _unasked(item, patterns) or _same_answer(item, kinds):
        return reason
    return _named(item, seed, known, kinds, patterns, nlp)


def _unfit(item: Item) -> Reason | None:
    for hop in item.hops:
        if len(hop.support) != 1:
            return Reason("no_single_support", f"hop {hop.hop_id}")
        if reason := refused(hop):
            return reason
    return None


def _unbound(item: Item, known: Sequence[Constant], texts: Mapping[str, str]) -> Reason | None:
    """A hop that rests on nothing invented would still be answered by the source's text."""
    used = {key for text in texts.values() for key in KEY.findall(text)}
    for constant in known:
        if constant.key not in used:
            return Reason("constant_not_in_hops", constant.original)
    for hop in item.hops:
        if not KEY.findall(texts[hop.hop_id]):
            return Reason("no_constant", f"hop {hop.hop_id}: {hop.relation}")
    return None


def _unasked(item: Item, patterns: Mapping[str, str]) -> Reason | None:
    """Two parts played, and the question asks of one ("who plays X's girlfriend" for the girlfriend of X's actor)."""
    played = sum(bool(re.search(r"\bplay(?:s|ed)\b", pattern)) for pattern in patterns.values())
    asked = len(re.findall(r"\b(?:play|act(?:or|ress)|star|role|cast|portray|voice)", item.question.lower()))
    return Reason("hop_not_asked", item.question) if played > max(asked, 1) else None


def _same_answer(item: Item, kinds: Mapping[str, str]) -> Reason | None:
    """One person as the answer of two hops would become two persons."""
    people = [hop for hop in item.hops if kinds[f"h{hop.hop_id}"] == "person"]
    for one, other in permutations(people, 2):
        if holds(one.answer, other.answer) and not _KIN.search(f"{one.relation} {other.relation}"):
            return Reason("same_answer", f"{one.answer}, {other.answer}")
    return None


def _nameless(item: Item, texts: Mapping[str, str], nlp: Any) -> list[str]:
    """What a hop without any name is about, if the question says it in the same words: its last noun phrase."""
    found = []
    for hop in item.hops:
        if not KEY.search(texts[hop.hop_id]):
            chunks = [re.sub(r"^(?:the|an?) ", "", chunk.text) for chunk in nlp(hop.relation).noun_chunks]
            chunks = [chunk for chunk in chunks if " " in chunk and holds(item.question, chunk)]
            found += [chunk for chunk in chunks if not re.match(r"(?:what|which|who)\b", chunk, re.IGNORECASE)][-1:]
    return found


def _kinds(item: Item, known: Sequence[Constant], texts: Mapping[str, str], nlp: Any) -> dict[str, str]:
    hints = cues(texts.values())
    for text in texts.values():
        head, mark, label = text.partition(" >> ")
        sides = label_kinds(label)[0] if mark else frozenset()
        if len(sides) == 1 and KEY.fullmatch(head):
            hints.setdefault(head[1:-1], []).extend(sides)
    kinds = {c.key: kind_of(c.original, item, nlp, hints.get(c.key, ())) for c in known}
    return kinds | {f"h{hop.hop_id}": answer_kind(hop, item, nlp, hints.get(f"h{hop.hop_id}", ())) for hop in item.hops}


def _fitting(kinds: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """The kinds, changed where the relation of a pattern does not take them."""
    taken: dict[str, Set[str]] = {}
    for atom in filter(None, map(read_sentence, patterns)):
        relation = relations()[atom.relation]
        before, _, after = atom.frame.partition("<>")
        sides = {0: relation.subject} if before.startswith("{}") else {}
        sides |= {before.count("{}"): relation.object} if after.startswith(" {}") else {}
        for place, side in sides.items():
            arg = atom.args[place]
            taken[arg[1:-1]] = (taken.get(arg[1:-1], side) & side) or side
    return {
        key: kind if kind in VALUE_KINDS or kind in taken.get(key, {kind}) else kind_order(taken[key])
        for key, kind in kinds.items()
    }


def _patterns(item: Item, texts: Mapping[str, str], kinds: Mapping[str, str], nlp: Any) -> dict[str, str] | Reason:
    patterns = {}
    for hop in item.hops:
        pattern = hop_pattern(hop, texts[hop.hop_id], kinds, nlp)
        if isinstance(pattern, Reason):
            return Reason(pattern.code, f"hop {hop.hop_id}: {pattern.detail}")
        patterns[hop.hop_id] = pattern
    return patterns


def hop_pattern(hop: Hop, text: str, kinds: Mapping[str, str], nlp: Any) -> str | Reason:
    """The pattern of a hop whose text is over keys."""
    head, mark, label = text.partition(">>")
    answer = f"h{hop.hop_id}"
    return label_sentence(head.strip(), label, answer, kinds) if mark else plain_sentence(text, answer, kinds, nlp)


def _named(
    item: Item,
    seed: int,
    known: Sequence[Constant],
    kinds: Mapping[str, str],
    patterns: Mapping[str, str],
    nlp: Any,
) -> Plan | Reason:
    originals = {c.key: c.original for c in known} | {f"h{hop.hop_id}": hop.answer for hop in item.hops}
    names = draw_names(item, [(key, kinds[key], original) for key, original in originals.items()], seed)
    question = rebuilt(item, known, {c.key: names[c.key] for c in known}, nlp)
    if isinstance(question, Reason):
        return question
    hops = list[HopPlan]()
    for number, hop in enumerate(item.hops):
        hardened = (len(item.hops) - 1 - number) % 2 == 0
        planned = _hop_plan(hop, patterns[hop.hop_id], names, hardened=hardened)
        if isinstance(planned, Reason):
            return planned
        hops.append(planned)
    entities = tuple(Entity(key, names[key], kinds[key], original) for key, original in originals.items())
    return Plan(item.id, question, entities, tuple(hops), WRITER)


def _hop_plan(hop: Hop, pattern: str, names: Mapping[str, str], *, hardened: bool) -> HopPlan | Reason:
    """The hop, once its sentence reads back to all of its names and has near misses enough."""
    filled = pattern.format_map(names)
    atom = read_sentence(filled)
    keys = KEY.findall(pattern)
    if atom is None or sorted(atom.args) != sorted(names[key] for key in keys) or len(keys) > len(set(keys)):
        return Reason("unread_hop", f"hop {hop.hop_id}: {pattern}")
    if len({miss.relation for miss in near_misses(pattern)} - {atom.relation}) < NEAR_MISSES:
        return Reason("no_near_miss", f"hop {hop.hop_id}: {pattern} ({atom.relation})")
    return HopPlan(hop.hop_id, pattern, atom.relation, hop.depends_on, hop.support[0].passage, hardened)
