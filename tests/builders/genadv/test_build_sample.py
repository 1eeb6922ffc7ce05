"""The sample sources and a few odd rows, built with the real models: what must hold of every artifact."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import builders
from builders.genadv.build import Options, build
from builders.genadv.material import Input
from builders.genadv.passages import overlap
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.show import print_artifact
from builders.verify import problems
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.manifest import read_manifest

pytestmark = pytest.mark.model

ROOT = Path(builders.__file__).parents[1]
SAMPLE = ROOT / "builders" / "sample" / "genadv"
SOURCES = ("nq", "tqa", "webq", "popqa")
RECIPE = GenADVRecipe()
TEXT = "Passage {} tells of rivers and of nothing else that anybody asked about here."
ODD: list[dict[str, Any]] = [
    {"id": "no-documents", "question": "where is Oslo", "answers": ["Norway"]},
    {"id": "no-answers", "question": "where is Oslo", "answers": ["---", "@"], "ctxs": [{"text": "Oslo."}]},
    {"id": "two", "question": "where is Oslo", "answers": ["Norway", "norway"], "ctxs": ["Oslo is in Norway.", TEXT]},
    {
        "id": "gaps",
        "question": "where is Turku",
        "answers": ["Finland"],
        "ctxs": [{"id": n, "title": "", "text": "" if n in (2, 6) else TEXT.format(n)} for n in range(1, 10)],
    },
]


@dataclass
class Heard:
    """What a build told of its progress: (config, cases, whether they were found in the cache)."""

    shards: list[tuple[str, int, bool]] = field(default_factory=list)

    def start(self, config: str, cases: int | None) -> Callable[[int, bool], None]:
        return lambda count, found: self.shards.append((config, count, found))

    def asked(self, what: str, done: int, total: int, cost: str) -> None:
        raise AssertionError("the rules ask nobody")


@dataclass(frozen=True)
class Built:
    """An artifact, its options, and what was heard while it was made."""

    folder: Path
    options: Options
    heard: Heard

    def rows(self, config: str, split: str) -> list[GenADVRow]:
        found = self.folder / config
        return read_rows(self.folder, config, split, GenADVRow) if any(found.glob(f"{split}-*")) else []

    def candidates(self) -> list[tuple[str, Candidate]]:
        return [
            (name, candidate)
            for name in (*SOURCES, "odd")
            for candidate in read_rows(self.folder, f"{name}_construction", "candidates", Candidate)
        ]

    def bytes(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file() and path.name != "build.json")
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in paths}


def built(inputs: Sequence[Input], out: Path, home: Path, **rest: Any) -> Built:
    options, heard = Options(inputs=tuple(inputs), out=out, home=home, **rest), Heard()
    return Built(build(options, heard), options, heard)


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sample and the odd rows, built with empty caches."""
    folder = tmp_path_factory.mktemp("first")
    odd = folder / "odd.jsonl"
    odd.write_text("".join(json.dumps(row) + "\n" for row in ODD), encoding="utf-8")
    inputs = [*(Input(name, name, SAMPLE / f"{name}.jsonl") for name in SOURCES), Input("webq", "odd", odd)]
    return built(inputs, folder / "out", folder / "home")


def test_everything_that_verify_checks(artifact: Built) -> None:
    assert problems(artifact.folder) == []


def test_progress_adds_up(artifact: Built) -> None:
    assert artifact.heard.shards == [*((name, 8, False) for name in SOURCES), *[("odd", 2, False)] * 2]


def test_every_question_is_in_retrieved_and_decoys_were_made(artifact: Built) -> None:
    for name in SOURCES:
        assert len(artifact.rows(name, "retrieved")) == len(artifact.rows(name, "topk")) == 8
        assert artifact.rows(name, "adversarial")
        assert artifact.rows(name, "conflict")
        assert sum(row.answerable for row in artifact.rows(name, "retrieved")) == 6


