"""Everything that is checked before a release may leave this machine, without asking the Hub."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from builders.release.card import card_problems
from builders.release.header import header_problems
from builders.release.layout import layout_problems, licence_problems
from builders.release.parquet import parquet_problems
from builders.release.versions import read_version
from builders.verify import problems
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest


def release_problems(folder: Path) -> list[str]:
    """Return one line per thing that keeps an artifact from being published.

    Hashes, schema and invariants come first: where they do not hold, nothing else is looked at. Raises DecoyQAError
    where the folder is no artifact.
    """
    return problems(folder) or list(_problems(folder, read_manifest(folder)))


def _problems(folder: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    version, canary = manifest["version"], manifest["canary"]
    try:
        read_version(version)
    except DecoyQAError as error:
        yield str(error)
    if folder.resolve().name != version:
        yield f"the folder is named {folder.resolve().name}, its version is {version}"
    layout = list(layout_problems(folder, canary))
    yield from layout
    yield from licence_problems(manifest["sources"])
    licences = {source["config"]: source["license"] for source in manifest["sources"]}
    yield from parquet_problems(folder, canary, licences)
    if not any(line.endswith(": missing") for line in layout):
        yield from header_problems(folder, version)
        yield from card_problems(folder, version)


def pending(manifest: Mapping[str, Any]) -> list[str]:
    """Return a line for each step at which candidates wait for an answer that never came."""
    return [
        f"{config['name']}/{condition}, {step['step']}: {step['pending']:,} pending"
        for config in manifest["configs"]
        for condition, steps in config["funnel"].items()
        for step in steps
        if step["pending"]
    ]
