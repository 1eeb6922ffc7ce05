"""Which answers an invented name or value can stand for."""

import re

from builders.realhop.asked import asked_value
from loaders.records import Hop, Reason

_LONGEST = 12  # words of a noun phrase
_PLACED = re.compile(r"(?:below|above|under|behind|near|in|at|on|to|because|due|by|with|without|through|so)\b")
_CLAUSE = re.compile(
    r"\b(?:is|was|were|are|would|will|could|did|had|has|because|who|which|when|defeated|nominated|received|became)\b"
)
_SPAN = re.compile(r"\d{4} ?[-–—] ?\d{2,4}\b")
_RANK = re.compile(r"(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)\b(?!.*[A-Z])")
_MANNER = re.compile(r"(?:why|what happened)\b|how(?! (?:many|much)\b)|what (?:did|does|do) .* (?:do|say|mean)\b")


def not_rebindable(hop: Hop) -> Reason | None:
    """Whether an answer is a clause, a manner, a reason, a rank or a span of years: no name or value stands for it."""
    text, answer = hop.relation.lower(), hop.answer.strip()
    reason = Reason("not_rebindable", f"hop {hop.hop_id}: {answer[:80]}")
    if _SPAN.search(answer) or _RANK.match(answer):
        return reason
    if ">>" in text or asked_value(hop):
        return None
    clause = _PLACED.match(answer) or _CLAUSE.search(answer) or len(answer.split()) > _LONGEST
    return reason if clause or _MANNER.match(text) else None
