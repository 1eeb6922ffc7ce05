"""Read WHERE, a repository's branch `script` or a script's file, with `datasets` before 4; print JSON.

With `refuse` print what an attempt without (or, with `trust`, with) trust in the script was refused with.
"""

import json
import sys
from typing import Any

import datasets


def read(where: str) -> dict[str, Any]:
    """Return version and rows of every config by split, prepared and streamed."""
    given = {"revision": "script", "trust_remote_code": True}
    found = {}
    for config in datasets.get_dataset_config_names(where, **given):
        loaded = datasets.load_dataset(where, config, **given)
        streamed = datasets.load_dataset(where, config, streaming=True, **given)
        found[config] = {
            "version": str(next(iter(loaded.values())).info.version),
            "rows": {split: list(loaded[split]) for split in loaded},
            "streamed": {split: list(streamed[split]) for split in streamed},
        }
    default = datasets.load_dataset(where, **given)
    found["nq"]["default"] = all(list(default[split]) == rows for split, rows in found["nq"]["rows"].items())
    return found


def refused(where: str, trust: bool) -> str:
    """Return what an attempt to load is refused with, causes included; empty if it is not."""
    given: dict[str, Any] = {"trust_remote_code": True} if trust else {"revision": "script"}
    try:
        datasets.load_dataset(where, "nq", **given)
    except Exception as error:
        return f"{error} {error.__cause__}"
    return ""


if __name__ == "__main__":
    datasets.disable_progress_bars()
    where, *rest = sys.argv[1:]
    answer = refused(where, "trust" in rest) if rest else read(where)
    print(f"\n{json.dumps(answer)}")  # `datasets` may have asked for trust on the same line
