"""The terminal as our commands use it."""

from rich.console import Console

WIDTH = 120


def wide_console(*, stderr: bool = False) -> Console:
    """Return a console that does not cut tables to 80 columns where the output is no terminal."""
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(width=WIDTH, stderr=stderr)


def print_plainly(console: Console, line: str) -> None:
    """Print one line as it stands: a path may hold square brackets, and is not broken at the terminal's width."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)
