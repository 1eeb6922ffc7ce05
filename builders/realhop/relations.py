"""Relations of patterns and sentences: their key, the pattern of a Wikidata label, near misses of like inflection."""

import re
from dataclasses import dataclass
from itertools import pairwise

from builders.realhop.function_words import ARTICLES, BE, preposition
from builders.realhop.phrases import Found, find
from builders.realhop.tables import VERB, Relation, labels, misses, relations
from builders.realhop.tokens import Token, tokenised
from builders.realhop.words import noun_forms, verb_forms

__all__ = ["NearMiss", "Relation", "label_pattern", "near_misses", "relation_in", "relations", "reworded"]

_PLACING = frozenset({"in", "on", "at"})


@dataclass(frozen=True)
class NearMiss:
    """A pattern with another relation of the same kinds in the place of its own."""

    pattern: str
    relation: str
    why: str  # why it does not entail the first


def label_pattern(label: str) -> str | None:
    """Return a Wikidata label's pattern over `{s}`, what it is asked of, and `{o}`, the answer; None if unknown."""
    return labels().get(label.strip())


def relation_in(sentence: str) -> str | None:
    """Return the key of the relation of a sentence or pattern, or None."""
    found = find(tokenised(sentence) or ())
    return found.relation if found else None


def near_misses(pattern: str) -> tuple[NearMiss, ...]:
    """Return the pattern with each near miss of its relation, in the table's order; one per near-miss relation."""
    key = relation_in(pattern)
    worded = ((miss, reworded(pattern, miss.near_miss)) for miss in misses().get(key or "", ()))
    return tuple(NearMiss(patterns[0], miss.near_miss, miss.why) for miss, patterns in worded if patterns)


def reworded(pattern: str, key: str) -> tuple[str, ...]:
    """Return the pattern with each form of a relation that fits, in the same inflection, in place of its own phrase."""
    tokens = tokenised(pattern) or ()
    found = find(tokens)
    relation = relations()[key]
    if not found or relation.kind != relations()[found.relation].kind:
        return ()
    passive = _is_passive(tokens, found)
    forms = [form for form in relation.forms if (not passive or _is_passive_too(form)) and _joins(form, found)]
    if _has_purpose(tokens[found.end :]):
        forms = [form for form in forms if not form.startswith("be ")]
    forms.sort(key=lambda form: preposition(form) != preposition(found.form))
    return tuple(_with(pattern, tokens, found, _inflected(form, found)) for form in forms)


def _joins(form: str, found: Found) -> bool:
    """Whether a form suits what stands around: `on` is for dates where the relation has `in` and `on` alike."""
    if found.inflection == "bare" and not form.startswith("be "):
        return False
    own = {preposition(one) for one in relations()[found.relation].forms} & _PLACING
    return len(own) < 2 or preposition(form) not in _PLACING - {preposition(found.form)}


def _has_purpose(after: tuple[Token, ...]) -> bool:
    """Whether `to migrate` and the like stands behind, which wants a deed and no state before it."""
    return any(one.text == "to" and not two.is_arg and two.text not in ARTICLES for one, two in pairwise(after))


def _inflected(form: str, found: Found) -> str:
    kind = relations()[found.relation].kind
    shown = (verb_forms(form) if kind == VERB else noun_forms(form))[found.inflection]
    return shown[-1] if found.is_plural else shown[0]


def _with(pattern: str, tokens: tuple[Token, ...], found: Found, phrase: str) -> str:
    start, end = tokens[found.start].start, tokens[found.end - 1].end
    before = pattern[:start]
    article = "an" if re.match(r"[aeio]|u(?!ni)", phrase) else "a"
    before = re.sub(r"(?<!\S)an? $", f"{article} ", before)
    return before + phrase + pattern[end:]


def _is_passive(tokens: tuple[Token, ...], found: Found) -> bool:
    helpers = [token.text for token in tokens[: found.start] if not token.is_arg]
    return found.inflection == "participle" and bool(BE & set(helpers[-3:]))


def _is_passive_too(form: str) -> bool:
    return not form.startswith("be ") and not preposition(form)
