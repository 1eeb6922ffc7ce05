"""All pages of an artifact: there, with the canary, hashed, the same again, and of use to the Hub and to Inspect."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from datetime import date
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

from cards.header import Config
from cards.history import Erratum, History, Release
from cards.pages import write_pages
from cards.prose import read_prose
from cards.render import fill
from eval.tasks.genadv import render
from loaders.artifact import read_rows
from loaders.genadv import CANARY, GenADVRow
from loaders.manifest import changed_files, read_manifest
from loaders.schema import to_row

Find = Callable[[Path], tuple[list[Config], list[Config]]]

TEXTS = ("README.md", "manifest.json", "build.json", "croissant.json", "eval.yaml", "CHANGELOG.md", "ERRATA.md")
PAGES = ("README.md", "croissant.json", "eval.yaml", "CHANGELOG.md", "ERRATA.md")
PICTURES = ("figures/funnel.png", "figures/sizes.png")


def tasks(manifest: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(
        fill("genadv.eval.yaml.jinja", prose=read_prose("genadv"), manifest=manifest)
    )
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_holds_the_canary(small_artifact: Path, name: str) -> None:
    assert CANARY in (small_artifact / name).read_text(encoding="utf-8")


def test_every_page_and_picture_is_hashed(small_artifact: Path) -> None:
    hashed = {file["path"] for file in read_manifest(small_artifact)["files"]}
    assert {*PAGES, *PICTURES} <= hashed
    assert changed_files(small_artifact) == []
    (small_artifact / "croissant.json").write_text("{}\n")
    (small_artifact / "figures" / "sizes.png").unlink()
    assert [line.split(":")[0] for line in changed_files(small_artifact)] == ["croissant.json", "figures/sizes.png"]


def test_the_page_shows_the_pictures_that_are_there(small_artifact: Path) -> None:
    page = (small_artifact / "README.md").read_text(encoding="utf-8")
    for name in PICTURES:
        assert f"]({name})\n" in page
        assert (small_artifact / name).is_file()
    for name in ("CHANGELOG.md", "ERRATA.md"):
        assert f"]({name})" in page


def test_the_history_goes_into_its_pages(small_artifact: Path, configs_of: Find) -> None:
    rows, made = configs_of(small_artifact)
    manifest = {**read_manifest(small_artifact), "writer": "openai:w", "seed": 3}
    erratum = Erratum("nq", "q9", "withdrawn", "1.0.0", date(2026, 1, 3), "two right answers")
    history = History([Release("1.2.3", date(2026, 1, 2), ["PopQA added."])], [erratum])
    for name in (*PAGES, *PICTURES):
        (small_artifact / name).unlink()
    (small_artifact / "figures").rmdir()
    write_pages(small_artifact, "genadv", manifest, rows, made, history)
    changelog = (small_artifact / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## 1.2.3, 2026-01-02\n\n- PopQA added.\n" in changelog
    assert "- Rows of `nq`: retrieved 5, adversarial 4, conflict 4, random 5, topk 5.\n" in changelog
    assert "- Rows of `popqa`: retrieved 5, adversarial 4, conflict 4, random 5.\n" in changelog
    assert f"- Writer `openai:w`, seed 3, content id `{manifest['content_id']}`.\n" in changelog
    assert "two right answers" in (small_artifact / "ERRATA.md").read_text(encoding="utf-8")
    croissant = json.loads((small_artifact / "croissant.json").read_text(encoding="utf-8"))
    assert croissant["datePublished"] == "2026-01-02"


def test_the_tasks_have_the_form_that_the_hub_and_inspect_document(small_artifact: Path) -> None:
    found = yaml.safe_load((small_artifact / "eval.yaml").read_text(encoding="utf-8"))
    assert set(found) == {"name", "description", "evaluation_framework", "tasks"}
    assert found["name"] == "DecoyQA GenADV"
    assert found["description"].rstrip() == read_prose("genadv").summary
    assert found["evaluation_framework"] == "inspect-ai"
    assert [task["id"] for task in found["tasks"]] == ["nq_conflict_detection", "popqa_conflict_detection"]
    for task in found["tasks"]:
        assert set(task) == {"id", "config", "split", "field_spec", "solvers", "scorers"}
        assert task["split"] == "conflict"
        columns = {task["field_spec"]["input"], *task["field_spec"]["metadata"]}
        assert columns <= set(to_row(read_rows(small_artifact, task["config"], "conflict", GenADVRow)[0]))
        assert task["field_spec"]["target"] == "literal:conflict"
        assert [solver["name"] for solver in task["solvers"]] == ["prompt_template", "generate"]
        assert task["scorers"] == [{"name": "includes"}]


def test_inspect_asks_what_our_harness_asks(small_artifact: Path) -> None:
    task = tasks(read_manifest(small_artifact))["tasks"][0]
    (row, *_) = read_rows(small_artifact, "nq", "conflict", GenADVRow)
    # Our prompt has no line for a title that is not there, Inspect's an empty one.
    named = replace(row, documents=tuple(replace(one, title=one.title or "Title") for one in row.documents))
    template = task["solvers"][0]["args"]["template"]
    prompt = Formatter().format(template, prompt=named.question, documents=to_row(named)["documents"])
    assert prompt == render("conflict", named)


def test_a_config_without_conflicts_or_with_other_numbers_of_documents_has_no_task(small_artifact: Path) -> None:
    manifest = deepcopy(read_manifest(small_artifact))
    manifest["configs"][0]["documents_per_case"] = {"4": 1, "5": 4}
    assert [task["id"] for task in tasks(manifest)["tasks"]] == ["popqa_conflict_detection"]
    del manifest["configs"][1]["rows"]["conflict"]
    assert tasks(manifest)["tasks"] == []
    manifest["configs"][0] |= {"documents_per_case": {"2": 5}, "name": "no"}
    (task,) = tasks(manifest)["tasks"]
    assert task["config"] == "no"
    assert "documents[2][text]" in task["solvers"][0]["args"]["template"]
    assert "documents[3]" not in task["solvers"][0]["args"]["template"]


def test_inspect_accepts_the_tasks(small_artifact: Path) -> None:
    hf = pytest.importorskip("inspect_ai._eval.task.hf", reason="needs the extra `harness`")
    for task in tasks(read_manifest(small_artifact))["tasks"]:
        hf.HFTask.model_validate(task)
