"""The page says what the manifest says: no number of its own, no gap that goes unnoticed."""

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import UndefinedError

from cards.header import Config, Split
from cards.render import render
from loaders.genadv import CANARY, Candidate, GenADVRow
from loaders.manifest import read_manifest
from loaders.schema import columns

Manifest = dict[str, Any]


@pytest.fixture
def manifest(small_artifact: Path) -> Manifest:
    return read_manifest(small_artifact)


def page(manifest: Manifest) -> str:
    """Return the page below the YAML block."""
    configs = [Config("nq", GenADVRow, (Split("retrieved", 5, 10),)), Config("x", Candidate, (Split("c", 1, 1),))]
    text = render("genadv", "A title", manifest, configs, CANARY)
    return text.split("\n---\n", 1)[1]


def test_the_page_of_an_artifact_is_yaml_and_text(small_artifact: Path, manifest: Manifest) -> None:
    _, head, body = (small_artifact / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    splits = {config["config_name"]: [file["split"] for file in config["data_files"]] for config in found["configs"]}
    assert splits == {
        "nq": ["retrieved", "adversarial", "conflict", "random", "topk"],
        "popqa": ["retrieved", "adversarial", "conflict", "random"],
        "nq_construction": ["candidates"],
        "popqa_construction": ["candidates"],
    }
    assert "# DecoyQA GenADV, 1.2.3" in body
    assert "| `nq` | 6 | 5 | 80.0 % | 20.0 % | 5 | 4 | 4 | 5 | 5 | 3 |" in body
    assert "| `popqa` | 6 | 5 | 80.0 % | 20.0 % | 5 | 4 | 4 | 5 | 0 | 3 |" in body
    assert "Config `popqa` has no split `topk`: no question reached it." in body
    assert "Config `nq` has no split" not in body
    assert "| adversarial | decide | 5 | 4 | 0 | not_a_decoy 1 |" in body
    assert "| retrieved | answers_and_documents | 6 | 5 | 0 | no_answer 1 |" in body
    assert manifest["content_id"] in body
    assert CANARY in body


def test_every_split_of_the_manifest_has_its_count_in_the_yaml(small_artifact: Path, manifest: Manifest) -> None:
    head = yaml.safe_load((small_artifact / "README.md").read_text(encoding="utf-8").split("---\n", 2)[1])
    rows = {file["path"]: file["rows"] for file in manifest["files"]}
    for info in head["dataset_info"]:
        for split in info["splits"]:
            path = f"{info['config_name']}/{split['name']}-00000-of-00001.parquet"
            assert split["num_examples"] == rows[path]
            assert split["num_bytes"] == (small_artifact / path).stat().st_size


def numbers(value: Any) -> Iterator[tuple[list[Any], float]]:
    """Yield the path and value of every number in a nest of dicts and lists."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if isinstance(part, int | float) and not isinstance(part, bool):
            yield [key], part
        yield from (([key, *path], number) for path, number in numbers(part))


# What the manifest holds beside the page: of the files, of documents per case, of ids, and of the format.
NOT_SHOWN = {"files", "format_version", "documents_per_case", "next_rank", "with_retrieved"}


def all_changed(manifest: Manifest) -> tuple[Manifest, dict[str, list[Any]]]:
    """Return the manifest with a number of its own in every place that is shown, and the place of each as printed."""
    changed, places = deepcopy(manifest), {}
    for i, (path, _) in enumerate(numbers(manifest)):
        if not NOT_SHOWN.isdisjoint(path):
            continue
        is_share = path[-1] in ("recall", "unanswerable_share")
        place: Any = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = (1000 + i) / 10_000 if is_share else 98_000 + i
        places[f"{(1000 + i) / 100:.1f}" if is_share else str(98_000 + i)] = path
    for config in changed["configs"]:
        config["paired"]["all"] = ["id"] * 97_531
    return changed, places


def test_every_number_follows_the_manifest_and_none_is_typed_by_hand(manifest: Manifest) -> None:
    changed, places = all_changed(manifest)
    text = page(changed).replace("97,531", "97531")
    for words in (CANARY, manifest["content_id"], "sha256", "int64", "float64", *manifest["tools"].values()):
        text = text.replace(words, "")
    for column in columns(GenADVRow):
        text = text.replace(column.meaning, "")
    for source in manifest["sources"]:
        text = text.replace(source["sha256"][:16], "")
    printed = Counter(number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)*", text))
    assert len(places) > 60
    assert [path for number, path in places.items() if printed[number] == 0] == []
    # Left: rows of the split that popqa lacks, ids in all splits, the version in the title.
    left = {number: count for number, count in printed.items() if number not in places}
    assert left == {"0": 1, "97531": 2, "1.2.3": 1}


def test_the_writer_is_named_and_its_statements_called_invented(manifest: Manifest) -> None:
    body = page(manifest)
    assert "The inserted text is invented." in body
    assert "`rules`, a set of\n> deterministic rules" in body
    other = page({**manifest, "writer": "openai:some-model"})
    assert "`openai:some-model`. Its statements are false by design" in other
    assert "deterministic rules" not in other


def test_every_column_of_the_rows_is_in_the_table(manifest: Manifest) -> None:
    body = page(manifest)
    for column in columns(GenADVRow):
        assert f"| `{column.name}` | {column.type} | {column.meaning} |" in body


def test_every_table_row_has_as_many_cells_as_its_head(manifest: Manifest) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", page(manifest), re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


@pytest.mark.parametrize("key", ["writer", "seed", "content_id", "splits", "recipe", "tools"])
def test_a_manifest_that_lacks_something_renders_nothing(manifest: Manifest, key: str) -> None:
    with pytest.raises(UndefinedError):
        page({name: value for name, value in manifest.items() if name != key})


def test_a_config_that_lacks_something_renders_nothing(manifest: Manifest) -> None:
    changed = deepcopy(manifest)
    del changed["configs"][1]["recall"]
    with pytest.raises(UndefinedError, match="recall"):
        page(changed)


def test_licences_of_all_sources_are_in_the_yaml(manifest: Manifest) -> None:
    changed = deepcopy(manifest)
    changed["sources"][0]["license"] = "CC-BY-4.0"
    text = render("genadv", "A title", changed, [Config("nq", GenADVRow, (Split("retrieved", 1, 1),))], CANARY)
    assert yaml.safe_load(text.split("---\n", 2)[1])["license"] == ["cc-by-4.0", "mit"]
