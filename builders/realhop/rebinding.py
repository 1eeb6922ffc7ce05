"""Which answers an invented name or value can stand for."""

import re

from builders.realhop.kinds import asked_value
from loaders.records import Hop, Reason

_LONGEST = 12  # words of a noun phrase
_PLACED = re.compile(r"^(?:below|above|under|behind|near|in|at|on|to|because|due|by|with|without|through|so)\b")
_CLAUSE = re.compile(
    r"\b(?:is|was|were|are|would|will|could|did|had|has|because|who|which|when|defeated|nominated|received|became)\b"
)
_SPAN = re.compile(r"\d{4} ?[-–—] ?\d{2,4}\b")
_RANK = re.compile(r"^(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)\b(?!.*[A-Z])")
_ASKED_FOR_A_CLAUSE = re.compile(
    r"^(?:why|what happened)\b|^how(?! (?:many|much)\b)|^what (?:did|does|do) .* (?:do|say|mean)\b"
)


def refused(hop: Hop) -> Reason | None:
    """`not_rebindable` for an answer that is a clause, a manner, a reason, a rank or a span of years; None where a name or value can stand."""
    text, answer = hop.relation.lower(), hop.answer.strip()
    if _SPAN.search(answer) or _RANK.search(answer):
        return Reason("not_rebindable", f"hop {hop.hop_id}: {answer[:80]}")
    if ">>" in text or asked_value(hop):
        return None
    manner = _ASKED_FOR_A_CLAUSE.search(text)
    if manner or _PLACED.search(answer) or _CLAUSE.search(answer) or len(answer.split()) > _LONGEST:
        return Reason("not_rebindable", f"hop {hop.hop_id}: {answer[:80]}")
    return None
