"""A process that loads as it is told, for huggingface_hub reads its settings when it is imported.

Each line of its input is JSON `[where, revision]`; each line of its output what came of it.
"""

import json
import sys
from typing import Any

from huggingface_hub import snapshot_download
from huggingface_hub.utils import disable_progress_bars

from loaders.errors import DecoyQAError
from loaders.genadv import load


def answer(where: str, revision: str) -> dict[str, Any]:
    """Load everything and return the rows' ids, or the error; `only ` before the revision downloads as others do."""
    if revision.startswith("only "):
        return {"folder": snapshot_download(where, repo_type="dataset", revision=revision.removeprefix("only "))}
    try:
        loaded = load(where, revision)
    except DecoyQAError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"crash": f"{type(error).__name__}: {error}"}
    rows = {
        f"{config}/{split}": loaded.rows(config, split) for config in loaded.configs for split in loaded.splits(config)
    }
    return {
        "commit": loaded.release.commit,
        "version": loaded.release.version,
        "content_id": loaded.release.content_id,
        "folder": str(loaded.release.folder),
        "ids": {name: [row.id for row in found] for name, found in rows.items()},
        "questions": sorted({row.question for found in rows.values() for row in found}),
    }


if __name__ == "__main__":
    disable_progress_bars()
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)
