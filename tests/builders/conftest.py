"""A small artifact as it would be released, and ways to change it with all hashes written anew."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loaders.manifest import read_manifest, write_manifest


def rewrite(folder: Path, **facts: Any) -> Path:
    """Write the manifest again, so that every hash is right; `facts` replace those of the manifest."""
    manifest = read_manifest(folder) | facts
    write_manifest(folder, {key: value for key, value in manifest.items() if key not in ("files", "manifest_sha256")})
    return folder


def edit(folder: Path, name: str, old: str, new: str) -> Path:
    """Replace a text in a file, which must hold it, and write the manifest again."""
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text, (name, old)
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return rewrite(folder)


def as_version(folder: Path, version: str) -> Path:
    """Return a copy of an artifact under another version, beside it."""
    before = read_manifest(folder)["version"]
    target = Path(shutil.copytree(folder, folder.with_name(version)))
    for name in ("README.md", "CHANGELOG.md"):
        (target / name).write_text((target / name).read_text("utf-8").replace(before, version), encoding="utf-8")
    return rewrite(target, version=version)


@pytest.fixture(scope="session")
def change() -> SimpleNamespace:
    """The ways to change an artifact, by name."""
    return SimpleNamespace(rewrite=rewrite, edit=edit, as_version=as_version)


@pytest.fixture
def release_folder(small_artifact: Path) -> Path:
    """The small artifact in a folder named by its version, 1.2.3."""
    return small_artifact.rename(small_artifact.with_name("1.2.3"))
