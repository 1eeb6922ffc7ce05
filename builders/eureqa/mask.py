"""Hide the names of entities in a sentence that a model wrote with them, so that no trace of them is left (2.2)."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from builders.countries import is_adjective
from builders.eureqa.check import Names
from builders.sentences import split_sentences
from eval.answers import Matcher, token_spans, tokens
from loaders.records import Reason

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTES = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»", "*": "*"}
# Words that begin a sentence and name nothing.
_OPENERS = frozenset(
    "the a an in on at it its one as for during before after by with from to both his her their this that of".split()
)
# Titles that a sentence is full of: in small letters they are no mention.
_PLAIN = _OPENERS | frozenset(
    "and are be but do go had has have he him i if is me no not off or out she so they up us was we were you".split()
)
_LONG = 4  # letters of a telling word from which on a longer word that begins with it tells too: `Parisian`
_SQUASHED = 5  # letters and digits of a name from which on it is looked for inside of words


@dataclass(frozen=True)
class Role:
    """An entity that a sentence must name, and what is to stand there: a placeholder, or its name where it is shown."""

    names: Names
    text: str
    hidden: bool


class Span(NamedTuple):
    """Where an entity is mentioned, and as what it is to stand there."""

    start: int
    end: int
    role: Role


class Masked(NamedTuple):
    """A sentence with its names replaced, or the named reason why it cannot be used."""

    text: str
    fault: Reason | None = None


def mask(text: str, roles: Sequence[Role], spoken: Collection[str], known: Callable[[str], bool]) -> Masked:
    """Put for each mention of a role what is to stand there.

    `spoken` are words that a sentence on this relation may hold although a name has them, `known` says whether a word
    is the name of an entity. Reasons: `not_one_sentence`, `name_missing`, `mask_trace`, `statement_adds_names`.
    """
    spans = mentions(text, roles)
    masked = _replaced(text, spans, lambda span: span.role.text)
    fault = (
        _sentences(_replaced(text, spans, lambda _: "name"))
        or _missing(spans, roles)
        or _trace(_replaced(text, spans, lambda _: "|"), roles, spoken)
        or _added(_replaced(text, spans, lambda _: "|"), spoken, known)
    )
    return Masked(masked, fault)


def mentions(text: str, roles: Sequence[Role]) -> list[Span]:
    """Return the mentions of all roles, leftmost and longest first; what may be either of two roles is none."""
    found = [
        Span(*_whole(text, start, end, name), role)
        for role in roles
        for start, end, name in Matcher(_own(role.names)).spans(text)
        if not (text[start:end] in _PLAIN and name != text[start:end])
    ]
    found.sort(key=lambda span: (span.start, -span.end))
    kept: list[Span] = []
    for i, span in enumerate(found):
        twice = any(other[:2] == span[:2] and other.role is not span.role for other in found[max(i - 2, 0) : i + 3])
        if not twice and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def _own(names: Names) -> tuple[str, ...]:
    """Return the names for which another name can be put: not the adjective of a country, nor initials."""
    return (names.plain, names.label, *names.others)


def _whole(text: str, start: int, end: int, name: str) -> tuple[int, int]:
    """Stretch a mention over what belongs to it: the name's own marks, an article in front, quotes around."""
    head, tail = _edges(name)
    for before in filter(None, (head, "the ")):
        if re.search(rf"(?<!\w){re.escape(before)}$", text[:start], re.IGNORECASE):
            start -= len(before)
            break
    end += len(tail) if tail and text.startswith(tail, end) else 0
    while start and end < len(text) and _QUOTES.get(text[start - 1]) == text[end]:
        start, end = start - 1, end + 1
    return start, end


def _edges(name: str) -> tuple[str, str]:
    """Return what of a name stands before its first and behind its last normalised token: `A `, `!`, `)`, `'s`."""
    placed = [(start, end) for token, start, end in token_spans(name) if token != "the"]
    placed = placed[len(placed) - len(tokens(name)) :]  # a leading article is no token
    return (name[: placed[0][0]], name[placed[-1][1] :]) if placed else ("", "")


def _replaced(text: str, spans: Sequence[Span], by: Callable[[Span], str]) -> str:
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], by(span)]
        at = span.end
        if span.role.hidden and re.match(r"['’](?!\w)", text[at:]):
            parts.append("'s")  # The Beatles' drummer is Band A's drummer
            at += 1
    return "".join([*parts, text[at:]])


def _sentences(text: str) -> Reason | None:
    found = split_sentences(text)
    if len(found) != 1 or found[0].endswith("?"):
        return Reason("not_one_sentence", "a question" if len(found) == 1 else f"{len(found)} sentences")
    return None


def _missing(spans: Sequence[Span], roles: Sequence[Role]) -> Reason | None:
    named = {id(span.role) for span in spans}
    missing = [role.names.label for role in roles if id(role) not in named]
    return Reason("name_missing", ", ".join(missing)) if missing else None


def _trace(rest: str, roles: Sequence[Role], spoken: Collection[str]) -> Reason | None:
    """Find what the rest of a sentence still tells of a hidden name: another name, a word of it, or it run together."""
    words = [word for word in tokens(rest) if word not in spoken]
    squashed = "".join(tokens(rest))
    for role in (role for role in roles if role.hidden):
        if held := role.names.matcher.first(rest):
            return Reason("mask_trace", held)
        for name in role.names.all:
            joined = "".join(tokens(name))
            if len(joined) >= _SQUASHED and joined in squashed:
                return Reason("mask_trace", name)
        telling = sorted(role.names.telling)
        for word in words:
            if any(word == one or (len(one) >= _LONG and word.startswith(one)) for one in telling):
                return Reason("mask_trace", word)
    return None


def _added(rest: str, spoken: Collection[str], known: Callable[[str], bool]) -> Reason | None:
    """Find a name, a number or a nation that the triple does not have."""
    for found in _WORD.finditer(rest):
        word = found.group()
        if word.lower() in spoken or not (word[0].isupper() or word[0].isdigit()):
            continue
        first = not re.search(r"\w|\|", rest[: found.start()])
        if first and (word.lower() in _OPENERS or not (known(word) or is_adjective(word))) and not word[0].isdigit():
            continue
        return Reason("statement_adds_names", word)
    return None
