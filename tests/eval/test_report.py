from eval.metrics.metric import Metric
from eval.report import render_report, report_run
from eval.report_curve import curves, draw_similarity


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


def test_a_run_without_a_figure_says_why(tmp_path, capsys):
    report_run(tmp_path, [])
    assert capsys.readouterr().out.startswith("no figure: a Drop or a Control counts beside its whole condition")


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


def _bin(config, depth, low, value, n, prompt="direct"):
    return _metric("accuracy", depth, value, n, f"similarity {low:.1f} to {low + 0.1:.1f}", config, prompt)


BINS = [
    _bin("hard", "d1", 0.2, 0.5, 6),
    _bin("hard", "d1", 0.1, 0.2, 2),
    _bin("hard", "d5", 0.1, 0.4, 10),
    _bin("hard", "d5", -0.1, None, 0),
    _bin("easy", "d5", 0.1, 0.6, 5),
    _bin("easy", "d5", 0.1, 0.7, 5, "icl"),
    _metric("accuracy", "d5", 0.4, 3, "similarity unknown", "hard", "direct"),
    _metric("accuracy", "d5", 0.4, 13, "all", "hard", "direct"),
    _metric("accuracy", "d5", 0.4, 13, "category Film", "hard", "direct"),
]


def test_curves_run_over_the_middles_of_bins_that_have_answers():
    found = {place: [(round(x, 2), one.n) for x, one in curve] for place, curve in curves(BINS, "direct").items()}
    assert found == {("easy", "d5"): [(0.15, 5)], ("hard", "d1"): [(0.15, 2), (0.25, 6)], ("hard", "d5"): [(0.15, 10)]}
    assert set(curves(BINS, "icl")) == {("easy", "d5")}


def test_the_picture_has_a_row_for_each_prompt_and_the_same_bytes_again(tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    drawn, save = [], Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *args, **kw: (save(self, *args, **kw), drawn.append(self))[0])
    path = draw_similarity(BINS, tmp_path)
    first = path.read_bytes()
    assert first[:4] == b"\x89PNG"
    draw_similarity(BINS[::-1], tmp_path)
    assert path.read_bytes() == first
    by_depth, spread, by_config = drawn[0].axes[:3]
    assert len(drawn[0].axes) == 6
    assert [list(line.get_ydata()) for line in by_depth.lines] == [[20.0, 50.0], [40.0]]
    assert [list(line.get_ydata()) for line in spread.lines] == [[25.0, 75.0], [100.0]]
    assert [(line.get_label(), list(line.get_ydata())) for line in by_config.lines] == [
        ("hard", [40.0]),
        ("easy", [60.0]),
    ]


def test_without_similarities_there_is_no_picture(tmp_path, capsys):
    report_run(tmp_path, BINS[-3:])
    assert list(tmp_path.iterdir()) == []
    report_run(tmp_path, BINS)
    assert str(tmp_path / "similarity.png") in capsys.readouterr().out
