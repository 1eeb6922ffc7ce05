"""One shape for the ways of saying a thing: passive, order around `is` and possessive are undone."""

from collections.abc import Sequence
from itertools import pairwise

from builders.realhop.function_words import ARTICLES, AUXILIARIES, BE, COPULAS, RELATIVES, is_adverb
from builders.realhop.phrases import Found
from builders.realhop.tables import NOUN, relations
from builders.realhop.tokens import Token

_COMPLEMENT = frozenset({"of", "in", "for", "on", "at", "to", "from", "between"})
# Between an article or preposition and a name these say only what kind of thing is named.
_CLASSIFIERS = frozenset(
    "film movie song book novel album series show play game opera painting city town county state country province "
    "region district river lake island company band team club party war battle person man woman".split()
)
RELATION = Token("<>", 0, 0, False)  # stands where the relation's phrase stood
NOBODY = Token("_", 0, 0, False)  # the subject of a passive that names none


def framed(tokens: Sequence[Token], found: Found) -> tuple[Token, ...]:
    """Return subject, modifiers, `<>`, object and what is left, in this order, without articles and auxiliaries."""
    before, after = list(tokens[: found.start]), list(tokens[found.end :])
    is_noun = relations()[found.relation].kind == NOUN
    parts = _nominal(before, after) if is_noun else _verbal(before, after, found)
    kept = [token for token in parts if token.is_arg or token.text not in ARTICLES]
    return tuple(
        token for token, later in pairwise([*kept, NOBODY]) if not (later.is_arg and token.text in _CLASSIFIERS)
    )


def _verbal(before: list[Token], after: list[Token], found: Found) -> list[Token]:
    helpers: list[Token] = []
    adverbs: list[Token] = []
    while before and not before[-1].is_arg and (before[-1].text in AUXILIARIES or is_adverb(before[-1].text)):
        (helpers if before[-1].text in AUXILIARIES else adverbs).insert(0, before.pop())
    before = _without_relative(before)
    is_passive = found.inflection == "participle" and bool(BE & {token.text for token in helpers})
    if not is_passive or found.form.startswith("be "):
        return [*before, *adverbs, RELATION, *after]
    by = next((i for i, (one, two) in enumerate(pairwise(after)) if one.text == "by" and two.is_arg), None)
    if by is None:
        return [NOBODY, *adverbs, RELATION, *before, *after]
    return [after[by + 1], *adverbs, RELATION, *before, *after[:by], *after[by + 2 :]]


def _without_relative(before: list[Token]) -> list[Token]:
    """Leave out `is the actor who` between subject and verb."""
    if not before or before[-1].text not in RELATIVES:
        return before
    last = max((i for i, token in enumerate(before) if token.is_arg), default=-1)
    words = [token.text for token in before[last + 1 :]]
    return before[: last + 1] if words and words[0] in BE else before[:-1]


def _nominal(before: list[Token], after: list[Token]) -> list[Token]:
    """Bring `S is the N of O`, `the N of O is S`, `O's N is S`, `S is O's N` and `O has an N of S` to one order."""
    for is_left in (True, False):
        half = before if is_left else after
        at = next((i for i, token in enumerate(half) if token.text in COPULAS), None)
        if at is None:
            continue
        subject = half[:at] if is_left else half[at + 1 :]
        rest = after if is_left else half[:at]
        owner = half[at + 1 :] if is_left else before
        if subject and subject[0].text in _COMPLEMENT:
            subject = subject[1:]  # "the origin of A is in B"
        if subject and subject[0].is_arg:
            return [subject[0], *_owned(owner, rest), *subject[1:]]
    has = next((i for i, token in enumerate(before) if token.text in {"has", "have", "had"}), None)
    if has and has == 1 and before[0].is_arg and len(after) > 1 and after[0].text == "of" and after[1].is_arg:
        return [after[1], *before[2:], RELATION, before[0], *after[2:]]
    return [*before, RELATION, *after]


def _owned(owner: list[Token], rest: list[Token]) -> list[Token]:
    """Return modifiers, `<>`, object and the rest of a noun phrase whose owner stands before or behind its head."""
    if len(owner) > 1 and owner[0].is_arg and owner[1].text == "'s":
        return [*owner[2:], RELATION, owner[0], *rest]
    if len(rest) > 1 and rest[0].text in _COMPLEMENT and rest[1].is_arg:
        return [*owner, RELATION, *rest[1:]]
    return [*owner, RELATION, *rest]
