"""A controlled sentence as names and words, and the one phrase in it that names a relation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from builders.realhop.tables import NOUN, VERB, relations
from builders.realhop.words import noun_forms, verb_forms

ENTRY = r"entry [A-Z]\d+ of the Halden Register"
BE = frozenset("is are was were be been being".split())
_HAVE = frozenset({"has", "have", "had", "having"})
AUXILIARIES = BE | _HAVE | {"do", "does", "did"}
_BEFORE_BASE = frozenset("do does did to can could will would may might must".split())
ARTICLES = frozenset({"the", "a", "an"})
COPULAS = BE | frozenset("become becomes became remain remains remained".split())
RELATIVES = frozenset({"who", "that", "which"})
_CLAUSE_STARTS = RELATIVES | frozenset("when where while and but before after because".split())
_ADVERBS = frozenset("most more best better also still now later first once often not never".split())
_PREPOSITIONS = frozenset(
    "in on at of from by for with to into as under over after before about through beside between like until".split()
)
_WEAK = frozenset({"have", "be in", "be on", "be from"})
PRONOUNS = frozenset("he she it they we i you this these those".split())
# Capitalised at the head of a sentence, these are no part of a name.
FUNCTION_WORDS = (
    ARTICLES
    | PRONOUNS
    | frozenset(
        "in on at of from by for with to as along after before during under since until between among according "
        "its his her their our my that there and both when where who which what".split()
    )
)
_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_TOKEN = re.compile(
    rf"""(?P<entry>(?:[Tt]he[ ]subject[ ]of[ ])?{ENTRY.replace(" ", "[ ]")})
    |(?P<arg>\{{\w+\}}|\#\d+|"[^"]+"|“[^”]+”
        |\d{{1,2}}[ ]{_MONTH}(?:[ ]\d{{1,4}})?|{_MONTH}[ ]\d{{1,2}},[ ]\d{{4}}|{_MONTH}[ ]\d{{4}}
        |\d{{4}}[–-]\d{{2,4}}
        |[$€£]?\d+(?:[,.]\d+)*(?:st|nd|rd|th)?(?:[ ]?%)?)
    |(?P<possessive>['’]s?(?!\w))
    |(?P<word>[^\W\d_](?:[\w-]|['’](?!s\b)(?=\w))*)
    |(?P<comma>,)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A name (or date, number, `#k`, key, entry) or a word; `sentence[start:end]` is `text`, in code points."""

    text: str
    start: int
    end: int
    is_arg: bool


@dataclass(frozen=True)
class Found:
    """The phrase of a relation in a sentence: `tokens[start:end]`, in which inflection, of which form."""

    relation: str
    form: str
    inflection: str  # a key of `verb_forms` or `noun_forms`
    is_plural: bool
    start: int
    end: int


def is_adverb(word: str) -> bool:
    """Whether the word may stand between an auxiliary and its verb."""
    return word in _ADVERBS or word.endswith("ly")


def preposition(form: str) -> str:
    """Return the preposition at the end of a form, or nothing."""
    last = form.rpartition(" ")[2]
    return last if last in _PREPOSITIONS else ""


def tokenised(sentence: str) -> tuple[Token, ...] | None:
    """Return the tokens of a sentence that ends with a full stop; None where it holds any other sign."""
    if not sentence.endswith("."):
        return None
    tokens: list[Token] = []
    at = 0
    body = sentence[:-1]
    while at < len(body):
        found = _TOKEN.match(body, at)
        if not found:
            return None
        tokens.append(_token(found, not tokens))
        at = found.end()
        at += len(body[at:]) - len(body[at:].lstrip(" "))
    return tuple(_joined(sentence, tokens))


def _token(found: re.Match[str], first: bool) -> Token:
    text = found[0]
    if found.lastgroup == "entry":
        return Token("entry" + text[text.lower().index("entry ") + 5 :], found.start(), found.end(), True)
    is_name = found.lastgroup == "word" and text[0].isupper() and not (first and text.lower() in FUNCTION_WORDS)
    is_arg = is_name or found.lastgroup == "arg"
    lowered = "'s" if found.lastgroup == "possessive" else text if is_arg else text.lower()
    return Token(lowered, found.start(), found.end(), is_arg)


def _joined(sentence: str, tokens: Sequence[Token]) -> list[Token]:
    """Put neighbouring capitalised words into one name."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last and token.is_arg and last.is_arg and token.text[0].isupper() and last.text[0].isupper():
            joined[-1] = Token(sentence[last.start : token.end], last.start, token.end, True)
        else:
            joined.append(token)
    return joined


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
        return helper in _BEFORE_BASE
    if inflection == "bare":
        return helper in BE and before[-1] != helper
    if inflection == "participle":
        return helper in _HAVE or (helper in BE and not preposition(form))
    if helper in ARTICLES or helper == "'s":
        return False
    if inflection == "present" and (determined or _has_finite_verb(tokens[:start])):
        return False
    return inflection == "ing" or helper not in AUXILIARIES | _BEFORE_BASE


def _has_finite_verb(before: Sequence[Token]) -> bool:
    """Whether an auxiliary stands before in the same clause, so that `awards` in `A has 3 B awards` is no verb."""
    texts = [token.text for token in before]
    last = max((i for i, text in enumerate(texts) if text in _CLAUSE_STARTS), default=-1)
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
