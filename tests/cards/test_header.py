"""The YAML block: one default config, X.Y.Z in each, `list:` and `struct:` and never `sequence:`."""

from typing import Any

import pytest
import yaml

from cards.header import Config, Split, header, plain_version
from loaders.genadv import Candidate, GenADVRow
from loaders.schema import features

CONFIGS = (
    Config("nq", GenADVRow, (Split("retrieved", 700, 9_000), Split("random", 600, 8_000))),
    Config("no", GenADVRow, (Split("retrieved", 5, 50),)),
    Config("nq_construction", Candidate, (Split("candidates", 2_000, 70_000),)),
)


def block(version: str = "1.2.3", configs: tuple[Config, ...] = CONFIGS) -> dict[str, Any]:
    text = header("A title", version, ["CC-BY-SA-3.0", "MIT"], ["a-tag"], configs)
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
    found: dict[str, Any] = yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))
    return found


def test_names_and_globs() -> None:
    configs = block()["configs"]
    assert [config["config_name"] for config in configs] == ["nq", "no", "nq_construction"]
    assert configs[0]["data_files"] == [
        {"split": "retrieved", "path": "nq/retrieved-*.parquet"},
        {"split": "random", "path": "nq/random-*.parquet"},
    ]
    assert configs[2]["data_files"] == [{"split": "candidates", "path": "nq_construction/candidates-*.parquet"}]


def test_a_config_named_like_a_yaml_word_stays_a_text() -> None:
    """Config `no` must not become false."""
    assert [info["config_name"] for info in block()["dataset_info"]] == ["nq", "no", "nq_construction"]


def test_exactly_the_first_config_is_the_default() -> None:
    assert [config.get("default", False) for config in block()["configs"]] == [True, False, False]


@pytest.mark.parametrize(
    ("version", "plain"), [("1.2.3", "1.2.3"), ("0.0.0.dev0", "0.0.0"), ("10.20.30.dev4", "10.20.30")]
)
def test_every_config_has_a_version_of_three_numbers(version: str, plain: str) -> None:
    assert plain_version(version) == plain
    assert [config["version"] for config in block(version)["configs"]] == [plain] * 3


def test_features_are_those_of_the_record_class() -> None:
    infos = block()["dataset_info"]
    assert infos[0]["features"] == features(GenADVRow)
    assert infos[2]["features"] == features(Candidate)
    assert "sequence" not in header("A title", "1.2.3", ["MIT"], [], CONFIGS)


def test_counts_and_bytes_are_those_of_the_splits() -> None:
    info = block()["dataset_info"][0]
    assert info["splits"] == [
        {"name": "retrieved", "num_bytes": 9_000, "num_examples": 700},
        {"name": "random", "num_bytes": 8_000, "num_examples": 600},
    ]
    assert (info["download_size"], info["dataset_size"]) == (17_000, 17_000)


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        (1, "n<1K"),
        (999, "n<1K"),
        (1_000, "1K<n<10K"),
        (99_999, "10K<n<100K"),
        (100_000, "100K<n<1M"),
        (1_000_000, "1M<n<10M"),
    ],
)
def test_the_size_category_counts_all_rows(rows: int, size: str) -> None:
    config = Config("nq", GenADVRow, (Split("retrieved", rows, 1),))
    assert block(configs=(config,))["size_categories"] == [size]
    assert block()["size_categories"] == ["1K<n<10K"]  # 700 + 600 + 5 + 2,000


def test_licences_are_the_hubs_words() -> None:
    assert block()["license"] == ["cc-by-sa-3.0", "mit"]
    assert block()["tags"] == ["a-tag"]
