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
