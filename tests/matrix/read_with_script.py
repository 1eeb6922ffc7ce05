"""Read the branch `script` of a repository without trust and, where a second script of a moved tag is given, with it.

`python read_with_script.py ORG/NAME [SCRIPT]` prints JSON on its last line.
"""

import json
import sys
from typing import Any

import datasets

BRANCH = {"revision": "script", "trust_remote_code": True}


def read(where: str, moved: str) -> dict[str, Any]:
    """Return version and rows of every config by split, prepared and streamed, and what the moved one is refused with.

    `default` counts the rows of the default config.
    """
    found = {}
    for config in datasets.get_dataset_config_names(where, **BRANCH):
        loaded = datasets.load_dataset(where, config, **BRANCH)
        streamed = datasets.load_dataset(where, config, streaming=True, **BRANCH)
        found[config] = {
            "version": str(next(iter(loaded.values())).info.version),
            "rows": {split: list(loaded[split]) for split in loaded},
            "streamed": {split: list(streamed[split]) for split in streamed},
        }
    default = datasets.load_dataset(where, **BRANCH)
    refusal = refused(moved, trust_remote_code=True)
    return {"configs": found, "default": {split: len(default[split]) for split in default}, "moved": refusal}


def refused(where: str, **given: Any) -> str:
    """Return what an attempt to load is refused with, its cause included; empty if it is not."""
    try:
        datasets.load_dataset(where, "nq", **given)
    except Exception as error:
        return f"{error} {error.__cause__}"
    return ""


if __name__ == "__main__":
    datasets.disable_progress_bars()
    where, *moved = sys.argv[1:]
    answer = {"untrusted": refused(where, revision="script"), **(read(where, *moved) if moved else {})}
    print(f"\n{json.dumps(answer)}")  # `datasets` may have asked for trust on the same line
