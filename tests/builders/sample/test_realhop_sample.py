"""REALHOP's sample: questions of every shape in MuSiQue's form, passages with room for sentences; and its tour."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from realhop_small import SAMPLE, build_small, few
from rich.console import Console

from builders.sample.realhop_tour import item_panel, main
from builders.sources.items import unfit
from builders.sources.musique import read_musique
from eval.answers import holds_answer
from loaders.artifact import read_rows
from loaders.realhop import RealHopRow

ITEMS = list(read_musique(SAMPLE))


def shape(id: str) -> tuple[tuple[str, ...], ...]:
    return tuple(hop.depends_on for hop in next(item for item in ITEMS if item.id == id).hops)


def test_it_has_chains_joins_and_a_fan_out_of_two_to_four_hops() -> None:
    assert 12 <= len(ITEMS) <= 16
    assert Counter(len(item.hops) for item in ITEMS) == {2: 8, 3: 5, 4: 3}
    assert shape("3hop2__sample_10") == ((), (), ("1", "2"))
    assert shape("3hop1__sample_15") == ((), ("1",), ("1", "2"))
    assert shape("4hop1__sample_12") == ((), ("1",), ("2",), ("3",))
    assert shape("4hop2__sample_13") == ((), (), ("1", "2"), ("3",))
    assert shape("4hop3__sample_14") == ((), ("1",), (), ("2", "3"))


def test_both_forms_of_sub_questions_are_there() -> None:
    forms = Counter(">>" in hop.relation for item in ITEMS for hop in item.hops)
    assert min(forms.values()) > 12


@pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])
def test_an_item_is_sound(item: Any) -> None:
    assert unfit(item) is None
    assert 6 <= len(item.passages) <= 12
    for hop in item.hops:
        (span,) = hop.support
        assert holds_answer(item.passages[span.passage].text, [hop.answer]), hop
    for passage in item.passages:
        assert len(re.findall(r"[.!?](?= |$)", passage.text)) >= 3
    assert not holds_answer(item.question, [hop.answer for hop in item.hops])


def test_each_row_marks_its_supports_as_musique_does() -> None:
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        supports = {step["paragraph_support_idx"] for step in row["question_decomposition"]}
        assert {paragraph["idx"] for paragraph in row["paragraphs"] if paragraph["is_supporting"]} == supports


@pytest.mark.model
def test_the_tour_shows_one_of_each_length(tmp_path: Path) -> None:
    folder = build_small(few(tmp_path), tmp_path)
    console = Console(record=True, width=200, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115
    main(folder, console)
    text = console.export_text()
    rows = read_rows(folder, "musique", "full", RealHopRow)
    for row in (rows[0], next(row for row in rows if row.n_hops == 4)):
        assert f"{row.n_hops} hops: {row.id}" in text
        assert row.question in text
    assert text.count("without step 1: no answer") == 3
    source = read_rows(folder, "musique", "source", RealHopRow)[0]
    panel = item_panel(rows[0], source).renderable.plain  # type: ignore[union-attr]
    assert panel.startswith(f"{rows[0].question}\nanswer: {rows[0].answer}   (was: {source.question} {source.answer})")
    for hop in rows[0].hops:
        assert all(f"[{unit.passage + 1}] {unit.fact}" in panel for unit in hop.units)
