"""The page says what the manifest says: no number of its own, no gap that goes unnoticed."""

import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from card_page import Card, Manifest, section, tables, unexplained
from jinja2 import UndefinedError
from nested import numbers

from cards.example import Example, choose_example
from cards.header import Config
from cards.prose import PROSE, read_prose
from cards.render import TEMPLATES, fill, render
from eval.stats import MinimumEffect
from loaders.genadv import CANARY, Candidate, GenADVRow
from loaders.manifest import read_manifest
from loaders.schema import columns

# Where the paper says it: the only digits that our own words may hold.
PAPER = re.compile(
    r"\b(?:sections?|Tables?|[Ee]quation|step|steps|appendix|appendices|Figure) [A-Z\d][\d.]*(?:(?:,| and| to) [\d.]+)*"
)


@pytest.fixture
def card(small_artifact: Path, configs_of: Callable[[Path], tuple[list[Config], list[Config]]]) -> Card:
    rows, made = configs_of(small_artifact)
    return Card("genadv", read_manifest(small_artifact), [*rows, *made], choose_example(small_artifact, rows))


def test_the_page_of_an_artifact_is_yaml_and_text(small_artifact: Path, card: Card) -> None:
    _, head, body = (small_artifact / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    splits = {config["config_name"]: [file["split"] for file in config["data_files"]] for config in found["configs"]}
    assert splits == {
        "nq": ["retrieved", "adversarial", "conflict", "random", "topk"],
        "popqa": ["retrieved", "adversarial", "conflict", "random"],
        "nq_construction": ["candidates"],
        "popqa_construction": ["candidates"],
    }
    assert body.startswith("\n# DecoyQA GenADV 1.2.3\n\nDoes a model ")
    assert "| `nq` | Natural Questions (NQ-open) | 6 | 5 | 80.0 % | 20.0 % |" in body
    assert "| `nq` | 5 | 4 | 4 | 5 | 5 | 3 |" in body
    assert "| `popqa` | 5 | 4 | 4 | 5 | 0 | 3 |" in body
    assert "Config `popqa` has no split `topk`: no question reached it." in body
    assert "Config `nq` has no split" not in body
    assert "| adversarial | `decide` | 5 | 4 | 0 | not_a_decoy 1 |" in body
    assert "| retrieved | `answers_and_documents` | 6 | 5 | 0 | no_answer 1 |" in body
    assert card.manifest["content_id"] in body
    assert CANARY in body


def test_every_split_of_the_manifest_has_its_count_in_the_yaml(small_artifact: Path, card: Card) -> None:
    head = yaml.safe_load((small_artifact / "README.md").read_text(encoding="utf-8").split("---\n", 2)[1])
    rows = {file["path"]: file["rows"] for file in card.manifest["files"]}
    for info in head["dataset_info"]:
        for split in info["splits"]:
            path = f"{info['config_name']}/{split['name']}-00000-of-00001.parquet"
            assert split["num_examples"] == rows[path]
            assert split["num_bytes"] == (small_artifact / path).stat().st_size


def test_the_item_is_shown_in_every_condition_with_its_texts_escaped(card: Card) -> None:
    shown = section(card.page(), "One item")
    assert shown.startswith("\n`q0` of `nq`, the first of the items that stand in the most splits.")
    assert "**Question:** where does River0 flow\n\n**Answers:** Town0 · Town0 City\n" in shown
    # The first document has no title; the third has a line break, a tab and quotes.
    assert "\n1. ✓ River0 flows through Town0.\n1. **River0** River0 is cold.\n" in shown
    assert "\n1. **River0** An “odd” text: № 5, 20 °C.\n" in shown
    place = card.example.rows["conflict"].inserted_at + 1
    assert f"One of these stands among them, at place {place} of 6:" in shown
    table = shown.split("| --- | --- |\n")[1]
    assert [line.split(" | ")[0] for line in table.strip().splitlines()] == [
        "| `adversarial`",
        "| `conflict`<br>says: Port0",
        "| `random`",
        "| `topk`",
    ]
    assert "River0 flows through Port0." in table


def test_an_item_that_tries_to_break_the_page_does_not(card: Card) -> None:
    base = card.example.rows["retrieved"]
    hostile = "# Head\n\n| a | b |\n<script>x</script> {{ seed }} ```\n---\n## Cite"
    rows = {"retrieved": replace(base, question=hostile, answers=(hostile,) * 7)}
    page = replace(card, example=Example("a`b", "nq", rows)).page()
    assert page.count("\n## Cite\n") == 1
    assert "<script>" not in page
    shown = section(page, "One item")
    assert "`a'b`" in shown
    assert shown.count("\\# Head") == 1 + 5
    assert " …\n" in shown
    assert "stands among them" not in shown


# What the manifest holds beside the page: of the files, of documents per case, of ids, and of the format.
NOT_SHOWN = {"files", "format_version", "documents_per_case", "next_rank", "pending"}


def all_changed(manifest: Manifest) -> tuple[Manifest, dict[str, list[Any]]]:
    """Return the manifest with a number of its own in every place that is shown, and the place of each as printed."""
    changed, places = deepcopy(manifest), {}
    for i, (path, _) in enumerate(numbers(manifest)):
        if not NOT_SHOWN.isdisjoint(path[:3]):
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


def with_voices(manifest: Manifest) -> Manifest:
    """Return the manifest of a build that asked a writer and a checker."""
    sampling = {"temperature": 1.5, "top_p": 0.5, "max_tokens": 99}
    asked = {"writer": "openai:w", "writer_sampling": sampling, "checker": "openai:c", "checker_sampling": {**sampling}}
    said = {
        "models": {"writer": ["w-new", "w-old"], "checker": []},
        "opinions": {"conflict": {"checker_contradicts_answer": {"yes": 3, "unjudged": 1}}},
    }
    configs = [{**config, **(said if i == 0 else {})} for i, config in enumerate(manifest["configs"])]
    prompts = {"answer_sentence": "ab" * 32}
    return {**deepcopy(manifest), **asked, "checker_gates": False, "configs": configs, "prompts": prompts}


def test_the_shared_page_asks_nothing_of_a_manifest_that_one_family_alone_has(card: Card) -> None:
    shared = ("name", "rows", "left_out", "funnel")
    configs = [{key: config[key] for key in shared} for config in card.manifest["configs"]]
    prose = read_prose("genadv")
    values = {"configs": card.configs, "example": card.example, "manifest": {**card.manifest, "configs": configs}}
    body = fill("base.md.jinja", prose=prose, **values)
    whole = re.findall(r"^##+ .*", card.page(), re.MULTILINE)
    assert re.findall(r"^##+ .*", body, re.MULTILINE) == whole
    assert len(whole) > 13


def test_every_number_follows_the_manifest_and_none_is_typed_by_hand(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    effect = MinimumEffect(0.00101, 0.00102, {0.00103: None})
    monkeypatch.setattr("cards.render.minimum_effect", lambda n: effect)
    changed, places = all_changed(with_voices(card.manifest))
    text = card.page(changed).replace("97,531", "97531")
    text = text.replace(section(text, "One item"), "").replace(section(text, "Cite").split("```bibtex")[1], "")
    for words in (CANARY, card.manifest["content_id"], "sha256", "int64", "float64", *card.manifest["tools"].values()):
        text = text.replace(words, "")
    for column in (*columns(GenADVRow), *columns(Candidate)):
        text = text.replace(column.meaning, "")
    for source in card.manifest["sources"]:
        text = text.replace(source["sha256"][:16], "").replace(source["license"], "")
    text = re.sub(r"\]\([^)]*\)|^1\. ", "", PAPER.sub("", text), flags=re.MULTILINE)
    text = text.replace("ab" * 32, "")
    printed = Counter(number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)*", text))
    assert len(places) > 60
    assert [path for number, path in places.items() if printed[number] == 0] == []
    # Left: rows of the split that popqa lacks, ids in all splits, the version, what the sizes can show.
    left = {number: count for number, count in printed.items() if number not in places}
    questions = str(sum(config["cases"] for config in changed["configs"]))
    assert left.pop(questions) == 1
    assert left.pop("1.2.3") == 5
    assert left == {"0": 1, "97531": 2, "0.101": 1, "0.102": 1, "0.103": 1}


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.jinja")), ids=lambda path: path.name)
def test_no_template_holds_a_number(path: Path) -> None:
    own = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    own = re.sub(r"^1\. |sha256", "", PAPER.sub("", own), flags=re.MULTILINE)
    assert re.findall(r".*\d.*", own) == []


@pytest.mark.parametrize("path", sorted(PROSE.glob("*.toml")), ids=lambda path: path.name)
def test_no_prose_holds_a_number(path: Path) -> None:
    own = path.read_text(encoding="utf-8").split("[paper]")[0]
    own = re.sub(r"^d\d = ", "", own, flags=re.MULTILINE)  # names of splits
    assert re.findall(r".*\d.*", PAPER.sub("", own)) == []


def test_a_number_in_our_own_words_would_be_found() -> None:
    assert PAPER.sub("", "dropped (sections 5.3.1 and 5.4.1), Table 10, section 5.3.1, step 2, appendix B") == (
        "dropped (), , , , "
    )
    assert re.findall(r"\d+", PAPER.sub("", "the 3,610 questions of section 5")) == ["3", "610"]


def test_the_writer_is_named_and_its_statements_called_false(card: Card) -> None:
    body = card.page()
    assert "> ⚠️ The decoys are false: the adversarial and conflicting documents are invented." in body
    assert "Decoys written by `rules`. A set of deterministic rules" in body
    assert "Passages written by rules" in section(body, "Limits")
    assert "second opinion" not in body
    assert "| prompt |" not in body


def test_models_are_named_with_what_they_said(card: Card) -> None:
    body = card.page(with_voices(card.manifest))
    assert "Decoys written by `openai:w`. A language model, asked with the paper's prompts" in body
    assert "`openai:c` gave a second opinion on every written passage. Its opinions are recorded" in body
    assert "| conflict | does the passage contradict the answer? | yes 3, unjudged 1 |" in body
    assert "| writer | `openai:w`, temperature 1.5, top_p 0.5, max_tokens 99 |" in body
    assert "| writer, as the engine named itself | `w-new`, `w-old` |" in body
    assert f"| answer_sentence | `{'ab' * 32}` |" in body
    assert "Passages written by a model" in section(body, "Limits")
    assert "deterministic rules" not in body
    gated = card.page({**with_voices(card.manifest), "checker_gates": True})
    assert "What it found wrong was rejected." in gated


def test_a_release_is_loaded_at_its_tag_and_a_development_version_is_not(card: Card) -> None:
    assert 'load_dataset("ORG/NAME", "nq", split="retrieved", revision="v1.2.3")' in card.page()
    body = card.page({**card.manifest, "version": "0.0.0.dev0"})
    assert 'load_dataset("ORG/NAME", "nq", split="retrieved")' in body
    assert "revision" not in body


def test_every_column_of_rows_and_candidates_is_in_a_table(card: Card) -> None:
    assert unexplained(card.page(), GenADVRow, Candidate) == []
    for record in (GenADVRow, Candidate):
        assert any("[]." in column.name for column in columns(record))


def test_every_table_row_has_as_many_cells_as_its_head(card: Card) -> None:
    found = tables(card.page(with_voices(card.manifest)))
    assert len(found) > 12
    assert [cells for cells in found if len(set(cells)) > 1] == []


@pytest.mark.parametrize("key", ["writer", "seed", "content_id", "splits", "recipe", "tools", "catalogue", "limit"])
def test_a_manifest_that_lacks_something_renders_nothing(card: Card, key: str) -> None:
    with pytest.raises((UndefinedError, KeyError), match=key):
        card.page({name: value for name, value in card.manifest.items() if name != key})


def test_a_config_that_lacks_something_renders_nothing(card: Card) -> None:
    changed = deepcopy(card.manifest)
    del changed["configs"][1]["recall"]
    with pytest.raises(UndefinedError, match="recall"):
        card.page(changed)


def test_a_config_in_which_no_question_was_usable_is_named(card: Card) -> None:
    changed = deepcopy(card.manifest)
    changed["configs"][1] |= {"rows": {}, "left_out": changed["splits"], "paired": {"all": [], "with_retrieved": {}}}
    body = card.page(changed)
    assert "Config `popqa` has no split `retrieved`, `adversarial`, `conflict`, `random`, `topk`" in body
    assert "| `popqa` | 0 | 0 | 0 | 0 | 0 | 0 |" in body


def test_where_questions_and_documents_come_from_is_told_where_it_is_known(card: Card) -> None:
    assert "on the Hub" not in section(card.page(), "Sources and licences")
    assert "Documents of" not in section(card.page(), "Sources and licences")
    changed = deepcopy(card.manifest)
    retrieval = {"passages": "ab" * 32, "n_passages": 21_015_324, "retriever": "bm25 k1", "depth": 10, "run": ""}
    changed["sources"][0] |= {"hub": "org/nq@0f/nq.parquet", "retrieval": retrieval}
    changed["sources"][1] |= {"hub": "", "retrieval": {**retrieval, "run": "cd" * 32}}
    found = section(card.page(changed), "Sources and licences")
    assert "`nq` was read from `org/nq@0f/nq.parquet` on the Hub." in found
    assert found.count("on the Hub") == 1
    assert (
        "Documents of `nq`: at most 10 for each question, by `bm25 k1`, from 21,015,324 passages"
        " (sha256 of their file `abababababababab…`).\n"
    ) in found
    assert "(sha256 of their file `abababababababab…`), as a run file says (`cdcdcdcdcdcdcdcd…`).\n" in found


def test_licences_of_all_sources_are_in_yaml_and_page(card: Card) -> None:
    changed = deepcopy(card.manifest)
    changed["sources"][0]["license"], changed["sources"][1]["license"] = "CC-BY-4.0", "unknown"
    text = render("genadv", read_prose("genadv"), changed, card.configs, card.example)
    assert yaml.safe_load(text.split("---\n", 2)[1])["license"] == ["cc-by-4.0", "unknown"]
    assert "| [CC-BY-4.0](https://spdx.org/licenses/CC-BY-4.0.html) |" in text
    assert "| [PopQA](https://github.com/AlexTMallen/adaptive-retrieval) | unknown |" in text
