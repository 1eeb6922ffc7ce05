"""Imports run downwards only, and the command starts without the heavy packages."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("loaders", "eval", "cards", "builders")
HEAVY = {"torch", "spacy", "sentence_transformers", "datasets", "vllm", "xllamacpp", "transformers"}
# These speak to the whole house: the commands of the console script, and the audit of existing benchmarks.
MAY_IMPORT_ALL_OF_EVAL = ("builders/commands/", "builders/audit.py")
ALLOWED = {
    "loaders": ("loaders",),
    "eval": ("eval", "loaders"),
    "cards": ("cards", "loaders", "eval.stats"),
    "builders": ("builders", "cards", "loaders", "eval.models", "eval.answers"),
}


class Import(NamedTuple):
    """A module that a file imports, and whether that happens when the file itself is imported."""

    file: str
    line: int
    module: str
    at_top: bool


def imports(file: str, source: str) -> Iterator[Import]:
    """Yield every import of a source text, those inside functions too; `from a import b` counts as `a.b`."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(child) for function in functions for child in ast.walk(function)}
    for node in ast.walk(tree):
        at_top = id(node) not in inside
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name, at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (Import(file, node.lineno, f"{base}.{alias.name}", at_top) for alias in node.names)


def all_imports() -> list[Import]:
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
    assert len(paths) > 50
    return [
        found
        for path in paths
        for found in imports(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def climbs(found: Import) -> bool:
    """Whether an import leads to a floor that the file may not look at; a relative import always does."""
    if found.module.startswith("."):
        return True
    if found.module.partition(".")[0] not in FLOORS:
        return False
    allowed = ALLOWED[found.file.partition("/")[0]] + (
        ("eval",) if found.file.startswith(MAY_IMPORT_ALL_OF_EVAL) else ()
    )
    return not any(found.module == name or found.module.startswith(f"{name}.") for name in allowed)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("loaders/draw.py", "from eval.answers import tokens"),
        ("loaders/draw.py", "from .errors import DecoyQAError"),
        ("eval/run.py", "def f():\n    import builders.steps"),
        ("cards/render.py", "from eval.answers import tokens"),
        ("builders/steps.py", "from eval import stats"),
        ("builders/steps.py", "from eval.answers_and_more import tokens"),
        ("eval/run.py", "from cards.render import render"),
    ],
)
def test_the_check_sees_what_climbs(file: str, source: str) -> None:
    assert [climbs(found) for found in imports(file, source)] == [True]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("builders/steps.py", "from eval.answers import tokens"),
        ("builders/steps.py", "from eval.models.store import RequestStore"),
        ("builders/commands/report.py", "from eval.report import print_report"),
        ("cards/render.py", "from eval.stats import ratio_interval"),
        ("eval/run.py", "import numpy as np"),
    ],
)
def test_the_check_lets_pass_what_goes_down(file: str, source: str) -> None:
    assert [climbs(found) for found in imports(file, source)] == [False]


def test_imports_run_downwards_only() -> None:
    assert [f"{found.file}:{found.line} {found.module}" for found in all_imports() if climbs(found)] == []


def test_heavy_packages_are_imported_by_the_function_that_needs_them() -> None:
    top = [found for found in all_imports() if found.at_top and found.module.partition(".")[0] in HEAVY]
    assert [f"{found.file}:{found.line} {found.module}" for found in top] == []


LOADED = """
import json, sys
from click.testing import CliRunner
from builders.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
print(json.dumps([result.exit_code, result.output, sorted(sys.modules)]))
"""


@pytest.mark.parametrize("words", [[], ["build", "genadv"], ["verify"], ["eval"], ["audit"], ["report"], ["doctor"]])
def test_help_answers_without_heavy_packages(words: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADED, *words, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, output, modules = json.loads(run.stdout)
    assert code == 0
    assert "Usage:" in output
    unwanted = HEAVY | {"pyarrow", "numpy", "pandas", "scipy", "rich", "jinja2", "yaml", "openai", "huggingface_hub"}
    assert {module.partition(".")[0] for module in modules} & unwanted == set()
    ours = {module for module in modules if module.partition(".")[0] in FLOORS}
    light = {"builders", "builders.cli", "builders.commands", "loaders", "loaders.errors"}
    assert {module for module in ours - light if not module.startswith("builders.commands.")} == set()
