"""Every invariant, broken alone with all hashes rewritten, is named."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from builders.cli import main
from builders.verify import problems, rebuild_problems
from loaders.artifact import read_rows, shard_paths, write_rows
from loaders.errors import DecoyQAError
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.manifest import combined_id, read_manifest, rows_digest, write_manifest
from loaders.records import Document, Verdict

Facts = dict[str, Any]


def rewrite(folder: Path, change: Callable[[Facts], None] = lambda facts: None) -> None:
    """Write the manifest again with right hashes and content id: only the invariants are left to object."""
    facts = {k: v for k, v in read_manifest(folder).items() if k not in ("files", "manifest_sha256")}
    digests = {}
    for config in facts["configs"]:
        name = config["name"]
        for split in SPLITS:
            if shard_paths(folder, name, split) and split in config["rows"]:
                digests[f"{name}/{split}"] = rows_digest(read_rows(folder, name, split, GenADVRow))
        found = read_rows(folder, f"{name}_construction", "candidates", Candidate)
        digests[f"{name}_construction/candidates"] = rows_digest(found)
    facts["content_id"] = combined_id(digests)
    change(facts)
    write_manifest(folder, facts)


def edit(folder: Path, split: str, change: Callable[[GenADVRow], GenADVRow], id: str = "q0") -> None:
    rows = [change(row) if row.id == id else row for row in read_rows(folder, "nq", split, GenADVRow)]
    write_rows(folder, "nq", split, GenADVRow, rows)


def edit_candidates(folder: Path, change: Callable[[Candidate], Candidate]) -> None:
    rows = read_rows(folder, "nq_construction", "candidates", Candidate)
    write_rows(folder, "nq_construction", "candidates", Candidate, [change(row) for row in rows])


def with_inserted(row: GenADVRow, **changes: Any) -> GenADVRow:
    at = row.inserted_at
    return replace(
        row, documents=(*row.documents[:at], replace(row.documents[at], **changes), *row.documents[at + 1 :])
    )


def without_last(row: GenADVRow) -> GenADVRow:
    return replace(row, documents=row.documents[:-1])


def moved(row: GenADVRow) -> GenADVRow:
    """Return the row with its inserted document in another slot."""
    others = [document for document in row.documents if document.kind == "retrieved"]
    slot = (row.inserted_at + 1) % len(row.documents)
    return replace(row, documents=(*others[:slot], row.documents[row.inserted_at], *others[slot:]), inserted_at=slot)


def all_marked(row: GenADVRow) -> GenADVRow:
    return replace(row, documents=tuple(replace(document, holds_answer=True) for document in row.documents))


def test_a_fresh_artifact_has_no_problems(small_artifact: Path) -> None:
    assert problems(small_artifact) == []
    rewrite(small_artifact)
    assert problems(small_artifact) == []


STRAY = Document("d", "", "Mud.", kind="random")
BROKEN_ROWS = [
    ("adversarial", lambda row: replace(row, id="q9"), "nq/adversarial q9: no such id in retrieved"),
    ("random", lambda row: replace(row, id="q1"), "nq/random: 5 rows, 5 different ids expected"),
    ("retrieved", lambda row: replace(row, inserted_at=0), "nq/retrieved q0: something is inserted"),
    (
        "retrieved",
        lambda row: replace(row, conflict_answer="Port0"),
        "nq/retrieved q0: a conflicting answer without a conflict",
    ),
    (
        "retrieved",
        lambda row: replace(row, documents=(*row.documents, STRAY)),
        "nq/retrieved q0: a document is of another kind, or there is none",
    ),
    (
        "adversarial",
        lambda row: replace(row, answerable=False),
        "nq/adversarial q0: answerable does not agree with the retrieved documents",
    ),
    ("adversarial", all_marked, "nq/adversarial q0: holds_answer does not agree with the documents"),
    (
        "adversarial",
        without_last,
        "nq/adversarial q0: the documents without the inserted one are not the retrieved ones",
    ),
    (
        "conflict",
        lambda row: replace(row, inserted_at=-1),
        "nq/conflict q0: the documents without the inserted one are not the retrieved ones",
    ),
    (
        "random",
        lambda row: with_inserted(row, kind="topk"),
        "nq/random q0: the inserted document is of another kind",
    ),
    (
        "random",
        lambda row: with_inserted(row, text="Town0 is dry.", holds_answer=True),
        "nq/random q0: the inserted document holds an answer",
    ),
    ("conflict", moved, "nq/conflict q0: the slot is not that of the id's other conditions"),
    (
        "conflict",
        lambda row: replace(row, conflict_answer="Elsewhere"),
        "nq/conflict q0: the inserted document does not give the conflicting answer",
    ),
    (
        "topk",
        lambda row: replace(row, conflict_answer="Port0"),
        "nq/topk q0: a conflicting answer without a conflict",
    ),
    (
        "topk",
        lambda row: replace(row, question="who?"),
        "nq/topk q0: differs from retrieved in more than the inserted document",
    ),
    (
        "random",
        lambda row: replace(row, answers=(*row.answers, "---")),
        "nq/random q0: an answer is missing, empty after normalising or doubled",
    ),
]


@pytest.mark.parametrize(("split", "change", "line"), BROKEN_ROWS, ids=[line for _, _, line in BROKEN_ROWS])
def test_a_broken_row_is_named(
    small_artifact: Path, split: str, change: Callable[[GenADVRow], GenADVRow], line: str
) -> None:
    edit(small_artifact, split, change)
    rewrite(small_artifact)
    assert line in problems(small_artifact)


def set_count(facts: Facts) -> None:
    facts["configs"][0]["funnel"]["random"][0]["kept"] += 1


def set_funnel(facts: Facts) -> None:
    step = facts["configs"][0]["funnel"]["adversarial"][0]
    step["rejected"] = {"too_few_entities": sum(step["rejected"].values())}


def set_paired(facts: Facts) -> None:
    facts["configs"][0]["paired"]["all"].pop()


def set_pending(facts: Facts) -> None:
    facts["configs"][0]["pending"] = 1


def set_opinions(facts: Facts) -> None:
    facts["configs"][0]["opinions"] = {"adversarial": {"checker_infers_answer": {"no": 1}}}


def set_share(facts: Facts) -> None:
    facts["configs"][0]["unanswerable_share"] = 0.5


def set_rows(facts: Facts) -> None:
    facts["configs"][0]["rows"]["random"] = 4


def set_content(facts: Facts) -> None:
    facts["content_id"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            set_count,
            ["nq: random decide: the counts do not add up", "nq: random: the funnel is not that of the candidates"],
        ),
        (set_funnel, ["nq: adversarial: the funnel is not that of the candidates"]),
        (set_paired, ["nq: the paired ids are not those of the rows"]),
        (set_pending, ["nq: the pending candidates are not as many as the manifest says"]),
        (set_opinions, ["nq: the checker's opinions are not those of the candidates"]),
        (set_share, ["nq: the unanswerable share is not that of the rows"]),
        (set_rows, ["nq/random: 5 rows, 4 different ids expected"]),
        (set_content, ["content id: the rows are not those that the manifest names"]),
    ],
)
def test_a_wrong_figure_of_the_manifest_is_named(
    small_artifact: Path, change: Callable[[Facts], None], lines: Sequence[str]
) -> None:
    rewrite(small_artifact, change)
    assert problems(small_artifact) == lines


def test_a_candidate_whose_row_is_missing_is_named(small_artifact: Path) -> None:
    rows = read_rows(small_artifact, "nq", "random", GenADVRow)
    write_rows(small_artifact, "nq", "random", GenADVRow, rows[:-1])
    rewrite(small_artifact, lambda facts: facts["configs"][0]["rows"].update(random=4))
    assert "nq: random: the kept candidates are not the rows" in problems(small_artifact)


def test_a_candidate_with_other_verdicts_is_named(small_artifact: Path) -> None:
    edit_candidates(small_artifact, lambda row: replace(row, verdicts=(*row.verdicts, Verdict("more", 1, "pass", ""))))
    rewrite(small_artifact)
    assert "nq: adversarial: the funnel is not that of the candidates" in problems(small_artifact)


def test_rows_of_another_artifact_do_not_pass_by_their_hashes(small_artifact: Path) -> None:
    """Equal file hashes are not enough: the content id is over rows."""
    before = read_manifest(small_artifact)["content_id"]
    edit(small_artifact, "retrieved", lambda row: replace(row, source_license="CC0-1.0"), id="q3")
    rewrite(small_artifact, lambda facts: facts.update(content_id=before))
    assert "content id: the rows are not those that the manifest names" in problems(small_artifact)


def test_another_schema_is_named_and_nothing_is_read_after_it(small_artifact: Path) -> None:
    path = shard_paths(small_artifact, "nq", "random")[0]
    table = pq.read_table(path)
    pq.write_table(table.drop_columns(["writer"]), path)
    facts = {k: v for k, v in read_manifest(small_artifact).items() if k not in ("files", "manifest_sha256")}
    write_manifest(small_artifact, facts)
    assert problems(small_artifact) == ["nq/random-00000-of-00001.parquet: not the schema of GenADVRow"]


def test_a_split_that_the_manifest_does_not_know_is_named(small_artifact: Path) -> None:
    (small_artifact / "nq" / "more.parquet").parent.mkdir(exist_ok=True)
    pq.write_table(pa.table({"id": ["q0"]}), small_artifact / "nq" / "more.parquet")
    rewrite(small_artifact)
    assert problems(small_artifact) == ["nq/more.parquet: belongs to no split of the manifest"]


def test_changed_bytes_are_named_before_anything_is_read(small_artifact: Path) -> None:
    path = shard_paths(small_artifact, "nq", "random")[0]
    path.write_bytes(b"no Parquet at all".ljust(path.stat().st_size))
    assert problems(small_artifact) == ["nq/random-00000-of-00001.parquet: changed bytes, sha256 differs"]


def test_the_command_names_problems_and_exits_with_2(small_artifact: Path) -> None:
    assert CliRunner().invoke(main, ["verify", str(small_artifact)]).exit_code == 0
    (small_artifact / "README.md").unlink()
    result = CliRunner().invoke(main, ["verify", str(small_artifact)])
    assert result.exit_code == 2
    assert "README.md: missing" in result.output
    assert "is not what was released: 1 problem(s)" in result.output


@pytest.mark.parametrize("name", ["no-such-folder", "."])
def test_no_artifact_is_one_line_and_exit_2(tmp_path: Path, name: str) -> None:
    result = CliRunner().invoke(main, ["verify", str(tmp_path / name)])
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "has no manifest.json" in result.output


def build_json(folder: Path, path: Path) -> None:
    given = {"source": "nq", "config": "nq", "path": str(path)}
    (folder / "build.json").write_text(json.dumps({"rebuild": {"inputs": [given]}}))


def test_a_rebuild_says_what_it_lacks(small_artifact: Path, tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match=r"build\.json does not say from what"):
        rebuild_problems(small_artifact, tmp_path)
    build_json(small_artifact, tmp_path / "gone.jsonl")
    with pytest.raises(DecoyQAError, match=r"gone\.jsonl is not there any more"):
        rebuild_problems(small_artifact, tmp_path)
    (tmp_path / "other.jsonl").write_text("{}")
    build_json(small_artifact, tmp_path / "other.jsonl")
    with pytest.raises(DecoyQAError, match=r"other\.jsonl is no longer what nq was built from"):
        rebuild_problems(small_artifact, tmp_path)
    (small_artifact / "build.json").unlink()
    with pytest.raises(DecoyQAError, match="does not say from what"):
        rebuild_problems(small_artifact, tmp_path)


def test_a_rebuild_compares_every_byte(small_artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`build` is replaced by a copy with one file changed, one missing and one more."""
    again = Path(shutil.copytree(small_artifact, tmp_path / "again"))
    monkeypatch.setattr("builders.genadv.rebuild._options", lambda *_: None)
    monkeypatch.setattr("builders.genadv.rebuild.build", lambda *_, **__: again)
    assert rebuild_problems(small_artifact, tmp_path) == []
    shutil.move(again / "nq" / "topk-00000-of-00001.parquet", again / "nq" / "top-00000-of-00001.parquet")
    (again / "README.md").write_text("another page")
    assert rebuild_problems(small_artifact, tmp_path) == [
        "nq/top-00000-of-00001.parquet: made again only",
        "README.md: differs when made again",
        "nq/topk-00000-of-00001.parquet: not made again",
    ]
