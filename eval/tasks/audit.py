"""Audit of multi-hop items: what is asked under each condition, and what a reply is worth (REALHOP, appendix K).

Where the paper shows ’ and lost the braces of the judge's JSON line, the prompt files have straight quotes and braces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.answers import Matcher, exact_match, normalise
from eval.models.engine import Message, Reply
from eval.models.parse import final_text
from eval.prompting import fill, template
from eval.tasks.judging import VERDICTS, read_verdict
from loaders.conditions import audit_variants
from loaders.control import protected
from loaders.deletion import Variant, remove
from loaders.records import AuditOutcome, Item, Passage

PROMPTS = ("multihop", "long")
TWIN = "_twin"

_NO_NAMES = frozenset({"yes", "no"})


@dataclass(frozen=True)
class Case:
    """An item under the name of its side; `twin` is its other side, which a Control must spare too."""

    config: str
    item: Item
    twin: Item | None = None


@dataclass(frozen=True)
class Ask:
    """One item under one condition; `messages` are null where the condition cannot be made."""

    config: str
    condition: str
    target: str
    prompt: str
    item: Item
    answer_elsewhere: bool
    removed_tokens: int
    messages: tuple[Message, ...] | None


def plan(cases: Sequence[Case], conditions: Sequence[str], prompt: str, unit: str, seed: int) -> list[Ask]:
    """Return what is asked, sorted by prompt text whatever the order of the cases."""
    asks = []
    for case in cases:
        elsewhere = answer_elsewhere(case.item, unit)
        for condition in conditions:
            for target, variant in audit_variants(case.item, condition, unit, seed, case.twin):
                asks.append(_ask(case, condition, target, prompt, elsewhere, variant))
    return sorted(asks, key=_order)


def _ask(case: Case, condition: str, target: str, prompt: str, elsewhere: bool, variant: Variant | None) -> Ask:
    place = (case.config, condition, target, prompt, case.item, elsewhere)
    if variant is None:
        return Ask(*place, 0, None)
    asked = Message("user", render(prompt, case.item.question, variant.passages))
    return Ask(*place, variant.removed_tokens, (asked,))


def _order(ask: Ask) -> tuple[str, ...]:
    text = ask.messages[0].content if ask.messages else ""
    return text, ask.config, ask.item.id, ask.condition, ask.target


def render(prompt: str, question: str, passages: Sequence[Passage]) -> str:
    """Fill a solver prompt: `long` shows one text, `multihop` passages numbered anew, without a telling gap."""
    numbers = (f"Passage {number}:" if prompt == "multihop" else "" for number in range(1, len(passages) + 1))
    shown = map(_shown, numbers, passages)
    return fill(template("audit", prompt), {"context": "\n\n".join(shown), "question": question})


def _shown(heading: str, passage: Passage) -> str:
    return "\n".join(filter(None, (heading, passage.title, passage.text)))


def answer_elsewhere(item: Item, unit: str) -> bool:
    """Whether text that no Drop takes away holds an answer: then a Drop can be survived by finding it there.

    `yes` and `no` stand in any text and are not looked for. Inserted text counts, titles do not.
    """
    names = [answer for answer in item.answers if normalise(answer) not in _NO_NAMES]
    supports = [span for span in protected(item, unit) if span not in item.inserted]
    left = remove(item, supports, "sentences").passages
    return Matcher(names).holds("\n".join(passage.text for passage in left))


def score(
    ask: Ask, request: str, reply: Reply | None, judge_request: str = "", judgement: Reply | None = None
) -> AuditOutcome:
    """Return what a reply is worth; only `correct` counts as correct (appendix K).

    Without a reply, or without the judge's, it is pending. A reply cut at the token limit counts as an empty one, which
    is incorrect. Where no judge was asked, the verdict is exact match after normalisation.
    """
    text = final_text(reply) if reply else ""
    verdict = ""
    if reply and judge_request:
        verdict = read_verdict(judgement) if judgement else ""
    elif reply:
        verdict = "correct" if text and exact_match(text, ask.item.answers) else "incorrect"
    correct = float(verdict == "correct") if verdict in VERDICTS else None
    return AuditOutcome(
        id=ask.item.id,
        source_id=ask.item.source_id or ask.item.id,
        config=ask.config,
        condition=ask.condition,
        target=ask.target,
        prompt=ask.prompt,
        sample=0,
        n_hops=len(ask.item.hops),
        answer_elsewhere=ask.answer_elsewhere,
        removed_tokens=ask.removed_tokens,
        request=request,
        judge_request=judge_request,
        status=_status(ask, reply, verdict),
        prediction=text,
        verdict=verdict,
        correct=correct,
        took_endpoint=_took_endpoint(ask.item, text, correct),
    )


def _status(ask: Ask, reply: Reply | None, verdict: str) -> str:
    if ask.messages is None:
        return "unavailable"
    if reply is None or not verdict:
        return "pending"
    if verdict == "unjudged":
        return verdict
    return "truncated" if reply.finish_reason == "length" else "scored"


def _took_endpoint(item: Item, text: str, correct: float | None) -> float | None:
    """Appendix D: a wrong reply that exactly matches where a planned competing path ends."""
    if correct is None or not item.competitor_answers:
        return None
    return float(not correct and bool(text) and exact_match(text, item.competitor_answers))
