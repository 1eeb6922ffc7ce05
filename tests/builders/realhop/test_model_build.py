"""Whole builds with models: who said what is on record, nothing is asked twice, pending ones again, kills, cost."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kills import Logged, killed_builds
from realhop_planner import CHECKER, PLANNER
from realhop_small import content as files
from realhop_small import options, sample_rows, write_rows
from realhop_voices import (
    CHECKS,
    GATES,
    WRITES,
    Built,
    Listener,
    asked_question,
    build_with,
    content,
    opinion,
    planned,
    plans_well,
)

from builders.cli import main
from builders.engines import Engines
from builders.progress import Silent
from builders.realhop.build import build
from builders.verify import problems, rebuild_problems
from eval.models.ledger import BudgetReachedError
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

pytestmark = pytest.mark.model

KILLS = int(os.environ.get("DECOYQA_KILLS", "3"))
# Planned, planned after a repair, a lie that stays, a call that fails, and one that cannot be rebound.
GOOD, MENDED, LIAR, LOST, UNFIT = (f"2hop__sample_{n}" for n in ("01", "02", "03", "04", "16"))
QUESTIONS = {row["id"]: row["question"] for row in sample_rows((GOOD, MENDED, LIAR, LOST, UNFIT))}


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)


def items(folder: Path, *ids: str) -> Path:
    """Write some of the sample's items into a file."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_rows(folder / "items.jsonl", list(sample_rows(ids)))


def lies(heard: str) -> str:
    """Plan well, but for one item whose question is changed, and one that is planned well at the second try."""
    question, repaired = asked_question(heard), "This plan has faults" in heard
    if question == QUESTIONS[LIAR] or (question == QUESTIONS[MENDED] and not repaired):
        return json.dumps({**planned(question), "question": "Who wrote {c1}?"})
    return plans_well(heard)


def loses(heard: str) -> str | None:
    return None if asked_question(heard) == QUESTIONS[LOST] else lies(heard)


def test_kept_rejected_and_pending_items_are_on_record_and_only_the_pending_is_asked_again(tmp_path: Path) -> None:
    path = items(tmp_path, GOOD, MENDED, LIAR, LOST, UNFIT)
    first = build_with(path, tmp_path, loses)
    assert first.outcomes == {
        GOOD: "kept",
        MENDED: "kept",
        LIAR: "question_changed",
        LOST: "pending",
        UNFIT: "not_rebindable",
    }
    assert first.config["pending"] == 1
    assert first.config["models"] == {"checker": ["toy:checker-1"], "writer": ["toy:planner-1"]}
    assert (first.manifest["writer"], first.manifest["checker"], first.manifest["checker_gates"]) == (
        PLANNER,
        CHECKER,
        False,
    )
    assert {row.writer for row in first.rows()} == {PLANNER}
    # Two turns for one item, three for the liar, one for each of two others; nothing for what no plan fits.
    assert len(first.asked[PLANNER]) == 2 + 3 + 1 + 1
    assert problems(first.folder) == []
    with pytest.raises(DecoyQAError, match=r"cannot rebuild: 1 items of .* are pending"):
        rebuild_problems(first.folder, tmp_path / "home")

    second = build_with(path, tmp_path, lies)
    assert [asked_question(heard) for heard in second.asked[PLANNER]] == [QUESTIONS[LOST]]
    assert second.outcomes[LOST] == "kept"
    assert problems(second.folder) == []
    assert rebuild_problems(second.folder, tmp_path / "home") == []
    fresh = build_with(items(tmp_path / "fresh", *QUESTIONS), tmp_path / "fresh", lies)
    assert files(second.folder) == files(fresh.folder)
    again = build_with(path, tmp_path, lambda heard: None, lambda heard: None)
    assert again.asked == {PLANNER: [], CHECKER: []}
    assert files(again.folder) == files(second.folder)


def test_another_seed_gives_other_names_and_plans_again_what_was_said(tmp_path: Path) -> None:
    path = items(tmp_path, GOOD, MENDED, LIAR)
    first = build_with(path, tmp_path, lies, engines=WRITES)
    other = build_with(path, tmp_path, lambda heard: None, engines=WRITES, seed=1, version="0.0.0.dev1")
    assert other.asked == {PLANNER: []}
    assert other.outcomes == first.outcomes
    for one, two in zip(first.rows(), other.rows(), strict=True):
        assert one.answer != two.answer
        assert one.question != two.question
        assert [(hop.depends_on, len(hop.units)) for hop in one.hops] == [
            (hop.depends_on, len(hop.units)) for hop in two.hops
        ]


PATHS = ("s1a", "s1b", "f1", "s2a", "s2b", "f2")  # of a chain of two, as a checker is asked about them


def finds(*branches: str) -> Callable[[str], str]:
    """Return a checker that finds the relation that some paths of the first item are to miss in what they say."""
    claims: list[str] = []

    def say(heard: str) -> str:
        if "\nClaim: " in heard and heard not in claims:
            claims.append(heard)
        wrong = heard in [claims[PATHS.index(one)] for one in branches if PATHS.index(one) < len(claims)]
        return opinion("yes") if wrong else content(heard)

    return say


