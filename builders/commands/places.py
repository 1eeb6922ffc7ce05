"""Artifacts as a command names them: a folder, or a release on the Hub."""

import re
from pathlib import Path

_ON_HUB = re.compile(r"(\w[\w.-]*/[\w.-]+)@(\S+)", re.ASCII)


def artifact_folder(where: str) -> Path:
    """Return the folder of an artifact: its own, or the cached one of a release that is fetched and checked.

    Raises DecoyQAError for a release that is not there, or not what was released.
    """
    from loaders.release import open_release

    found = _ON_HUB.fullmatch(where)
    return open_release(found[1], found[2]).folder if found and not Path(where).exists() else Path(where)
