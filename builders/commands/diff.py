"""`decoyqa diff`."""

from pathlib import Path

import click


@click.command()
@click.argument("old", metavar="A", type=click.Path(path_type=Path))
@click.argument("new", metavar="B", type=click.Path(path_type=Path))
def diff(old: Path, new: Path) -> None:
    """Tell what changed from release A to release B, and which version number that makes due.

    A and B are artifact folders.
    """
    from builders.release.diff import diff as compare
    from builders.release.diff import diff_lines

    for line in diff_lines(compare(old, new)):
        click.echo(line)