def test_the_odd_rows(artifact: Built) -> None:
    two, gaps = artifact.rows("odd", "retrieved")
    assert (two.id, two.answers, len(two.documents), two.answerable) == ("two", ("Norway",), 2, True)
    assert [document.rank for document in gaps.documents] == [1, 3, 4, 5, 7]
    (topk,) = artifact.rows("odd", "topk")
    assert topk.documents[topk.inserted_at].rank == 8
    facts = {config["name"]: config for config in read_manifest(artifact.folder)["configs"]}["odd"]
    assert facts["questions"] == 4
    assert facts["cases"] == 2
    assert facts["recall"] == facts["unanswerable_share"] == 0.5
    assert facts["documents_per_case"] == {"2": 1, "5": 1}
    assert facts["next_rank"] == {"8": 1}
    assert facts["dropped_answers"] == {"duplicate_answer": 1, "empty_after_normalising": 2}
    assert facts["funnel"]["retrieved"][0]["rejected"] == {"no_answer": 1, "no_documents": 1}
    assert {"adversarial", "conflict"} <= set(facts["left_out"])


def test_the_counts_of_every_step_add_up(artifact: Built) -> None:
    for config in read_manifest(artifact.folder)["configs"]:
        assert set(config["funnel"]) == set(SPLITS)
        for condition, steps in config["funnel"].items():
            assert steps[0]["entered"] == (config["questions"] if condition == "retrieved" else config["cases"])
            for step, following in zip(steps, [*steps[1:], None], strict=True):
                assert step["entered"] == step["kept"] + step["pending"] + sum(step["rejected"].values())
                assert following is None or following["entered"] == step["kept"]
            assert steps[-1]["kept"] == config["rows"].get(condition, 0)


def test_every_candidate_is_there_and_every_rejected_one_has_its_reason(artifact: Built) -> None:
    found = artifact.candidates()
    counts = Counter((config, candidate.condition) for config, candidate in found)
    assert all(counts[name, condition] == 8 for name in SOURCES for condition in SPLITS[1:])
    assert counts["odd", "retrieved"] == 2
    for config, candidate in found:
        last = candidate.verdicts[-1]
        assert all(verdict.verdict == "pass" for verdict in candidate.verdicts[:-1])
        if candidate.status == "rejected":
            assert re.fullmatch(r"[a-z]+(?:_[a-z]+)*", candidate.reason)
            assert last.verdict == "fail"
            assert last.evidence.startswith(f"{candidate.reason}: ")
        else:
            assert (candidate.status, candidate.reason, last.verdict) == ("kept", "", "pass")
            assert candidate.id in {row.id for row in artifact.rows(config, candidate.condition)}


def test_what_was_written(artifact: Built) -> None:
    for config, candidate in artifact.candidates():
        if candidate.status != "kept" or candidate.writer == "none":
            continue
        case = next(row for row in artifact.rows(config, "retrieved") if row.id == candidate.id)
        assert candidate.writer == "rules"
        assert RECIPE.min_passage_words <= len(candidate.passage.split()) <= RECIPE.max_passage_words
        assert candidate.replacements
        assert all(
            candidate.statement[found.start : found.end] == found.text != found.replacement
            for found in candidate.replacements
        )
        assert all(found.similarity is None or found.similarity <= 0.8 for found in candidate.replacements)
        if candidate.condition == "conflict":
            (new,) = {found.replacement for found in candidate.replacements}
            assert new in candidate.passage
            assert case.answerable
            assert len(set(candidate.document_ids)) >= RECIPE.min_conflict_documents
            assert all(overlap(candidate.passage, document) < 0.6 for document in case.documents)
        else:
            assert len(candidate.replacements) >= RECIPE.min_entities


def test_random_documents_come_from_other_questions(artifact: Built) -> None:
    for name in SOURCES:
        own = {row.id: {d.text for d in row.documents} for row in artifact.rows(name, "retrieved")}
        everything = {text for texts in own.values() for text in texts}
        for row in artifact.rows(name, "random"):
            assert row.documents[row.inserted_at].text in everything - own[row.id]


def test_slots_are_shared_by_all_conditions(artifact: Built) -> None:
    slots = [
        {row.id: row.inserted_at for row in artifact.rows(name, split)} for name in SOURCES for split in SPLITS[1:]
    ]
    for name in SOURCES:
        ids = {row.id for row in artifact.rows(name, "retrieved")}
        assert all(len({found[id] for found in slots if id in found}) == 1 for id in ids)
    assert {slot for found in slots for slot in found.values()} == {0, 1, 2, 3, 4, 5}


