"""Without a network `datasets` alone serves what it prepared last, and our loader what was asked for or nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Published

pytestmark = pytest.mark.model  # the sample is built with the real ones

Run = Callable[..., Any]
FIRST, SECOND = ["1.0.0", "nq-sample-01"], ["1.2.3", "q0"]


def test_datasets_alone_serves_what_it_prepared_last(run: Run, published: "Published", tmp_path: Path) -> None:
    """Why the page of a benchmark tells its readers to look at `info.version`, which is right all the same."""
    commit = published.server.repo(published.repo).tags["v1.0.0"]
    assert run("load_once.py", published.repo, "v1.0.0", "v1.2.3", home=tmp_path) == [FIRST, SECOND]
    offline = run("load_once.py", published.repo, "v1.0.0", commit, "v1.2.3", home=tmp_path, HF_HUB_OFFLINE="1")
    assert offline == [SECOND] * 3
    (ours,) = run("load_with_loaders.py", published.repo, "v1.0.0", home=tmp_path, ours=True, HF_HUB_OFFLINE="1")
    assert "load it once with a network" in ours or "the cache does not hold it" in ours


def test_our_loader_serves_what_was_asked_for(run: Run, published: "Published", tmp_path: Path) -> None:
    def load(*revisions: str, **more: str) -> Any:
        return run("load_with_loaders.py", published.repo, *revisions, home=tmp_path, ours=True, **more)

    commits = published.server.repo(published.repo).tags
    assert load("v1.0.0", "v1.2.3", "v9.9.9") == [FIRST, SECOND, f"{published.repo} has no release v9.9.9"]
    revisions = ("v1.0.0", commits["v1.2.3"], commits["v1.0.0"], "v1.2.3")
    *found, refusal = load(*revisions, "v9.9.9", HF_HUB_OFFLINE="1")
    assert found == [FIRST, SECOND, FIRST, SECOND]
    assert "the cache does not hold it" in refusal
