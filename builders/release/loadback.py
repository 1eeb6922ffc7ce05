"""What a stranger gets of a release: loaded at its tag by a process with an empty cache, every sha256 compared."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from tempfile import TemporaryDirectory

from builders.release.hub import explained
from loaders.errors import DecoyQAError
from loaders.release import open_release

# Each would lead the process to a cache that is not empty.
_CACHES = frozenset({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_ASSETS_CACHE"})


@dataclass(frozen=True)
class Loaded:
    """A release that was loaded: its commit, the hash of its manifest, and how many files the manifest names."""

    commit: str
    manifest_sha256: str
    files: int


def load_back(repo: str, tag: str, family: str) -> Loaded:
    """Load a release in a new process; raises DecoyQAError where it cannot be loaded or is not what was released."""
    from huggingface_hub.constants import HF_TOKEN_PATH

    with TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if name not in _CACHES}
        environment = {**kept, "HF_HOME": home, "HF_TOKEN_PATH": HF_TOKEN_PATH}
        command = [sys.executable, "-m", __name__, repo, tag, family]
        run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    found = json.loads(run.stdout or "{}")
    if "commit" not in found:
        raise DecoyQAError(f"{repo} {tag} was not loaded back: {found.get('problem', 'the process was killed')}")
    return Loaded(**found)


def main(repo: str, tag: str, family: str) -> None:
    """Load a release and print what it is, or what is wrong with it, as JSON."""
    try:
        with explained(repo):
            release = open_release(repo, tag, family)
        manifest = release.manifest
        found = asdict(Loaded(release.commit, manifest["manifest_sha256"], len(manifest["files"])))
    except DecoyQAError as error:
        found = {"problem": str(error)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
