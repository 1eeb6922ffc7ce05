"""The loading script of branch `script`: it runs in `datasets` before 4, and no later version needs or takes it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from builders.release.script import write_script_branch
from loaders.artifact import read_rows
from loaders.genadv import Candidate, GenADVRow, load
from loaders.schema import to_row

if TYPE_CHECKING:
    from conftest import Published

pytestmark = pytest.mark.model  # the sample is built with the real ones

Run = Callable[..., Any]
SCRIPT = "read_with_script.py"


@pytest.fixture
def branch(published: "Published", tmp_path: Path) -> str:
    """Put the script of the first release on its branch, where nothing else is; return the repository."""
    written = write_script_branch(published.folders["v1.0.0"], published.repo, tmp_path / "script")
    assert [path.name for path in written] == ["decoyqa-genadv.py", "README.md"]
    files = {path.name: path.read_bytes() for path in written}
    published.server.commit(published.server.repo(published.repo), files, "script", "script")
    return published.repo


def test_the_script_reads_every_config_and_split_of_the_tag(
    run: Run, version: str, published: "Published", branch: str, tmp_path: Path
) -> None:
    """From 4 on `datasets` runs no scripts, before it does so for those who trust it."""
    if version >= "4":
        assert "scripts are no longer supported" in run(SCRIPT, branch)["untrusted"]
        return
    moved = write_script_branch(published.folders["v1.2.3"], "org/moved", tmp_path / "moved")[0]
    published.server.put_folder("org/moved", published.folders["v1.0.0"], "v1.2.3")
    loaded = load(published.folders["v1.0.0"])
    found = run(SCRIPT, branch, moved)
    assert "trust_remote_code" in found["untrusted"]
    assert "is not what v1.2.3 was released with" in found["moved"]
    assert {config: list(read["rows"]) for config, read in found["configs"].items()} == {
        config: list(splits) for config, splits in loaded.release.splits.items()
    }
    for config, read in found["configs"].items():
        record = Candidate if config.endswith("_construction") else GenADVRow
        for split, rows in read["rows"].items():
            written = [to_row(row) for row in read_rows(loaded.release.folder, config, split, record)]
            assert rows == read["streamed"][split] == written
        assert read["version"] == "1.0.0"
    assert found["default"] == {split: len(rows) for split, rows in found["configs"]["nq"]["rows"].items()}
