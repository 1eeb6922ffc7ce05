"""Figures as cells: what can be read of an interval below zero, of a p, of a figure that nothing is known of."""

import pytest

from eval.metrics.metric import Metric
from eval.tables import as_text, as_words, grid


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Metric("bnr", "musique", "full", "all", 0.5, 0.25, 0.75, 8, "audit"), "50.0 (8) [25.0-75.0]"),
        (Metric("bnr_change", "musique", "full", "all", -0.5, -0.75, -0.25, 8, "audit"), "-50.0 (8) [-75.0 to -25.0]"),
        (Metric("bnr_change", "musique", "full", "all", 0.1, -0.125, 0.25, 8, "audit"), "10.0 (8) [-12.5 to 25.0]"),
        (Metric("accuracy_change_p", "musique", "full", "all", 0.25, None, None, 8, "audit"), "0.25 (8)"),
        (Metric("bnr", "musique", "full", "all", None, None, None, 0, "audit"), "- (0)"),
    ],
)
def test_a_figure_is_read_as_it_is_meant(figure: Metric, words: str) -> None:
    assert as_words(figure) == words
    shown = as_text(grid(("config",), ("figure",), {("musique",): [figure]}))
    assert all(part in shown for part in words.rstrip("]").split(" ["))
