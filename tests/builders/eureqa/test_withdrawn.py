"""Withdrawn questions: their chains are left out by name and counted, no other one changes, the pages tell of it."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from eureqa_small import SAMPLE, Letters, build_small

from builders.cli import main
from builders.eureqa.rows import chain_of
from builders.verify import problems, rebuild_problems
from loaders.artifact import read_rows
from loaders.eureqa import SPLITS, ChainCandidate, EureQARow
from loaders.manifest import read_manifest

ERRATUM = """
[[erratum]]
config = "{config}"
id = "{id}"
kind = "{kind}"
found_in = "1.0.0"
date = 2026-12-24
reason = "the fact of layer 2 is about another film"
"""
RELEASE = '[[release]]\nversion = "1.0.0"\ndate = 2026-12-01\nchanges = ["First release."]\n'


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small([SAMPLE], tmp_path_factory.mktemp("before"), limit=60, shallow_chains=4)


def chains(folder: Path, config: str, split: str) -> list[str]:
    return [row.chain_id for row in read_rows(folder, config, split, EureQARow)]


@pytest.mark.parametrize(
    ("id", "chain"),
    [
        ("hard-0123456789ab-d5", "hard-0123456789ab"),
        ("hard-0123456789ab", "hard-0123456789ab"),
        ("easy-d5d5d5d5d5d5-d1", "easy-d5d5d5d5d5d5"),
    ],
)
def test_an_item_belongs_to_its_chain(id: str, chain: str) -> None:
    assert chain_of(id) == chain


def test_a_withdrawn_question_takes_its_chain_along_and_nothing_else(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = chains(before, "hard", "d5")[1], chains(before, "hard", "d5")[2]
    easy = chains(before, "easy", "d5")[0]
    history = tmp_path / "history.toml"
    named = [("hard", f"{gone}-d3", "withdrawn"), ("hard", f"{kept}-d5", "known"), ("easy", easy, "withdrawn")]
    errata = (ERRATUM.format(config=config, id=id, kind=kind) for config, id, kind in named)
    history.write_text(RELEASE + "".join(errata), encoding="utf-8")
    after = build_small([SAMPLE], tmp_path, limit=60, shallow_chains=4, history=history)

    for config, split, lost in (("hard", "d5", gone), ("easy", "d5", easy)):
        old, new = chains(before, config, split), chains(after, config, split)
        assert lost in old
        assert lost not in new
        assert set(old) - {lost} <= set(new)
        # What stayed has its old place; the seed may have walked to another chain.
        assert [one for one in new if one in old] == [one for one in old if one != lost]
        rows = ({row.id: row for row in read_rows(folder, config, split, EureQARow)} for folder in (before, after))
        was, now = rows
        assert all(now[id] == was[id] for id in was if id in now)
        (told,) = [one for one in read_manifest(after)["configs"] if one["name"] == config]
        (step,) = [one for one in told["funnel"]["chain"] if one["step"] == "errata"]
        assert step["rejected"] == {"withdrawn": 1}
        found = read_rows(after, f"{config}_construction", "chains", ChainCandidate)
        (record,) = [one for one in found if one.reason == "withdrawn"]
        assert record.verdicts[-1].evidence == "withdrawn: the fact of layer 2 is about another film"
    assert not any(gone in chains(after, "hard", split) for split in SPLITS)

    text = (after / "ERRATA.md").read_text(encoding="utf-8")
    assert f"| `hard` | `{gone}-d3` | withdrawn | 1.0.0 | 2026-12-24 | the fact of layer 2" in text
    assert f"| `hard` | `{kept}-d5` | known |" in text
    assert "## 1.0.0, 2026-12-01\n\n- First release." in (after / "CHANGELOG.md").read_text(encoding="utf-8")
    assert problems(after) == []
    monkeypatch.setattr("builders.eureqa.build.open_similarity", lambda name: Letters())
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    assert rebuild_problems(after, tmp_path / "home") == []


@pytest.mark.parametrize("dry", [("--dry-run",), ()])
def test_a_history_that_is_none_stops_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry: tuple[str, ...]
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    history = tmp_path / "history.toml"
    history.write_text('[[erratum]]\nconfig = "hard"\n', encoding="utf-8")
    words = ["--source", "sample", "--input", SAMPLE, "--history", history, "--out", tmp_path / "out", *dry]
    found = CliRunner().invoke(main, ["build", "eureqa", *map(str, words)])
    assert found.exit_code == 2
    assert "history.toml: expected a history: erratum.0.id" in " ".join(found.output.split())
    assert list(tmp_path.iterdir()) == [history]
