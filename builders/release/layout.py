"""What a release is made of on the Hub: which files, where their bytes are, and what may not lie among them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.release.versions import Version, read_version
from loaders.manifest import json_text, read_manifest

TEXTS = ("README.md", "manifest.json", "build.json", "croissant.json", "eval.yaml", "CHANGELOG.md", "ERRATA.md")
NOT_TEXT = frozenset({".parquet", ".png"})


@dataclass(frozen=True)
class Release:
    """An artifact on its way out: its folder, its manifest, and its files by their path on the Hub."""

    folder: Path
    manifest: Mapping[str, Any]
    files: Mapping[str, Path | bytes]

    @property
    def version(self) -> Version:
        """The version, as the manifest says."""
        return read_version(self.manifest["version"])


def read_release(folder: Path) -> Release:
    """Return an artifact as a release.

    build.json goes without what `decoyqa verify --rebuild` needs: the paths of this machine are of use here alone.
    """
    files: dict[str, Path | bytes] = {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    facts = json.loads((folder / "build.json").read_bytes())
    files["build.json"] = json_text({name: facts[name] for name in facts if name != "rebuild"}).encode()
    return Release(folder, read_manifest(folder), files)


def layout_problems(folder: Path, canary: str) -> Iterator[str]:
    """Yield what is missing or may not be there; every file that is neither Parquet nor a picture holds the canary."""
    yield from (f"{name}: missing" for name in TEXTS if not (folder / name).is_file())
    for path in (path for path in sorted(folder.rglob("*")) if path.is_file()):
        name = path.relative_to(folder)
        if path.suffix == ".py":
            yield f"{name}: a script; readers with datasets before 4 would run it in place of reading the data"
        if any(part.startswith(".") for part in name.parts):
            yield f"{name}: a hidden file"
        if path.suffix not in NOT_TEXT and canary.encode() not in path.read_bytes():
            yield f"{name}: the canary is not in it"


def licence_problems(sources: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield the sources, by name, whose licence is unknown: what is built from them may not be given away."""
    for source in sources:
        if source["license"].strip().lower() in ("", "unknown", "none", "other", "noassertion"):
            yield f"source {source['source']} (config {source['config']}): licence {source['license'] or 'not given'}"
