"""The EureQA card: nothing typed by hand, everything that the counts prove, and what its prose explains."""

import re
from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import yaml
from card_page import Card, Manifest, section, tables, unexplained
from eureqa_small import SAMPLE, build_small
from jinja2 import UndefinedError
from nested import numbers

from builders.assembly import config_of
from builders.eureqa.build import gates_of, telling_steps
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.voices import ChainVoices
from cards.croissant_check import croissant_problems
from cards.example import Example, choose_example
from cards.prose import read_prose
from cards.render import fill
from eval.stats import MinimumEffect
from loaders.eureqa import CANARY, SPLITS, ChainCandidate, EureQARow
from loaders.manifest import read_manifest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small([SAMPLE], tmp_path_factory.mktemp("sample"), limit=60, shallow_chains=5)


@pytest.fixture(scope="module")
def card(folder: Path) -> Card:
    rows = [config_of(folder, name, EureQARow, SPLITS, pair="chain_id") for name in ("hard", "easy")]
    made = [config_of(folder, f"{name}_construction", ChainCandidate, ("chains",)) for name in ("hard", "easy")]
    return Card("eureqa", read_manifest(folder), [*rows, *made], choose_example(folder, rows))


def test_the_page_is_that_of_the_folder_and_its_yaml_loads(folder: Path, card: Card) -> None:
    _, head, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    # The settings stand in another order, now that the manifest was written and read.
    assert sorted(body.splitlines()) == sorted(card.page().splitlines())
    found = yaml.safe_load(head)
    splits = {config["config_name"]: [file["split"] for file in config["data_files"]] for config in found["configs"]}
    assert splits == {
        "hard": list(SPLITS),
        "easy": ["d5"],
        "hard_construction": ["chains"],
        "easy_construction": ["chains"],
    }
    assert found["license"] == ["cc-by-4.0"]
    assert CANARY in body
    assert "{{" not in body
    assert "None" not in body


def test_the_item_is_one_chain_at_every_depth(card: Card) -> None:
    shown = section(card.page(), "One item")
    deepest = card.example.rows["d5"]
    assert {row.chain_id for row in card.example.rows.values()} == {deepest.chain_id}
    assert list(card.example.rows) == list(SPLITS)
    for split in SPLITS:
        assert f"- `{split}`" in shown
    for number, layer in enumerate(deepest.layers, 1):
        assert re.search(rf"^\| {number} \| .* \| {layer.n_relation} \| {layer.n_fact} \| 1 \|$", shown, re.MULTILINE)
    assert deepest.layers[0].sparql in shown
    assert shown.count("Its layers, solved from the last one to the first") == 1


def test_what_the_counts_prove_is_on_the_page(card: Card) -> None:
    changed = deepcopy(card.manifest)
    hard = changed["configs"][0]
    hard["rows"]["d5"] = 200
    hard["proof"]["d5"] = {
        "layers": 1000,
        "relation_alone_several": 700,
        "fact_alone_several": 1000,
        "next_needed": 250,
        "without_closing_several": 20,
        "without_a_relation_several": 150,
        "without_a_fact_several": 90,
        "mean_similarity": 0.2345,
    }
    found = section(card.page(changed), "One answer, counted")
    assert "| `hard` | `d5` | 1,000 | 700 (70.0 %) | 1,000 (100.0 %) | 250 (25.0 %) |" in found
    assert "| `hard` | `d5` | 200 | 180 (90.0 %) | 20 (10.0 %) | 150 (75.0 %) | 90 (45.0 %) | 0.2345 |" in found
    assert "a count above 10,000 is given as that number" in found


