"""Patterns in the words of the whole question, where its sub-questions say less or something else."""

import re
from collections.abc import Mapping

from builders.realhop.asked import NOUN_KIND
from builders.realhop.claims import Constant
from builders.realhop.function_words import AUXILIARIES, FUNCTION_WORDS
from builders.realhop.phrases import find
from builders.realhop.tables import NOUN, VERB, relations
from builders.realhop.tokens import Token, tokenised
from builders.realhop.words import verb_forms

_K = r"(\{\w+\})"
# A pattern, words that the question must have and must not have for it, and the pattern that says what it asks.
_REWRITES = tuple(
    (re.compile(form), re.compile(wanted, re.IGNORECASE), re.compile(unwanted, re.IGNORECASE), new)
    for form, wanted, unwanted, new in (
        (
            rf"{_K} lived in {_K} when (?:he|she|they) died",
            r"\bdie[sd]?\b",
            r"\b(?:liv|resid|home\b)",
            r"\1 died in \2",
        ),
        (rf"The nationality of {_K} (?:is|was) {_K}", r"\bcountry\b", r"\bnational", r"\1 comes from \2"),
        (rf"{_K} is a landform in {_K}", r"\blocated\b", r"\blandform\b", r"\1 is located in \2"),
        (rf"{_K} is part of {_K}", r"\bholds\b", r"\bpart of\b", r"\2 holds \1"),
    )
)
_PLURAL = {"are": "is", "were": "was", "have": "has"}
_NO_MODIFIERS = (
    FUNCTION_WORDS | AUXILIARIES | NOUN_KIND.keys() | frozenset("same other very own name kind whose".split())
)
_MODIFIERS = r"\b(?:the|an?|his|her|their) ((?:[a-z-]+ ){1,3})"


def as_asked(question: str, pattern: str, known: Mapping[str, Constant], kinds: Mapping[str, str]) -> str:
    """Return the pattern as the question wants it.

    Its verb where that is another, the modifiers of its noun ("the title character"), a singular behind a single name,
    and `by` between a work and its maker.
    """
    told = pattern.rstrip(".")
    for form, wanted, unwanted, new in _REWRITES:
        found = form.fullmatch(told)
        if found and wanted.search(question) and not unwanted.search(question):
            told = found.expand(new)
    told = re.sub(r"(\{c\d+\}) (sung|performed|recorded) by\b", r"\1 as \2 by", told)
    told = _modified(question, _agreeing(question, _made(told, kinds), known))
    return f"{told}."


def _made(told: str, kinds: Mapping[str, str]) -> str:
    found = re.search(r"\{(\w+)\} of \{(\w+)\}", told)
    made = found and kinds[found[1]] == "work" and kinds[found[2]] in {"person", "organization"}
    return told.replace(found[0], found[0].replace(" of ", " by "), 1) if found and made else told


def _agreeing(question: str, told: str, known: Mapping[str, Constant]) -> str:
    """The verb in the singular behind one name, unless the question has that name in the plural."""
    tokens = tokenised(f"{told}.") or ()
    if len(tokens) < 2 or not tokens[0].is_arg or tokens[1].is_arg:
        return told
    verb = _singular(tokens)
    constant = known.get(tokens[0].text[1:-1])
    if not verb or (constant and _is_plural(question, constant)):
        return told
    return told[: tokens[1].start] + verb + told[tokens[1].end :]


def _singular(tokens: tuple[Token, ...]) -> str:
    word = tokens[1].text
    found = find(tokens)
    if word in _PLURAL:
        return _PLURAL[word]
    if found and found.start == 1 and relations()[found.relation].kind == VERB and found.inflection == "present":
        return verb_forms(word)["present"][0] if found.is_plural else ""
    return ""


def _is_plural(question: str, constant: Constant) -> bool:
    name = re.escape(constant.original)
    return bool(re.search(rf"\b(?:are|were|do|have) (?:the )?{name}\b|\b{name} (?:are|were|have)\b", question))


def _modified(question: str, told: str) -> str:
    """The noun of the relation with the words that stand before it in the question."""
    tokens = tokenised(f"{told}.") or ()
    found = find(tokens)
    if not found or relations()[found.relation].kind != NOUN:
        return told
    noun = told[tokens[found.start].start : tokens[found.end - 1].end]
    asked = re.findall(rf"{_MODIFIERS}{re.escape(noun)}\b", question)
    words = asked[0].split() if len(asked) == 1 else []
    words = [word for word in words if not re.search(rf"\b{word}\b", told)]
    before = [token.text for token in tokens[: found.start]][-1:]
    if not words or set(words) & _NO_MODIFIERS or any(word.endswith("est") for word in (*before, *noun.split())):
        return told
    at = tokens[found.start].start
    return re.sub(r"(?<=\b)an? $", "the ", told[:at]) + " ".join(words) + " " + told[at:]
