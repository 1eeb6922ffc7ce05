"""`decoyqa sources`."""

import click


@click.command()
def sources() -> None:
    """List what can be built, and under which licence."""
    from builders.doctor import print_sources

    print_sources()
