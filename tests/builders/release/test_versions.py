"""Which number must rise for which change."""

import pytest

from builders.release.versions import MAJOR, MINOR, PATCH, Version, check_bump, lowest_next, read_version
from loaders.errors import DecoyQAError


@pytest.mark.parametrize(
    ("last", "change", "lowest"),
    [
        ("1.2.3", PATCH, "1.2.4"),
        ("1.2.3", MINOR, "1.3.0"),
        ("1.2.3", MAJOR, "2.0.0"),
        ("0.2.3", PATCH, "0.2.4"),
        ("0.2.3", MINOR, "0.3.0"),
        ("0.2.3", MAJOR, "0.3.0"),
    ],
)
def test_the_lowest_version_that_may_follow(last: str, change: str, lowest: str) -> None:
    assert str(lowest_next(read_version(last), change)) == lowest
    assert check_bump(read_version(last), read_version(lowest), change) == ""
    assert check_bump(read_version(last), read_version(last), change) != ""


@pytest.mark.parametrize(
    ("new", "change", "fault"),
    [
        ("1.10.0", MINOR, ""),  # compared as numbers: 10 comes after 9
        ("2.0.0", PATCH, ""),  # more than is due is allowed
        ("1.9.1", MINOR, "version 1.9.1 after 1.9.0 with a minor change: expected 1.10.0 or higher"),
        ("1.10.0", MAJOR, "version 1.10.0 after 1.9.0 with a major change: expected 2.0.0 or higher"),
    ],
)
def test_a_version_that_rises_too_little_is_told_what_is_due(new: str, change: str, fault: str) -> None:
    assert check_bump(Version(1, 9, 0), read_version(new), change) == fault


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "1.0.0.dev0", "01.0.0", "1.0.0-rc1", "1.0.0\n", "", "１.0.0"])
def test_what_is_no_version_of_a_release(text: str) -> None:
    with pytest.raises(DecoyQAError, match="a release needs"):
        read_version(text)


def test_the_tag_has_a_v() -> None:
    assert read_version("1.20.3").tag == "v1.20.3"
