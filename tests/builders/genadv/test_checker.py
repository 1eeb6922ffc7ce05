"""The checker's opinion is recorded; it rejects where it is told to; what cannot be read is no opinion."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from builders.genadv.checker import CONTRADICTS, INFERS, accepted, checking_steps, opinion_counts
from builders.genadv.draft import Draft, candidate
from builders.genadv.voices import Voices
from builders.steps import Passed, Trail, funnel, run_steps
from loaders.records import Reason

STATEMENT = "Niels Bohr was born in Copenhagen."
INFER_WORDS, CONTRADICT_WORDS = "work it out?", "cannot be true if the answer"


def opinion(verdict: str, quote: str = "born in Turku") -> str:
    return json.dumps({"quote": quote, "verdict": verdict})


def answering(infers: Any, contradicts: Any) -> Callable[[str], Any]:
    """Return a checker that has one reply for each of its questions, and the same to a repair turn."""
    return lambda prompt: infers if INFER_WORDS in prompt else contradicts


@pytest.fixture
def draft(make: SimpleNamespace) -> Draft:
    case = make.case("In what city was Niels Bohr born?", ["Copenhagen", "København"], ["Niels Bohr was a physicist."])
    found: Draft = make.draft(
        case, STATEMENT, "Copenhagen", title="Max Planck", passage="Max Planck was born in Turku."
    )
    return found


def checked(make: SimpleNamespace, draft: Draft, say: Callable[[str], Any], store: Path, gates: bool = False) -> Any:
    """Return what became of a draft under a checker, and the engine."""
    engine = make.engine(say, "toy:checker")
    (trail,) = run_steps([Trail(draft)], checking_steps(Voices(None, make.voice(engine, store), gates)))
    return trail, engine


def test_both_questions_are_asked_with_all_that_a_reader_sees(
    make: SimpleNamespace, draft: Draft, tmp_path: Path
) -> None:
    trail, engine = checked(make, draft, answering(opinion("no", ""), opinion("yes")), tmp_path)
    assert trail.status == "kept"
    assert trail.draft.opinions == {INFERS: "no", CONTRADICTS: "yes"}
    assert [(v.gate, v.verdict) for v in trail.verdicts] == [(INFERS, "no"), (CONTRADICTS, "yes")]
    assert trail.verdicts[1].evidence == f"request {engine.asked[1].key}: born in Turku"
    for request in engine.asked:
        (message,) = request.messages
        for shown in ("Question: In what city", "Answer: Copenhagen; København", "passage: Max Planck\n", "in Turku."):
            assert shown in message.content
        assert json.loads(request.schema)["properties"]["verdict"]["enum"] == ["yes", "no"]


@pytest.mark.parametrize("gates", [False, True])
def test_a_reply_that_stays_malformed_is_neither_yes_nor_no(
    make: SimpleNamespace, draft: Draft, tmp_path: Path, gates: bool
) -> None:
    trail, engine = checked(make, draft, answering("Perhaps.", opinion("maybe")), tmp_path, gates)
    assert [v.verdict for v in trail.verdicts[:2]] == ["unjudged", "unjudged"]
    assert len(engine.asked) == 6  # each question and two repairs
    assert trail.status == ("rejected" if gates else "kept")
    assert (trail.reason.code if trail.reason else "") == ("checker_unjudged" if gates else "")


def test_a_repaired_reply_counts(make: SimpleNamespace, draft: Draft, tmp_path: Path) -> None:
    def say(prompt: str) -> str:
        return opinion("no") if prompt.startswith("This does not fit") else "No, it does not."

    trail, engine = checked(make, draft, say, tmp_path)
    assert trail.draft.opinions == {INFERS: "no", CONTRADICTS: "no"}
    assert len(engine.asked) == 4


def test_a_failed_call_leaves_the_candidate_pending(make: SimpleNamespace, draft: Draft, tmp_path: Path) -> None:
    trail, engine = checked(make, draft, answering(opinion("no"), None), tmp_path)
    assert trail.status == "pending"
    assert trail.verdicts[-1].evidence == f"no reply to request {engine.asked[1].key}"
    again, asked = checked(make, draft, answering(None, opinion("no")), tmp_path)
    assert again.status == "kept"
    assert [request.key for request in asked.asked] == [engine.asked[1].key]


YES_AND_NO = [
    ("adversarial", "no", "no", None),
    ("adversarial", "yes", "no", "checker_infers_answer"),
    ("adversarial", "no", "yes", "checker_contradicts"),
    ("adversarial", "yes", "yes", "checker_infers_answer"),
    ("adversarial", "unjudged", "no", "checker_unjudged"),
    ("adversarial", "no", "unjudged", "checker_unjudged"),
    ("conflict", "no", "yes", None),
    ("conflict", "yes", "yes", None),
    ("conflict", "no", "no", "checker_no_contradiction"),
    ("conflict", "no", "unjudged", "checker_unjudged"),
    ("conflict", "unjudged", "yes", None),
]


@pytest.mark.parametrize(("condition", "infers", "contradicts", "code"), YES_AND_NO)
def test_what_a_gating_checker_lets_through(
    draft: Draft, condition: str, infers: str, contradicts: str, code: str | None
) -> None:
    result = accepted(replace(draft, condition=condition, opinions={INFERS: infers, CONTRADICTS: contradicts}))
    assert isinstance(result, Passed if code is None else Reason)
    assert code is None or (isinstance(result, Reason) and result.code == code)


def test_opinions_are_counted_and_every_funnel_adds_up(make: SimpleNamespace, draft: Draft, tmp_path: Path) -> None:
    said = [("yes", "no"), ("no", "no"), ("no", "maybe")]
    trails = [
        checked(make, draft, answering(opinion(a), opinion(b)), tmp_path / str(n), gates=True)[0]
        for n, (a, b) in enumerate(said)
    ]
    found = [candidate(t.draft, t.verdicts, t.status, t.reason, "rules") for t in trails]
    assert opinion_counts(found) == {
        "adversarial": {INFERS: {"no": 2, "yes": 1}, CONTRADICTS: {"no": 2, "unjudged": 1}}
    }
    counts = funnel(one.verdicts for one in found)
    assert [(c.step, c.entered, c.kept, c.pending, dict(c.rejected)) for c in counts] == [
        (INFERS, 3, 3, 0, {}),
        (CONTRADICTS, 3, 3, 0, {}),
        ("checker", 3, 1, 0, {"checker_infers_answer": 1, "checker_unjudged": 1}),
    ]


def test_nobody_is_asked_without_a_checker() -> None:
    assert checking_steps(Voices()) == []
