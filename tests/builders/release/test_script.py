"""The loading script of a release names every shard with its sha256; running it is tested with `datasets` before 4."""

import ast
from pathlib import Path
from typing import Any

import pytest

from builders.release.script import script_text, write_script_branch
from loaders.errors import DecoyQAError
from loaders.manifest import manifest_text, read_manifest
from loaders.release import open_release


def constants(script: str) -> dict[str, Any]:
    """Return what the script's names in capitals hold."""
    found = (node for node in ast.parse(script).body if isinstance(node, ast.Assign))
    return {node.targets[0].id: ast.literal_eval(node.value) for node in found}  # type: ignore[attr-defined]


def test_every_shard_is_named_with_its_hash(small_artifact: Path) -> None:
    found = constants(script_text(open_release(small_artifact), "org/decoyqa-genadv"))
    shards = {path: sha for splits in found["FILES"].values() for shards in splits.values() for path, sha in shards}
    files = read_manifest(small_artifact)["files"]
    assert shards == {file["path"]: file["sha256"] for file in files if file["rows"] is not None}
    assert found["RELEASE"] == "datasets/org/decoyqa-genadv/resolve/v1.2.3"
    assert list(found["FILES"]) == ["nq", "popqa", "nq_construction", "popqa_construction"]
    assert list(found["FILES"]["nq"]) == ["retrieved", "adversarial", "conflict", "random", "topk"]
    assert [configs for _, configs in found["SCHEMAS"]] == [["nq", "popqa"], ["nq_construction", "popqa_construction"]]


def test_the_branch_is_a_script_named_like_the_repository_and_a_page(small_artifact: Path, tmp_path: Path) -> None:
    out = tmp_path / "branch"
    out.mkdir()
    (out / "other.py").touch()
    assert write_script_branch(small_artifact, "org/any-name", out) == [out / "any-name.py", out / "README.md"]
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "any-name.py"]
    canary = read_manifest(small_artifact)["canary"]
    assert all(canary in path.read_text() for path in out.iterdir())


@pytest.mark.parametrize("repo", ["name", "org/name/more", "org/na me", ""])
def test_what_is_no_repository_is_refused(small_artifact: Path, tmp_path: Path, repo: str) -> None:
    with pytest.raises(DecoyQAError, match="ORG/NAME expected"):
        write_script_branch(small_artifact, repo, tmp_path / "branch")
    assert not (tmp_path / "branch").exists()


def test_only_releases_have_a_script(small_artifact: Path, tmp_path: Path) -> None:
    manifest = small_artifact / "manifest.json"
    body = read_manifest(small_artifact)
    manifest.write_text(manifest_text({**body, "version": "0.0.0.dev0"}))
    with pytest.raises(DecoyQAError, match=r"0\.0\.0\.dev0"):
        write_script_branch(small_artifact, "org/name", tmp_path / "branch")
    manifest.write_text(manifest_text(body))
    (small_artifact / "README.md").write_text("edited")
    with pytest.raises(DecoyQAError, match=r"README\.md: 6 bytes"):
        write_script_branch(small_artifact, "org/name", tmp_path / "branch")
    assert not (tmp_path / "branch").exists()
