"""Steps over batches: the order is kept, every drop has a reason, and the funnel adds up."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.steps import Count, Dropped, Passed, Pending, Result, Step, Trail, batches, each, funnel, run_steps
from loaders.records import Reason, Verdict


@dataclass(frozen=True)
class Number:
    """A draft that remembers what was done to it."""

    value: int
    log: tuple[str, ...] = ()


def adding(name: str, amount: int) -> Step[Number]:
    return Step(name, each(lambda draft: Passed(Number(draft.value + amount, (*draft.log, name)), f"+{amount}")))


def odd_only(draft: Number) -> Result[Number]:
    return Passed(draft) if draft.value % 2 else Reason("even", f"{draft.value} is even")


def test_drafts_go_on_until_a_step_drops_them() -> None:
    trails = run_steps([Trail(Number(n)) for n in (1, 2, 3)], [Step("odd", each(odd_only)), adding("ten", 10)])
    assert [trail.status for trail in trails] == ["kept", "rejected", "kept"]
    assert [trail.draft for trail in trails] == [Number(11, ("ten",)), Number(2), Number(13, ("ten",))]
    assert trails[1].reason == Reason("even", "2 is even")
    assert trails[1].verdicts == (Verdict("odd", 1, "fail", "even: 2 is even"),)
    assert trails[0].verdicts == (Verdict("odd", 1, "pass", ""), Verdict("ten", 1, "pass", "+10"))


def test_a_failed_call_leaves_its_draft_pending_and_later_steps_do_not_see_it() -> None:
    seen: list[int] = []

    def ask(drafts: Sequence[Number]) -> list[Result[Number]]:
        return [Pending("time-out") if draft.value == 2 else Passed(draft) for draft in drafts]

    def look(drafts: Sequence[Number]) -> list[Result[Number]]:
        seen.extend(draft.value for draft in drafts)
        return [Passed(draft) for draft in drafts]

    trails = run_steps([Trail(Number(n)) for n in (1, 2, 3)], [Step("ask", ask, version=4), Step("look", look)])
    assert [trail.status for trail in trails] == ["kept", "pending", "kept"]
    assert trails[1].verdicts == (Verdict("ask", 4, "pending", "time-out"),)
    assert trails[1].reason is None
    assert seen == [1, 3]


def test_trails_that_ended_earlier_stay_as_they_are() -> None:
    ended = Trail(Number(1), (Verdict("before", 1, "fail", "early: x"),), Reason("early", "x"))
    waiting = Trail(Number(2), pending=True)
    assert run_steps([ended, waiting], [adding("one", 1)]) == [ended, waiting]


def test_a_step_is_not_called_without_drafts() -> None:
    def fail(drafts: Sequence[Number]) -> list[Result[Number]]:
        raise AssertionError("nothing to do")

    assert run_steps([], [Step("fail", fail)]) == []
    assert run_steps([Trail(Number(2))], [Step("odd", each(odd_only)), Step("fail", fail)])[0].status == "rejected"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_step_that_loses_or_adds_a_draft_is_an_error(count: int) -> None:
    step: Step[Number] = Step("wrong", lambda drafts: [Passed(Number(0))] * count)
    with pytest.raises(ValueError, match="zip"):
        run_steps([Trail(Number(1)), Trail(Number(2))], [step])


def test_the_funnel_counts_reasons_by_step() -> None:
    verdicts = [
        [Verdict("one", 1, "fail", "zeta: detail: with colon")],
        [Verdict("one", 1, "pass", "pass: 3"), Verdict("two", 1, "pending", "time-out")],
        [Verdict("one", 1, "fail", "alpha: ")],
        [Verdict("one", 1, "pass", ""), Verdict("two", 1, "pass", "")],
        [Verdict("one", 1, "fail", "alpha: other detail")],
    ]
    counts = funnel(verdicts)
    assert counts == [Count("one", 5, 2, 0, {"alpha": 2, "zeta": 1}), Count("two", 2, 1, 1, {})]
    assert list(counts[0].rejected) == ["alpha", "zeta"]
    assert funnel([]) == []


# What each of three steps says of a draft: "" lets it pass, "?" leaves it pending, any other word is the reason.
PLANS = st.lists(st.tuples(*[st.sampled_from(["", "", "", "?", "too_short", "no_answer"])] * 3), max_size=30)


@given(PLANS)
def test_every_funnel_adds_up_and_the_order_is_kept(plans: list[tuple[str, str, str]]) -> None:
    def step(number: int) -> Step[int]:
        def decide(i: int) -> Result[int]:
            word = plans[i][number]
            return Passed(i) if not word else Pending("later") if word == "?" else Reason(word, "detail")

        return Step(f"s{number}", each(decide))

    trails = run_steps([Trail(i) for i in range(len(plans))], [step(n) for n in range(3)])
    counts = funnel(trail.verdicts for trail in trails)

    assert [trail.draft for trail in trails] == list(range(len(plans)))
    for i, trail in enumerate(trails):
        ending = next((word for word in plans[i] if word), "")
        assert trail.status == {"": "kept", "?": "pending"}.get(ending, "rejected")
        assert (trail.reason.code if trail.reason else "") == (ending if ending not in ("", "?") else "")
    entered = len(plans)
    for number, count in enumerate(counts):
        assert (count.step, count.entered) == (f"s{number}", entered)
        assert count.entered == count.kept + count.pending + sum(count.rejected.values())
        alive = [plan for plan in plans if not any(plan[:number])]
        assert count.pending == sum(plan[number] == "?" for plan in alive)
        assert count.rejected.get("too_short", 0) == sum(plan[number] == "too_short" for plan in alive)
        entered = count.kept
    assert entered == sum(trail.status == "kept" for trail in trails) or not counts


@given(st.lists(st.integers()), st.integers(1, 7))
def test_batches_hold_everything_in_order(values: list[int], size: int) -> None:
    found = list(batches(values, size))
    assert [value for batch in found for value in batch] == values
    assert [len(batch) for batch in found[:-1]] == [size] * max(len(found) - 1, 0)
    assert all(batch for batch in found)


def test_a_dropped_draft_keeps_what_was_written_last() -> None:
    step: Step[Number] = Step("write", each(lambda draft: Dropped(Number(7, ("written",)), Reason("refusal", "no"))))
    (trail,) = run_steps([Trail(Number(1))], [step])
    assert (trail.status, trail.draft) == ("rejected", Number(7, ("written",)))
    assert trail.verdicts == (Verdict("write", 1, "fail", "refusal: no"),)


def test_an_answer_that_is_only_recorded_counts_as_kept() -> None:
    answers = iter(["yes", "unjudged", "no"])
    ask: Step[Number] = Step("ask", each(lambda draft: Passed(draft, "quote", next(answers))))
    trails = run_steps([Trail(Number(n)) for n in range(3)], [ask, adding("one", 1)])
    assert [trail.verdicts[0].verdict for trail in trails] == ["yes", "unjudged", "no"]
    assert funnel(trail.verdicts for trail in trails) == [Count("ask", 3, 3, 0, {}), Count("one", 3, 3, 0, {})]
