import random

import pytest

from eval.metrics.genadv import genadv_metrics
from eval.models.engine import Reply
from eval.tasks.genadv import ASKED, CONDITIONS, TASK, score
from eval.tasks.task import plan
from loaders.records import Outcome


def _outcome(item, condition="retrieved", prompt="normal", right=0, **changes):
    fields = {
        "id": item,
        "config": "nq",
        "condition": condition,
        "prompt": prompt,
        "sample": 0,
        "request": "",
        "status": "scored",
        "prediction": "",
        "answerable": True,
        "abstained": False,
        "accuracy": float(right),
        "substring_accuracy": float(right),
        "em": 0.0,
        "f1": 0.0,
        "held_gold": float(right),
    }
    return Outcome(**fields | changes)


def _answers(rows, read):
    """Outcomes of a reader that decides from the prompt text alone."""
    return [
        score(ask, "k", Reply("k", read(ask.messages[0].content), "stop", 1, 1, "{}"))
        for ask in plan(TASK, rows, tuple(ASKED), CONDITIONS)
    ]


def _index(metrics):
    return {(one.metric, one.condition, one.prompt, one.stratum): (one.value, one.n) for one in metrics}


def _expect(found, metric, condition, prompt, **strata):
    for stratum, (value, n) in strata.items():
        assert found[metric, condition, prompt, stratum] == (pytest.approx(value), n), (metric, stratum)


def test_a_reader_that_copies_from_the_first_document(rows, readers):
    """Retrieved: the gold document comes first for q1 to q4, second for q5, and q6 has none.

    The document inserted at slot 0 (q1, q3, q5) is the one that is copied; at 1 or 2 (q2, q6, q4) it is not.
    """
    found = _index(genadv_metrics(_answers(rows, readers["copyist"])))
    # q1 q2 q3 q4 right; q5 and q6 wrong
    _expect(found, "accuracy", "retrieved", "normal", all=(4 / 6, 6), answerable=(4 / 5, 5), unanswerable=(0, 1))
    _expect(found, "em", "retrieved", "normal", all=(4 / 6, 6))
    _expect(found, "par", "retrieved", "normal", unanswerable=(0, 1))
    _expect(found, "accuracy", "closed_book", "closed-book", all=(0, 6))
    # q1 q2 q3 q5 q6: q2 right
    _expect(found, "accuracy", "adversarial", "normal", all=(1 / 5, 5), answerable=(1 / 4, 4), unanswerable=(0, 1))
    # of q1 q2 q3, right before, q2 stays right
    _expect(found, "rad", "adversarial", "normal", all=(1 / 3, 3), answerable=(1 / 3, 3), unanswerable=(None, 0))
    _expect(found, "rad_substring", "adversarial", "normal", all=(1 / 3, 3))
    # q2 q3 q4 q6: of q2 q3 q4, right before, q3 is lost
    _expect(found, "rad", "random", "normal", all=(2 / 3, 3))
    # q1 q6: of q1, right before, nothing stays
    _expect(found, "rad", "topk", "normal", all=(0, 1))
    # q1 q2 q4 q5: of q1 q2 q4, right before, q1 takes the conflicting answer
    _expect(found, "kept_answer", "conflict", "normal", all=(2 / 3, 3))
    _expect(found, "took_conflict", "conflict", "normal", all=(1 / 3, 3))
    _expect(found, "neither", "conflict", "normal", all=(0, 3))
    # it never says `conflict`; on retrieved documents it is right for q1 to q4 of q1 to q5
    _expect(found, "conflict_detection", "conflict", "conflict", conflict=(0, 4))
    _expect(found, "conflict_detection", "retrieved", "conflict", non_conflict=(4 / 5, 5))
    # q1 q2 q4 q5 with their conflicting document, q3 without: q3 right
    _expect(found, "conflict_detection", "conflict", "conflict", all=(1 / 5, 5))
    # nor does it abstain
    _expect(found, "unanswerable_accuracy", "retrieved", "unans", unanswerable=(0, 1))
    _expect(found, "hallucination", "retrieved", "unans", unanswerable=(1, 1))
    _expect(found, "false_abstention", "retrieved", "unans", answerable=(0, 5))


def test_a_reader_that_knows_everything(rows, readers):
    found = _index(genadv_metrics(_answers(rows, readers["expert"])))
    for (metric, *_), (value, n) in found.items():
        if metric in ("accuracy", "substring_accuracy", "rad", "kept_answer", "par", "conflict_detection") and n:
            assert value == 1, metric
    _expect(found, "accuracy", "closed_book", "closed-book", all=(1, 6))
    _expect(found, "par", "retrieved", "normal", unanswerable=(1, 1))
    _expect(found, "conflict_detection", "conflict", "conflict", conflict=(1, 4), all=(1, 5))
    _expect(found, "unanswerable_accuracy", "retrieved", "unans", unanswerable=(1, 1))
    _expect(found, "false_abstention", "retrieved", "unans", answerable=(0, 5))
    _expect(found, "hallucination", "retrieved", "unans", unanswerable=(0, 1))
    # The sixth document answers q6: it is neither answerable nor unanswerable, and counts among all.
    _expect(found, "accuracy", "topk", "unans", all=(1, 2), answerable=(1, 1), unanswerable=(None, 0))
    _expect(found, "rad", "topk", "unans", all=(1, 2), answerable=(1, 1), unanswerable=(None, 0))


