"""What the manifest of a build says is what its files hold."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from eureqa_small import SAMPLE, Letters, build_small

from builders.eureqa.assemble import expected, proof
from builders.eureqa.load import load_snapshot
from builders.eureqa.similar import shown, with_similarity
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.eureqa import SPLITS, ChainCandidate, EureQARow, WithoutStatement, load
from loaders.manifest import read_manifest, sha256_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small([SAMPLE], tmp_path_factory.mktemp("sample"), limit=60, shallow_chains=4)


def rows_of(folder: Path, config: str, split: str) -> list[EureQARow]:
    return read_rows(folder, config, split, EureQARow)


def test_counts_of_the_manifest_are_those_of_the_rows(folder: Path) -> None:
    for config in read_manifest(folder)["configs"]:
        rows = {split: rows_of(folder, config["name"], split) for split in config["rows"]}
        assert {split: len(found) for split, found in rows.items()} == config["rows"]
        assert config["left_out"] == [split for split in expected(config["name"]) if split not in rows]
        assert config["categories"] == dict(sorted(Counter(row.category for row in rows["d5"]).items()))
        for split, found in rows.items():
            layers = [layer for row in found for layer in row.layers]
            told = config["proof"][split]
            assert told["layers"] == len(layers) == int(split[1:]) * len(found)
            assert told["relation_alone_several"] == len([one for one in layers if one.n_relation >= 2])
            assert told["fact_alone_several"] == (len(layers) if config["name"] == "hard" else 0)
            assert told["without_closing_several"] == len([r for r in found if r.n_answers_without_closing >= 2])


def test_depths_of_a_chain_are_its_first_layers(folder: Path) -> None:
    whole = {row.chain_id: row for row in rows_of(folder, "hard", "d5")}
    for split in SPLITS[:-1]:
        rows = rows_of(folder, "hard", split)
        assert [row.chain_id for row in rows] == list(whole)[:4]
        for row in rows:
            deep = whole[row.chain_id]
            assert (row.answer, row.layers) == (deep.answer, deep.layers[: row.depth])
            assert row.closing_entity == deep.layers[row.depth].entity if row.depth < 5 else deep.closing_entity
            assert deep.question.startswith(row.question.removesuffix(row.closing))


def test_every_complete_chain_is_kept_on_record_with_its_verdicts(folder: Path) -> None:
    for config in read_manifest(folder)["configs"]:
        found = read_rows(folder, f"{config['name']}_construction", "chains", ChainCandidate)
        assert len({one.id for one in found}) == len(found)
        assert config["walks"]["performed"] == len(found) + sum(config["walks"]["stopped"].values())
        kept = [one for one in found if one.status == "kept"]
        assert [one.questions[-1] for one in kept] == [row.question for row in rows_of(folder, config["name"], "d5")]
        rejected = Counter(one.reason for one in found if one.status == "rejected")
        told: Counter[str] = Counter()
        for step in config["funnel"]["chain"]:
            told.update(step["rejected"])
        assert told == rejected
        assert all(one.verdicts[-1].verdict == "fail" for one in found if one.status == "rejected")


def test_the_input_is_named_by_its_checksum(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert manifest["snapshot"]["inputs"] == {"graph.ttl": sha256_of(SAMPLE)}
    assert [source["rows"] for source in manifest["sources"]] == [manifest["snapshot"]["triples"]] * 2
    assert {source["license"] for source in manifest["sources"]} == {"CC-BY-4.0"}
    assert manifest["tools"]["similarity"] == "letters"
    assert manifest["tools"]["relations"].startswith("relations.tsv@")


def test_the_loader_pairs_depths_by_chain(folder: Path) -> None:
    found = load(folder)
    assert found.configs == ("hard", "easy")
    pairs = found.paired("hard", "d1", "d5")
    assert len(pairs) == 4
    assert all(one.chain_id == other.chain_id and one.answer == other.answer for one, other in pairs)


def test_a_config_in_which_nothing_was_found_is_no_config_of_the_page(tmp_path: Path) -> None:
    found = build_small([SAMPLE], tmp_path, limit=30, easy_chains=0)
    head = yaml.safe_load((found / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert [config["config_name"] for config in head["configs"]] == ["hard", "hard_construction", "easy_construction"]
    assert "Config `easy` has no split `d5`" in (found / "README.md").read_text(encoding="utf-8")


def test_a_build_without_a_chain_publishes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match="no chain"):
        build_small([SAMPLE], tmp_path, limit=1, walks_per_seed=1)
    assert not (tmp_path / "out").exists()


def test_shares_with_several_answers_are_counted_by_row(folder: Path) -> None:
    row = rows_of(folder, "hard", "d1")[0]
    one, two = WithoutStatement("relation 1", 2), WithoutStatement("fact 1", 1)
    many = replace(row, n_answers_without_closing=3, n_answers_without=(one, two), similarity=0.5)
    few = replace(row, n_answers_without_closing=1, n_answers_without=(replace(one, n_answers=1), two), similarity=0.2)
    found = proof([many, few, few])
    assert (found["without_closing_several"], found["without_a_relation_several"], found["without_a_fact_several"]) == (
        1,
        1,
        0,
    )
    assert found["mean_similarity"] == 0.3


def test_similarity_is_the_mean_cosine_to_all_shown_names(folder: Path, tmp_path: Path) -> None:
    snapshot = load_snapshot([SAMPLE], [], tmp_path, lambda edges: None)
    row = rows_of(folder, "hard", "d2")[0]
    names = shown(row, snapshot)
    assert len(names) == 3
    vectors = Letters().encode([row.answer, *names])
    (again,) = with_similarity([replace(row, similarity=None)], snapshot, Letters())
    assert again.similarity == row.similarity == round(float((vectors[1:] @ vectors[0]).mean()), 4)
