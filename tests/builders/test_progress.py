"""Progress is a line per shard where there is no terminal, and the terminal is left as it was where there is one."""

import io

import pytest
from rich.console import Console

from builders.progress import ProgressReporter


def test_a_line_per_shard_without_a_terminal() -> None:
    file = io.StringIO()
    with ProgressReporter(Console(file=file, width=100)) as report:
        done = report.start("nq", 1_500)
        done(1_000, True)
        done(500, False)
    assert file.getvalue().splitlines() == ["nq: 1,000 of 1,500 (already made)", "nq: 1,500 of 1,500"]


def test_a_bar_on_a_terminal_shows_its_end_and_gives_the_cursor_back_after_an_error() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100)

    def fail() -> None:
        with ProgressReporter(console) as report:
            report.start("nq", 10)(10, False)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert "10/10" in file.getvalue()
    assert file.getvalue().rstrip().endswith("\x1b[?25h")


def test_calls_are_told_at_every_tenth_without_a_terminal() -> None:
    file = io.StringIO()
    with ProgressReporter(Console(file=file, width=100)) as report:
        for done in range(1, 101):
            report.asked("answer_sentence", done, 100, "$0.0100 of $2.00")
        report.asked("adversarial_passage", 3, 3, "")
    lines = [f"  answer_sentence ($0.0100 of $2.00): {n} of 100" for n in range(10, 101, 10)]
    assert file.getvalue().splitlines() == [*lines, "  adversarial_passage: 3 of 3"]


def test_calls_have_one_bar_on_a_terminal() -> None:
    file = io.StringIO()
    with ProgressReporter(Console(file=file, force_terminal=True, width=100)) as report:
        report.start("nq", 10)
        report.asked("answer_sentence", 5, 10, "$0.0100")
        report.asked("adversarial_passage", 4, 7, "$0.0200")
    shown = file.getvalue()
    assert "adversarial_passage ($0.0200)" in shown
    assert "4/7" in shown
