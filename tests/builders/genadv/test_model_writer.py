"""A build with a model writer: what is kept, what stays pending, what a second run asks, and that nothing is lost."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from builders.engines import Engines
from builders.genadv.build import Options, build
from builders.genadv.material import Input
from builders.genadv.show import print_artifact
from builders.genadv.tools import Tools
from builders.verify import problems, rebuild_problems
from eval.models.ledger import BudgetReachedError
from eval.models.store import RequestStore
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.genadv import Candidate, GenADVRow
from loaders.manifest import read_manifest

pytestmark = pytest.mark.model

SAMPLE = Path(__file__).parents[3] / "builders" / "sample" / "genadv"
SCRIPT = Path(__file__).with_name("good_writer.jsonl")
# The server is down for the passage of one case and the sentence of another.
DOWN = ("Claim: Ennio Morricone", "Original sentence: Arthur Rostron")
WRITER = Engines("toy:writer")
KEPT = [f"nq-sample-0{number}" for number in (1, 2, 4, 8)]


def says(down: Sequence[str] = ()) -> Callable[[str], str | None]:
    """Return a writer that replies by the script, and not at all to prompts with certain words."""
    rules = [json.loads(line) for line in SCRIPT.read_text("utf-8").splitlines()]

    def say(prompt: str) -> str | None:
        if any(words in prompt for words in down):
            return None
        return next((rule["reply"] for rule in rules if all(part in prompt for part in rule["contains"])), None)

    return say


class Quiet:
    """Hears how a build goes on."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int, str]] = []

    def start(self, config: str, cases: int | None) -> Callable[[int, bool], None]:
        return lambda count, found: None

    def asked(self, what: str, done: int, total: int, cost: str) -> None:
        self.heard.append((what, done, total, cost))


@dataclass(frozen=True)
class Built:
    folder: Path
    engine: Any
    heard: Quiet

    @property
    def manifest(self) -> dict[str, Any]:
        return read_manifest(self.folder)

    @property
    def config(self) -> dict[str, Any]:
        config: dict[str, Any] = self.manifest["configs"][0]
        return config

    def rows(self, split: str) -> list[GenADVRow]:
        return read_rows(self.folder, "nq", split, GenADVRow)

    def candidates(self, condition: str) -> dict[str, Candidate]:
        found = read_rows(self.folder, "nq_construction", "candidates", Candidate)
        return {candidate.id: candidate for candidate in found if candidate.condition == condition}

    def bytes(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file() and path.name != "build.json")
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in paths}


Make = Callable[..., Built]


@pytest.fixture(scope="module")
def make_build(make: SimpleNamespace, tools: Tools) -> Iterator[Make]:
    """Return a function that builds the sample's NQ questions in a folder; one engine stands for all that are named."""

    def run(folder: Path, say: Callable[[str], Any], engines: Engines = WRITER, **rest: Any) -> Built:
        options = Options(
            inputs=(Input("nq", "nq", SAMPLE / "nq.jsonl"),),
            out=folder / "out",
            home=folder / "home",
            engines=engines,
            **rest,
        )
        engine, heard = make.engine(say), Quiet()
        return Built(build(options, heard, opener=lambda name, _: engine), engine, heard)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builders.genadv.build.open_tools", lambda *_: tools)
        patch.setattr("cards.pages.draw_figures", lambda *_: None)  # drawing takes longer than building
        yield run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("build")


