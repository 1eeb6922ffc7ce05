"""The rebuilt question: every constant under its invented name, nothing left that ties it to the source's text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from builders.realhop.cased import FUNCTION, words
from builders.realhop.claims import Constant
from eval.answers import Matcher
from loaders.records import Item, Reason

_ARTICLE = re.compile(r"(?<!\w)(the|a|an) $", re.IGNORECASE)
_FIGURE = re.compile(r"\d")


def rebuilt(item: Item, constants: Sequence[Constant], names: Mapping[str, str], nlp: Any) -> str | Reason:
    """Put names in the place of the constants; generic words lose a capital that made them look like names.

    Reasons: `unbound_constant` (a capital, figure or quotation is left), `answer_in_question`.
    """
    compounds = _compounds(item, constants, nlp)
    names = {constant.key: names[constant.key] for constant in constants}
    text, end, pieces = item.question, 0, list[str]()
    for place, key in sorted(((place, c.key) for c in constants for place in c.places), key=lambda one: one[0].start):
        before = _lowered(text[end : place.start], first=not end)
        pieces += [_agreeing(before, names[key], kept=place.start in compounds), names[key]]
        end = place.end
    asked = "".join(pieces) + _lowered(text[end:], first=not end)
    asked = asked[0].upper() + asked[1:]
    return _left_over(asked, names) or _told(asked, item) or asked


def _compounds(item: Item, constants: Sequence[Constant], nlp: Any) -> set[int]:
    """Where a constant stands before the noun that it describes ("the Scion owner"), so that it keeps the article."""
    starts = {place.start: place.end for constant in constants for place in constant.places}
    text, shift, moved = item.question, 0, dict[int, int]()
    for start, end in sorted(starts.items()):
        text = text[: start + shift] + "Boston" + text[end + shift :]
        moved[start + shift] = start
        shift += 6 - (end - start)
    return {
        moved[token.idx]
        for token in nlp(text)
        if token.idx in moved and token.dep_ in {"compound", "nmod", "amod"} and token.head.i > token.i
    }


def _lowered(text: str, *, first: bool) -> str:
    """Small letters, but for the first word of the question."""
    lowered = re.sub(r"(?<!\w)I(?!\w)", "i", text).lower()
    return text[:1] + lowered[1:] if first else lowered


def _agreeing(before: str, name: str, *, kept: bool) -> str:
    """The text before a name, its article left out, or a/an as the name wants it."""
    found = _ARTICLE.search(before)
    if not found:
        return before
    if found[1].lower() == "the":
        return before if kept else before[: found.start()]
    return before[: found.start()] + ("an " if name[0] in "AEIOU" else "a ")


def _left_over(asked: str, names: Mapping[str, str]) -> Reason | None:
    rest = asked
    for name in sorted(names.values(), key=len, reverse=True):
        rest = rest.replace(name, "x")
    found = [word for word in words(rest) if rest[word.start].isdigit() or (word.start and rest[word.start].isupper())]
    found = [word for word in found if word.norm not in FUNCTION]
    quoted = re.search(r"[\"“”]", re.sub(r"[\"“]x[,.]?[\"”]", "x", rest))
    if found or quoted:
        return Reason("unbound_constant", found[0].norm if found else "a quotation")
    return None


def _told(asked: str, item: Item) -> Reason | None:
    for hop in item.hops:
        if Matcher([hop.answer]).holds(asked):
            return Reason("answer_in_question", hop.answer)
    return None
