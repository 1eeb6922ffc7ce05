"""What keeps an artifact from being published, each fault alone and with all hashes right."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from builders.release import parquet
from builders.release.layout import TEXTS, read_release
from builders.release.parquet import parquet_problems
from builders.release.validate import pending, release_problems
from loaders.genadv import CANARY
from loaders.manifest import read_manifest

RETRIEVED = "nq/retrieved-00000-of-00001.parquet"

Header = dict[str, Any]


def edit_header(folder: Path, change: Callable[[Header], Any]) -> Path:
    """Change the YAML of README.md."""
    path = folder / "README.md"
    found = re.fullmatch(r"---\n(.*?)---\n(.*)", path.read_text("utf-8"), re.DOTALL)
    assert found is not None
    header = yaml.safe_load(found[1])
    change(header)
    path.write_text(f"---\n{yaml.safe_dump(header, sort_keys=False)}---\n{found[2]}", encoding="utf-8")
    return folder


def nq(header: Header, block: str = "configs") -> Header:
    found: Header = next(config for config in header[block] if config["config_name"] == "nq")
    return found


def test_a_whole_artifact_has_no_problem(release_folder: Path) -> None:
    assert release_problems(release_folder) == []
    assert pending(read_manifest(release_folder)) == []


def test_bytes_come_first(release_folder: Path) -> None:
    good = (release_folder / RETRIEVED).read_bytes()
    (release_folder / RETRIEVED).write_bytes(good[:100] + bytes([good[100] ^ 1]) + good[101:])
    (release_folder / "ERRATA.md").unlink()
    assert release_problems(release_folder) == [
        "ERRATA.md: missing",
        f"{RETRIEVED}: changed bytes, sha256 differs",
    ]


def test_a_development_version_in_a_folder_of_another_name(release_folder: Path, change: SimpleNamespace) -> None:
    change.rewrite(release_folder, version="1.2.4.dev0")
    found = release_problems(release_folder)
    assert found[:2] == [
        "version '1.2.4.dev0': a release needs X.Y.Z without leading zeros or suffix",
        "the folder is named 1.2.3, its version is 1.2.4.dev0",
    ]


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "manifest.json"])
def test_a_missing_page(release_folder: Path, change: SimpleNamespace, name: str) -> None:
    (release_folder / name).unlink()
    assert release_problems(change.rewrite(release_folder)) == [f"{name}: missing"]


@pytest.mark.parametrize("name", ["genadv.py", "nq/genadv.py"])
def test_a_script_beside_the_data(release_folder: Path, change: SimpleNamespace, name: str) -> None:
    (release_folder / name).write_text(f"# {CANARY}\n")
    assert release_problems(change.rewrite(release_folder)) == [
        f"{name}: a script; readers with datasets before 4 would run it in place of reading the data"
    ]


def test_a_hidden_file_without_the_canary(release_folder: Path, change: SimpleNamespace) -> None:
    (release_folder / ".env").write_text("KEY=1\n")
    assert release_problems(change.rewrite(release_folder)) == [
        ".env: a hidden file",
        ".env: the canary is not in it",
    ]


@pytest.mark.parametrize(
    "name", ["README.md", "build.json", "croissant.json", "eval.yaml", "CHANGELOG.md", "ERRATA.md"]
)
def test_a_text_without_the_canary(release_folder: Path, change: SimpleNamespace, name: str) -> None:
    change.edit(release_folder, name, CANARY, "canary")
    assert f"{name}: the canary is not in it" in release_problems(release_folder)


def test_an_unknown_licence_is_refused_by_name(release_folder: Path, change: SimpleNamespace) -> None:
    sources = read_manifest(release_folder)["sources"]
    assert [source["config"] for source in sources] == ["nq", "popqa"]
    sources[1]["license"] = "unknown"
    found = release_problems(change.rewrite(release_folder, sources=sources))
    assert found[0] == "source popqa (config popqa): licence unknown"
    assert all("popqa" in line and "'unknown' expected in every row" in line for line in found[1:])
    assert len(found) == 5


@pytest.mark.parametrize(
    ("break_it", "line"),
    [
        (lambda h: nq(h).pop("default"), "0 default configs, one expected"),
        (lambda h: h["configs"][-1].update(default=True), "2 default configs, one expected"),
        (lambda h: nq(h).pop("version"), "config nq: version None, 1.2.3 expected"),
        (lambda h: nq(h).update(version="1.2.2"), "config nq: version 1.2.2, 1.2.3 expected"),
        (lambda h: h.pop("license"), "no license"),
        (
            lambda h: nq(h, "dataset_info")["splits"][0].update(num_examples=6),
            "config nq: num_examples {'retrieved': 6, 'adversarial': 4, 'conflict': 4, 'random': 5, 'topk': 5}, "
            "{'retrieved': 5, 'adversarial': 4, 'conflict': 4, 'random': 5, 'topk': 5} expected",
        ),
        (
            lambda h: nq(h, "dataset_info")["features"][0].update(dtype="int64"),
            f"config nq: the features are not the schema of {RETRIEVED}",
        ),
        (
            lambda h: nq(h, "dataset_info")["features"].pop(),
            f"config nq: the features are not the schema of {RETRIEVED}",
        ),
        (
            lambda h: nq(h, "dataset_info")["features"].__setitem__(3, {"name": "answers", "sequence": "string"}),
            "config nq: features in a form that not every version of datasets reads",
        ),
        (
            lambda h: nq(h)["data_files"][0].update(path="nq/retrieved.parquet"),
            "config nq: no file matches the path of split retrieved",
        ),
        (lambda h: nq(h)["data_files"].pop(0), f"{RETRIEVED} belongs to 0 splits, one expected"),
        (lambda h: nq(h)["data_files"][1].update(path="nq/r*"), f"{RETRIEVED} belongs to 2 splits, one expected"),
        (lambda h: nq(h)["data_files"][0].update(split="top-k"), "config nq: 'top-k' is no name of a split"),
        (lambda h: h["configs"].append(dict(nq(h), default=False)), "a config is named twice: "),
        (lambda h: h["dataset_info"].pop(0), "dataset_info of "),
        (lambda h: h.pop("configs"), "the YAML is not of the form that readers take (KeyError: 'configs')"),
    ],
)
def test_a_header_that_readers_cannot_load(
    release_folder: Path, change: SimpleNamespace, break_it: Callable[[Header], Any], line: str
) -> None:
    change.rewrite(edit_header(release_folder, break_it))
    assert [found for found in release_problems(release_folder) if found.startswith(f"README.md: {line}")]


@pytest.mark.parametrize(("old", "new"), [("---\n", "\n---\n"), ("pretty_name:", "pretty_name: [")])
def test_a_card_without_yaml(release_folder: Path, change: SimpleNamespace, old: str, new: str) -> None:
    change.edit(release_folder, "README.md", old, new)
    assert [line for line in release_problems(release_folder) if re.match(r"README.md: no YAML", line)]


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("README.md", "\n## Limits\n", "\n## Borders\n", "README.md: no section 'Limits'"),
        ("README.md", "\n## Limits\n", "\n## Limits\n\n## More\n", "README.md: no section 'Limits'"),
        ("README.md", "\n## Limits\n", "\n## Limits\n\nTODO\n", "README.md: 'TODO' is left over"),
        ("README.md", "\n## Limits\n", "\n## Limits\n\n{{ limits }}\n", "README.md: '{{' is left over"),
        ("CHANGELOG.md", "## 1.2.3", "## 1.2.2", "CHANGELOG.md: no section on 1.2.3"),
        ("croissant.json", "{", "[", "croissant.json: not of its form (JSONDecodeError: "),
        ("croissant.json", '"distribution"', '"files"', "croissant.json: not of its form (KeyError: 'distribution')"),
        (
            "croissant.json",
            '"column": "question"',
            '"column": "query"',
            "croissant.json: nq/retrieved: column question is",
        ),
        ("eval.yaml", "name:", "name: [", "eval.yaml: cannot be read: "),
    ],
)
def test_an_incomplete_page(
    release_folder: Path, change: SimpleNamespace, name: str, old: str, new: str, line: str
) -> None:
    change.edit(release_folder, name, old, new)
    assert [found for found in release_problems(release_folder) if found.startswith(line)]


def write(path: Path, canaries: list[str], rows_per_group: int = 2, metadata: dict[str, str] | None = None) -> None:
    """Write a Parquet file with an id, a canary and a licence a row."""
    columns = {
        "id": [str(n) for n in range(len(canaries))],
        "canary": canaries,
        "source_license": ["MIT"] * len(canaries),
    }
    schema = pa.schema([(name, pa.string()) for name in columns], metadata=metadata)
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns, schema), path, row_group_size=rows_per_group)


@pytest.mark.parametrize(
    ("canaries", "rest", "lines"),
    [
        (["c"] * 5, {}, []),
        ([], {}, ["no rows; an empty split is left out"]),
        (["c"] * 2, {"metadata": {"huggingface": "{}"}}, ["`huggingface` schema metadata"]),
        (["c", "c", "c", "", "c"], {}, ["row group 1: canary ['c', ''], 'c' expected in every row"]),
        (["c", "c", "d", "d", "c"], {}, ["row group 1: canary ['d'], 'c' expected in every row"]),
    ],
)
def test_parquet_files(tmp_path: Path, canaries: list[str], rest: dict[str, Any], lines: list[str]) -> None:
    write(tmp_path / "nq" / "a.parquet", canaries, **rest)
    found = list(parquet_problems(tmp_path, "c", {"nq": "MIT"}))
    assert len(found) == len(lines)
    assert all(one.startswith(f"nq/a.parquet: {line}") for one, line in zip(found, lines, strict=True))


def test_parquet_rows_of_another_licence_or_without_a_canary(tmp_path: Path) -> None:
    write(tmp_path / "nq" / "a.parquet", ["c"])
    assert list(parquet_problems(tmp_path, "c", {"nq": "Apache-2.0"})) == [
        "nq/a.parquet: row group 0: source_license ['MIT'], 'Apache-2.0' expected in every row"
    ]
    pq.write_table(pa.table({"id": ["1"]}), tmp_path / "nq" / "a.parquet")
    assert list(parquet_problems(tmp_path, "c", {"nq": "MIT"})) == ["nq/a.parquet: no column canary"]


def test_large_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "nq" / "a.parquet", ["c"])
    size = pq.read_metadata(tmp_path / "nq" / "a.parquet").row_group(0).total_byte_size
    monkeypatch.setattr(parquet, "MAX_GROUP_BYTES", size)
    line = f"nq/a.parquet: row group 0 takes {size:,} bytes, fewer than {size:,} expected"
    assert list(parquet_problems(tmp_path, "c", {})) == [line]
    monkeypatch.setattr(parquet, "MAX_GROUP_BYTES", size + 1)
    assert list(parquet_problems(tmp_path, "c", {})) == []


def test_what_is_pending_is_told() -> None:
    steps = [{"step": "write", "pending": 1200}, {"step": "check", "pending": 0}]
    manifest = {"configs": [{"name": "nq", "funnel": {"adversarial": steps, "random": []}}]}
    assert pending(manifest) == ["nq/adversarial, write: 1,200 pending"]


def test_a_release_is_every_file_without_the_paths_of_this_machine(release_folder: Path) -> None:
    facts = json.loads((release_folder / "build.json").read_text())
    (release_folder / "build.json").write_text(json.dumps({**facts, "rebuild": {"pool": "/home/me/pool.txt"}}))
    release = read_release(release_folder)
    assert str(release.version) == "1.2.3"
    found = {path.relative_to(release_folder).as_posix() for path in release_folder.rglob("*") if path.is_file()}
    assert release.files.keys() == found >= {*TEXTS, RETRIEVED}
    build = release.files["build.json"]
    assert isinstance(build, bytes)
    assert json.loads(build) == facts
    assert all(data == release_folder / name for name, data in release.files.items() if name != "build.json")
