"""The plots: the same bytes for the same manifest, whatever else was drawn before, and never for another one."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from PIL import Image

from cards.figures import FIGURES, draw_figures
from cards.funnel import answering, conditions, opinions, step_names, totals
from loaders.genadv import CANARY
from loaders.manifest import read_manifest


def step(name: str, kept: int, pending: int, **rejected: int) -> dict[str, Any]:
    entered = kept + pending + sum(rejected.values())
    return {"step": name, "entered": entered, "kept": kept, "pending": pending, "rejected": rejected}


MANIFEST: dict[str, Any] = {
    "splits": ["retrieved", "conflict"],
    "configs": [
        {"funnel": {"conflict": [step("a", 5, 1, no=2, never=1), step("b", 5, 0)], "retrieved": [step("door", 9, 0)]}},
        {"funnel": {"conflict": [step("a", 3, 0)], "other": [step("c", 1, 0)], "retrieved": [step("door", 3, 0)]}},
    ],
}


def drawn(folder: Path, manifest: dict[str, Any]) -> dict[str, bytes]:
    folder.mkdir()
    draw_figures(folder, manifest)
    return {path.stem: path.read_bytes() for path in (folder / "figures").iterdir()}


def test_the_same_manifest_gives_the_same_bytes(
    small_artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = read_manifest(small_artifact)
    kept = {path.stem: path.read_bytes() for path in (small_artifact / "figures").iterdir()}
    assert set(kept) == set(FIGURES)
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 25.0)
    monkeypatch.setitem(matplotlib.rcParams, "savefig.dpi", 50.0)
    monkeypatch.setitem(matplotlib.rcParams, "font.family", ["serif"])
    assert drawn(tmp_path / "again", manifest) == kept


def test_another_number_gives_another_picture(small_artifact: Path, tmp_path: Path) -> None:
    manifest = read_manifest(small_artifact)
    before = drawn(tmp_path / "before", manifest)
    changed = deepcopy(manifest)
    changed["configs"][1]["rows"]["conflict"] += 1
    changed["configs"][0]["funnel"]["adversarial"][0]["pending"] += 1
    after = drawn(tmp_path / "after", changed)
    assert all(before[name] != after[name] for name in FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_tells_no_time_and_no_program_and_holds_the_canary(small_artifact: Path, name: str) -> None:
    with Image.open(small_artifact / "figures" / f"{name}.png") as image:
        assert set(image.info) == {"Comment", "dpi"}
        assert image.info["Comment"] == CANARY
        assert 600 < image.width < 1200
        assert len(image.getcolors(1 << 24) or []) > 4


def test_a_picture_grows_with_what_it_shows(small_artifact: Path, tmp_path: Path) -> None:
    manifest = read_manifest(small_artifact)
    drawn(tmp_path / "two", manifest)
    drawn(tmp_path / "eight", {**manifest, "configs": manifest["configs"] * 4})
    heights = []
    for folder in ("two", "eight"):
        with Image.open(tmp_path / folder / "figures" / "sizes.png") as image:
            heights.append(image.height)
    assert heights[1] > 2 * heights[0]


def test_the_funnel_is_read_in_the_order_of_the_splits() -> None:
    assert list(conditions(MANIFEST, MANIFEST["configs"][1])) == ["retrieved", "conflict", "other"]
    assert step_names(MANIFEST) == ["door", "a", "b", "c"]


def test_the_funnel_is_summed_over_configs() -> None:
    found = totals(MANIFEST)
    assert list(found) == ["retrieved", "conflict", "other"]
    assert found["conflict"]["a"] == {"kept": 8, "pending": 1, "rejected": 3}
    assert found["conflict"]["b"] == {"kept": 5, "pending": 0, "rejected": 0}
    assert found["retrieved"]["door"].total() == 12


def test_models_and_opinions_are_gathered_over_configs() -> None:
    configs = [
        {"models": {"writer": ["b"], "checker": []}, "opinions": {"conflict": {"said": {"yes": 2}}}},
        {"models": {"writer": ["a", "b"]}, "opinions": {"conflict": {"said": {"yes": 1, "no": 4}}}},
        {},
    ]
    assert answering({"configs": configs}) == {"writer": ["a", "b"]}
    assert opinions({"configs": configs}) == {"conflict": {"said": {"yes": 3, "no": 4}}}
