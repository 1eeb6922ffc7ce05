"""An edge as a sentence: by the table of relations, else by what the relation's own name allows."""

import re

from builders.eureqa.articles import indefinite
from builders.eureqa.backend import OUT
from builders.eureqa.relations import table
from builders.grammar.inflect import plural_form

_PARTICIPLE = re.compile(
    r"\w+ed|born|built|made|held|led|sung|won|known|seen|shown|written|drawn|given|taken|held|bred"
)
_PREPOSITIONS = ("at", "by", "for", "from", "in", "into", "of", "on", "to", "with")


def phrase(relation: str, direction: int) -> str:
    """Return the sentence of a relation, by local name, with `{s}` and `{o}` for its ends.

    `direction` says from which end it is told: from the subject (`OUT`) or the object.
    """
    known = table().get(relation)
    if known is None:
        return fallback(relation)
    return known.out if direction == OUT else known.into


def fallback(relation: str) -> str:
    """Return a sentence for a relation that is not in the table; it reads the same from both ends.

    `notableStudent` is `{o} is a notable student of {s}`, `builtBy` is `{s} was built by {o}`, `memberOf` is
    `{s} is a member of {o}`, `isHeldIn` is `{s} is held in {o}`.
    """
    text = spoken_words(relation)
    words = text.split() or [text]
    last = words[-1]
    if words[0] == "is" and len(words) > 1:
        return f"{{s}} {text} {{o}}"
    if words[0] == "has" and len(words) > 1:
        return f"{{s}} has the {' '.join(words[1:])} {{o}}"
    if last in _PREPOSITIONS and len(words) > 1:
        if _PARTICIPLE.fullmatch(words[-2]):
            return f"{{s}} {'was' if last == 'by' else 'is'} {text} {{o}}"
        if last in ("of", "in", "to", "for"):
            return f"{{s}} is {indefinite(text)} {text} {{o}}"
    return f"{{o}} is {indefinite(text)} {text} of {{s}}"


def spoken_words(name: str) -> str:
    """Return a relation's name as words: `notableStudent` is `notable student`."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name)
    return " ".join(words).lower() or name


def filled(text: str, subject: str, object: str, *, plural: bool = False) -> str:
    """Return a phrase with its ends filled in as they stand, as a sentence; `plural` says what the first one is."""
    ends = {"{s}": subject, "{o}": object}
    if plural:
        text = re.sub(r"^(\{[so]\}) (is or was|\w+)", lambda found: f"{found[1]} {_plural_verb(found[2])}", text)
    return sentence(re.sub(r"\{[so]\}", lambda found: ends[found[0]], text))


def _plural_verb(verb: str) -> str:
    return " or ".join(plural_form(one) for one in verb.split(" or "))


def sentence(text: str) -> str:
    """Return text with a capital in front, but for names such as `iPod`, and one full stop behind."""
    first = text[:1] if text[1:2].isupper() else text[:1].upper()
    return f"{first}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
