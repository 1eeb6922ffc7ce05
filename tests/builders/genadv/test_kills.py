"""A build that is killed again and again asks nothing twice and ends with the bytes of one that never was.

`DECOYQA_KILLS` says how often; the models are loaded once and the builds run in forks.
"""

import json
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from kills import forked

from builders.engines import Engines
from builders.genadv.build import Options, build
from builders.genadv.material import Input
from builders.genadv.tools import Tools
from eval.models.engine import DEFAULTS, Failure, Reply, Request
from eval.models.scripted import ScriptedEngine, open_model
from eval.models.store import RequestStore
from loaders.draw import generator

pytestmark = pytest.mark.model

SAMPLE = Path(__file__).parents[3] / "builders" / "sample" / "genadv"
SCRIPT = Path(__file__).with_name("good_writer.jsonl")
KILLS = int(os.environ.get("DECOYQA_KILLS", "4"))
SECONDS = 0.05  # that each reply takes


class Logged:
    """A scripted engine that notes on disk what it is asked, before it answers."""

    def __init__(self, engine: ScriptedEngine, log: Path) -> None:
        self._engine, self._log = engine, log
        self.identity, self.runtime = engine.identity, engine.runtime

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        return self._engine.ask(map(self._noted, requests))

    def _noted(self, request: Request) -> Request:
        with self._log.open("a") as log:
            log.write(f"{request.key}\n")
        return request

    def close(self) -> None:
        self._engine.close()

    def __enter__(self) -> "Logged":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
        build(options, report, opener=lambda name, _: Logged(open_model(str(script), DEFAULTS), home / "asked"))

    whole, home = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, home):
        folder.mkdir()
        (folder / "asked").touch()
    started = time.monotonic()
    assert forked(lambda: run(whole)) == 0
    length = time.monotonic() - started

    def stored() -> set[str]:
        store = RequestStore(home / "requests")
        return {key for key in asked(whole) if key in store}

    def asked(folder: Path) -> list[str]:
        return (folder / "asked").read_text().split()

    draw, codes, in_flight = generator(KILLS, "kills", "seconds"), [], 0
    for _ in range(KILLS):
        before, heard = stored(), len(asked(home))
        codes.append(forked(lambda: run(home), draw.uniform(0, length / 2)))
        assert before.isdisjoint(asked(home)[heard:])
        in_flight += len(asked(home)) - heard - (len(stored()) - len(before))
    before, heard = stored(), len(asked(home))
    assert forked(lambda: run(home)) == 0
    assert before.isdisjoint(asked(home)[heard:])

    assert -signal.SIGKILL in codes
    assert 0 <= in_flight <= KILLS  # the scripted engine has one call in flight
    assert len(asked(home)) == len(asked(whole)) + in_flight
    assert set(asked(home)) == set(asked(whole))
    version = Path("out", "genadv", "0.0.0.dev0")
    assert content(home / version) == content(whole / version)
