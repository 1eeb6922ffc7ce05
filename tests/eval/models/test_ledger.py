"""Spent, in flight and limit, and what a run would cost; a token of these tests costs one or two dollars."""

from dataclasses import replace
from datetime import date

import pytest

from eval.models.engine import Failure, Message, Reply, Request
from eval.models.estimate import Estimate, estimate, render
from eval.models.ledger import TOKENS_PER_MESSAGE, TOKENS_PER_REQUEST, Ledger, prompt_bound, worst_case
from eval.models.prices import FREE, Price, Prices
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

DOLLAR = Price("paid:m", 1e6, 0.5e6, 2e6, date(2026, 11, 29), "made up")
PRICES = Prices((DOLLAR,), ("free",))
OVERHEAD = TOKENS_PER_MESSAGE + TOKENS_PER_REQUEST


def request(text: str = "abcd", engine: str = "paid:m", max_tokens: int = 10) -> Request:
    return Request(engine, (Message("user", text),), max_tokens=max_tokens)


def reply(to: Request, prompt: int, completion: int, cached: int = 0) -> Reply:
    return Reply(to.key, "x", "stop", prompt, completion, "{}", cached_tokens=cached)


def row(text: str, name: str = "all") -> list[str]:
    return next(words for line in text.splitlines() if (words := line.split()) and words[0] == name)


def test_a_prompt_has_no_more_tokens_than_bytes_and_its_frame():
    assert prompt_bound(request("abcd")) == len("user") + 4 + OVERHEAD
    assert prompt_bound(request("aé€😀")) == len("user") + 1 + 2 + 3 + 4 + OVERHEAD
    assert prompt_bound(request("\ud83d")) == len("user") + 3 + OVERHEAD
    two = replace(request(), messages=(Message("system", "ab"), Message("user", "abcd")), schema='{"a":1}')
    assert prompt_bound(two) == 6 + 2 + 4 + 4 + 7 + OVERHEAD + TOKENS_PER_MESSAGE


def test_the_worst_case_is_nothing_cached_and_the_whole_completion():
    assert worst_case(request(), DOLLAR) == 8 + OVERHEAD + 2 * 10


def test_what_is_in_flight_is_reserved_and_then_replaced_by_what_it_cost():
    one, other = request("1234"), request("5678")
    worst = worst_case(one, DOLLAR)
    ledger = Ledger(PRICES, 1.5 * worst)
    assert ledger.admit(one)
    assert not ledger.admit(other)
    ledger.settle(one, reply(one, prompt=20, completion=3, cached=10))
    assert ledger.spent == 10 + 5 + 6
    assert ledger.admit(other)
    ledger.settle(other, Failure(other.key, "down"))
    assert ledger.spent == 21
    assert ledger.note() == f"$21.00 of ${1.5 * worst:.2f}"


def test_the_limit_itself_may_be_reached_and_not_passed():
    one = request()
    assert Ledger(PRICES, worst_case(one, DOLLAR)).admit(one)
    assert not Ledger(PRICES, worst_case(one, DOLLAR) - 0.01).admit(one)


def test_free_engines_run_under_a_limit_of_nothing():
    ledger = Ledger(PRICES, 0)
    ledger.require_price("free:model")
    assert ledger.admit(request(engine="free:model"))


def test_without_a_limit_an_unknown_price_is_told():
    ledger, one = Ledger(PRICES), request(engine="other:m")
    ledger.require_price("other:m")
    assert ledger.admit(one)
    ledger.settle(one, reply(one, 5, 5))
    assert ledger.note() == "cost unknown"
    ledger.settle(request(), reply(request(), 5, 5))
    assert ledger.note() == "$15.00 and cost unknown"


def test_nothing_is_told_of_free_engines():
    ledger, one = Ledger(PRICES), request(engine="free:m")
    ledger.settle(one, reply(one, 5, 5))
    assert ledger.note() == ""


@pytest.mark.parametrize("amount", [-1.0, float("nan")])
def test_a_limit_is_an_amount_of_money(amount):
    with pytest.raises(DecoyQAError, match="no amount of money"):
        Ledger(PRICES, amount)


def test_an_estimate_leaves_out_what_is_stored_and_what_an_earlier_step_asks(tmp_path):
    store, stored, shared, new = RequestStore(tmp_path), request("stored"), request("shared"), request("new!")
    store.put(stored, reply(stored, 1, 1))
    steps = {"one": [stored, shared, shared], "two": [shared, new], "three": [stored]}
    first, second, third = estimate(steps, store, PRICES)
    bound = 4 + 6 + OVERHEAD
    assert first == Estimate("one", 2, 1, bound // 4, bound, 10, bound // 4 + 20.0, bound + 20.0, DOLLAR)
    bound = 4 + 4 + OVERHEAD
    assert second == Estimate("two", 1, 0, bound // 4, bound, 10, bound // 4 + 20.0, bound + 20.0, DOLLAR)
    assert third == Estimate("three", 0, 0, 0, 0, 0, 0.0, 0.0, FREE)
    text = render([first, second, third])
    assert row(text) == ["all", "3", "1", "44", "178", "20", "84.0000", "218.0000"]
    rates = "$1e+06 in, $500000 cached, $2e+06 out a million tokens"
    assert text.splitlines()[-1] == f"paid:m: {rates}, 2026-11-29 (made up)"


def test_an_unknown_price_makes_the_sum_unknown(tmp_path):
    found = estimate({"a": [request()], "b": [request(engine="other:m")]}, RequestStore(tmp_path / "none"), PRICES)
    assert [one.usd_bound for one in found] == [108.0, None]
    assert row(render(found))[-2:] == ["unknown", "unknown"]
    assert not (tmp_path / "none").exists()


def test_printed_amounts_are_rounded_up_so_that_they_suffice_as_a_limit():
    found = Estimate("a", 1, 0, 1, 1, 1, 0.00001, 0.12341)
    assert row(render([found]))[-2:] == ["0.0001", "0.1235"]
