"""`decoyqa diff`."""

import click

from builders.commands.places import artifact_folder


@click.command()
@click.argument("old", metavar="A")
@click.argument("new", metavar="B")
def diff(old: str, new: str) -> None:
    """Tell what changed from release A to release B, and which version number that makes due.

    A and B are folders of artifacts, or releases on the Hub: ORG/NAME@vX.Y.Z.
    """
    from builders.release.diff import diff as compare
    from builders.release.diff import diff_lines

    for line in diff_lines(compare(artifact_folder(old), artifact_folder(new))):
        click.echo(line)
