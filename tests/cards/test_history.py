"""The structured record of releases and errata, and the two pages made from it."""

from pathlib import Path

import pytest

from cards.history import HISTORIES, History, changelog_text, errata_text, history_path, read_history
from loaders.errors import InputError

TOML = """
[[release]]
version = "1.0.0"
date = 2026-01-05
changes = ["First release."]

[[release]]
version = "1.10.0"
date = 2026-03-01
changes = ["PopQA added.", "Card names the limits."]

[[release]]
version = "1.9.0"
date = 2026-02-01
changes = ["TriviaQA added."]

[[erratum]]
config = "nq"
id = "nq-1"
kind = "withdrawn"
found_in = "1.0.0"
date = 2026-02-02
reason = "the passage | gives the answer"

[[erratum]]
config = "popqa"
id = "12"
kind = "known"
found_in = "1.9.0"
date = 2026-02-03
reason = "an alias is missing"
"""


@pytest.fixture
def history(tmp_path: Path) -> History:
    path = tmp_path / "family.toml"
    path.write_text(TOML)
    return read_history(path)


def test_changelog_has_the_version_at_hand_first_and_the_others_by_number(history: History) -> None:
    assert changelog_text(history, "1.9.0", ["12 questions"], "CANARY").splitlines() == [
        "# Changelog",
        "",
        "## 1.9.0, 2026-02-01",
        "",
        "- TriviaQA added.",
        "- 12 questions",
        "",
        "## 1.10.0, 2026-03-01",
        "",
        "- PopQA added.",
        "- Card names the limits.",
        "",
        "## 1.0.0, 2026-01-05",
        "",
        "- First release.",
        "",
        "Canary: `CANARY`",
    ]


def test_a_version_without_an_entry_has_its_facts(history: History) -> None:
    assert changelog_text(history, "0.0.0.dev0", ["12 questions"], "C").splitlines()[2:5] == [
        "## 0.0.0.dev0",
        "",
        "- 12 questions",
    ]


def test_errata_are_listed_newest_first_and_cells_stay_cells(history: History) -> None:
    assert errata_text(history, "CANARY").splitlines()[4:] == [
        "| config | item | state | in versions from | found | what is wrong |",
        "| --- | --- | --- | --- | --- | --- |",
        "| `popqa` | `12` | known | 1.9.0 | 2026-02-03 | an alias is missing |",
        "| `nq` | `nq-1` | withdrawn | 1.0.0 | 2026-02-02 | the passage \\| gives the answer |",
        "",
        "Canary: `CANARY`",
    ]
    assert "None so far." in errata_text(History(), "CANARY")


def test_only_withdrawn_items_leave(history: History) -> None:
    assert history.withdrawn("nq") == {"nq-1": "the passage | gives the answer"}
    assert history.withdrawn("popqa") == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[release]", "expected TOML"),
        ('[[release]]\nversion = "1.0"\ndate = 2026-01-05\nchanges = []', "release.0.version"),
        ('[[release]]\nversion = "1.0.0"\ndate = "soon"\nchanges = []', "release.0.date"),
        ('[[release]]\nversion = "1.0.0"\ndate = 2026-01-05\nchanges = ["a\\nb"]', "release.0.changes.0"),
        ('[[releases]]\nversion = "1.0.0"', "releases"),
        ("release = 3", "release"),
        (TOML.replace('kind = "known"', 'kind = "gone"'), "erratum.1.kind"),
        (TOML.replace('version = "1.9.0"', 'version = "1.0.0"'), "each version once, found 1.0.0 again"),
        (TOML.replace('config = "popqa"\nid = "12"', 'config = "nq"\nid = "nq-1"'), "each erratum once, found nq/nq-1"),
    ],
)
def test_a_bad_history_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "family.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"family\.toml") as caught:
        read_history(path)
    assert expected in str(caught.value)


def test_a_missing_history_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a readable history"):
        read_history(tmp_path / "none.toml")


def test_our_own_histories_can_be_read() -> None:
    paths = sorted(HISTORIES.glob("*.toml"))
    assert history_path("genadv") in paths
    assert all(isinstance(read_history(path), History) for path in paths)
