"""A second opinion on a written item (I.3, the questions of J.1): does gold support the answer, does a competitor
entail what it misses, is a reference unclear? What the checker says is recorded; it rejects only where that is asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from builders.opinions import NO, UNJUDGED, YES, Said, ask_opinions
from builders.realhop.draft import Draft
from builders.realhop.graph import Path, Plan
from builders.realhop.voices import COMPETITOR, GOLD, REFERENCES
from builders.steps import Pending
from builders.voices import Voice
from builders.written import unanswered
from loaders.realhop import Competitor, RealHopRow
from loaders.records import Reason, Verdict

VERSION = 1
_REFERS = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|theirs?|this|that|these|those|(?:the )?(?:former|latter))\b", re.I
)


@dataclass(frozen=True)
class Question:
    """One question about a written item: what fills its prompt, and what is at fault if the word is not `wanted`."""

    gate: str
    prompt: File
    values: Mapping[str, str]
    wanted: str
    fault: str  # code of the reason
    branches: tuple[str, ...] = ()  # competing paths at fault; none: the item is


@dataclass(frozen=True)
class Opinions:
    """What a checker said of one item; `item` and `branches` say what a gating checker rejects."""

    verdicts: tuple[Verdict, ...]
    item: Reason | None
    branches: Mapping[str, Reason]


def questions(draft: Draft) -> list[Question]:
    """Return everything that is asked about an item."""
    paths = (path for path in draft.paths if path.break_hop)
    return [
        _gold(draft.full),
        *(_competitor(path, draft.plan, draft.full) for path in paths),
        *_references(draft.full),
    ]


def ask_semantic(checker: Voice, drafts: Sequence[Draft]) -> list[Opinions | Pending]:
    """Ask everything about a batch of items, one prompt after the other; an item with a failed call is pending."""
    asked = [(number, question) for number, draft in enumerate(drafts) for question in questions(draft)]
    said: dict[int, list[tuple[Question, Said]]] = {number: [] for number in range(len(drafts))}
    for prompt in (GOLD, COMPETITOR, REFERENCES):
        own = [one for one in asked if one[1].prompt == prompt]
        heard = ask_opinions(checker, prompt, [question.values for _, question in own])
        for (number, question), word in zip(own, heard, strict=True):
            said[number].append((question, word))
    return [_opinions(heard) for heard in said.values()]


def _opinions(heard: Sequence[tuple[Question, Said]]) -> Opinions | Pending:
    """Reasons: those of `questions`, or `checker_unjudged` where no word could be read."""
    item: Reason | None = None
    branches: dict[str, Reason] = {}
    for question, said in heard:
        if not said.verdict:
            return unanswered(said.request)
        if said.verdict == question.wanted:
            continue
        code = "checker_unjudged" if said.verdict == UNJUDGED else question.fault
        reason = Reason(code, f"{question.gate}: {said.evidence}")
        for branch in question.branches:
            branches.setdefault(branch, reason)
        item = item or (None if question.branches else reason)
    verdicts = tuple(Verdict(question.gate, VERSION, said.verdict, said.evidence) for question, said in heard)
    return Opinions(verdicts, item, branches)


def _gold(row: RealHopRow) -> Question:
    """Does the written gold evidence match the question and support the answer (J.1)? Fault: `gold_unsupported`."""
    told = [unit.fact for hop in row.hops for unit in hop.units]
    values = {"question": row.question, "answer": row.answer, "sentences": "\n".join(told)}
    return Question("semantic gold", GOLD, values, YES, "gold_unsupported")


def _competitor(path: Path, plan: Plan, row: RealHopRow) -> Question:
    """Does what a path says entail the relation that it is to miss (J.1)? Fault: `competitor_entails`."""
    broken = next(fact for fact in path.facts if fact.hop_id == path.break_hop)
    gold = next(hop for hop in plan.hops if hop.hop_id == path.break_hop)
    own = next(one for one in row.competitors if one.branch_id == path.branch_id)
    values = {
        "sentences": "\n".join(text for _, _, text in _written(own, row)),
        "claim": gold.pattern.format_map(dict(broken.names)),
    }
    gate = f"semantic competitor {path.branch_id}"
    return Question(gate, COMPETITOR, values, NO, "competitor_entails", (path.branch_id,))


def _written(path: Competitor, row: RealHopRow) -> Iterator[tuple[int, int, str]]:
    """Yield passage, start and text of each sentence of a path."""
    for fact in path.facts:
        yield fact.passage, fact.start, row.passages[fact.passage].text[fact.start : fact.end]


def _references(row: RealHopRow) -> Iterator[Question]:
    """Does a word of the passage now seem to mean a name that was added (J.1)? Fault: `unclear_reference`.

    Asked where a pronoun follows an added sentence. The paths of the passage are at fault; the item where gold is told.
    """
    for number, passage in enumerate(row.passages):
        branches = {
            (start, text): path.branch_id
            for path in row.competitors
            for place, start, text in _written(path, row)
            if place == number
        }
        gold = {(unit.start, unit.fact) for hop in row.hops for unit in hop.units if unit.passage == number}
        added = sorted(gold | branches.keys())
        if not added or not refers(_original_after(passage.text, added)):
            continue
        sentences = "\n".join(text for _, text in added)
        values = {"title": passage.title, "passage": passage.text, "sentences": sentences}
        at_fault = () if gold else tuple(dict.fromkeys(branches[one] for one in added))
        yield Question(f"semantic references {number}", REFERENCES, values, NO, "unclear_reference", at_fault)


def refers(text: str) -> bool:
    """Whether a text holds a word that stands for something named elsewhere."""
    return _REFERS.search(text) is not None


def _original_after(text: str, added: Sequence[tuple[int, str]]) -> str:
    """Return the source's own words from the first added sentence on."""
    ends = [start + len(sentence) for start, sentence in added]
    nexts = [*(start for start, _ in added[1:]), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, nexts, strict=True))
