"""The REALHOP card: its item, what the proofs say, every number from the manifest, and what its prose explains."""

import re
from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import yaml
from card_page import Card, section, tables, unexplained
from nested import numbers
from realhop_small import build_small, few

from builders.assembly import config_of
from builders.realhop.recipe import Means, RealHopRecipe, steps
from cards.croissant_check import croissant_problems
from cards.example import choose_example
from cards.prose import read_prose
from eval.prompting import template
from eval.stats import MinimumEffect
from loaders.manifest import read_manifest
from loaders.realhop import CANARY, SPLITS, RealHopCandidate, RealHopRow

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("few")
    return build_small(few(place), place)


@pytest.fixture(scope="module")
def card(folder: Path) -> Card:
    rows = [config_of(folder, "musique", RealHopRow, SPLITS, key=("row_id",))]
    made = [config_of(folder, "musique_construction", RealHopCandidate, ("items",))]
    return Card("realhop", read_manifest(folder), [*rows, *made], choose_example(folder, rows))


def test_its_yaml_loads_and_names_every_split(folder: Path) -> None:
    _, head, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    splits = {config["config_name"]: [file["split"] for file in config["data_files"]] for config in found["configs"]}
    assert splits == {"musique": list(SPLITS), "musique_construction": ["items"]}
    assert found["license"] == ["cc-by-4.0"]
    assert CANARY in body
    assert "{{" not in body


def test_the_item_is_shown_beside_its_source_with_its_proof(card: Card) -> None:
    shown = section(card.page(), "One item")
    full, source = card.example.rows["full"], card.example.rows["source"]
    assert source.answer in shown
    for hop in full.hops:
        assert hop.answer in shown
        assert all(unit.fact.replace("#", "\\#") in shown for unit in hop.units)
    for path in full.competitors:
        assert path.endpoint in shown
    assert re.findall(r"^\| (\d) \| none \|", shown, re.MULTILINE) == [hop.hop_id for hop in full.hops]
    # The row as published has the recorded sentences; what is shown is cut from the text by its spans.
    assert shown.count("nothing leads to it") == sum(path.family == "orphan" for path in full.competitors)


def test_what_the_proofs_say_is_on_the_page(card: Card) -> None:
    changed = deepcopy(card.manifest)
    changed["configs"][0]["proof"] = {
        "drops": 2000,
        "drops_with_an_answer": 0,
        "inner_drops": 1200,
        "inner_drops_with_one_end": 0,
        "drops_with_a_whole_path": 500,
        "inner_drops_with_several_heads": 900,
        "units": 3000,
        "needed_units": 2970,
    }
    found = section(card.page(changed), "Every step needed, proven")
    assert "| `musique` | 2,000 | 0 | 1,200 | 0 |" in found
    assert "| `musique` | 500 of 2,000 (25.0 %) | 900 of 1,200 (75.0 %) | 2,970 of 3,000 (99.0 %) |" in found


HIDDEN = {"files", "format_version", "pending", "passages"}


def test_every_number_follows_the_manifest(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cards.render.minimum_effect", lambda n: MinimumEffect(0.8, 0.05, {0.1: None}))
    changed, places = deepcopy(card.manifest), {}
    for i, (path, _) in enumerate(numbers(card.manifest)):
        if HIDDEN.isdisjoint(path[:3]):
            place: Any = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = 98_000 + i
            places[str(98_000 + i)] = path
    text = re.sub(r"(?<=\d),(?=\d{3})", "", card.page(changed))
    printed = set(re.findall(r"\d+(?:\.\d+)?", text))
    assert len(places) > 40
    assert [path for number, path in places.items() if number not in printed] == []


def test_models_and_what_they_said_are_named(card: Card) -> None:
    asked = {"writer": "openai:w", "checker": "openai:c", "checker_gates": True, "prompts": {"plan": "ab" * 32}}
    changed = {**deepcopy(card.manifest), **asked}
    changed["configs"][0]["opinions"] = {"item": {"semantic gold": {"no": 2, "yes": 7}}}
    made = section(card.page(changed), "How it was made")
    assert "Planned by `openai:w`. A language model planned" in made
    assert "What it found wrong was pruned or rejected." in made
    assert "| gold | no 2, yes 7 |" in made
    assert "A plan by a model can read" in section(card.page(changed), "Limits")
    assert "gave a second opinion" not in card.page()


def test_every_table_row_has_as_many_cells_as_its_head(card: Card) -> None:
    found = tables(card.page())
    assert len(found) > 12
    assert [cells for cells in found if len(set(cells)) > 1] == []


def test_every_column_is_explained(card: Card) -> None:
    assert unexplained(card.page(), RealHopRow, RealHopCandidate) == []


def test_a_name_in_an_item_cannot_break_the_page(card: Card) -> None:
    rows = dict(card.example.rows)
    rows["full"] = replace(rows["full"], answer="# x | <b>y</b>\n## Cite", question="{{ seed }} | `a`\n## Cite\n")
    page = replace(card, example=replace(card.example, rows=rows)).page()
    assert page.count("\n## Cite\n") == 1
    assert "<b>" not in page


def test_tasks_are_the_papers_solver_prompt_over_both_sides(card: Card, folder: Path) -> None:
    from cards.render import fill

    manifest = deepcopy(card.manifest)
    manifest["configs"][0]["passages"] = {"2": 4}
    tasks = yaml.safe_load(fill("realhop.eval.yaml.jinja", prose=read_prose("realhop"), manifest=manifest))["tasks"]
    assert [task["id"] for task in tasks] == ["musique_full", "musique_source"]
    text = tasks[0]["solvers"][0]["args"]["template"]
    shown = "\n\n".join(f"Passage {n + 1}:\n{{passages[{n}][title]}}\n{{passages[{n}][text]}}" for n in range(2))
    assert text.split() == template("audit", "multihop").format(context=shown, question="{prompt}").split()
    mixed = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    assert bool(mixed) == (len(card.manifest["configs"][0]["passages"]) == 1)


def test_croissant_describes_the_files(folder: Path) -> None:
    assert list(croissant_problems(folder)) == []


def test_the_prose_explains_what_the_builder_does() -> None:
    prose, anything = read_prose("realhop"), MagicMock()
    assert set(prose.splits) == set(SPLITS)
    assert set(prose.settings) == {field.name for field in fields(RealHopRecipe)}
    all_steps = {step.name for step in steps(Means(RealHopRecipe(), 0, anything, anything, {}))}
    assert set(prose.steps) == all_steps | {"target"}
