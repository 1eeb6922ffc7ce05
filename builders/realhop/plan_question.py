"""What a rebuilt question says: no answer, every constant anew, and else what the source asks."""

import re
from collections.abc import Iterator, Mapping

from builders.realhop.constants import context_of, mentions
from builders.realhop.graph import Plan
from eval.answers import Matcher, tokens
from loaders.records import Item, Reason

_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
_TELLING = re.compile(r"(?<![\w'’])(?!I\b)(?:[A-ZÀ-Þ]|\d)[\w'’.-]*")


def question_faults(plan: Plan, item: Item) -> Iterator[Reason]:
    """Reasons: `unknown_key`, `answer_in_question`, `constant_not_in_question`, `constant_not_rebound`,
    `question_changed`.
    """
    asked = plan.question
    # Names are left out: a planner hears this, and what it hears decides what is asked again under another seed.
    for key in dict.fromkeys(_BRACES.findall(asked)):
        yield Reason("unknown_key", f"{key} in the question is not registered")
    for entity in plan.entities:
        bound = Matcher([entity.name]).holds(asked)
        left = Matcher([entity.original]).holds(asked)
        if entity.key.startswith("h"):
            if bound or left:
                yield Reason("answer_in_question", f"the question gives {entity.key} away, a hop's answer")
        elif left:
            yield Reason("constant_not_rebound", f"{entity.original!r} still stands in the question")
        elif not bound:
            yield Reason("constant_not_in_question", f"{entity.key} does not stand in the question")
    for word in dict.fromkeys(_left(plan, item)):
        yield Reason("constant_not_rebound", f"{word!r} still stands there: no constant, nor in lower case")
    originals = {entity.name: entity.original for entity in plan.entities if entity.key.startswith("c")}
    if _plain(_exchanged(asked, originals)) != _plain(item.question):
        yield Reason("question_changed", "with the constants put back it is not the question of the source")


def _left(plan: Plan, item: Item) -> Iterator[str]:
    """Yield constants of the source that stand in the question still, and every capital or figure that is no name's."""
    named = Matcher(entity.name for entity in plan.entities)
    for mention in mentions(item, context_of(item)):
        if Matcher([mention.text]).holds(plan.question) and not named.holds(mention.text):
            yield mention.text
    rest = _exchanged(plan.question, {entity.name: "" for entity in plan.entities})
    yield from (found[0] for found in _TELLING.finditer(rest) if found.start() or found[0][0].isdigit())


def _exchanged(text: str, other: Mapping[str, str]) -> str:
    """Put other words in the place of names, the longest first."""
    longest_first = sorted(filter(None, other), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)) or r"\Z.", lambda found: other[found[0]], text)


def _plain(text: str) -> list[str]:
    """Words without case and articles: `a` before one name is `an` before another."""
    return [token for token in tokens(text) if token not in ("a", "an")]
