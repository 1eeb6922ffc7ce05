"""Whole builds of the sample: what is kept and why not, same bytes, other seeds, targets, kills, bad input."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kills import forked
from realhop_small import FEW, build_small, content, few, options, pipeline, sample_rows, write_rows

from builders.cli import main
from builders.progress import Silent
from builders.realhop.build import build
from builders.realhop.show import targets
from builders.release.diff import diff
from builders.release.validate import release_problems
from builders.verify import problems, rebuild_problems
from eval.answers import holds_answer
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest
from loaders.realhop import RealHop, RealHopCandidate, RealHopRow, load

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("few")
    return build_small(few(place), place)


def rows(folder: Path, split: str) -> list[RealHopRow]:
    return read_rows(folder, "musique", split, RealHopRow)


def candidates(folder: Path) -> list[RealHopCandidate]:
    return read_rows(folder, "musique_construction", "items", RealHopCandidate)


def test_chains_joins_and_fan_outs_are_kept_and_the_rest_is_named(folder: Path) -> None:
    found = {one.id: (one.status, one.reason) for one in candidates(folder)}
    assert found == dict.fromkeys(FEW[:4], ("kept", "")) | {FEW[4]: ("rejected", "not_rebindable")}
    assert [row.id for row in rows(folder, "full")] == [row["id"] for row in sample_rows(FEW[:4])]
    (config,) = read_manifest(folder)["configs"]
    assert config["rows"] | {"control": 0} == {"full": 4, "source": 4, "drop": 2 + 3 + 3 + 4, "control": 0}
    assert config["hops"] == {"2": 1, "3": 2, "4": 1}
    assert config["funnel"]["item"][0] == {"step": "errata", "entered": 5, "kept": 5, "pending": 0, "rejected": {}}


def test_verify_makes_every_proof_again_and_finds_nothing_wrong(folder: Path) -> None:
    assert problems(folder) == []
    assert read_manifest(folder)["configs"][0]["proof"]["drops_with_an_answer"] == 0


def test_the_join_keeps_its_shape(folder: Path) -> None:
    join = next(row for row in rows(folder, "full") if row.id == "3hop2__sample_10")
    assert [hop.depends_on for hop in join.hops] == [(), (), ("1", "2")]
    assert {"#1", "#2"} <= set(join.hops[2].relation.split())
    assert join.answer.isdecimal()
    assert join.answer != "1932"


def test_nothing_of_the_source_is_left_in_a_question_and_no_answer_shows(folder: Path) -> None:
    for row, source in zip(rows(folder, "full"), rows(folder, "source"), strict=True):
        assert not holds_answer(row.question, [hop.answer for hop in (*row.hops, *source.hops)])
        assert not any(holds_answer(passage.text, [row.answer]) for passage in source.passages)


def test_the_loader_gives_typed_rows_that_belong_together(folder: Path) -> None:
    found = load(folder)
    assert found.splits("musique")[:3] == ("full", "source", "drop")
    pairs = found.paired("musique", "full", "source")
    assert [(one.id, other.writer) for one, other in pairs] == [(row.id, "") for row in rows(folder, "full")]
    assert len(found.candidates("musique")) == 5


def test_every_drop_and_control_stands_beside_its_item_and_its_hop(folder: Path) -> None:
    found = load(folder)
    hops = [(row.id, hop.hop_id) for row in rows(folder, "full") for hop in row.hops]
    for one, drop in (pairs := found.paired("musique", "full", "drop")):
        assert (one.id, one.target_hop, one.n_hops) == (drop.id, "", drop.n_hops)
    assert [(drop.id, drop.target_hop) for _, drop in pairs] == hops
    assert [(drop.id, drop.target_hop) for drop, _ in found.paired("musique", "drop", "source")] == hops
    controls = [row.row_id for row in rows(folder, "control")]
    assert controls
    triples = found.paired("musique", "full", "control", "drop")
    ids = [tuple(row.row_id for row in triple) for triple in triples]
    assert ids == [(row_id.partition("/")[0], row_id, row_id) for row_id in controls]


def test_the_same_input_and_seed_give_the_same_bytes_whatever_the_cache_holds(folder: Path, tmp_path: Path) -> None:
    path = few(tmp_path)
    again = build_small(path, tmp_path)
    assert content(again) == content(folder)
    assert content(build_small(path, tmp_path)) == content(folder)  # from the finished part


def plan_of(hop: RealHop) -> tuple[object, ...]:
    """What of a hop is planned: all but its names."""
    return hop.hop_id, hop.depends_on, len(hop.units), re.sub(r"[A-Z]\w+(?: [A-Z]\w+)*", "_", hop.relation)


def test_another_seed_gives_other_names_and_the_same_plans(folder: Path, tmp_path: Path) -> None:
    other = build_small(few(tmp_path), tmp_path, seed=1)
    for one, two in zip(rows(folder, "full"), rows(other, "full"), strict=True):
        assert one.answer != two.answer
        assert one.question != two.question
        assert [plan_of(hop) for hop in one.hops] == [plan_of(hop) for hop in two.hops]
    assert rows(other, "source") == rows(folder, "source")
    assert read_manifest(other)["content_id"] != read_manifest(folder)["content_id"]


def test_without_orphans_it_is_the_papers_full(folder: Path, tmp_path: Path) -> None:
    without = build_small(few(tmp_path), tmp_path, orphans=False, limit=1)
    (row,) = rows(without, "full")
    assert {path.family for path in row.competitors} == {"flexible", "strict"}
    assert {path.family for path in rows(folder, "full")[0].competitors} == {"flexible", "strict", "orphan"}
    assert "This build has no orphans" in (without / "README.md").read_text("utf-8")


def test_targets_take_the_first_items_of_each_length(tmp_path: Path) -> None:
    found = build_small(few(tmp_path), tmp_path, two_hops=1, three_hops=1, four_hops=0)
    assert [row.n_hops for row in rows(found, "full")] == [2, 3]
    reasons = {one.id: one.reason for one in candidates(found)}
    assert reasons["4hop1__sample_12"] == "over_target"
    assert sorted(reasons.values()).count("over_target") == 2
    assert problems(found) == []


def test_a_rebuild_from_build_json_gives_the_same_bytes(folder: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("builders.realhop.build.load_pipeline", pipeline)
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    assert rebuild_problems(folder, tmp_path) == []


def test_a_withdrawn_item_is_left_out_and_named(tmp_path: Path) -> None:
    history = tmp_path / "history.toml"
    history.write_text(
        f'[[erratum]]\nconfig = "musique"\nid = "{FEW[0]}"\nkind = "withdrawn"\nfound_in = "1.0.0"\n'
        'date = 2026-12-24\nreason = "a wrong town"\n'
    )
    found = build_small(few(tmp_path), tmp_path, history=history, limit=2)
    first = candidates(found)[0]
    assert (first.id, first.reason) == (FEW[0], "withdrawn")


def test_a_build_that_is_killed_goes_on_and_ends_with_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builders.realhop.build.load_pipeline", pipeline)
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    wanted = options(few(tmp_path), tmp_path)
    target = tmp_path / "out" / "realhop" / "0.0.0.dev0"
    for seconds in (0.1, 0.6, 1.5):
        forked(lambda: build(wanted, Silent()), seconds)
        assert not target.exists() or content(target) == content(folder)
    assert content(build(wanted, Silent())) == content(folder)


def test_a_release_passes_every_check_and_two_seeds_differ_in_all_rows(tmp_path: Path) -> None:
    one = build_small(few(tmp_path), tmp_path, limit=1, version="1.0.0")
    # The pictures are the only thing that tests leave out.
    assert [line for line in release_problems(one) if "figures" not in line] == []
    two = build_small(few(tmp_path), tmp_path, limit=1, version="1.1.0", seed=1)
    found = {split.split: split for split in diff(one, two).splits}
    assert set(found["full"].changed) == {FEW[0]}
    assert found["source"].changed == {}
    assert set(found["drop"].changed) == {f"{FEW[0]}/1", f"{FEW[0]}/2"}
    assert diff(one, two).settings == ("seed: 0 -> 1",)


def test_nothing_that_can_be_kept_is_one_line(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "one.jsonl", list(sample_rows(FEW[4:])))
    with pytest.raises(DecoyQAError, match=r"no item was kept: not_rebindable 1$"):
        build_small(path, tmp_path)


def changed(**changes: Any) -> list[dict[str, Any]]:
    (row,) = sample_rows(FEW[:1])
    return [{name: value for name, value in (row | changes).items() if value is not None}]


STEP = {"question": "Who?", "answer": "Ada", "paragraph_support_idx": 99}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (None, "expected a file, found nothing"),
        (b"", "expected at least one row"),
        (b'{"id": 1,\n', "expected JSON"),
        (b"PAR1 no parquet", "expected whole, readable Parquet"),
        (b"a,b,c\n1,2,3\n", "expected a header"),
        (changed(question_decomposition=None), "expected the question_decomposition"),
        (changed(question_decomposition=[]), "expected hops, found none"),
        (changed(question_decomposition=[STEP]), "expected paragraph_support_idx as the idx of a paragraph, found 99"),
        (changed(paragraphs=None), "expected the paragraphs"),
        (changed(answer="  "), "expected the answer, found an empty text"),
        (changed(answerable=False), "expected answerable questions with supporting paragraphs, found none"),
        ([*changed(), *changed()], "row 2: expected an id of its own"),
    ],
)
def test_bad_input_stops_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | list[dict[str, Any]] | None, expected: str
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    path = tmp_path / "in.jsonl"
    if isinstance(data, bytes):
        path.write_bytes(data)
    elif data is not None:
        write_rows(path, data)
    refused(tmp_path, ["--input", str(path)], expected)


def refused(tmp_path: Path, words: list[str], expected: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    found = CliRunner().invoke(main, ["build", "realhop", "--out", str(tmp_path / "out"), *words])
    assert found.exit_code == 2, found.output
    (line,) = found.stderr.splitlines()
    assert expected in line, line
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--source", "hotpotqa"], "--source hotpotqa: expected one of musique, sample"),
        (["--target", "2=430;3=2"], "--target 2=430;3=2: expected HOPS=ITEMS"),
        (["--target", "5=1"], "expected HOPS=ITEMS for 2, 3 or 4 hops"),
        (["--target", "2=1,2=2"], "expected HOPS=ITEMS"),
        (["--target", "2=0"], "expected at least one item"),
        (["--version", "one"], "expected X.Y.Z"),
        (["--writer", "gpt"], "gpt"),
        (["--checker-gates"], "nobody is to check"),
        (["--checker", "rules"], "name an engine for a second opinion"),
    ],
)
def test_a_wrong_word_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], expected: str
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    refused(tmp_path, ["--input", str(few(tmp_path)), *words], expected)


def test_a_second_input_is_not_left_out_without_a_word(tmp_path: Path) -> None:
    path = str(few(tmp_path))
    found = CliRunner().invoke(main, ["build", "realhop", "--input", path, "--input", path])
    assert found.exit_code == 2
    assert "one alone is built from, found 2" in found.stderr


def test_a_folder_that_is_not_writable_is_named_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("builders.targets.os.access", lambda _, mode: not mode & os.W_OK)  # root may write
    refused(tmp_path, ["--input", str(few(tmp_path))], f"cannot be made: {tmp_path} is not writable")


def test_targets_are_read_as_the_papers() -> None:
    assert targets("2=430,3=244,4=116") == {"two_hops": 430, "three_hops": 244, "four_hops": 116}
    assert targets("3=5") == {"two_hops": 0, "three_hops": 5, "four_hops": 0}
    assert targets(None) == {}


def test_a_dry_run_says_what_is_read_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    words = ["--source", "sample", "--input", str(few(tmp_path)), "--out", str(tmp_path / "out"), "--dry-run"]
    found = CliRunner().invoke(main, ["build", "realhop", *words])
    assert (found.exit_code, found.stdout) == (0, "no model is asked\n")
    assert "musique: 5 questions (2 hops 2, 3 hops 2, 4 hops 1), CC-BY-4.0" in found.stderr
    fewer = CliRunner().invoke(main, ["build", "realhop", *words, "--limit", "2"])
    assert "musique: 5 questions, the first 2 of them (2 hops 1, 3 hops 1), CC-BY-4.0" in fewer.stderr
    priced = CliRunner().invoke(main, ["build", "realhop", *words, "--writer", "openai:gpt-4o"])
    assert priced.exit_code == 0
    assert "plan" in priced.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["few.jsonl"]


def test_the_command_builds_and_tells_the_funnel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("builders.realhop.build.load_pipeline", pipeline)
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    words = ["--source", "sample", "--input", str(few(tmp_path)), "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(main, ["build", "realhop", *words])
    assert found.exit_code == 0, found.output
    for line in (
        "musique: 5 items = 4 kept + 1 rejected + 0 pending",
        "not_rebindable 1",
        "12 Drops, 0 with an answer",
    ):
        assert line in found.stdout
    assert "musique, 2 hops: 2 of 2" in found.stderr
    released = ["build", "realhop", *words, "--version", "1.0.0"]
    assert CliRunner().invoke(main, released).exit_code == 0
    again = CliRunner().invoke(main, released)
    assert again.exit_code == 2
    assert "a released version is never overwritten" in again.stderr
