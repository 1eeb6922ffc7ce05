"""The short-answer judge: what it is asked, and how its line is read (REALHOP, appendix K)."""

import json
import re

from eval.answers import exact_match
from eval.models.engine import Message, Reply, Request
from eval.models.parse import final_text
from eval.prompting import fill, template
from loaders.records import Item

# Only the long-context protocol accepts exact matches before it asks the judge.
EXACT_FIRST = frozenset({"long"})
JUDGE_TEMPLATES = ("judge_system", "judge")
VERDICTS = ("correct", "partial", "incorrect")
EXACT = "exact"  # nobody judges: a reply is correct if it is an answer, both normalised
# A verdict and one short sentence.
JUDGE_TOKENS = 256

_OBJECT = re.compile(r"\{[^{}]*\}")


def judge_request(judge: str, item: Item, prompt: str, reply: Reply | None, seed: int) -> Request | None:
    """Return what a judge (an engine's identity) is asked of a reply; none where nobody judges or nothing is due."""
    if judge == EXACT or reply is None or not needs_judge(item, prompt, reply):
        return None
    return Request(judge, judge_messages(item, reply), max_tokens=JUDGE_TOKENS, seed=seed)


def needs_judge(item: Item, prompt: str, reply: Reply) -> bool:
    """Whether a judge must see a reply: not an empty one, nor an exact match where the paper accepts that first."""
    text = final_text(reply)
    return bool(text) and not (prompt in EXACT_FIRST and exact_match(text, item.answers))


def judge_messages(item: Item, reply: Reply) -> tuple[Message, ...]:
    """Return what the judge sees: question, references, response, and no document."""
    values = {
        "question": item.question,
        "references": "\n".join(f"- {answer}" for answer in item.answers),
        "response": final_text(reply),
    }
    return Message("system", template("audit", "judge_system")), Message(
        "user", fill(template("audit", "judge"), values)
    )


def read_verdict(reply: Reply) -> str:
    """Return correct, partial or incorrect; `unjudged` where the reply does not hold exactly one such verdict."""
    found = {_verdict(text) for text in _OBJECT.findall(final_text(reply))}
    return found.pop() if len(found) == 1 and found <= set(VERDICTS) else "unjudged"


def _verdict(text: str) -> str:
    try:
        return str(json.loads(text).get("verdict")).strip().lower()
    except ValueError:
        return "unjudged"