@pytest.fixture(scope="module")
def undisturbed(make_build: Make, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A build in which every call is answered."""
    return make_build(tmp_path_factory.mktemp("undisturbed"), says())


def test_failed_calls_stay_pending_and_are_all_that_a_second_run_asks(
    make_build: Make, folder: Path, undisturbed: Built
) -> None:
    first = make_build(folder, says(DOWN))
    assert problems(first.folder) == []
    assert first.config["pending"] == 2
    steps = {step["step"]: step for step in first.config["funnel"]["adversarial"]}
    assert (steps["passage"]["pending"], steps["adversarial_sentence"]["pending"]) == (1, 1)
    assert [row.id for row in first.rows("adversarial")] == KEPT
    pending = [one for one in first.candidates("adversarial").values() if one.status == "pending"]
    assert [one.id for one in pending] == ["nq-sample-03", "nq-sample-07"]
    assert all(one.verdicts[-1].evidence.startswith("no reply to request ") for one in pending)

    shown = io.StringIO()
    print_artifact(first.folder, Console(file=shown, width=200))
    assert "2 candidates are pending" in shown.getvalue()

    second = make_build(folder, says())
    prompts = [request.messages[0].content for request in second.engine.asked]
    assert len(prompts) == 3
    for prompt, words in zip(prompts, (DOWN[1], *DOWN[:1], "Claim: Stanley Lord"), strict=True):
        assert words in prompt
    assert second.config["pending"] == 0
    assert second.bytes() == undisturbed.bytes()

    third = make_build(folder, says())
    assert third.engine.asked == []
    assert third.bytes() == undisturbed.bytes()


def test_what_a_model_wrote_is_in_the_rows(undisturbed: Built) -> None:
    assert problems(undisturbed.folder) == []
    adversarial, conflict = undisturbed.rows("adversarial"), undisturbed.rows("conflict")
    assert [row.id for row in adversarial] == sorted([*KEPT, "nq-sample-03", "nq-sample-07"])
    assert [row.id for row in conflict] == [f"nq-sample-0{number}" for number in (1, 2, 3)]
    assert {row.writer for row in (*adversarial, *conflict)} == {"toy:writer"}
    assert [row.conflict_answer for row in conflict] == ["Arne Jacobsen", "May 19, 1879", "Leonhard Euler"]
    first = adversarial[0].documents[adversarial[0].inserted_at]
    assert (first.title, first.kind, first.holds_answer, first.rank) == ("Carlos Ott", "adversarial", False, 0)
    assert first.text.startswith(
        "Carlos Ott, an architect born in Montevideo, designed the Opéra Bastille in Paris. The"
    )
    assert {row.writer for row in undisturbed.rows("random")} == {"none"}


def test_what_was_rejected_says_why_and_shows_what_was_written(undisturbed: Built) -> None:
    adversarial, conflict = undisturbed.candidates("adversarial"), undisturbed.candidates("conflict")
    assert {id: one.reason for id, one in adversarial.items() if one.reason} == {
        "nq-sample-05": "too_few_entities",
        "nq-sample-06": "answer_missing",
    }
    assert conflict["nq-sample-04"].reason == "passage_too_short"
    assert conflict["nq-sample-04"].passage == "The Atlantic Ocean flows through the middle of Budapest."
    key = adversarial["nq-sample-01"].verdicts[0].evidence.removeprefix("request ")
    assert key in {request.key for request in undisturbed.engine.asked}


def test_manifest_and_part_know_who_wrote_and_how(undisturbed: Built, make_build: Make, tmp_path: Path) -> None:
    manifest = undisturbed.manifest
    assert manifest["writer"] == "toy:writer"
    assert manifest["writer_sampling"] == {"temperature": 1.0, "top_p": 1.0, "max_tokens": 512}
    assert set(manifest["prompts"]) == {"answer_sentence", "adversarial_sentence", "adversarial_passage"}
    assert undisturbed.config["models"] == {"writer": ["toy-1"]}
    assert {request.seed for request in undisturbed.engine.asked} == {0}
    (part,) = (undisturbed.folder.parents[2] / "home" / "parts").iterdir()

    other = make_build(
        undisturbed.folder.parents[2], says(), Engines("toy:writer"), seed=1, limit=1, version="0.0.0.dev1"
    )
    assert other.manifest["recipe_sha256"] != manifest["recipe_sha256"]
    assert {request.seed for request in other.engine.asked} == {1}
    assert len(list(part.parent.iterdir())) == 2


def test_all_cases_of_a_shard_are_asked_at_once_and_progress_is_told(undisturbed: Built) -> None:
    first = [heard for heard in undisturbed.heard.heard if heard[0] == "answer_sentence"]
    assert first == [("answer_sentence", done, 8, "cost unknown") for done in range(1, 9)]
    assert {what for what, *_ in undisturbed.heard.heard} == set(undisturbed.manifest["prompts"])


def test_a_rebuild_takes_every_reply_from_the_store(undisturbed: Built, tmp_path: Path) -> None:
    home = undisturbed.folder.parents[2] / "home"
    assert rebuild_problems(undisturbed.folder, home) == []
    with pytest.raises(DecoyQAError, match=r"cannot rebuild: .* holds no reply of toy:writer to [0-9a-f]{64}"):
        rebuild_problems(undisturbed.folder, tmp_path)


def test_pending_candidates_cannot_be_rebuilt(make_build: Make, tmp_path: Path) -> None:
    found = make_build(tmp_path, says(["bury pompeii"]), limit=6)
    with pytest.raises(DecoyQAError, match=r"cannot rebuild: 2 candidates of .* are pending"):
        rebuild_problems(found.folder, tmp_path / "home")


PRICE = """
[[price]]
model = "toy:writer"
input = 1000.0
cached_input = 1000.0
output = 1000.0
date = 2026-01-01
source = "tests"
"""


def test_a_budget_stops_the_build_before_an_artifact_and_loses_nothing(
    make_build: Make, undisturbed: Built, tmp_path: Path
) -> None:
    (tmp_path / "prices.toml").write_text(PRICE)
    paid = Engines("toy:writer", max_usd=2.0, prices=tmp_path / "prices.toml")
    with pytest.raises(BudgetReachedError, match="max-usd"):
        make_build(tmp_path, says(), paid)
    assert not (tmp_path / "out").exists()
    store = RequestStore(tmp_path / "home" / "requests")
    stored = {request.key for request in undisturbed.engine.asked if request.key in store}
    assert 1 < len(stored) < len(undisturbed.engine.asked)

    rest = make_build(tmp_path, says(), Engines("toy:writer", max_usd=100.0, prices=tmp_path / "prices.toml"))
    assert stored.isdisjoint(request.key for request in rest.engine.asked)
    assert len(stored) + len(rest.engine.asked) == len(undisturbed.engine.asked)
    assert rest.bytes() == undisturbed.bytes()


def test_a_model_that_only_refuses_leaves_the_splits_out(make_build: Make, tmp_path: Path) -> None:
    found = make_build(tmp_path, lambda prompt: "I'm sorry, but I can't.")
    assert problems(found.folder) == []
    assert found.config["left_out"] == ["adversarial", "conflict"]
    assert found.config["funnel"]["adversarial"][0]["rejected"] == {"refusal": 8}
    assert {"retrieved", "random", "topk"} == set(found.config["rows"])


def with_opinions(prompt: str) -> str | None:
    """Write by the script; as a checker find that Vltava gives the answer away and that nothing contradicts it."""
    if "Judge a passage" in prompt:
        infers = "work it out?" in prompt and "Vltava" in prompt
        return json.dumps({"quote": "", "verdict": "yes" if infers else "no"})
    return says()(prompt)


def test_a_checker_records_and_rejects_nothing_until_it_may(
    make_build: Make, undisturbed: Built, tmp_path: Path
) -> None:
    found = make_build(tmp_path, with_opinions, Engines("toy:writer", "toy:checker"))
    assert problems(found.folder) == []
    for split in ("adversarial", "conflict", "random", "topk"):
        assert found.rows(split) == undisturbed.rows(split)
    said = {name: {"no": 6} for name in ("checker_infers_answer", "checker_contradicts_answer")}
    assert found.config["opinions"]["adversarial"] == said | {"checker_infers_answer": {"no": 5, "yes": 1}}
    assert found.config["models"] == {"checker": ["toy-1"], "writer": ["toy-1"]}
    assert len(found.manifest["prompts"]) == 5
    assert (found.manifest["checker_gates"], found.manifest["checker_sampling"]["temperature"]) == (False, 0.0)
    assert rebuild_problems(found.folder, tmp_path / "home") == []
    recorded = found.manifest["recipe_sha256"]

    gated = make_build(tmp_path, with_opinions, Engines("toy:writer", "toy:checker", checker_gates=True))
    assert gated.engine.asked == []
    assert problems(gated.folder) == []
    assert gated.candidates("adversarial")["nq-sample-04"].reason == "checker_infers_answer"
    assert len(gated.rows("adversarial")) == len(undisturbed.rows("adversarial")) - 1
    assert {one.reason for id, one in gated.candidates("conflict").items() if id[-1] in "123"} == {
        "checker_no_contradiction"
    }
    assert gated.config["left_out"] == ["conflict"]
    assert gated.manifest["recipe_sha256"] != recorded


def test_a_checker_of_the_rules(make_build: Make, tmp_path: Path) -> None:
    found = make_build(tmp_path, with_opinions, Engines("rules", "toy:checker"), limit=3)
    assert problems(found.folder) == []
    assert all("Judge a passage" in request.messages[0].content for request in found.engine.asked)
    kept = [one for name in ("adversarial", "conflict") for one in found.candidates(name).values() if not one.reason]
    assert kept
    assert all([verdict.verdict for verdict in one.verdicts[-2:]] == ["no", "no"] for one in kept)
    assert {one.writer for one in kept} == {"rules"}
    assert found.config["models"] == {"checker": ["toy-1"]}
