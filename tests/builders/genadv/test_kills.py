"""A build that is killed again and again asks nothing twice and ends with the bytes of one that never was.

`DECOYQA_KILLS` says how often; the models are loaded once and the builds run in forks.
"""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from kills import Logged, killed_builds

from builders.engines import Engines
from builders.genadv.build import Options, build
from builders.genadv.material import Input
from builders.genadv.tools import Tools
from eval.models.engine import DEFAULTS
from eval.models.scripted import open_model

pytestmark = pytest.mark.model

SAMPLE = Path(__file__).parents[3] / "builders" / "sample" / "genadv"
SCRIPT = Path(__file__).with_name("good_writer.jsonl")
KILLS = int(os.environ.get("DECOYQA_KILLS", "4"))
SECONDS = 0.05  # that each reply takes


def slow_script(folder: Path) -> Path:
    """Write the good writer's script with a pause before each reply."""
    rules = [json.loads(line) for line in SCRIPT.read_text("utf-8").splitlines()]
    path = folder / "slow.jsonl"
    path.write_text("".join(json.dumps({**rule, "seconds": SECONDS}) + "\n" for rule in rules), "utf-8")
    return path


def content(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "build.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_killed_at_random_points_a_build_asks_nothing_that_was_stored(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builders.genadv.build.open_tools", lambda *_: tools)
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)  # drawing takes longer than building
    script = slow_script(tmp_path)

    def run(home: Path) -> None:
        options = Options(
            inputs=(Input("nq", "nq", SAMPLE / "nq.jsonl"),),
            out=home / "out",
            home=home,
            limit=4,
            engines=Engines(f"scripted:{script}"),
        )
        report = SimpleNamespace(start=lambda config, cases: lambda count, found: None, asked=lambda *_: None)
        build(options, report, opener=lambda name, _: Logged(open_model(str(script), DEFAULTS), home))

    whole, home = killed_builds(run, tmp_path, KILLS)
    version = Path("out", "genadv", "0.0.0.dev0")
    assert content(home / version) == content(whole / version)
