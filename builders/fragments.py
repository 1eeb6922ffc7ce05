"""Questions without a question phrase in front: in-situ question words, sentences left open, noun phrases, "name the ..."."""

import re
from typing import Any

from builders.answer_phrase import article, is_plural, when, where
from builders.question_rules import SLOT
from builders.questions import AUXILIARY, DO, MODAL, WH, Tokens, words
from loaders.records import Reason

_OPEN_ENDS = frozenset(
    "is are was were called named termed as of to in by with from for about on than contain contains include".split()
)
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_NOUN_PHRASE = frozenset({"JJ", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "POS"})
_IMPERATIVE = re.compile(r"(?:please )?(?:name|identify|give|state|list|describe)\b(?: me\b| us\b)? ?", re.I)
_DEFINITE = frozenset(
    "first last only second third current oldest youngest latest former original most name list king queen".split()
)


def fragment(tokens: Tokens, answer: str) -> str | Reason:
    """The clause for a question whose question word, if any, stands inside or at the end."""
    if any(token.text in {".", ";", ":", "..."} or token.text == "if" for token in tokens[:-1]):
        return Reason("several_sentences")
    imperative = _IMPERATIVE.match(words(tokens[:2]))
    if imperative and len(tokens) > 2:
        return _noun_phrase(tokens[1:], answer)
    if tokens[0].lower_ in AUXILIARY:
        return Reason("yes_no_question")
    finite = [token for token in tokens if token.tag_ in _FINITE and not _relative(token)]
    asked = [index for index in range(1, len(tokens)) if tokens[index].lower_ in WH]
    if not finite:
        return _noun_phrase(tokens, answer)
    if (
        not asked
        or _is_relative(tokens, asked[-1])
        or (asked[-1] < len(tokens) - 4 and tokens[-1].lower_ in _OPEN_ENDS)
    ):
        return _left_open(tokens, answer)
    return _in_situ(tokens, asked[-1], answer)


def _is_relative(tokens: Tokens, index: int) -> bool:
    asked = tokens[index]
    return bool(index + 1 < len(tokens) and asked.lower_ != "what" and asked.head.dep_ in {"relcl", "acl"})


def _relative(verb: Any) -> bool:
    """Whether a finite verb (or the verb it helps) belongs to a relative clause."""
    verb = verb.head if verb.dep_ in {"aux", "auxpass"} else verb
    return verb.dep_ in {"relcl", "acl"}


def _left_open(tokens: Tokens, answer: str) -> str | Reason:
    """ "... is known as": a sentence that only lacks its end."""
    last = tokens[-1]
    if last.lower_ in {"the", "a", "an"} and answer[:1].islower() and not answer.startswith(("the ", "a ", "an ")):
        return f"{words(tokens)} {SLOT}"
    if last.lower_ in _OPEN_ENDS and not any(child.i > last.i for child in last.children):
        return f"{words(tokens)} {SLOT}"
    return Reason("no_question_word")


def _in_situ(tokens: Tokens, at: int, answer: str) -> str | Reason:
    """ "X is in which county": the question phrase gives way to the answer where it stands."""
    wh = tokens[at].lower_
    end = at + 1
    if wh in {"which", "what"}:
        while end < len(tokens) and tokens[end].tag_ in _NOUN_PHRASE:
            end += 1
        if (
            end < len(tokens)
            and tokens[end].lower_ == "of"
            and not any(token.tag_ in _FINITE for token in tokens[end:])
        ):
            end = len(tokens)
    if (
        wh in {"how", "why", "whose"}
        or tokens[at - 1].text == ","
        or any(token.lower_ in WH for token in [*tokens[:at], *tokens[end:]])
    ):
        return Reason("question_word_inside")
    after = tokens[end : end + 1]
    if after and not (after[0].tag_ in {"IN", "VBZ", "VBD"} and after[0].lower_ not in {"of", "for", "that"}):
        return Reason("question_word_inside")
    if after and after[0].lower_ in DO | MODAL:
        return Reason("question_word_inside")
    if (
        after
        and after[0].lower_ in AUXILIARY
        and end + 1 < len(tokens)
        and tokens[end + 1].pos_ in {"PRON", "DET", "PROPN"}
    ):
        return Reason("question_word_inside")
    if wh == "when":
        prep = when(answer)
        return Reason("time_answer_form", answer) if prep is None else f"{words(tokens[:at])} {prep}{SLOT}"
    filler = where(answer) + SLOT if wh == "where" else article(answer) + SLOT
    return f"{words(tokens[:at])} {filler} {words(tokens[end:])}"


def _noun_phrase(tokens: Tokens, answer: str) -> str | Reason:
    """ "the first person to ...", "name the ...": the noun phrase is the answer."""
    root = next((token for token in tokens if token.dep_ == "ROOT" or token.head not in tokens), None)
    text = words(tokens)
    first = tokens[0]
    definite = (
        first.lower_ == "the"
        or first.lower_ in _DEFINITE
        or first.tag_ in {"JJS", "RBS"}
        or (len(tokens) > 2 and tokens[1].lower_ == "of")
    )
    relative = any(token.lower_ in {"who", "that", "which"} for token in tokens)
    if (
        first.tag_.startswith("VB")
        or first.tag_ in {"IN", "PRP", "RB"}
        or first.lower_ in {"either", "one", "any", "two", "three"}
    ):
        return Reason("no_question_word")
    if any(tokens[index - 1].text == "," and tokens[index].lower_ in WH for index in range(1, len(tokens))):
        return Reason("no_question_word")
    if (
        root is None
        or not (definite or relative)
        or first.lower_ in {"list", "lists"}
        or any(token.lower_ in {"and", "or"} for token in tokens[:4])
    ):
        return Reason("no_question_word")
    past = any(token.tag_ == "VBD" for token in tokens) or first.lower_ == "first" or tokens[1].lower_ == "first"
    head = next(
        (
            token
            for token in tokens
            if token.tag_ in {"NN", "NNS", "NNP", "NNPS"} and token.dep_ not in {"compound", "nmod"}
        ),
        None,
    )
    if head is None:
        return Reason("no_question_word")
    name = text if first.lower_ in {"the", "a", "an"} else f"the {text}"
    name = re.sub(r"^(?:a|an) ", "the ", name)
    if head.tag_ in {"NNS", "NNPS"} and not is_plural(answer):
        return f"one of {name} {'was' if past else 'is'} {SLOT}"
    plural = head.tag_ in {"NNS", "NNPS"}
    return f"{name} {('were' if plural else 'was') if past else ('are' if plural else 'is')} {article(answer)}{SLOT}"
