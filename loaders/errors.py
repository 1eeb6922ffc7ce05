"""Errors that a user can mend: each becomes one line on the terminal and exit code 2."""

from pathlib import Path


class DecoyQAError(Exception):
    """Something the user must change before the command can go on."""


class InputError(DecoyQAError):
    """A file that is not what it should be: names file, row (from 1; None for the whole file), expectation."""

    def __init__(self, file: Path | str, row: int | None, expected: str) -> None:
        self.file, self.row, self.expected = str(file), row, expected
        place = f"{file}, row {row}" if row is not None else str(file)
        super().__init__(f"{place}: {expected}")


class MissingExtraError(DecoyQAError):
    """An optional package is not installed; the message names what to install."""

    def __init__(self, package: str, install: str) -> None:
        super().__init__(f"{package} is not installed; install it with: {install}")
