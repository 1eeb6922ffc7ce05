"""What a run costs, from the command line: estimates, limits, prices of one's own; a paid engine that is none."""

import json
import re
from collections.abc import Iterable, Iterator

import pytest
from base_items import base_item
from click.testing import CliRunner

from builders.cli import main
from eval.models.engine import Failure, Reply, Request, open_engine

PRICES = """
[[price]]
model = "paid:m"
input = 100.0
cached_input = 50.0
output = 1000.0
date = 2026-11-29
source = "made up"
"""


class Paid:
    """Says `Town1` to everything: 500 tokens in, 2 out."""

    identity, runtime = "paid:m", "paid"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for one in requests:
            self.asked.append(one.key)
            yield Reply(one.key, "Town1", "stop", 500, 2, "{}")

    def close(self) -> None: ...

    def __enter__(self) -> "Paid":
        return self

    def __exit__(self, *_: object) -> None: ...


COST = (500 * 100 + 2 * 1000) / 1e6


@pytest.fixture
def paid(monkeypatch):
    engine = Paid()

    def opened(name, options):
        return engine if name == "paid:m" else open_engine(name, options)

    for place in ("eval.run", "builders.audit"):
        monkeypatch.setattr(f"{place}.open_engine", opened)
    return engine


@pytest.fixture
def decoyqa(tmp_path, monkeypatch):
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prices.toml").write_text(PRICES)
    return lambda *words: CliRunner().invoke(main, list(map(str, words)))


def table(output):
    """Rows of an estimate by name."""
    rows = [re.split(r" {2,}", line.strip()) for line in output.splitlines() if re.search(r"(\d|unknown) *$", line)]
    return {row[0]: row[1:] for row in rows}


def test_a_dry_run_says_what_each_prompt_and_condition_costs_and_writes_nothing(
    decoyqa, paid, small_artifact, tmp_path
):
    before = sorted(tmp_path.rglob("*"))
    words = [
        "eval",
        small_artifact,
        "--model",
        "paid:m",
        "--config",
        "nq",
        "--prompt",
        "normal",
        "--prices",
        "prices.toml",
    ]
    found = decoyqa(*words, "--dry-run")
    assert found.exit_code == 0, found.output
    rows = table(found.stdout)
    assert list(rows) == [
        f"normal, {split}" for split in ("retrieved", "adversarial", "conflict", "random", "topk")
    ] + ["all"]
    calls, stored, _, tokens_in, tokens_out, _, dollars = rows["all"]
    assert (stored, tokens_out) == ("0", f"{64 * int(calls):,}")
    exact = (int(tokens_in.replace(",", "")) * 100 + 64 * int(calls) * 1000) / 1e6
    assert exact <= float(dollars) < exact + 0.00011
    assert paid.asked == []
    assert sorted(tmp_path.rglob("*")) == before


def test_the_printed_bound_is_enough_and_a_lower_one_stops_and_goes_on(decoyqa, paid, small_artifact):
    words = ["eval", small_artifact, "--model", "paid:m", "--prompt", "closed-book", "--prices", "prices.toml"]
    calls, _, _, _, _, _, dollars = table(decoyqa(*words, "--dry-run").stdout)["all"]
    assert int(calls) == 5  # both configs ask the same
    stopped = decoyqa(*words, "--max-usd", 0.2)
    assert stopped.exit_code == 2
    done = len(paid.asked)
    assert 0 < done < 5
    (line,) = [line for line in stopped.stderr.splitlines() if line.startswith("error:")]
    assert f"${done * COST:.4f} of $0.2000 spent, {done} of 5 calls are done and stored" in line
    assert stopped.stdout == ""
    rest = table(decoyqa(*words, "--dry-run").stdout)["all"]
    assert rest[:2] == ["5", str(done)]
    finished = decoyqa(*words, "--max-usd", dollars)
    assert finished.exit_code == 0, finished.output
    assert len(paid.asked) == 5
    assert finished.stdout.splitlines()[-1].endswith(f"0 pending, ${(5 - done) * COST:.4f} of ${float(dollars):.4f}")
    assert f"replies: 5 of 5, ${(5 - done) * COST:.4f} of" in finished.stderr


def test_a_limit_needs_a_price_and_without_one_the_cost_is_unknown(decoyqa, paid, small_artifact, tmp_path):
    words = ["eval", small_artifact, "--model", "paid:m", "--prompt", "closed-book"]
    refused = decoyqa(*words, "--max-usd", 1)
    assert refused.exit_code == 2
    assert re.fullmatch(r"error: --max-usd needs the price of paid:m, .*--prices FILE.*", refused.stderr.strip())
    assert (paid.asked, (tmp_path / "home").exists()) == ([], False)
    assert table(decoyqa(*words, "--dry-run").stdout)["all"][-2:] == ["unknown", "unknown"]
    found = decoyqa(*words)
    assert found.exit_code == 0
    assert found.stdout.splitlines()[-1].endswith("0 pending, cost unknown")


def test_prices_of_ones_own_by_the_environment(decoyqa, paid, small_artifact, monkeypatch):
    words = ["eval", small_artifact, "--model", "paid:m", "--prompt", "closed-book", "--max-usd", 5]
    monkeypatch.setenv("DECOYQA_PRICES", "prices.toml")
    assert decoyqa(*words).exit_code == 0
    monkeypatch.setenv("DECOYQA_PRICES", "none.toml")
    refused = decoyqa(*words)
    assert (refused.exit_code, "none.toml: expected a readable table" in refused.stderr) == (2, True)


@pytest.mark.parametrize("amount", ["-1", "nan", "much"])
def test_a_limit_that_is_no_amount(decoyqa, small_artifact, amount):
    found = decoyqa("eval", small_artifact, "--model", "scripted:x", "--max-usd", amount)
    assert found.exit_code == 2
    assert "max-usd" in found.stderr


def test_an_audit_is_estimated_by_condition_and_for_its_judge(decoyqa, paid, tmp_path):
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(base_item(name)) + "\n" for name in ("Zig", "Zag")))
    words = ["audit", "mine.jsonl", "--model", "paid:m", "--judge", "paid:m", "--prices", "prices.toml", "--out", "run"]
    rows = table(decoyqa(*words, "--dry-run").stdout)
    assert list(rows) == ["full", "drop_one", "control", "judge", "all"]
    # Both Controls of an item take the same sentence away: one prompt.
    assert [rows[name][0] for name in rows] == ["2", "4", "2", "8", "16"]
    assert [rows[name][4] for name in ("full", "judge")] == ["128", "2,048"]
    dollars = rows["all"][-1]
    assert paid.asked == []
    assert not (tmp_path / "home").exists()
    found = decoyqa(*words, "--max-usd", dollars)
    assert found.exit_code == 0, found.output
    # Eight replies say the same of two questions: two verdicts.
    assert len(paid.asked) == 10
    assert found.stdout.splitlines()[-1] == f"cost: ${10 * COST:.4f} of ${float(dollars):,.2f}"
    again = table(decoyqa(*words, "--dry-run").stdout)
    assert [again[name][:2] for name in ("full", "judge", "all")] == [["2", "2"], ["2", "2"], ["10", "10"]]
    assert again["all"][-1] == "0.0000"
