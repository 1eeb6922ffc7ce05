"""The YAML block of a card: configs, features and sizes in the one form that `datasets` 2.21 to 5.2 all read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from loaders.schema import features

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True)
class Split:
    """One split of a config: its glob is `<config>/<name>-*.parquet`."""

    name: str
    rows: int
    bytes: int


@dataclass(frozen=True)
class Config:
    """One config: the record class of its rows and its splits, none of them empty.

    `key` are the columns that are unique in each split, `pair` the one that rows of several splits share.
    """

    name: str
    record: type
    splits: tuple[Split, ...]
    key: tuple[str, ...] = ("id",)
    pair: str = "id"


def header(title: str, version: str, licenses: Sequence[str], tags: Sequence[str], configs: Sequence[Config]) -> str:
    """Return the YAML block, the first config being the default one."""
    block = {
        "pretty_name": title,
        "language": ["en"],
        "license": [name.lower() for name in licenses],
        "task_categories": ["question-answering"],
        "tags": list(tags),
        "size_categories": [_size(sum(split.rows for config in configs for split in config.splits))],
        "configs": [_config(config, plain_version(version), i == 0) for i, config in enumerate(configs)],
        "dataset_info": [_info(config) for config in configs],
    }
    return f"---\n{yaml.safe_dump(block, sort_keys=False, allow_unicode=True, width=120)}---\n"


def plain_version(version: str) -> str:
    """Return the X.Y.Z of a version, the only form that `datasets` takes."""
    found = re.match(r"\d+\.\d+\.\d+", version)
    assert found is not None, f"{version} was not checked"
    return found.group()


def _config(config: Config, version: str, is_default: bool) -> Mapping[str, Any]:
    files = [{"split": split.name, "path": f"{config.name}/{split.name}-*.parquet"} for split in config.splits]
    default = {"default": True} if is_default else {}
    return {"config_name": config.name, **default, "version": version, "data_files": files}


def _info(config: Config) -> Mapping[str, Any]:
    splits = [{"name": split.name, "num_bytes": split.bytes, "num_examples": split.rows} for split in config.splits]
    size = sum(split.bytes for split in config.splits)
    return {
        "config_name": config.name,
        "features": features(config.record),
        "splits": splits,
        "download_size": size,
        "dataset_size": size,
    }


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "1M<n<10M")
