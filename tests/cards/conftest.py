"""An artifact's configs, and the pages made of it again."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cards.header import Config, Split
from loaders.artifact import shard_paths
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.manifest import read_manifest


def _config(folder: Path, name: str, record: type, splits: Sequence[str], key: tuple[str, ...]) -> Config:
    found = [Split(split, 5, 10) for split in splits if shard_paths(folder, name, split)]
    return Config(name, record, tuple(found), key)


@pytest.fixture
def configs_of() -> Callable[[Path], tuple[list[Config], list[Config]]]:
    """Return the configs of a folder: those of rows, and those of construction records."""

    def find(folder: Path) -> tuple[list[Config], list[Config]]:
        names = [config["name"] for config in read_manifest(folder)["configs"]]
        rows = [_config(folder, name, GenADVRow, SPLITS, ("id",)) for name in names]
        made = [_config(folder, f"{n}_construction", Candidate, ("candidates",), ("id", "condition")) for n in names]
        return rows, made

    return find
