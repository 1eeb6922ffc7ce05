"""Whole builds with models: identities on record, nothing asked twice, pending ones again, kills, rebuilds, cost."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from kills import Logged, killed_builds
from model_world import CHECKER, SEEDER, WRITER, Spoken, asked_triple, build_with, good, options, write_world

from builders.cli import main
from builders.eureqa.build import build, find_chains, telling_steps
from builders.eureqa.draft import Draft
from builders.eureqa.forecast import forecasts
from builders.eureqa.material import read_material
from builders.eureqa.voices import ChainEngines, open_voices
from builders.steps import Trail, run_steps
from builders.stored import StoredEngine
from builders.verify import problems, rebuild_problems
from eval.models.engine import open_engine
from eval.models.ledger import BudgetReachedError
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

EVERYBODY = ChainEngines(WRITER, CHECKER, seeds_model=SEEDER)
KILLS = int(os.environ.get("DECOYQA_KILLS", "3"))


class Same:
    """All names are alike."""

    identity = "tests"

    def encode(self, texts: list[str]) -> Any:
        return np.ones((len(texts), 1), dtype=np.float32)


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    monkeypatch.setattr("builders.eureqa.build.open_similarity", lambda name: Same())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_world(tmp_path_factory.mktemp("world"))


def content(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "build.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_identities_prompts_and_opinions_are_on_record_and_a_second_run_asks_nothing(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    first = build_with(files, tmp_path, engines=EVERYBODY, categories=("films",))
    manifest, config = first.manifest, first.config
    assert (manifest["writer"], manifest["checker"], manifest["seeds_model"]) == (WRITER, CHECKER, SEEDER)
    assert (manifest["checker_gates"], manifest["hypernyms"]) == (False, "model")
    assert manifest["writer_sampling"] == {"temperature": 0.0, "top_p": 1.0, "max_tokens": 128}
    assert set(manifest["prompts"]) == {"verbalise_triple", "name_kind", "knows_statement", "name_seeds"}
    assert config["models"] == {role: [f"toy:{name}-1"] for role, name in
                                (("writer", "writer"), ("checker", "checker"), ("seeds_model", "seeder"))}  # fmt: skip
    assert config["rows"] == dict.fromkeys(("d1", "d2", "d3", "d4", "d5"), 2)
    assert {row.writer for row in first.rows("d1")} == {WRITER}
    assert {"knows fact 1", "knows relation 5"} < set(config["opinions"]["chain"])
    assert manifest["seeds_from"]["from"] == "model"
    assert manifest["seeds_named"]["unknown"] == {category: [] for category in manifest["seeds_from"]["categories"]}
    assert problems(first.folder) == []

    before = content(first.folder)
    again = build_with(files, tmp_path, engines=EVERYBODY, categories=("films",))
    assert sum(len(engine.asked) for engine in again.engines.values()) == 0
    assert content(again.folder) == before

    assert rebuild_problems(again.folder, tmp_path) == []
    other = build_with(files, tmp_path, engines=replace(EVERYBODY, hypernyms="rules"))
    assert other.manifest["recipe_sha256"] != manifest["recipe_sha256"]
    files[0].write_bytes(files[0].read_bytes() + b"\n")
    with pytest.raises(DecoyQAError, match="no longer what inputs was built from"):
        rebuild_problems(other.folder, tmp_path)


def test_statements_of_a_step_are_asked_at_once_and_equal_ones_once(files: tuple[Path, Path], tmp_path: Path) -> None:
    heard: list[tuple[str, int, int, str]] = []
    given = options(files, tmp_path, ChainEngines(WRITER))
    engine = Spoken()
    build(given, lambda line: None, lambda *said: heard.append(said), opener=lambda *_: engine)
    assert {total for asked, _, total, _ in heard if asked == "verbalise_triple"} == {
        len({prompt for prompt in engine.asked if asked_triple(prompt)})
    }
    assert len(set(engine.asked)) == len(engine.asked)


def test_a_failed_call_leaves_its_chain_pending_until_the_next_run(files: tuple[Path, Path], tmp_path: Path) -> None:
    whole = build_with(files, tmp_path / "whole")
    lost = whole.chains()[0].layers[0].label

    def down(prompt: str) -> str | list[str] | None:
        return None if lost in prompt.rpartition("Triple:")[2] else good(prompt)

    first = build_with(files, tmp_path / "home", down)
    assert [chain.status for chain in first.chains()] == ["pending", "kept"]
    assert (first.config["pending"], len(first.rows())) == (1, 1)
    assert problems(first.folder) == []
    with pytest.raises(DecoyQAError, match=r"1 chains of .* are pending"):
        rebuild_problems(first.folder, tmp_path / "home")
    second = build_with(files, tmp_path / "home")
    assert second.engines[WRITER].asked
    assert all(lost in prompt for prompt in second.engines[WRITER].asked)
    assert content(second.folder) == content(whole.folder)


def test_a_rejected_chain_gives_its_place_to_the_next(files: tuple[Path, Path], tmp_path: Path) -> None:
    lost = build_with(files, tmp_path / "whole").chains()[0].layers[0].label

    def refuses(prompt: str) -> str | list[str] | None:
        return "I'm sorry, but I can't say." if lost in prompt.rpartition("Triple:")[2] else good(prompt)

    found = build_with(files, tmp_path / "home", refuses)
    assert [chain.reason for chain in found.chains()] == ["refusal", "", ""]
    assert len(found.rows()) == 2
    step = next(step for step in found.config["funnel"]["chain"] if step["step"] == "statements")
    assert (step["entered"], step["kept"], step["rejected"]) == (3, 2, {"refusal": 1})


def test_what_no_model_knows_is_dropped_where_asked_for(files: tuple[Path, Path], tmp_path: Path) -> None:
    def ignorant(prompt: str) -> str | list[str] | None:
        return "No." if prompt.startswith("Is this") else good(prompt)

    asked = build_with(files, tmp_path, ignorant, ChainEngines("rules", CHECKER))
    assert (asked.manifest["writer"], len(asked.rows())) == ("rules", 2)
    assert {tuple(said) for said in asked.config["opinions"]["chain"].values()} == {("no",)}

    def knows_some(prompt: str) -> str | list[str] | None:
        return "No." if first in prompt else good(prompt)

    first = asked.chains()[0].layers[0].label
    gates = ChainEngines("rules", CHECKER, checker_gates=True)
    gated = build_with(files, tmp_path / "some", knows_some, gates)
    assert [chain.reason for chain in gated.chains()] == ["unknown_fact", "", ""]
    assert gated.manifest["checker_gates"]
    with pytest.raises(DecoyQAError, match=r"no chain was kept: .*known: unknown_fact \d+"):
        build_with(files, tmp_path / "none", ignorant, gates)


def test_a_forecast_counts_what_is_then_asked(files: tuple[Path, Path], tmp_path: Path) -> None:
    given = options(files, tmp_path, replace(EVERYBODY, seeds_model=""))
    expected = forecasts(given, read_material(given, lambda line: None), lambda line: None)
    built = build_with(files, tmp_path, engines=given.engines)
    prompts = [prompt for engine in built.engines.values() for prompt in engine.asked]
    starts = {"name_kind": "Say in one", "verbalise_triple": "Put a triple", "knows_statement": "Is this statement"}
    assert {one.step: one.calls for one in expected} == {
        step: sum(prompt.startswith(start) for prompt in prompts) for step, start in starts.items()
    }


def test_a_budget_stops_the_build_and_nothing_is_paid_twice(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(
        f'[[price]]\nmodel = "{WRITER}"\ninput = 1\ncached_input = 1\noutput = 10\ndate = 2026-01-01\nsource = "us"\n'
    )
    poor = ChainEngines(WRITER, max_usd=0.003, prices=tmp_path / "prices.toml")
    with pytest.raises(BudgetReachedError):
        build_with(files, tmp_path, engines=poor)
    assert not (tmp_path / "out").exists()
    stored = len(RequestStore(tmp_path / "requests"))
    assert stored > 0
    whole = build_with(files, tmp_path)
    fresh = build_with(files, tmp_path / "fresh")
    assert len(whole.engines[WRITER].asked) == len(fresh.engines[WRITER].asked) - stored


def test_seeds_that_did_not_come_stop_the_build(files: tuple[Path, Path], tmp_path: Path) -> None:
    engines = ChainEngines(WRITER, seeds_model=SEEDER)
    with pytest.raises(DecoyQAError, match="no reply on seeds of category 'plays'"):
        build_with(files, tmp_path / "a", lambda prompt: None, engines, categories=("plays",))
    with pytest.raises(DecoyQAError, match="toy:seeder named no seed that the graph has"):
        build_with(files, tmp_path / "b", lambda prompt: "Hamlet\nFaust", engines, categories=("plays",))
    found = build_with(files, tmp_path / "c", lambda prompt: f"Hamlet\n{good(prompt)}" if "plays" in prompt
                       else good(prompt), engines, categories=("plays",))  # fmt: skip
    assert found.manifest["seeds_named"]["unknown"] == {"plays": ["Hamlet"]}
    assert found.config["seeds"] == 8  # nine names were asked for, one of them is unknown


def test_killed_again_and_again_a_build_asks_nothing_that_was_stored(files: tuple[Path, Path], tmp_path: Path) -> None:
    def run(home: Path) -> None:
        given = options(files, home, ChainEngines(WRITER))
        build(given, lambda line: None, opener=lambda *_: Logged(Spoken(), home, 0.03))

    whole, home = killed_builds(run, tmp_path, KILLS)
    version = Path("out", "eureqa", "0.0.0.dev0")
    assert content(home / version) == content(whole / version)


BAD = [
    (["--writer", "nobody:at-all"], "unknown engine 'nobody:at-all'"),
    (["--checker-gates"], "nobody is to check"),
    (["--hypernyms", "model"], "nobody is to be asked"),
    (["--category", "films"], "nobody is to name seeds"),
    (["--seeds-model", "openai:x", "--seeds", "seeds.txt"], "seeds come from one of them"),
    (["--writer", "scripted:nowhere.jsonl"], "nowhere.jsonl"),
    (["--writer", "openai:priced-by-nobody", "--max-usd", "1"], "needs the price of openai:priced-by-nobody"),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_a_bad_option_stops_before_anything_is_written(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    words = ["build", "eureqa", "--input", str(files[0]), "--base-url", "http://127.0.0.1:9/v1", *given]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert message in result.output
    assert result.output.count("error: ") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.model
def test_a_small_real_model_is_asked_and_what_it_writes_is_judged(files: tuple[Path, Path], tmp_path: Path) -> None:
    from local_server import smollm2_server

    name, store = "openai:smollm2", tmp_path / "requests"
    given = options(files, tmp_path, ChainEngines(name, name, concurrency=1))
    material = read_material(given, lambda line: None)
    found = find_chains("hard", material, given, lambda line: None).trails
    kept = [trail.draft for trail in found if trail.status == "kept"][:3]
    drafts = [replace(draft, chain=draft.chain[:1]) for draft in kept]  # one layer: calls take seconds

    def told(engines: ChainEngines, opener: Any) -> tuple[list[Trail[Draft]], dict[str, list[str]]]:
        with open_voices(engines, store, 0, lambda *_: None, opener) as voices:
            trails = run_steps([Trail(draft) for draft in drafts], telling_steps(material, voices, 1))
            return trails, voices.models()

    with smollm2_server() as url:
        trails, models = told(replace(given.engines, base_url=url), open_engine)
    assert models["writer"] != []
    for trail in trails:
        assert not trail.pending
        assert len(trail.draft.named) == 2
        assert trail.reason is None or trail.reason.detail.startswith(("relation 1: ", "fact 1: ", "depth 1: "))
    assert told(given.engines, lambda name, _: StoredEngine(name, store)) == (trails, models)