def test_the_output_names_the_writer_and_says_that_it_invents(artifact: Built, tmp_path: Path) -> None:
    with (tmp_path / "shown").open("w", encoding="utf-8") as file:
        print_artifact(artifact.folder, Console(file=file, width=200))
    shown = (tmp_path / "shown").read_text("utf-8")
    assert "writer: rules" in shown
    assert "invented" in shown
    assert "config odd: no split" in shown
    assert str(artifact.folder) in shown
    assert "no_documents 1" in shown
    card = (artifact.folder / "README.md").read_text("utf-8")
    assert "rules" in card
    assert "invented" in card


def test_the_same_bytes_from_a_warm_cache_in_another_order(artifact: Built, tmp_path: Path) -> None:
    again = built(artifact.options.inputs[::-1], tmp_path / "elsewhere", artifact.options.home)
    assert all(found for config, _, found in again.heard.shards if config != "odd")  # two of `odd` are turned away anew
    assert again.bytes() == artifact.bytes()


def test_the_same_bytes_from_a_cold_cache_and_moved_sources(artifact: Built, tmp_path: Path) -> None:
    shuffled = [artifact.options.inputs[i] for i in (2, 4, 0, 3, 1)]
    moved = [
        Input(given.source, given.config, Path(shutil.copy(given.path, tmp_path / f"{given.config}.copy")))
        for given in shuffled
    ]
    again = built(moved, tmp_path / "elsewhere", tmp_path / "home")
    assert not any(found for _, _, found in again.heard.shards)
    assert again.bytes() == artifact.bytes()


def test_another_seed_is_another_recipe_over_the_same_questions(artifact: Built, tmp_path: Path) -> None:
    odd = next(given for given in artifact.options.inputs if given.config == "odd")
    twice = [built([odd], tmp_path / str(seed), artifact.options.home, seed=seed) for seed in (0, 1)]
    assert twice[0].rows("odd", "retrieved") == twice[1].rows("odd", "retrieved")
    assert read_manifest(twice[0].folder)["recipe_sha256"] != read_manifest(twice[1].folder)["recipe_sha256"]


def test_a_released_version_stands(artifact: Built, tmp_path: Path) -> None:
    odd = next(given for given in artifact.options.inputs if given.config == "odd")
    first = built([odd], tmp_path, artifact.options.home, version="1.0.0")
    before = first.bytes()
    with pytest.raises(DecoyQAError, match="never overwritten"):
        built([odd], tmp_path, artifact.options.home, version="1.0.0")
    assert first.bytes() == before


KILLED = """
import os, signal, sys
from pathlib import Path
from builders.genadv import part
from builders.genadv.build import Options, build
from builders.genadv.material import Input

folder, kill_at = Path(sys.argv[1]), int(sys.argv[2])
part.CASES_PER_SHARD = 4
make, calls = part.make_candidates, []

def make_and_die(*given):
    found = make(*given)
    calls.append(1)
    if len(calls) == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return found

class Told:
    def start(self, config, cases):
        return lambda count, found: print(config, count, "found" if found else "made", flush=True)

    def asked(self, *_):
        pass

part.make_candidates = make_and_die
inputs = tuple(Input(name, name, Path("builders/sample/genadv", f"{name}.jsonl")) for name in ("popqa", "nq"))
build(Options(inputs=inputs, out=folder / "out", home=folder / "home"), Told())
"""


def test_a_killed_build_goes_on_and_makes_no_shard_again(artifact: Built, tmp_path: Path) -> None:
    for name in ("builders", "loaders", "eval", "cards"):
        shutil.copytree(ROOT / name, tmp_path / name)  # code that is edited meanwhile would be another part
    shutil.copytree(artifact.options.home / "vectors", tmp_path / "home" / "vectors")

    def run(kill_at: int) -> tuple[int, list[str]]:
        words = [sys.executable, "-c", KILLED, str(tmp_path), str(kill_at)]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    assert run(3) == (-9, ["popqa 4 made", "popqa 4 made"])
    assert not (tmp_path / "out").exists()
    assert run(0) == (0, ["popqa 4 found", "popqa 4 found", "nq 4 made", "nq 4 made"])
    resumed = Built(tmp_path / "out" / "genadv" / "0.0.0.dev0", artifact.options, Heard())
    assert problems(resumed.folder) == []
    assert [path.name for path in resumed.folder.parent.iterdir()] == ["0.0.0.dev0"]
    # Neither the kill nor the size of the shards shows in the rows.
    whole, after = (
        {name: data for name, data in one.bytes().items() if re.match(r"(?:nq|popqa)(?:_\w+)?/", name)}
        for one in (artifact, resumed)
    )
    assert after == whole
