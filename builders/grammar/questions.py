"""The parts of a question: fronted adjunct, question phrase, and the clause that starts at its finite verb."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builders.grammar.inflect import VERBS, plural_form
from loaders.records import Reason

Tokens = Sequence[Any]  # spaCy tokens; no stubs reach mypy

WH = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "how", "why"})
CONTRACTED_IS = frozenset({"'s", "’s", "s"})
BE = frozenset({"is", "are", "was", "were", "'re"}) | CONTRACTED_IS
DO = frozenset({"do", "does", "did"})
HAVE = frozenset({"has", "have", "had"})
MODAL = frozenset({"will", "would", "can", "could", "should", "may", "might", "must", "shall"})
AUXILIARY = BE | DO | HAVE | MODAL
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})


@dataclass(frozen=True)
class Question:
    """A question cut up; `noun` is what which/what/whose/how goes with, `body` starts at the finite verb."""

    lead: str
    prep: str
    wh: str
    noun: Tokens
    body: Tokens


def words(tokens: Tokens) -> str:
    """The tokens' text with its own spacing."""
    return "".join(token.text_with_ws for token in tokens).strip()


def finite(body: Tokens) -> str:
    """The finite verb that opens the body, contractions written out."""
    return "is" if body[0].lower_ in CONTRACTED_IS else str(body[0].lower_)


def is_adverb(token: Any) -> bool:
    """Whether the token is an adverb that may stand between subject and verb."""
    return token.tag_ in {"RB", "RBR", "RBS"} and token.lower_ not in {"not", "n't"}


def question_tokens(doc: Any) -> list[Any]:
    """The doc's tokens without spaces and without closing punctuation."""
    tokens = [token for token in doc if not token.is_space]
    while tokens and re.fullmatch(r"[?.!,;:…¿]+", tokens[-1].text):
        tokens.pop()
    return tokens


def analyse(tokens: Tokens) -> Question | Reason:
    """Cut a question at its question phrase; a Reason where none stands at the front of a clause."""
    places = [index for index, token in enumerate(tokens) if token.lower_ in WH]
    if not places:
        return Reason("no_question_word")
    if any(_second_question(tokens, index) for index in places[1:]):
        return Reason("coordinated_questions")
    at = places[0]
    lead, prep = tokens[:at], ""
    if lead and lead[-1].tag_ in {"IN", "TO"} and tokens[at].lower_ in {"what", "which", "whom", "whose", "how"}:
        lead, prep = lead[:-1], lead[-1].lower_
    if prep == "of" and lead and lead[0].tag_ == "IN" and lead[-1].text != "," and _is_fronted(lead, tokens[at:]):
        lead, prep = [], f"{words(lead)} {prep}"
    if lead and not _is_fronted(lead, tokens[at:]):
        return Reason("question_word_inside")
    end = _finite_verb(tokens, at)
    if end is None:
        return Reason("no_main_verb")
    noun = tokens[at + 1 : end]
    if any(token.lower_ in WH | {"that"} for token in noun):
        return Reason("relative_clause_in_question_phrase")
    return Question(words(lead), prep, tokens[at].lower_, noun, tokens[end:])


def _second_question(tokens: Tokens, at: int) -> bool:
    if tokens[at - 1].lower_ in {"and", "or", "/"}:
        return True
    return at + 1 < len(tokens) and tokens[at].lower_ not in {"who", "which", "what"} and tokens[at + 1].lower_ in DO


def _is_fronted(lead: Tokens, rest: Tokens) -> bool:
    """Whether the words before the question word are an adjunct of its clause, not a clause of their own."""
    opens = lead[0].tag_ in {"IN", "VBN", "VBG", "TO"} or lead[0].lower_ in {"according", "during", "in", "on", "at"}
    if not opens or lead[0].lower_ in {"if", "as", "although", "because", "while", "though"}:
        return False
    if any(token.tag_ in _FINITE or token.text in {".", ";", ":"} for token in lead):
        return False
    return lead[-1].text == "," or any(token.dep_ == "ROOT" for token in rest)


def _finite_verb(tokens: Tokens, at: int) -> int | None:
    """Index of the finite verb after the question word at `at`; None where there is none to see."""
    if tokens[at].lower_ in {"who", "whom", "when", "where", "why"}:
        return at + 1 if at + 1 < len(tokens) else None
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.lower_ in AUXILIARY and not (token.lower_ in CONTRACTED_IS and index > at + 1):
            return index
        if index > at + 1 and token.tag_ in _FINITE and token.dep_ not in {"amod", "compound"}:
            return index
        if index == at + 1 and tokens[at].lower_ in {"what", "which"} and token.tag_ in {"VBD", "VBZ"}:
            return index
    for index in range(at + 2, len(tokens)):
        # A verb in -s after a noun is often tagged as a plural ("what joint connects the incus").
        if (
            tokens[index].tag_ == "NNS"
            and plural_form(tokens[index].lower_) in VERBS
            and tokens[index - 1].tag_ in {"NN", "NNP"}
        ):
            return index
    return None
