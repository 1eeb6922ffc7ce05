"""What somebody sees of an artifact who has nothing but `datasets`: each word is FOLDER or ORG/NAME@REVISION.

`python read_with_datasets.py dist/genadv/1.0.0 org/decoyqa-genadv@v1.0.0` prints JSON. Imports none of our code, so
that it runs in an environment with any version of `datasets`.

Without a network every version from 2.21 to 5.2 serves the copy that was prepared last, whatever revision is asked for,
a full commit id included: look at `info.version`, or give each release a `cache_dir` of its own.
"""

import json
import sys
from typing import Any

import datasets


def read(place: str) -> dict[str, Any]:
    """Load every config and split, from the cache and streaming, and the default config as a whole and by split."""
    where, _, revision = place.partition("@")
    given = {"revision": revision} if revision else {}
    default = datasets.load_dataset(where, **given)
    alone = {split: datasets.load_dataset(where, split=split, **given) for split in default}
    try:
        datasets.load_dataset(where, split="nothing", **given)
        refusal = ""
    except ValueError as error:
        refusal = str(error)
    configs = datasets.get_dataset_config_names(where, **given)
    return {
        "datasets": datasets.__version__,
        "default": {split: list(default[split]["id"]) for split in default},
        "alone": {split: list(alone[split]["id"]) for split in alone},
        "configs": {config: read_config(where, config, given) for config in configs},
        "refusal": refusal,
    }


def read_config(where: str, config: str, given: dict[str, str]) -> dict[str, Any]:
    """Return version, schemas and rows of one config by split."""
    loaded = datasets.load_dataset(where, config, **given)
    streamed = datasets.load_dataset(where, config, streaming=True, **given)
    first = next(iter(loaded.values()))
    return {
        "version": str(first.info.version),
        "config": first.info.config_name,
        "rows": {split: list(loaded[split]) for split in loaded},
        "streamed": {split: list(streamed[split]) for split in streamed},
        "schema": {split: schema(loaded[split].features) for split in loaded},
        "streamed_schema": {split: schema(streamed[split].features) for split in streamed},
    }


def schema(features: Any) -> list[list[str]]:
    """Return names and Arrow types in their order; a whole schema's text is cut short by some versions of pyarrow."""
    return [[field.name, str(field.type)] for field in features.arrow_schema]


if __name__ == "__main__":
    datasets.disable_progress_bars()
    print(json.dumps([read(place) for place in sys.argv[1:]]))