def said(built: Built) -> dict[str, str]:
    verdicts = built.items[GOOD].verdicts
    return {path: one.verdict for one in verdicts for path in PATHS if one.gate == f"semantic competitor {path}"}


def paths(built: Built) -> set[str]:
    return {path.branch_id for row in built.rows() for path in row.competitors if path.break_hop}


def test_a_checkers_word_is_recorded_and_prunes_only_where_it_may(tmp_path: Path) -> None:
    path = items(tmp_path, GOOD)
    objections = dict.fromkeys(PATHS, "no") | {"s1a": "yes"}
    told = build_with(path, tmp_path, checker=finds("s1a"))
    assert (told.outcomes, told.config["dropped_paths"]) == ({GOOD: "kept"}, {})
    assert (said(told), paths(told)) == (objections, set(PATHS))
    assert told.config["opinions"]["item"]["semantic competitor"] == {"no": 5, "yes": 1}

    gated = build_with(path, tmp_path, checker=finds("s1a"), engines=GATES)
    assert gated.outcomes == {GOOD: "kept"}
    assert (said(gated), paths(gated)) == (objections, set(PATHS) - {"s1a"})
    assert gated.items[GOOD].dropped_paths == ("s1a: competitor_entails",)
    assert gated.config["dropped_paths"] == {"competitor_entails": 1}
    assert all("Claim: " not in heard for heard in gated.asked[CHECKER])  # stored, and the other paths stay as they are
    assert gated.manifest["checker_gates"]
    assert problems(gated.folder) == []
    assert rebuild_problems(gated.folder, tmp_path / "home") == []


def test_an_item_whose_hop_loses_its_strict_paths_or_its_gold_is_rejected_by_name(tmp_path: Path) -> None:
    path = items(tmp_path, GOOD, MENDED)

    def unsupported(heard: str) -> str:
        return opinion("no") if "lead to the answer above" in heard and "spouse" in heard else both(heard)

    both = finds("s1a", "s1b")
    with pytest.raises(DecoyQAError, match="no item was kept: no_strict_path 1, gold_unsupported 1; what models said"):
        build_with(path, tmp_path, checker=unsupported, engines=GATES)
    assert build_with(path, tmp_path, checker=unsupported).outcomes == {GOOD: "kept", MENDED: "kept"}


def test_a_budget_stops_the_build_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    path, prices = items(tmp_path, GOOD, MENDED), tmp_path / "prices.toml"
    priced = '[[price]]\nmodel = "{}"\ninput = 1\ncached_input = 1\noutput = {}\ndate = 2026-01-01\nsource = "us"\n'
    prices.write_text(priced.format(PLANNER, 10) + priced.format(CHECKER, 30))
    with pytest.raises(BudgetReachedError, match="goes on from there and pays for nothing twice"):
        build_with(path, tmp_path, engines=Engines(PLANNER, CHECKER, max_usd=0.02, prices=prices))
    assert not (tmp_path / "out").exists()
    stored = len(RequestStore(tmp_path / "home" / "requests"))
    assert stored > 2  # both plans and some opinions
    whole = build_with(path, tmp_path)
    fresh = build_with(path, tmp_path / "fresh")
    assert whole.asked[PLANNER] == []
    assert len(whole.asked[CHECKER]) == sum(map(len, fresh.asked.values())) - stored
    assert files(whole.folder) == files(fresh.folder)


def script(path: Path, *rules: dict[str, Any]) -> str:
    """Write a scripted engine and return its name."""
    path.write_text("".join(json.dumps(rule) + "\n" for rule in rules))
    return f"scripted:{path}"


def test_a_failing_endpoint_leaves_items_pending_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    path = items(tmp_path, GOOD, LOST)
    plan = {"contains": [QUESTIONS[GOOD]], "reply": json.dumps(planned(QUESTIONS[GOOD]))}
    half = script(tmp_path / "half.jsonl", plan, {"fail": "the server is down"})
    words = ["build", "realhop", "--source", "sample", "--input", str(path), "--out", str(tmp_path / "out"), "--writer"]
    found = CliRunner().invoke(main, [*words, half])
    assert found.exit_code == 0, found.output
    assert "2 items = 1 kept + 0 rejected + 1 pending" in found.stdout
    assert "1 items are pending (a model call failed): the same command asks for them and for nothing else" in (
        found.stdout
    )
    down = CliRunner().invoke(main, [*words, script(tmp_path / "down.jsonl", {"fail": "the server is down"})])
    assert down.exit_code == 2
    assert "no item was kept: pending 2; pending: a model call failed, and the same command asks again" in down.stderr


def test_killed_again_and_again_a_build_asks_nothing_that_was_stored(tmp_path: Path) -> None:
    path = items(tmp_path, GOOD, MENDED)
    for id in (GOOD, MENDED):
        planned(QUESTIONS[id])  # by the rules, once and not in each fork

    def opener(home: Path, name: str) -> Logged:
        return Logged(Listener(lies if name == PLANNER else content, name), home, 0.03)

    def run(home: Path) -> None:
        given = options(path, home, engines=CHECKS, requests=home / "requests")
        build(given, Silent(), opener=lambda name, _: opener(home, name))

    whole, home = killed_builds(run, tmp_path, KILLS)
    version = Path("out", "realhop", "0.0.0.dev0")
    assert files(home / version) == files(whole / version)
