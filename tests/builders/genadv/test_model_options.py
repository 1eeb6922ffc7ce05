"""What the command line says of models: bad options stop before anything is written, a dry run tells calls and cost."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from builders.cli import main
from builders.engines import Engines
from builders.genadv.estimate import forecasts
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.voices import prompt_path
from builders.voices import Sampling, requests
from eval.models.engine import Reply
from eval.models.store import RequestStore
from loaders.records import Document, Provenance, Question

SAMPLE = Path(__file__).parents[3] / "builders" / "sample" / "genadv"
PAPERS = "openai:gpt-3.5-turbo-0125"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a function that builds the sample's NQ questions with more options, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def invoke(*options: str) -> Result:
        words = ["build", "genadv", "--source", "nq", "--input", str(SAMPLE / "nq.jsonl"), *options]
        return CliRunner().invoke(main, words)

    return SimpleNamespace(invoke=invoke, folder=tmp_path)


BAD = [
    (["--writer", "nobody:at-all"], "unknown engine 'nobody:at-all'"),
    (["--writer", "gpt-3.5-turbo"], "unknown engine 'gpt-3.5-turbo'"),
    (["--checker-gates"], "nobody is to check"),
    (["--writer", "scripted:nowhere.jsonl"], "nowhere.jsonl"),
    (["--writer", "openai:priced-by-nobody", "--max-usd", "1"], "needs the price of openai:priced-by-nobody"),
    (["--writer", PAPERS, "--prices", "nowhere.toml"], "nowhere.toml"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_a_bad_option_stops_before_anything_is_written(run: SimpleNamespace, options: list[str], message: str) -> None:
    result = run.invoke(*options, "--base-url", "http://127.0.0.1:9/v1")
    assert result.exit_code == 2
    assert message in result.output
    assert result.output.count("error: ") == 1
    assert list(run.folder.iterdir()) == []


def test_a_dry_run_tells_calls_and_cost_and_writes_nothing(run: SimpleNamespace) -> None:
    result = run.invoke("--writer", PAPERS, "--checker", "openai:gpt-4o", "--dry-run")
    assert result.exit_code == 0
    lines = {words[0]: words[1:] for line in result.output.splitlines() if (words := line.split())}
    calls = {name: lines[name][0] for name in ("answer_sentence", "adversarial_sentence", "adversarial_passage")}
    # Eight questions, six of them answerable: a passage for each, and a conflict for six.
    assert calls == {"answer_sentence": "8", "adversarial_sentence": "8", "adversarial_passage": "14"}
    assert lines["checker_infers_answer"][0] == lines["checker_contradicts_answer"][0] == "14"
    assert f"writer {PAPERS}, checker openai:gpt-4o" in result.output
    assert list(run.folder.iterdir()) == []


def test_a_dry_run_of_the_rules_has_no_cost(run: SimpleNamespace) -> None:
    result = run.invoke("--dry-run")
    assert "USD" not in result.output
    assert "writer rules" in result.output


def question(number: int) -> Question:
    documents = tuple(Document(f"d{i}", "", f"Town{number} lies by water {i}.") for i in range(5))
    return Question(f"q{number}", "", f"where is River{number}", (f"Town{number}",), documents)


def test_what_is_stored_is_not_paid_again_and_tokens_are_priced(tmp_path: Path) -> None:
    inputs = [([question(number) for number in range(10)], Provenance("nq", "nq", "ab" * 32, 10, "MIT"))]
    first = requests(
        PAPERS, prompt_path("answer_sentence"), [{"question": "where is River3", "answer": "Town3"}], Sampling(), 7
    )[0]
    with RequestStore(tmp_path / "requests") as store:
        store.put(first, Reply(first.key, "Town3.", "stop", 1, 1, "{}"))
    (tmp_path / "prices.toml").write_text(
        f'[[price]]\nmodel = "{PAPERS}"\ninput = 1\ncached_input = 1\noutput = 10\ndate = 2026-01-01\nsource = "us"\n'
    )

    engines = Engines(PAPERS, prices=tmp_path / "prices.toml")
    given = {"seed": 7, "limit": 8, "store": tmp_path / "requests"}
    sentence, rewritten, passage = forecasts(engines, inputs, GenADVRecipe(), **given)
    assert [(one.step, one.calls, one.stored) for one in (sentence, rewritten, passage)] == [
        ("answer_sentence", 8, 1),
        ("adversarial_sentence", 8, 0),
        ("adversarial_passage", 16, 0),
    ]
    assert sentence.usd == pytest.approx((sentence.prompt_tokens + 7 * 30 * 10) / 1e6)
    assert passage.usd == pytest.approx((passage.prompt_tokens + 16 * 130 * 10) / 1e6)
    assert passage.usd_bound == pytest.approx((passage.prompt_bound + 16 * 512 * 10) / 1e6)
    # The prompts that stand in for what is not written yet are about as long as real ones.
    assert 60 < passage.prompt_tokens / 16 < 120


def test_another_seed_finds_nothing_stored(tmp_path: Path) -> None:
    inputs = [([question(number) for number in range(3)], Provenance("nq", "nq", "ab" * 32, 3, "MIT"))]
    first = requests(
        PAPERS, prompt_path("answer_sentence"), [{"question": "where is River1", "answer": "Town1"}], Sampling(), 0
    )[0]
    with RequestStore(tmp_path) as store:
        store.put(first, Reply(first.key, "Town1.", "stop", 1, 1, "{}"))
    for seed, stored in ((0, 1), (1, 0)):
        found = forecasts(Engines(PAPERS), inputs, GenADVRecipe(), seed=seed, limit=None, store=tmp_path)
        assert found[0].stored == stored