def test_what_was_dropped_and_how_many_walks_ended_is_on_the_page(card: Card) -> None:
    changed = deepcopy(card.manifest)
    changed["snapshot"] |= {"triples": 1234567, "entities": 7654321}
    changed["snapshot"]["dropped"] = {"list_page": 3, "literal": 12345}
    changed["snapshot"]["broken"] = {"graph.ttl": {"count": 17, "first": [[3, "x"]]}}
    changed["configs"][0]["walks"] = {"performed": 5000, "stopped": {"0": 1111, "3": 222}}
    page = card.page(changed)
    sources = section(page, "Sources and licences")
    assert "The snapshot has 1,234,567 triples between 7,654,321 entities." in sources
    assert "list_page 3, literal 12,345" in sources
    assert re.search(r"input `graph\.ttl`, sha256 `[0-9a-f]{64}`, 17 broken lines skipped", sources)
    assert "| 5,000 | 0 1,111, 3 222 |" in section(page, "How it was made")


# Not on the page: of the files, of the format, lines that were broken, calls that failed, what names who was asked.
HIDDEN = {"files", "format_version", "broken", "pending", "hypernyms"}


def all_changed(manifest: Manifest) -> tuple[Manifest, dict[str, list[Any]]]:
    """Return the manifest with a number of its own in every place that is shown, and the place of each as printed."""
    changed, places = deepcopy(manifest), {}
    for i, (path, value) in enumerate(numbers(manifest)):
        if not HIDDEN.isdisjoint(path[:3]):
            continue
        place: Any = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = (98_000 + i) / 100_000 if isinstance(value, float) else 98_000 + i
        places[f"{(98_000 + i) / 100_000}" if isinstance(value, float) else str(98_000 + i)] = path
    return changed, places


