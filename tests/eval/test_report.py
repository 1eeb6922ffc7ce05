from eval.metrics.metric import Metric
from eval.report import render_report


def _metric(name, condition, value, n, stratum="all", config="nq", prompt="normal"):
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return Metric(name, config, condition, stratum, value, low, high, n, prompt)


def _line(report, *words):
    return next(line for line in report.splitlines() if all(word in line for word in words))


def test_accuracy_and_rad_stand_above_their_intervals():
    report = render_report(
        [
            _metric("accuracy", "retrieved", 0.5, 40),
            _metric("accuracy", "retrieved", 0.7, 30, "answerable"),
            _metric("rad", "adversarial", 0.75, 20),
        ]
    )
    assert _line(report, "retrieved").split() == ["nq", "retrieved", "normal", "50.0", "(40)"]
    assert _line(report, "adversarial").split() == ["nq", "adversarial", "normal", "75.0", "(20)"]
    assert "40.0-60.0" in report
    assert "65.0-85.0" in report
    assert "70.0" not in report
    assert "Abstaining" not in report


def test_an_undefined_figure_is_a_dash():
    assert "- (0)" in _line(render_report([_metric("rad", "random", None, 0)]), "random")


def test_conditions_of_one_table_have_a_row_each():
    report = render_report(
        [
            _metric("conflict_detection", "conflict", 0.2, 4, "conflict", prompt="conflict"),
            _metric("conflict_detection", "retrieved", 0.8, 5, "non_conflict", prompt="conflict"),
            _metric("kept_answer", "conflict", 0.6, 3),
        ]
    )
    assert "20.0 (4)" in _line(report, "nq", " conflict ", " conflict ", "(4)")
    assert "80.0 (5)" in _line(report, "nq", "retrieved")
    assert "60.0 (3)" in _line(report, "nq", "normal")


def test_what_all_means_is_said_where_it_stands():
    assert "counts once" not in render_report([_metric("accuracy", "retrieved", 0.5, 40)])
    assert "counts once" in render_report([_metric("accuracy", "retrieved", 0.5, 40, config="all")])


def test_nothing_to_report():
    assert render_report([]) == ""
