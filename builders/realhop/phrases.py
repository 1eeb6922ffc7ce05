"""The one phrase in a controlled sentence that names a relation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from builders.realhop.function_words import (
    ARTICLES,
    AUXILIARIES,
    BE,
    BEFORE_BASE,
    CLAUSE_STARTS,
    COPULAS,
    HAVE,
    RELATIVES,
    is_adverb,
    preposition,
)
from builders.realhop.tables import NOUN, VERB, relations
from builders.realhop.tokens import Token
from builders.realhop.words import noun_forms, verb_forms

_WEAK = frozenset({"have", "be in", "be on", "be from"})


@dataclass(frozen=True)
class Found:
    """The phrase of a relation in a sentence: `tokens[start:end]`, in which inflection, of which form."""

    relation: str
    form: str
    inflection: str  # a key of `verb_forms` or `noun_forms`
    is_plural: bool
    start: int
    end: int


def find(tokens: Sequence[Token]) -> Found | None:
    """Return the relation's phrase: a finite verb before an infinitive and a noun, then the longest, then the first.

    What says little, such as plain `have`, comes last.
    """
    found = [match for start in range(len(tokens)) for match in _starting(tokens, start)]
    return min(found, key=lambda one: _rank(tokens, one), default=None)


def _rank(tokens: Sequence[Token], found: Found) -> tuple[bool, bool, bool, int, int]:
    is_noun = relations()[found.relation].kind == NOUN
    is_infinitive = found.inflection == "base" and tokens[found.start - 1].text == "to"
    return found.form in _WEAK, is_noun, is_infinitive, found.start - found.end, found.start


def _starting(tokens: Sequence[Token], start: int) -> list[Found]:
    matches: list[Found] = []
    for end in range(start + 1, min(len(tokens), start + _longest()) + 1):
        if tokens[end - 1].is_arg:
            break
        words = " ".join(token.text for token in tokens[start:end])
        matches += [
            Found(key, form, inflection, plural, start, end)
            for key, form, inflection, plural in _index().get(words, ())
            if _fits(tokens, start, key, form, inflection)
        ]
    return matches


def _fits(tokens: Sequence[Token], start: int, key: str, form: str, inflection: str) -> bool:
    """Whether the words before allow it: a participle needs an auxiliary, and behind an article stands a noun."""
    before = _segment_before(tokens, start)
    determined = any(word in ARTICLES or word == "'s" for word in before)
    helper = next((word for word in reversed(before) if not is_adverb(word)), "")
    if relations()[key].kind == NOUN:
        return determined or not start or bool(COPULAS & set(before))
    if inflection == "base":
        return helper in BEFORE_BASE
    if inflection == "bare":
        return helper in BE and before[-1] != helper
    if inflection == "participle":
        return helper in HAVE or (helper in BE and not preposition(form))
    if helper in ARTICLES or helper == "'s":
        return False
    if inflection == "present" and (determined or _has_finite_verb(tokens[:start])):
        return False
    return inflection == "ing" or helper not in AUXILIARIES | BEFORE_BASE


def _has_finite_verb(before: Sequence[Token]) -> bool:
    """Whether an auxiliary stands before in the same clause, so that `awards` in `A has 3 B awards` is no verb."""
    texts = [token.text for token in before]
    last = max((i for i, text in enumerate(texts) if text in CLAUSE_STARTS), default=-1)
    return bool(AUXILIARIES & set(texts[last + 1 :]))


def _segment_before(tokens: Sequence[Token], start: int) -> list[str]:
    """Return the words between the phrase and the name or relative pronoun before it."""
    words: list[str] = []
    for token in reversed(tokens[:start]):
        if token.is_arg or token.text in RELATIVES:
            break
        words.insert(0, token.text)
    return words


@cache
def _index() -> dict[str, list[tuple[str, str, str, bool]]]:
    """Return (relation, form, inflection, whether plural) by the words that they show."""
    index: dict[str, list[tuple[str, str, str, bool]]] = {}
    for relation in relations().values():
        for form in relation.forms:
            inflected = verb_forms(form) if relation.kind == VERB else noun_forms(form)
            for inflection, shown in inflected.items():
                for number, words in enumerate(shown):
                    index.setdefault(words, []).append((relation.key, form, inflection, number == 1))
    return index


@cache
def _longest() -> int:
    return max(words.count(" ") for words in _index()) + 1
