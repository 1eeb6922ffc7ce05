"""Progress says what a run has cost so far, on a terminal and off it."""

from io import StringIO

from rich.console import Console

from eval import progress
from eval.progress import counting


def test_plain_lines_carry_the_note_where_there_is_one(capsys):
    costs = iter(["", "$0.0100", "$0.0200 of $5.00"])
    with counting("replies", lambda: next(costs)) as told:
        for done in (1, 2, 3):
            told(done, 3)
    assert capsys.readouterr().err.splitlines() == [
        "replies: 1 of 3",
        "replies: 2 of 3, $0.0100",
        "replies: 3 of 3, $0.0200 of $5.00",
    ]


def test_a_bar_carries_the_note(monkeypatch):
    text = StringIO()
    monkeypatch.setattr(progress, "Console", lambda stderr: Console(file=text, force_terminal=True, width=100))
    with counting("replies", lambda: "$0.0200 of $5.00") as told:
        told(3, 8)
    last = [line for line in text.getvalue().splitlines() if "replies" in line][-1]
    assert "3/8" in last
    assert "$0.0200 of $5.00" in last
