"""What somebody sees of an artifact who has nothing but `datasets`: run as `python read_with_datasets.py FOLDER`.

Prints JSON; imports none of our code, so that it runs in an environment with any version of `datasets`.
"""

import json
import sys
from typing import Any

import datasets


def main(folder: str) -> dict[str, Any]:
    """Load every config and split, from the cache and streaming, and the default config."""
    configs = datasets.get_dataset_config_names(folder)
    default = datasets.load_dataset(folder)
    try:
        datasets.load_dataset(folder, "popqa", split="topk")
        refusal = ""
    except ValueError as error:
        refusal = str(error)
    return {
        "datasets": datasets.__version__,
        "default": {split: list(default[split]["id"]) for split in default},
        "configs": {config: read_config(folder, config) for config in configs},
        "refusal": refusal,
    }


def read_config(folder: str, config: str) -> dict[str, Any]:
    """Return version, schemas and rows of one config by split."""
    loaded = datasets.load_dataset(folder, config)
    streamed = datasets.load_dataset(folder, config, streaming=True)
    first = next(iter(loaded.values()))
    alone = {split: datasets.load_dataset(folder, config, split=split) for split in loaded}
    return {
        "version": str(first.info.version),
        "config": first.info.config_name,
        "rows": {split: list(loaded[split]) for split in loaded},
        "alone": {split: len(alone[split]) for split in alone},
        "streamed": {split: list(streamed[split]) for split in streamed},
        "schema": {split: schema(loaded[split].features) for split in loaded},
        "streamed_schema": {split: schema(streamed[split].features) for split in streamed},
    }


def schema(features: Any) -> list[list[str]]:
    """Return names and Arrow types in their order; a whole schema's text is cut short by some versions of pyarrow."""
    return [[field.name, str(field.type)] for field in features.arrow_schema]


if __name__ == "__main__":
    datasets.disable_progress_bars()
    print(json.dumps(main(sys.argv[1])))
