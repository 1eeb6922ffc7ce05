"""What a call costs, by the bundled table or by one's own."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from eval.models.engine import Reply
from eval.models.prices import TABLE, Price, Prices, read_prices, usd
from loaders.errors import InputError

MINI = Price("openai:gpt-4o-mini", 0.15, 0.075, 0.60, date(2026, 11, 29), "a list")
OWN = """\
free = ["mine"]

[[price]]
model = "openai:gpt-4o-mini"
input = 1
cached_input = 0.5
output = 2.5
date = 2026-01-31
source = "my contract"
"""


def table(folder: Path, text: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("tokens", "dollars"),
    [
        ((1_000_000, 0, 0), 0.15),
        ((0, 1_000_000, 0), 0.60),
        ((1_000_000, 0, 1_000_000), 0.075),
        # 8,000 fresh at 0.15, 2,000 cached at 0.075, 500 out at 0.60 a million: 1,200 + 150 + 300 millionths
        ((10_000, 500, 2_000), 0.001650),
        ((10, 0, 99), 0.00000075),  # a server that says more is cached than was sent
    ],
)
def test_cost_of_tokens(tokens, dollars):
    assert MINI.cost(*tokens) == pytest.approx(dollars, rel=1e-12)


def test_cost_of_a_reply_counts_reasoning_once_because_it_is_part_of_the_completion():
    reply = Reply("k", "yes", "stop", 10_000, 500, "{}", cached_tokens=2_000, reasoning_tokens=480)
    assert MINI.of(reply) == pytest.approx(0.00165)


def test_the_bundled_table_is_dated_and_names_no_model_twice():
    prices = read_prices()
    names = [price.model for price in prices.price]
    assert len(set(names)) == len(names) >= 15
    assert all(price.date >= date(2026, 11, 29) and price.source for price in prices.price)
    assert all(price.cached_input <= price.input <= price.output for price in prices.price)
    assert len(tomllib.loads(TABLE.read_text())["price"]) == len(names)
    paper = prices.of("openai:gpt-3.5-turbo-0125")
    assert paper
    assert (paper.input, paper.output) == (0.50, 1.50)


@pytest.mark.parametrize("engine", ["llamacpp:smollm2@sha256:ab", "scripted:rules@sha256:ab", "vllm:x", "reader:y"])
def test_engines_of_this_machine_are_free(engine):
    price = read_prices().of(engine)
    assert price
    assert price.cost(10**6, 10**6) == 0


@pytest.mark.parametrize(
    ("engine", "known"),
    [
        ("openai:gpt-4o-mini", True),
        ("openai:gpt-4o-mini-2024-07-18", True),
        ("openai:gpt-4o-mini@2024-07-18", True),
        ("openai:gpt-4o-mini-audio-preview", False),
        ("openai:gpt-4o", True),
        ("openai:gpt-5-pro", False),  # twelve times the price of gpt-5
        ("openai:my-own", False),
        ("vllmish:x", False),
    ],
)
def test_a_name_is_itself_or_its_dated_snapshot(engine, known):
    assert (read_prices().of(engine) is not None) == known


def test_a_snapshot_with_a_price_of_its_own_keeps_it():
    old = read_prices().of("openai:gpt-4o-2024-05-13")
    assert old
    assert old.input == 5.0


def test_ones_own_prices_come_first(tmp_path, monkeypatch):
    path = table(tmp_path, OWN)
    monkeypatch.setenv("DECOYQA_PRICES", str(path))
    for prices in (read_prices(path), read_prices()):
        mini, other = prices.of("openai:gpt-4o-mini"), prices.of("openai:gpt-4o")
        assert mini
        assert mini.cost(1_000_000, 1_000_000, 500_000) == 0.5 + 0.25 + 2.5
        assert other
        assert other.input == 2.5
        assert prices.of("mine:x")
    assert Prices().of("openai:gpt-4o") is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("input = ", "expected a table of prices in TOML"),
        (OWN.replace("2.5", '"dear"'), "price.0.output: Input should be a valid number"),
        (OWN.replace("2.5", "-1"), "price.0.output: Input should be greater than or equal to 0"),
        (OWN.replace("2.5", "nan"), "price.0.output: Input should be"),
        (OWN.replace("output", "out"), "price.0.output: Field required"),
        (OWN.replace("date = 2026-01-31\n", ""), "price.0.date: Field required"),
        (OWN.replace("[[price]]", "[[prices]]"), "prices: Unexpected keyword argument"),
    ],
)
def test_a_table_that_is_none_is_named(tmp_path, text, fault):
    with pytest.raises(InputError, match="prices") as error:
        read_prices(table(tmp_path, text))
    assert fault in str(error.value)


def test_a_missing_table_is_bad_input(tmp_path):
    with pytest.raises(InputError, match="expected a readable table of prices"):
        read_prices(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0, "$0.0000"), (0.00165, "$0.0016"), (1.005, "$1.00"), (12_345.678, "$12,345.68")]
)
def test_amounts_for_people(amount, text):
    assert usd(amount) == text
