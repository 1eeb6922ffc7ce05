"""Load ORG/NAME at each revision with our loader; print version and first id of nq/random, or the errors, as JSON."""

import json
import sys

from loaders.errors import DecoyQAError
from loaders.genadv import load


def answer(where: str, revision: str) -> object:
    """Return what one load gave."""
    try:
        loaded = load(where, revision)
    except DecoyQAError as error:
        return str(error)
    return [loaded.release.version, loaded.rows("nq", "random")[0].id]


if __name__ == "__main__":
    where, *revisions = sys.argv[1:]
    print(json.dumps([answer(where, revision) for revision in revisions]))
