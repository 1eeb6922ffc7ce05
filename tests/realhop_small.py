"""REALHOP's sample built once by the rules, and ways to build parts of it."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builders.entities import load_pipeline
from builders.progress import Silent
from builders.realhop.build import build
from builders.realhop.material import Options
from builders.realhop.recipe import RealHopRecipe

SAMPLE = Path(__file__).parents[1] / "builders" / "sample" / "realhop" / "musique.jsonl"
# A chain of two, a join of three, a fan-out, a chain of four, and one that cannot be rebound.
FEW = ("2hop__sample_01", "3hop2__sample_10", "3hop1__sample_15", "4hop1__sample_12", "2hop__sample_16")


@cache
def pipeline(name: str) -> Any:
    """Load the parser once for all tests of a process."""
    return load_pipeline(name)


def sample_rows(ids: Sequence[str] = FEW) -> Iterator[dict[str, Any]]:
    """Yield rows of the sample in the order of the file."""
    rows = (json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines())
    yield from (row for row in rows if row["id"] in ids)


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def few(folder: Path) -> Path:
    """Write the few items into a file."""
    return write_rows(folder / "few.jsonl", list(sample_rows()))


def options(path: Path, folder: Path, **given: Any) -> Options:
    """Return the options of a build in a folder; settings of the recipe may stand among them."""
    own = {name: given.pop(name) for name in list(given) if name in RealHopRecipe.__dataclass_fields__}
    recipe = RealHopRecipe(**{name: value for name, value in own.items() if name != "version"})
    version = own.get("version", "0.0.0.dev0")
    return Options("sample", path, out=folder / "out", home=folder / "home", version=version, recipe=recipe, **given)


def build_small(path: Path, folder: Path, **given: Any) -> Path:
    """Build an artifact in `folder` without pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builders.realhop.build.load_pipeline", pipeline)
        patch.setattr("cards.pages.draw_figures", lambda *_: None)
        return build(options(path, folder, **given), Silent())


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of an artifact but build.json."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "build.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
