"""The sample of chains that a build exports: the first kept ones of each config, as GraphML and as a picture."""

from pathlib import Path

import networkx
import pytest
from click.testing import CliRunner
from eureqa_small import SAMPLE, build_small

from builders.cli import main
from loaders.artifact import read_rows
from loaders.eureqa import EureQARow


def test_the_first_kept_chains_of_each_config_are_exported(tmp_path: Path) -> None:
    folder = tmp_path / "seen"
    artifact = build_small([SAMPLE], tmp_path, limit=60, export=folder, export_chains=2)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == [
        f"{config}/chains.{suffix}" for config in ("easy", "hard") for suffix in ("graphml", "png")
    ]
    for config in ("hard", "easy"):
        rows = read_rows(artifact, config, "d5", EureQARow)[:2]
        found = networkx.read_graphml(folder / config / "chains.graphml", force_multigraph=True)
        edges = {(a, b, facts["iri"]): facts["chains"].split() for a, b, facts in found.edges(data=True)}
        named = {name for names in edges.values() for name in names}
        assert named == {row.chain_id for row in rows}
        for row in rows:
            assert found.nodes[row.layers[0].entity]["role"] == "answer"
            for layer in row.layers:
                ends = (layer.entity, layer.next_entity)[:: 1 if layer.relation_direction == "out" else -1]
                assert row.chain_id in edges[*ends, layer.relation]
        assert (folder / config / "chains.png").read_bytes()[:4] == b"\x89PNG"


def test_a_place_that_cannot_be_a_folder_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    (tmp_path / "file").write_text("")
    words = ["--source", "sample", "--input", SAMPLE, "--export", tmp_path / "file", "--out", tmp_path / "out"]
    found = CliRunner().invoke(main, ["build", "eureqa", *map(str, words)])
    assert found.exit_code == 2
    assert "is no folder" in " ".join(found.output.split())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
