"""Question and short answer to one declarative sentence, by rules on the question's first words and its parse."""

import re
from dataclasses import dataclass
from typing import Any

from builders.grammar.answers import SLOT, article, opens_sentence
from builders.grammar.fragments import fragment
from builders.grammar.questions import Tokens, analyse, question_tokens
from builders.grammar.rules import clause
from loaders.records import Reason

_OF_A_NAME = "occupation|profession|job|nationality|religion|(?:real|full|birth|middle|last|first|maiden|stage) name"
_ROLE = "father|mother|author|producer|director|composer|screenwriter"
# Closed frames around a name of any shape, which a parse would tear apart: question -> clause with {} for the answer.
_FRAMES = tuple(
    (re.compile(question, re.IGNORECASE), template)
    for question, template in (
        (rf"what (is|was) (.+['’]s?) ({_OF_A_NAME})", r"\2 \3 \1 {}"),
        (rf"who (is|was) (the (?:{_ROLE}) (?:of|for) .+)", r"{} \1 \2"),
        (r"what (is|was) (the (?:capital|religion|occupation|genre) of .+)", r"\2 \1 {}"),
        (r"what (is|was) (.+) the capital of", r"\2 \1 the capital of {}"),
        (r"what (genre|colou?r) (is|was) ((?!.* (?:in|on|of|from|for)$).+)", r"the \1 of \3 \2 {}"),
        (r"in what country (is|was) ((?!.*(?:ed|born|made|found)$).+)", r"\2 \1 in {}"),
        (r"in what (?:city|country|town|state|village) was (.+) (born|buried|founded)", r"\1 was \2 in {}"),
        (r"what sport does (.+) play", r"\1 plays {}"),
    )
)

# Spaces around, line breaks, a sentence end inside ("None. The nectarine is ..."), no noun ("credited to X").
_UNUSABLE = re.compile(r"^\s|\s$|[\n\r]|[a-z]{4}[.!?] +[A-Z]|^[a-z]+ed (?:by|to|in|as|around|from) ")


@dataclass(frozen=True)
class Statement:
    """A declarative sentence; `text[answer_start:answer_end]` (code points) is the answer, verbatim."""

    text: str
    answer_start: int
    answer_end: int


def statement(doc: Any, answer: str) -> Statement | Reason:
    """Put question (a spaCy Doc, case restored) and answer into one sentence, or name why the rules cannot."""
    if not re.search(r"\w", answer) or _UNUSABLE.search(answer) or SLOT in answer + doc.text:
        return Reason("unusable_answer", answer[:80])
    built = _frame(doc.text, answer) or _parsed(question_tokens(doc), answer)
    return built if isinstance(built, Reason) else _finish(built, answer)


def _frame(question: str, answer: str) -> str | None:
    text = question.strip().removesuffix("?").strip()
    for form, template in _FRAMES:
        match = form.fullmatch(text)
        if match:
            filled = match.expand(template)
            flipped = re.fullmatch(r"\{\} (is|was) (.+)", filled)
            if flipped and not opens_sentence(answer):
                filled = f"{flipped[2]} {flipped[1]} {{}}"
            before, _, after = filled.partition("{}")
            return f"{before}{article(answer) if before.endswith(' in ') else ''}{SLOT}{after}"
    return None


def _parsed(tokens: Tokens, answer: str) -> str | Reason:
    if not tokens:
        return Reason("empty_question")
    if any(token.text == "?" for token in tokens):
        return Reason("several_questions")
    question = analyse(tokens)
    if isinstance(question, Reason):
        inside = question.code in {"no_question_word", "question_word_inside"}
        return fragment(tokens, answer) if inside else question
    built = clause(question, answer)
    if isinstance(built, Reason) or not question.lead:
        return built
    return f"{question.lead.rstrip(', ')}, {built}"


def _finish(template: str, answer: str) -> Statement | Reason:
    """Fill the slot, raise the first letter, close with one full stop."""
    text = " ".join(template.split())
    if text.count(SLOT) != 1:
        return Reason("unknown_question_form", text[:80])
    text = _without_doubled_preposition(text, answer)
    if text.startswith(SLOT) and not opens_sentence(answer):
        return Reason("answer_cannot_open_sentence", answer)
    opened = re.match(rf"([\"'“‘„«(\[$€£¥#]*)([\w{SLOT}].*)", text)
    if not opened:
        return Reason("unknown_question_form", text[:80])
    text = opened[1] + opened[2][0].upper() + opened[2][1:]
    start = text.index(SLOT)
    full = text.replace(SLOT, answer)
    return Statement(full if full.endswith(".") else full + ".", start, start + len(answer))


def _without_doubled_preposition(text: str, answer: str) -> str:
    """Leave out what an answer brings itself: the article of "the Alps", the preposition of "in Paris"."""
    first = answer.split(" ")[0]
    if first.lower() == "the":
        return re.sub(rf"\bthe {SLOT}", SLOT, text)
    if first in {"in", "on", "at", "from", "by", "for", "as", "during"}:
        return re.sub(rf"\b(?:in|on|at|{first}) (?:the )?{SLOT}", SLOT, text)
    return text
