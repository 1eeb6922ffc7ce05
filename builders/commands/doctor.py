"""`decoyqa doctor`."""

import sys

import click


@click.command()
def doctor() -> None:
    """Tell what is installed, what is missing, and what would install it."""
    from builders.doctor import print_doctor

    sys.exit(0 if print_doctor() else 1)
