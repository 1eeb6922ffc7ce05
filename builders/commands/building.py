"""The options of every command that builds an artifact."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--seed", default=0, show_default=True, type=int),
    click.option(
        "--version", default="0.0.0.dev0", show_default=True, help="X.Y.Z is never overwritten, X.Y.Z.devN is."
    ),
    click.option("--out", default="dist", show_default=True, type=click.Path(path_type=Path)),
    click.option("--history", type=click.Path(path_type=Path), help="Your releases and errata, in TOML."),
)


def building_options(command: Command) -> Command:
    """Give a command `seed`, `version`, `out` and `history`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
