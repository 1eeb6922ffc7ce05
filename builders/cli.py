"""The `decoyqa` command: a subcommand's file is imported when it is named, and imports what it needs when it runs."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from loaders.errors import DecoyQAError

BAD_INPUT = 2

# A new command is one file in `builders/commands/` and one line here.
BUILD = {"genadv": "genadv.genadv", "realhop": "realhop.realhop", "eureqa": "eureqa.eureqa"}
COMMANDS = {
    "verify": "verify.verify",
    "publish": "publish.publish",
    "eval": "evaluate.evaluate",
    "audit": "audit.audit",
    "report": "report.report",
    "store": "store.store",
    "diff": "diff.diff",
    "sources": "sources.sources",
    "doctor": "doctor.doctor",
}


class Commands(click.Group):
    """Commands by name, each `FILE.FUNCTION` in `builders/commands/`."""

    def __init__(self, places: Mapping[str, str], **rest: Any) -> None:
        super().__init__(**rest)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of use."""
        return [*super().list_commands(ctx), *self._places]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the file of a command."""
        if cmd_name not in self._places:
            return super().get_command(ctx, cmd_name)
        file, _, function = self._places[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f"builders.commands.{file}"), function)
        return command


class _Main(Commands):
    """Turns every error that a user can mend into one line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DecoyQAError as error:
            # A path or a cell may hold line ends; the message is one line all the same.
            click.echo("\\n".join(f"error: {error}".splitlines()), err=True)
            ctx.exit(BAD_INPUT)


@click.group(
    cls=_Main, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="decoyqa")
def main() -> None:
    """Build, verify and run benchmarks that tempt a question-answering model off the right path."""
    # The tokenizers package warns when a process that used its threads forks; one thread is enough here.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


@main.group(cls=Commands, places=BUILD)
def build() -> None:
    """Make a benchmark from sources."""
