"""`decoyqa publish`."""

from pathlib import Path

import click


@click.command()
@click.argument("artifact", type=click.Path(path_type=Path))
@click.option("--repo", required=True, metavar="ORG/NAME", help="The data set's repository; made if it is not there.")
@click.option("--private", is_flag=True, help="A repository that is made is private.")
@click.option("--dry-run", is_flag=True, help="Write the folder and say what would change, push nothing.")
@click.option(
    "--to", default="dist/publish", show_default=True, type=click.Path(path_type=Path), help="Where --dry-run writes."
)
def publish(artifact: Path, repo: str, private: bool, dry_run: bool, to: Path) -> None:
    """Release an artifact on the Hub: one commit, tag vX.Y.Z, loaded back and compared.

    A tag never moves. After a failure the same command goes on from where it stopped. Hub and token are found by
    huggingface_hub's own ways (HF_ENDPOINT, HF_TOKEN, `hf auth login`).
    """
    from builders import publish as module

    release = module.check(artifact, click.echo)
    if dry_run:
        module.dry_run(release, repo, to, click.echo)
        return
    commit = module.publish(release, repo, private, click.echo)
    config = release.manifest["configs"][0]["name"]
    click.echo(f"revision {commit}")
    click.echo(f'load_dataset("{repo}", "{config}", revision="{release.version.tag}")')