def test_a_reader_that_never_answers(rows, readers):
    found = _index(genadv_metrics(_answers(rows, readers["refuser"])))
    _expect(found, "accuracy", "retrieved", "normal", all=(0, 6))
    _expect(found, "rad", "adversarial", "normal", all=(None, 0))
    _expect(found, "kept_answer", "conflict", "normal", all=(None, 0))
    _expect(found, "accuracy", "retrieved", "unans", all=(1 / 6, 6))
    _expect(found, "answerable_accuracy", "retrieved", "unans", answerable=(0, 5))
    _expect(found, "false_abstention", "retrieved", "unans", answerable=(1, 5))
    _expect(found, "unanswerable_accuracy", "retrieved", "unans", unanswerable=(1, 1))
    # q6 abstained from with and without the adversarial document
    _expect(found, "rad", "adversarial", "unans", all=(1, 1), answerable=(None, 0), unanswerable=(1, 1))


def test_unanswerable_replies_fall_in_three_parts():
    """Table 4: 4 items, one abstains, one is right all the same, two hallucinate."""
    base = {"prompt": "unans", "answerable": False, "abstention_due": True}
    outcomes = [
        _outcome("a", right=1, **base | {"abstained": True, "held_gold": 0.0}),
        _outcome("b", **base | {"held_gold": 1.0}),
        _outcome("c", **base),
        _outcome("d", **base),
    ]
    found = _index(genadv_metrics(outcomes))
    _expect(found, "unanswerable_accuracy", "retrieved", "unans", unanswerable=(1 / 4, 4))
    _expect(found, "correct_despite", "retrieved", "unans", unanswerable=(1 / 4, 4))
    _expect(found, "hallucination", "retrieved", "unans", unanswerable=(2 / 4, 4))


def test_stubbornness_has_three_parts():
    """Table 8: a to d are right with retrieved documents; then a and b stay, c takes the decoy, d says neither."""
    before = [_outcome(item, right=1) for item in "abcd"] + [_outcome("e", right=0)]
    after = [
        _outcome("a", "conflict", right=1, took_decoy=0.0),
        _outcome("b", "conflict", right=1, took_decoy=0.0),
        _outcome("c", "conflict", took_decoy=1.0),
        _outcome("d", "conflict", took_decoy=0.0),
        _outcome("e", "conflict", right=1, took_decoy=0.0),
    ]
    found = _index(genadv_metrics(before + after))
    parts = [found[name, "conflict", "normal", "all"] for name in ("kept_answer", "took_conflict", "neither")]
    assert parts == [(0.5, 4), (0.25, 4), (0.25, 4)]


def test_a_pending_reply_takes_its_item_out_of_both_sides():
    pending = _outcome(
        "b", "adversarial", status="pending", accuracy=None, substring_accuracy=None, em=None, f1=None, held_gold=None
    )
    outcomes = [_outcome("a", right=1), _outcome("b", right=1), _outcome("a", "adversarial", right=1), pending]
    found = _index(genadv_metrics(outcomes))
    _expect(found, "rad", "adversarial", "normal", all=(1, 1))
    _expect(found, "accuracy", "retrieved", "normal", all=(1, 2))
    _expect(found, "accuracy", "adversarial", "normal", all=(1, 1))


def test_all_counts_every_item_of_every_config_once():
    """`nq` has one of one right, `tqa` none of three; both use the id `a`."""
    outcomes = [_outcome("a", right=1), *(_outcome(item, config="tqa") for item in "abc")]
    found = {
        one.config: (one.value, one.n)
        for one in genadv_metrics(outcomes)
        if one.metric == "accuracy" and one.stratum == "all"
    }
    assert found == {"nq": (1, 1), "tqa": (0, 3), "all": (1 / 4, 4)}
    assert {one.config for one in genadv_metrics(outcomes[:1])} == {"nq"}


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_outcomes_changes_nothing(rows, readers, seed):
    outcomes = _answers(rows, readers["copyist"])
    shuffled = random.Random(seed).sample(outcomes, len(outcomes))
    assert genadv_metrics(shuffled) == genadv_metrics(outcomes)


def test_no_outcomes_no_figures():
    assert genadv_metrics([]) == []