def test_every_number_follows_the_manifest(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cards.render.minimum_effect", lambda n: MinimumEffect(0.8, 0.05, {0.1: None}))
    changed, places = all_changed(card.manifest)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", card.page(changed))
    printed = set(re.findall(r"\d+(?:\.\d+)?", text))
    assert len(places) > 120
    assert [path for number, path in places.items() if number not in printed] == []


def test_no_number_is_typed_by_hand(card: Card) -> None:
    text = card.page()
    for name in ("One item", "Cite", "Columns", "Settings"):
        text = text.replace(section(text, name), "") if f"\n## {name}\n" in text else text
    text = text.replace(CANARY, "").replace(card.manifest["content_id"], "")
    text = re.sub(r"`[^`]*`|sha256|\]\([^)]*\)|CC-BY-4\.0", "", text)
    text = re.sub(r"\b(?:sections?|Tables?|Figure) [\d.]+(?:(?:,| and| to) [\d.]+)*", "", text)
    own = {str(value) for _, value in numbers(card.manifest)} | {card.manifest["version"].partition(".dev")[0]}
    printed = {number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)*", text)}
    shares = {number for number in printed if re.search(rf"\b{re.escape(number)} %", text)}
    effects = {number for number in printed if "." in number and re.search(rf"(?:/ |<br>){re.escape(number)}", text)}
    table1 = {"1"}  # sums of rows that are no number of the manifest by themselves
    sums = {str(sum(config["rows"].get("d5", 0) for config in card.manifest["configs"]))}
    names = {name for split in SPLITS for name in re.findall(r"\d", split)}
    paired = {str(len(config["paired"]["all"])) for config in card.manifest["configs"]}
    complete = {str(config["funnel"]["chain"][0]["entered"]) for config in card.manifest["configs"]}
    split_counts = {"0"}
    assert printed - own - shares - effects - table1 - sums - names - paired - complete - split_counts == set()


def test_models_and_what_they_said_are_named(card: Card) -> None:
    sampling = {"temperature": 1.5}
    asked = {
        "writer": "openai:w",
        "writer_sampling": sampling,
        "checker": "openai:c",
        "checker_sampling": sampling,
        "seeds_model": "openai:s",
        "checker_gates": True,
        "hypernyms": "model",
        "seeds_from": {"from": "model", "categories": ["films"]},
        "prompts": {"verbalise_triple": "ab" * 32},
    }
    changed = {**deepcopy(card.manifest), **asked}
    changed["configs"][0]["opinions"] = {"chain": {"knows fact 1": {"yes": 7, "no": 2}}}
    changed["configs"][0]["models"] = {"writer": ["w-new"]}
    page = card.page(changed)
    made = section(page, "How it was made")
    assert "Statements written by `openai:w`. A language model" in made
    assert "the same model was asked what it is" in made
    assert "A chain with a statement that it did not confirm was rejected." in made
    assert "Seeds: named by a model" in made
    assert "| fact 1 | yes 7, no 2 |" in made
    assert "| seeds model | `openai:s` |" in made
    assert f"| verbalise_triple | `{'ab' * 32}` |" in made
    assert "| writer, as the engine named itself | `w-new` |" in made
    assert "Sentences by a model can say more" in section(page, "Limits")
    plain = card.page()
    assert "its relations say what it is called" in plain
    assert "was asked of each statement" not in plain


def test_every_table_row_has_as_many_cells_as_its_head(card: Card) -> None:
    found = tables(card.page())
    assert len(found) > 14
    assert [cells for cells in found if len(set(cells)) > 1] == []


def test_every_column_is_explained(card: Card) -> None:
    assert unexplained(card.page(), EureQARow, ChainCandidate) == []


def test_how_the_paper_asks_is_told(card: Card) -> None:
    found = section(card.page(), "Evaluate a model")
    for word in ("`direct`", "`icl`", "`retrieved`", "`candidates`", "`answer_aliases`", "section 5.5"):
        assert word in found


def test_a_name_in_an_item_cannot_break_the_page(card: Card) -> None:
    row = card.example.rows["d5"]
    hostile = replace(row, answer="# x | <b>y</b>\n## Cite", question="{{ seed }} | `a`\n---\n## Cite\n")
    page = replace(card, example=Example(row.chain_id, "hard", {"d5": hostile})).page()
    assert page.count("\n## Cite\n") == 1
    assert "<b>" not in page


@pytest.mark.parametrize("key", ["snapshot", "answer_cap", "hypernyms", "seeds_from", "splits", "catalogue"])
def test_a_manifest_that_lacks_something_renders_nothing(card: Card, key: str) -> None:
    with pytest.raises((UndefinedError, KeyError, TypeError)):
        card.page({name: value for name, value in card.manifest.items() if name != key})


def test_tasks_are_the_direct_prompt_over_each_split(folder: Path) -> None:
    found = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    assert [task["id"] for task in found["tasks"]] == [
        *(f"hard_{split}_direct" for split in SPLITS),
        "easy_d5_direct",
    ]
    names = {field.name for field in fields(EureQARow)}
    for task in found["tasks"]:
        assert set(task["field_spec"].values()) <= names
        assert task["split"] in SPLITS
        assert task["solvers"] == [{"name": "generate"}]
        assert task["scorers"] == [{"name": "includes"}]


def test_no_rows_no_tasks(card: Card) -> None:
    empty = {**card.manifest, "configs": [{**config, "rows": {}} for config in card.manifest["configs"]]}
    text = fill("eureqa.eval.yaml.jinja", prose=read_prose("eureqa"), manifest=empty)
    assert yaml.safe_load(text)["tasks"] == []


def test_inspect_accepts_the_tasks(folder: Path) -> None:
    hf = pytest.importorskip("inspect_ai._eval.task.hf", reason="needs the extra `harness`")
    for task in yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))["tasks"]:
        hf.HFTask.model_validate(task)


def test_croissant_describes_the_files(folder: Path) -> None:
    assert list(croissant_problems(folder)) == []


def eureqa_steps() -> set[str]:
    """Return the names of all steps, whoever writes and checks."""
    recipe, anything = EureQARecipe(), MagicMock()
    gates = gates_of("hard", anything, recipe)
    voices = ChainVoices(writer=anything, checker=anything, gates=True, kinds=True)
    steps = [*gates, *telling_steps(anything, voices, recipe.layers), *telling_steps(anything, ChainVoices(), 5)]
    return {step.name for step in steps} | {"target"}


def test_the_prose_explains_what_the_builder_does() -> None:
    prose = read_prose("eureqa")
    assert set(prose.splits) == set(SPLITS)
    assert set(prose.settings) == {field.name for field in fields(EureQARecipe)}
    assert set(prose.steps) == {step.partition(" ")[0] for step in eureqa_steps()}
