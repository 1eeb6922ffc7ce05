"""Questions with no question phrase in front: one inside, a sentence left open, a noun phrase, "name the ..."."""

import re
from itertools import pairwise
from typing import Any

from builders.grammar.answers import SLOT, article, is_number, is_plural
from builders.grammar.prepositions import when, where
from builders.grammar.questions import AUXILIARY, DO, MODAL, WH, Tokens, words
from loaders.records import Reason

_OPEN_ENDS = frozenset(
    "is are was were called named termed as of to in by with from for about on than contain contains include".split()
)
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_NOUN_PHRASE = frozenset({"JJ", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "POS"})
_BEFORE_IN_SITU = frozenset({"ADP", "VERB", "AUX", "PART", "CCONJ", "ADV", "SCONJ"})
_IMPERATIVES = frozenset({"name", "identify", "give", "state", "list", "describe"})
_DEFINITE = frozenset(
    "the first last only second third current oldest youngest latest former original most name king queen".split()
)
_NO_PHRASE = frozenset({"either", "one", "any", "two", "three", "list", "lists"})


def fragment(tokens: Tokens, answer: str) -> str | Reason:
    """The clause for a question whose question word, if any, stands inside or at the end."""
    if any(token.text in {".", ";", ":", "..."} or token.lower_ == "if" for token in tokens[:-1]):
        return Reason("several_sentences")
    if tokens[0].lower_ in _IMPERATIVES and len(tokens) > 2 and tokens[1].lower_ != "of":
        return _noun_phrase(tokens[1:], answer)
    if tokens[0].lower_ in AUXILIARY:
        return Reason("yes_no_question")
    if all(token.tag_ not in _FINITE or _is_relative(token) for token in tokens):
        return _noun_phrase(tokens, answer)
    asked = [token for token in tokens[1:] if token.lower_ in WH]
    if not asked or _is_relative_word(asked[-1], tokens):
        return _left_open(tokens, answer)
    return _in_situ(tokens, asked[-1].i - tokens[0].i, answer)


def _is_relative(verb: Any) -> bool:
    """Whether a finite verb, or the verb it helps, heads a relative clause."""
    return (verb.head if verb.dep_ in {"aux", "auxpass"} else verb).dep_ in {"relcl", "acl"}


def _is_relative_word(asked: Any, tokens: Tokens) -> bool:
    if asked.dep_ == "det":
        return False
    if asked.i < tokens[-1].i - 3 and tokens[-1].lower_ in _OPEN_ENDS:
        return True
    return bool(asked != tokens[-1] and asked.lower_ != "what" and asked.head.dep_ in {"relcl", "acl"})


def _left_open(tokens: Tokens, answer: str) -> str | Reason:
    """ "... is known as": a sentence that only lacks its end."""
    last = tokens[-1]
    article_fits = answer[:1].islower() and not answer.startswith(("the ", "a ", "an "))
    lacks_noun = last.lower_ in {"the", "a", "an"} and article_fits
    lacks_object = last.lower_ in _OPEN_ENDS and not any(child.i > last.i for child in last.children)
    return f"{words(tokens)} {SLOT}" if lacks_noun or lacks_object else Reason("no_question_word")


def _in_situ(tokens: Tokens, at: int, answer: str) -> str | Reason:
    """ "X is in which county": the question phrase gives way to the answer where it stands."""
    wh, end = tokens[at].lower_, _phrase_end(tokens, at)
    others = [token for token in [*tokens[:at], *tokens[end:]] if token.lower_ in WH]
    if others or wh in {"how", "why", "whose"} or tokens[at - 1].pos_ not in _BEFORE_IN_SITU:
        return Reason("question_word_inside")
    if end < len(tokens) and not _continues(tokens, end):
        return Reason("question_word_inside")
    preposition = when(answer) if wh == "when" else where(answer) if wh == "where" else article(answer)
    if preposition is None:
        return Reason("time_answer_form", answer)
    return f"{words(tokens[:at])} {preposition}{SLOT} {words(tokens[end:])}"


def _phrase_end(tokens: Tokens, at: int) -> int:
    """Index one past the question phrase, a closing "of ..." included."""
    end = at + 1
    if tokens[at].lower_ not in {"which", "what"}:
        return end
    while end < len(tokens) and tokens[end].tag_ in _NOUN_PHRASE:
        end += 1
    closes = tokens[end : end + 1] and tokens[end].lower_ == "of"
    return len(tokens) if closes and not any(token.tag_ in _FINITE for token in tokens[end:]) else end


def _continues(tokens: Tokens, end: int) -> bool:
    """Whether the words after the question phrase belong to the clause, not to the phrase nor to a new question."""
    after = tokens[end]
    if after.tag_ not in {"IN", "VBZ", "VBD"} or after.lower_ in {"of", "for", "that"} | DO | MODAL:
        return False
    inverted = after.lower_ in AUXILIARY and end + 1 < len(tokens) and tokens[end + 1].pos_ in {"PRON", "DET", "PROPN"}
    return not inverted


def _noun_phrase(tokens: Tokens, answer: str) -> str | Reason:
    """ "the first person to ...", "name the ...": the noun phrase is the answer."""
    head = _head(tokens)
    if head is None or not _names_one_thing(tokens):
        return Reason("no_question_word")
    first = tokens[0].lower_
    name = re.sub(r"^(?:(?:the|an?) )?", "the ", words(tokens), count=1, flags=re.IGNORECASE)
    past = any(token.tag_ == "VBD" for token in tokens) or "first" in {first, tokens[1].lower_}
    if head.tag_ in {"NNS", "NNPS"} and not is_plural(answer) and not is_number(answer):
        return f"one of {name} {'was' if past else 'is'} {SLOT}"
    plural = head.tag_ in {"NNS", "NNPS"}
    be = ("were" if plural else "was") if past else ("are" if plural else "is")
    return f"{name} {be} {article(answer)}{SLOT}"


def _head(tokens: Tokens) -> Any | None:
    nouns = (token for token in tokens if token.tag_ in {"NN", "NNS", "NNP", "NNPS"})
    return next((token for token in nouns if token.dep_ not in {"compound", "nmod"}), None)


def _names_one_thing(tokens: Tokens) -> bool:
    """Whether the words are a definite noun phrase: by their first word, "X of", a superlative or a relative clause."""
    first = tokens[0]
    if (
        len(tokens) < 2
        or first.tag_.startswith("VB")
        or first.tag_ in {"IN", "PRP", "RB"}
        or first.lower_ in _NO_PHRASE
    ):
        return False
    if any(token.lower_ in {"and", "or"} for token in tokens[:4]) or any(
        token.lower_ in {"what", "which"} and not _is_relative(token.head) for token in tokens
    ):
        return False
    if any(before.text == "," and token.lower_ in WH for before, token in pairwise(tokens)):
        return False
    definite = first.lower_ in _DEFINITE or first.tag_ in {"JJS", "RBS"} or tokens[1].lower_ == "of"
    return definite or any(token.lower_ in {"who", "that", "which"} for token in tokens)
