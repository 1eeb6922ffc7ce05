"""A process with an empty cache loads a release at its tag and finds whatever was spoiled."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_server import READ_TOKEN, HubServer

from builders.release.loadback import Loaded, load_back
from loaders.errors import DecoyQAError
from loaders.manifest import read_manifest

RETRIEVED = "nq/retrieved-00000-of-00001.parquet"


@pytest.fixture
def environment(hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The environment that the process inherits: this Hub, and a cache of the user that has to stay untouched."""
    for name in [name for name in os.environ if name.startswith("HF_")]:
        monkeypatch.delenv(name)
    for name, value in hub.environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    return monkeypatch


def flip(hub: HubServer) -> None:
    good = hub.files("org/set")[RETRIEVED]
    hub.rewrite("org/set", "v1.2.3", RETRIEVED, good[:100] + bytes([good[100] ^ 1]) + good[101:])


def test_a_private_release_as_it_was_published(
    hub: HubServer, environment: pytest.MonkeyPatch, release_folder: Path, tmp_path: Path
) -> None:
    hub.create("org/set", private=True)
    commit = hub.put_folder("org/set", release_folder, tag="v1.2.3")
    environment.setenv("HF_TOKEN", READ_TOKEN)
    manifest = read_manifest(release_folder)
    expected = Loaded(commit, manifest["manifest_sha256"], len(manifest["files"]))
    assert load_back("org/set", "v1.2.3", "genadv") == expected
    assert not (tmp_path / "cache").exists()
    assert all(READ_TOKEN not in request.path and request.user == "reader" for request in hub.requests)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (flip, f"org/set is not what was released: {RETRIEVED}: changed bytes, sha256 differs"),
        (lambda hub: hub.rewrite("org/set", "v1.2.3", RETRIEVED, None), f"{RETRIEVED}: missing"),
        (lambda hub: hub.rewrite("org/set", "v1.2.3", "README.md", b"---\n---\n"), "README.md: 8 bytes,"),
        (lambda hub: hub.repo("org/set").tags.clear(), "org/set has no release v1.2.3"),
        (lambda hub: hub.fail("info", status=500, times=9), "500"),
    ],
)
def test_what_was_spoiled_is_found(
    hub: HubServer,
    environment: pytest.MonkeyPatch,
    release_folder: Path,
    spoil: Callable[[HubServer], None],
    said: str,
) -> None:
    hub.put_folder("org/set", release_folder, tag="v1.2.3")
    spoil(hub)
    with pytest.raises(DecoyQAError, match=r"^org/set v1\.2\.3 was not loaded back: ") as error:
        load_back("org/set", "v1.2.3", "genadv")
    assert said in str(error.value)
