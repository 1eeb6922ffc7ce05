"""Derive splits with our `datasets` builders: words are FOLDER and CONFIG,K,SLOT by turns (K and SLOT may be empty)."""

import json
import sys
from typing import Any

import datasets

from loaders.builders import genadv_builder
from loaders.genadv import load


def derive(folder: str, config: str, k: str, slot: str) -> dict[str, Any]:
    """Return the rows as prepared and as streamed, with what the cache tells them apart by."""
    builder = genadv_builder(load(folder), config, int(k) if k else None, int(slot) if slot else None)
    streamed = builder.as_streaming_dataset()
    builder.download_and_prepare()
    prepared = builder.as_dataset()
    return {
        "rows": {split: list(prepared[split]) for split in prepared},
        "streamed": {split: list(streamed[split]) for split in streamed},
        "version": str(builder.info.version),
        "cache": builder.cache_dir,
        "fingerprint": prepared["retrieved"]._fingerprint,
        "settings": [builder.config.name, builder.config.k, builder.config.slot],
    }


if __name__ == "__main__":
    datasets.disable_progress_bars()
    words = sys.argv[1:]
    print(
        json.dumps([derive(folder, *wanted.split(",")) for folder, wanted in zip(words[::2], words[1::2], strict=True)])
    )
