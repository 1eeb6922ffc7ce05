"""Any byte that is changed, missing or added is named, and the content id depends on rows alone."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from loaders import artifact, manifest
from loaders.artifact import read_rows, write_rows
from loaders.errors import DecoyQAError
from loaders.genadv import GenADVRow
from loaders.manifest import (
    UNHASHED,
    canonical_json,
    changed_files,
    combined_id,
    json_hash,
    manifest_text,
    read_manifest,
    rows_digest,
    write_manifest,
)
from loaders.records import Document, Reason


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def hashed(folder: Path) -> list[Path]:
    return [path for path in files(folder) if path.name not in UNHASHED]


def flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "flip": flip,
    "append": lambda data: data + b"\n",
    "truncate": lambda data: data[:-1],
    "empty": lambda data: b"",
}


def test_an_untouched_artifact_has_no_changes(small_artifact: Path) -> None:
    assert changed_files(small_artifact) == []
    assert len([path for path in hashed(small_artifact) if path.suffix == ".parquet"]) == 11
    (small_artifact / "build.json").write_text("timings are not hashed")
    assert changed_files(small_artifact) == []


@pytest.mark.parametrize("change", CHANGES)
def test_every_changed_file_is_named_alone(small_artifact: Path, change: str) -> None:
    for path in hashed(small_artifact):
        before = path.read_bytes()
        path.write_bytes(CHANGES[change](before))
        (line,) = changed_files(small_artifact)
        assert line.startswith(f"{path.relative_to(small_artifact).as_posix()}: ")
        assert ("changed bytes" in line) == (change == "flip")
        path.write_bytes(before)
    assert changed_files(small_artifact) == []


def test_missing_and_extra_files_are_named(small_artifact: Path) -> None:
    for path in hashed(small_artifact):
        before = path.read_bytes()
        path.rename(path.with_name("moved"))
        name, folder = path.relative_to(small_artifact).as_posix(), path.parent.relative_to(small_artifact)
        assert changed_files(small_artifact) == sorted([f"{name}: missing", f"{(folder / 'moved').as_posix()}: extra"])
        path.with_name("moved").unlink()
        path.write_bytes(before)
    (small_artifact / ".hidden").touch()
    assert changed_files(small_artifact) == [".hidden: extra"]


def test_only_the_files_at_the_root_go_without_a_hash(small_artifact: Path) -> None:
    (small_artifact / "nq" / "build.json").touch()
    (small_artifact / "nq" / "manifest.json").touch()
    assert changed_files(small_artifact) == ["nq/build.json: extra", "nq/manifest.json: extra"]


def test_links_are_files_wherever_they_lead(small_artifact: Path, tmp_path: Path) -> None:
    page = small_artifact / "README.md"
    page.rename(tmp_path / "page")
    page.symlink_to(tmp_path / "page")
    assert changed_files(small_artifact) == []  # a snapshot of the Hub's cache is made of such links
    (tmp_path / "page").unlink()
    assert changed_files(small_artifact) == ["README.md: no file"]
    os.symlink("/nowhere", small_artifact / "dangling")
    os.symlink(tmp_path, small_artifact / "folder")
    assert changed_files(small_artifact) == ["README.md: no file", "dangling: extra", "folder: extra"]


def test_any_changed_byte_of_the_manifest_is_refused(small_artifact: Path) -> None:
    path = small_artifact / "manifest.json"
    before = path.read_bytes()
    for at in range(0, len(before), max(len(before) // 40, 1)):
        for byte in {before[at] ^ 1, ord("\r"), ord(" "), 0xFF} - {before[at]}:
            path.write_bytes(before[:at] + bytes([byte]) + before[at + 1 :])
            with pytest.raises(DecoyQAError, match=r"manifest\.json"):
                changed_files(small_artifact)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "1", "null", "{}", '{"format_version": 2}', '{"format_version": 1}', "[" * 100_000, '{"a": NaN}'],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DecoyQAError, match=r"manifest\.json"):
        read_manifest(tmp_path)


def test_an_edited_manifest_is_refused_though_its_json_is_sound(small_artifact: Path) -> None:
    path = small_artifact / "manifest.json"
    found = json.loads(path.read_text())
    path.write_text(manifest.json_text({**found, "seed": 8}))
    with pytest.raises(DecoyQAError, match="changed since it was written"):
        read_manifest(small_artifact)
    path.write_text(json.dumps(found))
    with pytest.raises(DecoyQAError, match="changed since it was written"):
        read_manifest(small_artifact)
    path.write_text(manifest_text({**found, "seed": 8}))
    assert read_manifest(small_artifact)["seed"] == 8


def test_the_manifest_lists_rows_bytes_and_hash_of_every_file(tmp_path: Path) -> None:
    write_rows(tmp_path, "nq", "random", Reason, [Reason("a"), Reason("b")])
    (tmp_path / "note.txt").write_text("abc")
    write_manifest(tmp_path, {"seed": 3})
    found = read_manifest(tmp_path)
    note, rows = {file["path"]: file for file in found["files"]}.values()
    # sha256 of "abc" as FIPS 180-2, appendix B.1 gives it.
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (note["path"], note["rows"], note["bytes"], note["sha256"]) == ("note.txt", None, 3, abc)
    assert (rows["path"], rows["rows"]) == ("nq/random-00000-of-00001.parquet", 2)
    assert (found["seed"], found["format_version"]) == (3, 1)


def test_canonical_json_is_one_text_per_value() -> None:
    assert canonical_json({"b": 1, "a": [True, None, "é"]}) == '{"a":[true,null,"é"],"b":1}'
    assert json_hash({"b": 1, "a": 2}) == json_hash({"a": 2, "b": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


ROW = GenADVRow("q", "s", "who?", ("A", "B"), True, (Document("d", "t", "A is here.", 0.5),), -1, "", "none", "MIT")


def test_the_digest_of_rows_is_pinned() -> None:
    """A release's content id must come out the same in every later version of this code."""
    assert rows_digest([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert rows_digest([Reason("a", "ü")]) == "f08aaa673e552b91a78401e890cad3cb3a259c87c500171af2f2ed05f7a104a2"
    assert (
        combined_id({"nq/random": "00", "nq/all": "11"})
        == "5770052fcc3e1b19d2bdb3d3a1fab0934fc42a055ff65919d3222b8c8348be67"
    )
    assert rows_digest([Reason("a"), Reason("b")]) != rows_digest([Reason("b"), Reason("a")])


def test_the_content_id_knows_nothing_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [ROW for _ in range(25)]
    expected = rows_digest(rows)
    for number, (per_shard, per_group) in enumerate([(50, 1000), (4, 1000), (25, 3)]):
        monkeypatch.setattr(artifact, "ROWS_PER_SHARD", per_shard)
        monkeypatch.setattr(artifact, "ROWS_PER_GROUP", per_group)
        write_rows(tmp_path / str(number), "nq", "random", GenADVRow, rows)
        assert rows_digest(read_rows(tmp_path / str(number), "nq", "random", GenADVRow)) == expected
    (path,) = (tmp_path / "0" / "nq").iterdir()
    before = path.read_bytes()
    pq.write_table(pq.read_table(path), path, compression="none", use_dictionary=False, row_group_size=7)
    assert path.read_bytes() != before
    assert rows_digest(read_rows(tmp_path / "0", "nq", "random", GenADVRow)) == expected
