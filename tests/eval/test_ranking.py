import random

import pytest

from eval.ranking import Correlation, rank, spearman


def _ids(n):
    return [f"item-{i:04d}" for i in range(n)]


def _right(n, of=100):
    """Scores whose first n items are right, so that systems are nested: a difference of k items is k to 0."""
    return [1.0] * n + [0.0] * (of - n)


def _table(found):
    return [(one.system, one.best, one.worst, one.groups) for one in found]


def test_systems_that_do_not_differ_share_a_group():
    # Holm over 3 pairs: 4 to 0 has p = 0.125, 40 to 0 and 44 to 0 are far below 0.05 / 3.
    scores = {"low": _right(50), "top": _right(94), "next": _right(90)}
    assert _table(rank(scores, _ids(100))) == [("top", 1, 2, (1,)), ("next", 1, 2, (1,)), ("low", 3, 3, (2,))]


def test_a_system_between_two_that_differ_belongs_to_both_groups():
    # 5 to 0 has p = 0.0625 twice; 10 to 0 has 0.00195, times 3.
    scores = {"c": _right(80), "b": _right(85), "a": _right(90)}
    assert _table(rank(scores, _ids(100))) == [("a", 1, 2, (1,)), ("b", 1, 3, (1, 2)), ("c", 2, 3, (2,))]


def test_a_third_system_takes_a_difference_away():
    # 6 to 0 has p = 2 / 2^6 = 0.03125: enough alone, but 0.094 as the smallest of three.
    assert len({one.groups for one in rank({"a": _right(56), "b": _right(50)}, _ids(100))}) == 2
    three = {"a": _right(56), "b": _right(50), "c": _right(53)}
    assert {one.groups for one in rank(three, _ids(100))} == {(1,)}


def test_equal_means_stand_in_order_of_name_and_none_or_one_system_is_ranked_too():
    same = {name: _right(5, 10) for name in ("y", "x")}
    assert [one.system for one in rank(same, _ids(10))] == ["x", "y"]
    assert _table(rank({"a": _right(5, 10)}, _ids(10))) == [("a", 1, 1, (1,))]
    assert rank({}, []) == []


def test_neither_the_order_of_items_nor_of_systems_changes_a_ranking():
    draw, shares = random.Random(3), {"a": 0.3, "b": 0.6, "c": 0.7}
    scores = {name: [float(draw.random() < share) for _ in range(80)] for name, share in shares.items()}
    order = draw.sample(range(80), 80)
    turned = {name: [scores[name][i] for i in order] for name in reversed(scores)}
    assert rank(scores, _ids(80)) == rank(turned, [_ids(80)[i] for i in order])


def test_spearman_with_ties_by_hand():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5, so sqrt(0.9).
    found = spearman({"a": 1, "b": 2, "c": 2, "d": 3}, {"d": 9, "c": 7, "b": 4, "a": 2})
    assert (found.rho, found.n) == (pytest.approx(0.9**0.5), 4)


@pytest.mark.parametrize("scores", [{}, {"a": 1, "b": 2}, {"a": 1, "b": 1, "c": 1}])
def test_no_correlation_of_too_few_or_equal_scores(scores):
    assert spearman(scores, {name: i for i, name in enumerate(scores)}) == Correlation(None, None, len(scores))


def test_rankings_of_different_systems_are_refused():
    with pytest.raises(ValueError, match="different systems"):
        spearman({"a": 1}, {"b": 1})
