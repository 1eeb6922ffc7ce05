"""What a build would ask: every prompt with its number of calls, none for what no plan fits, and what is stored."""

from dataclasses import replace
from pathlib import Path

import pytest
from realhop_planner import CHAIN, SONG

from builders.engines import Engines
from builders.realhop.forecast import forecasts
from builders.realhop.model_plan import Proposal, plan_values
from builders.realhop.voices import PLAN, PLANNING
from builders.voices import requests
from eval.models.engine import Reply
from eval.models.store import RequestStore
from eval.models.structured import response_schema

UNFIT = replace(CHAIN, id="unfit", answerable=False)
ITEMS = [CHAIN, SONG, UNFIT]


@pytest.fixture
def engines(tmp_path: Path) -> Engines:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nmodel = "openai:toy"\ninput = 2.0\ncached_input = 2.0\noutput = 8.0\n'
        'date = 2026-01-01\nsource = "tests"\n'
    )
    return Engines("openai:toy", "openai:toy", prices=prices)


def test_every_prompt_is_counted(engines: Engines, tmp_path: Path) -> None:
    found = {one.step: one for one in forecasts(engines, ITEMS, seed=3, store=tmp_path / "store")}
    assert {step: one.calls for step, one in found.items()} == {
        "plan": 2,
        "checker_gold_supports": 2,
        "checker_competitor_entails": 15,  # three hops and two, three paths each
        "checker_unclear_reference": 5,  # the two items share their passages, of which one holds no pronoun
    }
    plan = found["plan"]
    assert plan.usd == pytest.approx((plan.prompt_tokens * 2 + 2 * 300 * 8) / 1e6)
    assert plan.usd_bound is not None
    assert plan.usd < plan.usd_bound


def test_what_is_stored_costs_nothing_whatever_the_seed(engines: Engines, tmp_path: Path) -> None:
    (request,) = requests("openai:toy", PLAN, plan_values([SONG]), PLANNING, 0, response_schema(Proposal))
    with RequestStore(tmp_path / "store") as store:
        store.add(request, Reply(request.key, "{}", "stop", 900, 300, "{}"))
    (plan,) = forecasts(replace(engines, checker=""), ITEMS, seed=11, store=tmp_path / "store")
    assert (plan.step, plan.calls, plan.stored) == ("plan", 2, 1)


def test_rules_ask_nothing(tmp_path: Path) -> None:
    assert forecasts(Engines(), ITEMS, seed=0, store=tmp_path) == []
