"""The item that a card shows is chosen by a rule: the first of those that stand in the most splits."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cards.example import choose_example
from cards.header import Config
from loaders.artifact import read_rows, shard_paths, write_parquet
from loaders.errors import DecoyQAError
from loaders.genadv import GenADVRow

Find = Callable[[Path], tuple[list[Config], list[Config]]]


def test_the_first_item_with_every_condition_is_shown(small_artifact: Path, configs_of: Find) -> None:
    """Of nq's items q0, q3 and q4 stand in all five splits."""
    rows, _ = configs_of(small_artifact)
    found = choose_example(small_artifact, rows)
    assert (found.id, found.config) == ("q0", "nq")
    assert list(found.rows) == ["retrieved", "adversarial", "conflict", "random", "topk"]
    for split, row in found.rows.items():
        assert row == read_rows(small_artifact, "nq", split, GenADVRow)[0]


def test_more_splits_win_over_an_earlier_config(small_artifact: Path, configs_of: Find) -> None:
    rows, _ = configs_of(small_artifact)
    found = choose_example(small_artifact, rows[::-1])
    assert (found.id, found.config) == ("q0", "nq")
    (path,) = shard_paths(small_artifact, "nq", "conflict")
    write_parquet(path, GenADVRow, read_rows(small_artifact, "nq", "conflict", GenADVRow)[1:])
    assert choose_example(small_artifact, rows).id == "q3"


def test_items_are_told_apart_by_what_their_rows_share(small_artifact: Path, configs_of: Find) -> None:
    """All rows with an inserted document have the writer `rules` here."""
    rows, _ = configs_of(small_artifact)
    found = choose_example(small_artifact, [replace(config, pair="writer") for config in rows])
    assert found.id == "rules"
    assert list(found.rows) == ["adversarial", "conflict", "random", "topk"]


def test_an_item_without_a_condition_is_shown_without_it(small_artifact: Path, configs_of: Find) -> None:
    rows, _ = configs_of(small_artifact)
    (popqa,) = (config for config in rows if config.name == "popqa")
    found = choose_example(small_artifact, [popqa])
    assert list(found.rows) == ["retrieved", "adversarial", "conflict", "random"]


def test_without_any_row_there_is_no_card(tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match="no question of any source"):
        choose_example(tmp_path, [])
