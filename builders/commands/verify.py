"""`decoyqa verify`."""

from pathlib import Path

import click

from builders.commands.home import home
from loaders.errors import DecoyQAError


@click.command()
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option("--rebuild", is_flag=True, help="Make it again from the same inputs and compare every byte.")
def verify(artifact: Path, rebuild: bool) -> None:
    """Check hashes, schema and invariants of an artifact."""
    from builders.verify import problems, rebuild_problems

    found = problems(artifact) or (rebuild_problems(artifact, home()) if rebuild else [])
    for line in found:
        click.echo(line)
    if found:
        raise DecoyQAError(f"{artifact} is not what was released: {len(found)} problem(s)")
    click.echo(f"{artifact}: every byte and every invariant holds" + (", and so does the rebuild" if rebuild else ""))
