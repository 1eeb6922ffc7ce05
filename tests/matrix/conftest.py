"""Environments with the versions of `datasets` that people have, a Hub with two releases, and a way to ask the one of
the other: `make test-matrix` makes the environments, `make test` the oldest one and has the newest one itself.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

import pytest
from hub_server import HubServer

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("2.21.0", "3.6.0", "4.8.5", "5.2.0")
SOURCES = ("nq", "tqa", "webq", "popqa")
REPO = "org/decoyqa-genadv"


@dataclass(frozen=True)
class Published:
    """A repository with two releases, the sample's and then the small artifact's, which is on main."""

    server: HubServer
    folders: dict[str, Path]
    repo: str = REPO


@pytest.fixture(scope="session", params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Return a version of `datasets` of which there is an environment."""
    python_of(request.param)
    return str(request.param)


def python_of(version: str) -> str:
    own = ROOT / f".venv-datasets-{version}" / "bin" / "python"
    if own.exists():
        return str(own)
    if installed_version("datasets") == version:
        return sys.executable
    pytest.skip(f"no environment with datasets {version}: `make test-matrix` makes it")


@pytest.fixture(scope="session")
def published(
    tmp_path_factory: pytest.TempPathFactory, sample_artifact: Path, _small_artifact: Path
) -> Iterator[Published]:
    """Publish both artifacts on a Hub of their own."""
    with HubServer(tmp_path_factory.mktemp("hub")) as server:
        folders = {"v1.0.0": sample_artifact, "v1.2.3": _small_artifact}
        for tag, folder in folders.items():
            server.put_folder(REPO, folder, tag)
        yield Published(server, folders)


@pytest.fixture(scope="session")
def sample_artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sample's four sources as version 1.0.0, with the real models."""
    from click.testing import CliRunner

    from builders.cli import main

    folder, sources = tmp_path_factory.mktemp("sample"), ROOT / "builders" / "sample" / "genadv"
    inputs = [word for name in SOURCES for word in ("--source", name, "--input", str(sources / f"{name}.jsonl"))]
    words = ["build", "genadv", *inputs, "--version", "1.0.0", "--out", str(folder / "dist")]
    made = CliRunner().invoke(main, words, env={"DECOYQA_HOME": str(folder / "home")})
    assert made.exit_code == 0, made.output
    return folder / "dist" / "genadv" / "1.0.0"


Run = Callable[..., Any]


@pytest.fixture(scope="session")
def run(version: str, published: Published, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a script of this folder with this version, far from the checkout; return the JSON of its last line.

    `home` is its HF_HOME, fresh unless given; with `ours` it can import our code; other keywords are environment
    variables.
    """

    def run(script: str, *words: str, home: Path | None = None, ours: bool = False, **more: str) -> Any:
        home = home or tmp_path_factory.mktemp("home")
        more |= {"PYTHONPATH": str(ROOT)} if ours else {}
        done = subprocess.run(
            [python_of(version), str(Path(__file__).with_name(script)), *map(str, words)],
            cwd=home,
            env={**published.server.environment(home), **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run
