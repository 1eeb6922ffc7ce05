"""The card's YAML, held against the Parquet files by our own checks: the Hub accepts far more than readers can load."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from loaders.schema import SCALARS

SPLIT_NAME = re.compile(r"\w+(\.\w+)*", re.ASCII)
_ARROW = dict(SCALARS.values())


def header_problems(folder: Path, version: str) -> Iterator[str]:
    """Yield what in README.md's YAML does not fit the folder: configs, globs, versions, features, numbers of rows."""
    found = re.match(r"---\n(.*?\n)---\n", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    try:
        header = yaml.safe_load(found[1]) if found else None
        yield from (f"README.md: {problem}" for problem in _problems(folder, version, header))
    except yaml.YAMLError as error:
        yield f"README.md: no YAML: {' '.join(str(error).split())}"
    except (KeyError, TypeError, AttributeError) as error:
        yield f"README.md: the YAML is not of the form that readers take ({type(error).__name__}: {error})"


def _problems(folder: Path, version: str, header: Any) -> Iterator[str]:
    if not isinstance(header, dict):
        yield "no YAML at its head"
        return
    if not header.get("license"):
        yield "no license"
    names = [config["config_name"] for config in header["configs"]]
    if len(set(names)) != len(names):
        yield f"a config is named twice: {', '.join(names)}"
    defaults = [config["config_name"] for config in header["configs"] if config.get("default")]
    if len(defaults) != 1:
        yield f"{len(defaults)} default configs, one expected"
    infos = {info["config_name"]: info for info in header["dataset_info"]}
    if sorted(infos) != sorted(set(names)):
        yield f"dataset_info of {', '.join(sorted(infos))}, of {', '.join(sorted(set(names)))} expected"
    for config in header["configs"]:
        yield from _config_problems(folder, version, config, infos.get(config["config_name"], {}))
    yield from _unreached(folder, header["configs"])


def _config_problems(folder: Path, version: str, config: Mapping[str, Any], info: Mapping[str, Any]) -> Iterator[str]:
    name = config["config_name"]
    if str(config.get("version")) != version:
        yield f"config {name}: version {config.get('version')}, {version} expected"
    counts = {split["name"]: split["num_examples"] for split in info.get("splits", [])}
    rows = {split["split"]: _rows(folder, split["path"]) for split in config["data_files"]}
    for split, count in rows.items():
        if not SPLIT_NAME.fullmatch(split):
            yield f"config {name}: {split!r} is no name of a split"
        if count is None:
            yield f"config {name}: no file matches the path of split {split}"
    if counts != rows:
        yield f"config {name}: num_examples {counts}, {rows} expected"
    yield from _feature_problems(folder, config, info.get("features", []))


def _rows(folder: Path, pattern: str) -> int | None:
    paths = sorted(folder.glob(pattern))
    return sum(pq.read_metadata(path).num_rows for path in paths) if paths else None


def _feature_problems(folder: Path, config: Mapping[str, Any], features: Any) -> Iterator[str]:
    try:
        expected = pa.schema(_fields(features))
    except (KeyError, TypeError, ValueError):
        yield f"config {config['config_name']}: features in a form that not every version of datasets reads"
        return
    for path in (path for split in config["data_files"] for path in sorted(folder.glob(split["path"]))):
        if not pq.read_schema(path).remove_metadata().equals(expected):
            yield f"config {config['config_name']}: the features are not the schema of {path.relative_to(folder)}"


def _fields(features: Any) -> list[pa.Field]:
    return [
        pa.field(feature["name"], _arrow({k: v for k, v in feature.items() if k != "name"})) for feature in features
    ]


def _arrow(feature: Any) -> pa.DataType:
    """Return the type of `dtype:`, `list:` or `struct:`; KeyError, TypeError or ValueError for every other form."""
    ((form, inner),) = feature.items()
    if form == "dtype":
        return _ARROW[inner]
    item = _ARROW[inner] if isinstance(inner, str) else pa.struct(_fields(inner))
    return {"list": pa.list_(item), "struct": item}[form]


def _unreached(folder: Path, configs: Any) -> Iterator[str]:
    patterns = [split["path"] for config in configs for split in config["data_files"]]
    reached = [path for pattern in patterns for path in folder.glob(pattern)]
    for path in sorted(folder.rglob("*.parquet")):
        if reached.count(path) != 1:
            yield f"{path.relative_to(folder)} belongs to {reached.count(path)} splits, one expected"
