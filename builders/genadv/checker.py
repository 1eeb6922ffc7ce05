"""A second opinion on every passage that would be released: matching strings alone proves no document empty.

The questions are those of the paper's readers (appendix C): can the answer be inferred, is it contradicted? What the
checker says is recorded; it rejects only where that is asked for.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from builders.genadv.draft import Draft
from builders.genadv.voices import CHECKING_PROMPTS, Voices, prompt_path
from builders.opinions import UNJUDGED, ask_opinions
from builders.steps import Passed, Result, Step, each
from builders.voices import Voice
from builders.written import unanswered
from loaders.genadv import Candidate
from loaders.records import Reason

INFERS, CONTRADICTS = CHECKING_PROMPTS
SHOWN_ANSWERS = 5


def checking_steps(voices: Voices) -> list[Step[Draft]]:
    """Return a step for each question, whose verdict is the checker's word, and the gate if it is to reject."""
    if voices.checker is None:
        return []
    asking = [Step(question, opinion_step(voices.checker, question)) for question in CHECKING_PROMPTS]
    return [*asking, Step("checker", each(accepted))] if voices.gates else asking


def opinion_step(checker: Voice, question: str) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that asks one question of a whole batch.

    A reply that cannot be read after its repairs is `unjudged`: no yes and no no.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        said = ask_opinions(checker, prompt_path(question), [_shown(draft) for draft in drafts])
        return [
            _noted(draft, question, one.verdict, one.evidence) if one.verdict else unanswered(one.request)
            for draft, one in zip(drafts, said, strict=True)
        ]

    return run


def _shown(draft: Draft) -> dict[str, str]:
    answers = "; ".join(dict.fromkeys([draft.case.answer, *draft.case.answers[:SHOWN_ANSWERS]]))
    return {"question": draft.case.question, "answer": answers, "title": draft.title, "passage": draft.passage}


def _noted(draft: Draft, question: str, verdict: str, evidence: str) -> Passed[Draft]:
    return Passed(replace(draft, opinions={**draft.opinions, question: verdict}), evidence, verdict)


def accepted(draft: Draft) -> Result[Draft]:
    """Release what the checker finds as it should be; without its opinion nothing is.

    Reasons: `checker_infers_answer` and `checker_contradicts` of an adversarial passage, `checker_no_contradiction` of
    a conflicting one, `checker_unjudged` of either.
    """
    conflict = draft.condition == "conflict"
    asked = (CONTRADICTS,) if conflict else CHECKING_PROMPTS
    if any(draft.opinions[question] == UNJUDGED for question in asked):
        return Reason("checker_unjudged", "no opinion that can be read")
    if conflict:
        contradicts = draft.opinions[CONTRADICTS] == "yes"
        return Passed(draft) if contradicts else Reason("checker_no_contradiction", "the answer may be true beside it")
    if draft.opinions[INFERS] == "yes":
        return Reason("checker_infers_answer", "the passage gives the answer away")
    contradicts = draft.opinions[CONTRADICTS] == "yes"
    return Reason("checker_contradicts", "the answer cannot be true beside it") if contradicts else Passed(draft)


def opinion_counts(candidates: Iterable[Candidate]) -> dict[str, dict[str, dict[str, int]]]:
    """Return how often the checker said what, by condition and question."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for candidate in candidates:
        for verdict in candidate.verdicts:
            if verdict.gate in CHECKING_PROMPTS:
                of_condition = counts.setdefault(candidate.condition, {})
                of_condition.setdefault(verdict.gate, Counter())[verdict.verdict] += 1
    return {
        condition: {gate: dict(sorted(said.items())) for gate, said in gates.items()}
        for condition, gates in counts.items()
    }
