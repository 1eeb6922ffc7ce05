"""Questions for a number: how many, how much, how long, how old, what percentage."""

import re
from itertools import takewhile

from builders.grammar.answers import SLOT, holds_number, is_duration, is_number, opens_sentence
from builders.grammar.clauses import inverted, object_gap
from builders.grammar.copulas import adverbial, identity
from builders.grammar.questions import AUXILIARY, BE, DO, MODAL, Question, Tokens, finite, words
from builders.grammar.splits import base_verb, subject_end
from builders.grammar.subjects import asks_subject
from loaders.records import Reason

_DEGREES = frozenset({"long", "old", "tall", "high", "deep", "wide", "far", "big", "large", "fast"})
_BARE = frozenset({"far", "big", "large", "fast"})  # the measure stands alone: "is 384,400 km from the earth"


def measure(question: Question, answer: str) -> str | Reason:
    """The clause of a "how ..." question."""
    kind = question.noun[0].lower_ if question.noun else ""
    if kind == "many":
        return _how_many(question, answer)
    if kind == "much":
        return _how_much(question, answer)
    if kind in _DEGREES and len(question.noun) == 1:
        return _degree(question, kind, answer)
    if kind == "often" or (not kind and re.match(r"(?:by|through|via|using|with) ", answer)):
        return adverbial(question.body, SLOT)
    return Reason("manner_asked", kind)


def _as_subject(counted: str, answer: str, body: Tokens) -> str:
    return f"{'' if opens_sentence(answer) else 'a total of '}{counted} {words(body)}"


def share(question: Question, answer: str) -> str | Reason:
    """ "What percentage of X does Y": the share with what it is a share of."""
    if not re.search(r"\d ?%|percent|half|third|quarter", answer) or " of " in answer:
        return Reason("measure_unclear", answer)
    counted = f"{SLOT} {words(question.noun[1:])}"
    if question.body[0].lower_ not in AUXILIARY or asks_subject(question):
        return _as_subject(counted, answer, question.body)
    return inverted(question.body, object_gap, counted)


def _counted(noun: Tokens, answer: str) -> str | None:
    """The slot with the counted noun, which an answer in its own unit does not repeat."""
    phrase = list(takewhile(lambda token: token.pos_ != "ADP", noun)) or noun
    head = phrase[-1].lower_
    if is_number(answer):
        return f"{SLOT} {words(noun)}"
    return SLOT + words(noun).lower().partition(head)[2] if head in answer.lower() else None


def _how_many(question: Question, answer: str) -> str | Reason:
    noun, body = question.noun[1:], question.body
    counted = _counted(noun, answer) if noun else None
    if counted is None:
        return Reason("counted_noun_unclear", answer)
    be = {"is": "are", "was": "were"}.get(finite(body), finite(body))
    rest = words(body[1:])
    if be in {"are", "were"} and (re.match(r"(?:there|in|on|at|left)\b", rest) or rest.endswith(" there")):
        return f"there {be} {counted} " + re.sub(r"^there\b ?| there$", "", rest)
    if noun[-1].lower_ == "times":
        return adverbial(body, counted)
    adjective = body[0].lower_ in BE and len(body) > 1 and body[1].pos_ == "ADJ"
    if body[0].lower_ not in DO and (asks_subject(question) or adjective):
        return _as_subject(counted, answer, body)
    return inverted(body, object_gap, counted)


def _how_much(question: Question, answer: str) -> str | Reason:
    noun, body = words(question.noun[1:]), question.body
    if body[0].lower_ in BE and not noun:
        return identity(question, answer)
    if body[0].lower_ in BE or asks_subject(question):
        return Reason("degree_asked", "much")
    return inverted(body, object_gap, f"{SLOT} {noun}" if noun.startswith("of ") and " " not in answer else SLOT)


def _degree(question: Question, kind: str, answer: str) -> str | Reason:
    """ "How long/old/tall is X": the measure before the adjective; with another verb, a duration after it."""
    body = question.body
    if not holds_number(answer) and not is_duration(answer):
        return Reason("measure_unclear", answer)
    if body[0].lower_ not in BE:
        return _lasting(body, answer) if kind == "long" and is_duration(answer) else Reason("degree_asked", kind)
    end = subject_end(body)
    if end is None or (kind == "long" and re.fullmatch(r"\d{4}", answer)):
        return Reason("degree_asked", kind)
    return f"{words(body[1:end])} {finite(body)} {SLOT} {_adjective(kind, answer)} {words(body[end:])}"


def _adjective(kind: str, answer: str) -> str:
    if kind != "old":
        return "" if kind in _BARE else kind
    if re.search(r"\bold\b", answer):
        return ""
    return "old" if is_duration(answer) else "years old"


def _lasting(body: Tokens, answer: str) -> str | Reason:
    verb = base_verb(body) if body[0].lower_ in DO | MODAL else None
    if verb is not None and body[verb].lower_ in {"take", "last", "run"}:
        return inverted(body, lambda rest, at: at, SLOT)
    own = re.match(r"(?:for|from|until|since|over|up to)\b", answer)
    return adverbial(body, SLOT if own else f"for {SLOT}")
