"""One rule for each question word: an analysed question and the answer to a clause with a slot."""

import re
from collections.abc import Callable
from itertools import pairwise

from builders.grammar.answers import SLOT, article, is_number, opens_sentence
from builders.grammar.clauses import PREPOSITIONS, end_gap, inverted, object_gap, stranded
from builders.grammar.copulas import adverbial, be_clause, open_predicate, singular
from builders.grammar.measures import measure, share
from builders.grammar.prepositions import season, when, where
from builders.grammar.questions import AUXILIARY, BE, DO, MODAL, Question, Tokens, finite, words
from builders.grammar.splits import base_verb, participle
from builders.grammar.splits import subject_end as end_of_subject
from builders.grammar.subjects import asks_subject, possessive, slot, subject_clause
from loaders.records import Reason

_SHARES = frozenset("percentage percent proportion fraction".split())
_TIMES = frozenset("year years month decade century date day time era age".split())
_PARTS = frozenset("season episode chapter series".split())
_ATTRIBUTES = frozenset(
    "color colour genre size shape nationality religion ethnicity gender currency rank height".split()
)
_KINDS = frozenset("kind type sort breed species race form class".split())
_REGIONS = frozenset("timezone zone county continent hemisphere district league division conference".split())


def clause(question: Question, answer: str) -> str | Reason:
    """The declarative clause, with one slot for the answer, or why there is none."""
    if question.wh in {"who", "what", "which"} and " or " in f" {words(question.body[-4:])} ":
        return Reason("choice_asked")
    rule = _which if question.noun and question.wh in {"what", "which"} else _RULES[question.wh]
    return rule(question, answer)


def _who(question: Question, answer: str) -> str | Reason:
    body = question.body
    if question.prep:
        return inverted(body, end_gap, f"{question.prep} {slot(question, answer)}")
    if asks_subject(question):
        return subject_clause(question, answer)
    if body[0].lower_ in BE:
        return be_clause(question, answer)
    verb = base_verb(body) if body[0].lower_ in DO | MODAL else None
    if verb is not None and body[verb].lower_ == "do":
        return Reason("activity_asked")
    return inverted(body, object_gap, slot(question, answer))


def _which(question: Question, answer: str) -> str | Reason:
    first, head, verb = question.noun[0].lower_, question.noun[-1].lower_, question.body[0].lower_
    if first in _SHARES and len(question.noun) > 1:
        return share(question, answer)
    if verb in AUXILIARY and not asks_subject(question):
        if head in _TIMES | _PARTS and all(token.tag_ != "POS" for token in question.noun):
            return _timed(question, head, answer)
        if verb in BE and not question.prep:
            return _which_be(question, answer)
    return _prepositional(question, answer) if question.prep else _who(question, answer)


def _prepositional(question: Question, answer: str) -> str | Reason:
    """ "In which country is/was X (participle)": the answer after the question's own preposition, at the end."""
    body, filler = question.body, f"{question.prep} {slot(question, answer)}"
    if body[0].lower_ not in BE:
        return inverted(body, end_gap, filler)
    if participle(body, by_surface=True) is None and (
        question.prep not in {"in", "on", "at"} or _has_second_noun_phrase(body)
    ):
        return Reason("unclear_subject")
    return adverbial(body, filler)


def _has_second_noun_phrase(body: Tokens) -> bool:
    """Whether two noun phrases stand side by side ("is sofia the capital")."""
    pairs = pairwise(body[1:])
    return any(token.tag_ == "DT" and before.pos_ in {"NOUN", "PROPN"} for before, token in pairs)


def _which_be(question: Question, answer: str) -> str | Reason:
    """ "What colour/kind/zone is X": an attribute, a kind or a place of X; else X is identified."""
    body, verb, rest = question.body, finite(question.body), words(question.body[1:])
    first, head = question.noun[0].lower_, question.noun[-1].lower_
    whole = stranded(body) is None and body[-1].lower_ not in PREPOSITIONS
    if not whole or participle(body, by_surface=False) is not None:
        return be_clause(question, answer)
    if head in _ATTRIBUTES:
        return f"the {words(question.noun)} of {rest} {singular(verb)} {SLOT}"
    if head in _KINDS or (first in _KINDS and len(question.noun) > 1):
        return f"{rest} {verb} {SLOT}"
    if head in _REGIONS or first == "part":
        return f"{rest} {verb} in {article(answer)}{SLOT}"
    opens_phrase = body[1].tag_ in {"DT", "JJS", "RBS", "PRP$", "JJ", "IN"}
    if not opens_phrase and end_of_subject(body) in {None, len(body)}:
        return Reason("unclear_subject")
    if body[1].lower_ in {"in", "on", "at", "home"} or participle(body, by_surface=True) is None:
        return subject_clause(question, answer)
    return be_clause(question, answer)


def _timed(question: Question, head: str, answer: str) -> str | Reason:
    """ "What year did", "which season was": the time with the preposition of its form, or of its noun."""
    prep = when(answer)
    if prep is None and head in {"year", "month", "decade", "century"} and not is_number(answer):
        return Reason("time_answer_form", answer)
    if prep is None:
        prep = {"day": "on ", "date": "on ", "time": "at ", "age": "at "}.get(head, "in ")
    filler = season(head, answer) if head in _PARTS else prep + SLOT
    if question.body[-1].lower_ in {"in", "on", "at", "during"}:
        return adverbial(question.body[:-1], filler)
    if head in _PARTS and question.prep not in {"", "in"}:
        filler = filler.replace("in ", question.prep + " ", 1)
    return adverbial(question.body, filler)


def _whose(question: Question, answer: str) -> str | Reason:
    if not opens_sentence(answer) or not question.noun:
        return Reason("answer_cannot_open_sentence", answer)
    owned = f"{possessive(answer)} {words(question.noun)}"
    if question.prep:
        return inverted(question.body, end_gap, f"{question.prep} {owned}")
    if asks_subject(question) or question.body[0].lower_ in BE:
        return f"{owned} {words(question.body)}"
    return inverted(question.body, object_gap, owned)


def _when(question: Question, answer: str) -> str | Reason:
    prep = when(answer)
    return Reason("time_answer_form", answer) if prep is None else adverbial(question.body, prep + SLOT)


def _where(question: Question, answer: str) -> str | Reason:
    body, filler = question.body, article(answer) + SLOT
    if body[-1].lower_ in {"from", "at", "to", "in", "on"}:
        predicate = body[0].lower_ in BE and not participle(body, by_surface=True)
        return open_predicate(body, filler) if predicate else inverted(body, end_gap, filler)
    lost = stranded(body)
    if lost is not None and body[lost].lower_ in {"from", "of"} and body[0].lower_ not in BE:
        return inverted(body, object_gap, filler)
    return adverbial(body, where(answer) + SLOT)


def _why(question: Question, answer: str) -> str | Reason:
    if not re.match(r"(?:because|due to|to|as a result|for)\b", answer):
        return Reason("reason_answer_form", answer[:80])
    return adverbial(question.body, SLOT)


_RULES: dict[str, Callable[[Question, str], str | Reason]] = {
    "who": _who,
    "whom": _who,
    "what": _who,
    "which": _who,
    "whose": _whose,
    "when": _when,
    "where": _where,
    "how": measure,
    "why": _why,
}
