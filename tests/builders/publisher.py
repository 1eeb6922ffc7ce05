"""A process that publishes: each line of stdin is the JSON of a command's words and a token; so is each answer.

Hub clients read HF_ENDPOINT when they are imported, so that no test can publish in its own process; one process serves
many tests. With `--here` a release is loaded back in this process instead of a new one, which takes seconds.
"""

import json
import os
import sys

from click.testing import CliRunner

from builders import publish
from builders.cli import main
from builders.release.loadback import Loaded
from loaders.release import open_release


def loaded_here(repo: str, tag: str, family: str) -> Loaded:
    """Load a release into this process's cache."""
    release = open_release(repo, tag, family)
    return Loaded(release.commit, release.manifest["manifest_sha256"], len(release.manifest["files"]))


if __name__ == "__main__":
    if "--here" in sys.argv:
        publish.load_back = loaded_here
    for line in sys.stdin:
        asked = json.loads(line)
        os.environ["HF_TOKEN"] = asked["token"]
        result = CliRunner().invoke(main, asked["words"])
        print(json.dumps([result.exit_code, result.stdout, result.stderr]), flush=True)
