"""The knowledge filter (section 2.3): a model is asked of every statement, with its real names, whether it is true.

What it says is recorded; it rejects only where that is asked for.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from builders.eureqa.draft import Draft
from builders.eureqa.model_write import statements_of
from builders.eureqa.voices import KNOWS, ChainVoices
from builders.steps import Passed, Result, Step, each
from builders.voices import Voice
from builders.written import unanswered
from eval.models.engine import Reply
from eval.models.parse import final_text
from loaders.eureqa import ChainCandidate
from loaders.records import Reason

YES, NO, UNJUDGED = "yes", "no", "unjudged"
GATE = "knows"
_FIRST = re.compile(r"\W*(?:(?:the )?answer(?: is)?\W+)?(yes|no)\b(?!\W+(?:or|and|doubt)\b)", re.IGNORECASE)
_YES = re.compile(r"\byes\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|cannot|never)\b|n['’]t\b", re.IGNORECASE)


def knowledge_steps(voices: ChainVoices, layers: int) -> list[Step[Draft]]:
    """Return the step that asks of all statements at once, one that notes each answer, and the gate if asked for."""
    if voices.checker is None:
        return []
    names = [f"{kind} {number}" for number in range(1, layers + 1) for kind in ("relation", "fact")]
    noting = [Step(f"{GATE} {name}", each(_noting(name))) for name in names]
    asking = [Step("knowledge", knowledge_step(voices.checker)), *noting]
    return [*asking, Step("known", each(known))] if voices.gates else asking


def statement_values(statements: Iterable[str]) -> list[dict[str, str]]:
    """Return what fills the prompt for each statement."""
    return [{"statement": text} for text in statements]


def knowledge_step(checker: Voice) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that asks of every statement of a batch. A chain with a failed call is pending."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        requests = checker.requests(KNOWS, statement_values(text for draft in drafts for text in draft.named))
        answers = zip(requests, checker.ask(requests), strict=True)
        results: list[Result[Draft]] = []
        for draft in drafts:
            own = [next(answers) for _ in draft.named]
            lost = next((request for request, reply in own if reply is None), None)
            said = [(request.key, opinion(reply)) for request, reply in own if reply is not None]
            results.append(unanswered(lost) if lost else _heard(draft, said))
        return results

    return run


def opinion(reply: Reply) -> str:
    """Return `yes` or `no` as a reply begins, `yes` where it says so without any denial, else `unjudged`.

    The paper takes every reply with a `Yes` in it.
    """
    text = final_text(reply)
    if first := _FIRST.match(text):
        return first[1].lower()
    return YES if _YES.search(text) and not _DENIED.search(text) else UNJUDGED


def _heard(draft: Draft, said: Sequence[tuple[str, str]]) -> Result[Draft]:
    names = [one.name for one in statements_of(draft.chain)]
    counts = Counter(word for _, word in said)
    evidence = ", ".join(f"{word} {n}" for word, n in sorted(counts.items()))
    return Passed(replace(draft, opinions=dict(zip(names, said, strict=True))), evidence)


def _noting(name: str) -> Callable[[Draft], Result[Draft]]:
    def note(draft: Draft) -> Result[Draft]:
        key, verdict = draft.opinions[name]
        return Passed(draft, f"request {key}", verdict)

    return note


def known(draft: Draft) -> Result[Draft]:
    """Release a chain of which every statement is known; without an opinion on each nothing is.

    Reasons: `unknown_fact`, else `checker_unjudged`.
    """
    for verdict, code in ((NO, "unknown_fact"), (UNJUDGED, "checker_unjudged")):
        if names := [name for name, (_, said) in draft.opinions.items() if said == verdict]:
            return Reason(code, ", ".join(names))
    return Passed(draft)


def opinion_counts(candidates: Iterable[ChainCandidate]) -> dict[str, dict[str, int]]:
    """Return how often the checker said what, by kind and number of the statement."""
    counts: dict[str, Counter[str]] = {}
    for candidate in candidates:
        for verdict in candidate.verdicts:
            if verdict.gate.startswith(f"{GATE} "):
                counts.setdefault(verdict.gate, Counter())[verdict.verdict] += 1
    return {gate: dict(sorted(said.items())) for gate, said in counts.items()}
