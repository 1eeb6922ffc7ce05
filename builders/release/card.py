"""Whether the pages of a release are whole: every section there and filled, nothing left of a template or a draft."""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from cards.croissant_check import croissant_problems

EXAMPLE = "One item"
SECTIONS = (
    "Load it",
    EXAMPLE,
    "What it measures",
    "Configs and splits",
    "How it was made",
    "Columns",
    "Sources and licences",
    "Limits",
    "Intended use and misuse",
    "Contamination",
    "Evaluate a model",
    "Versions and errors",
    "Cite",
)
LEFTOVER = re.compile(r"\{\{|\}\}|\{%|%\}|\b(?:TODO|FIXME|TBD)\b")
_FENCED = re.compile(r"^```[\s\S]*?^```", re.MULTILINE)


def card_problems(folder: Path, version: str) -> Iterator[str]:
    """Yield each section that is missing, each leftover, a changelog without this version, a wrong croissant.json."""
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md", "ERRATA.md")}
    sections = dict(re.findall(r"^## (.+)\n([\s\S]*?)(?=^## |\Z)", texts["README.md"], re.MULTILINE))
    yield from (f"README.md: no section {name!r}" for name in SECTIONS if not sections.get(name, "").strip())
    # The item is other people's text, in which anything may stand.
    texts["README.md"] = texts["README.md"].replace(sections.get(EXAMPLE, ""), "")
    for name, text in texts.items():
        yield from (f"{name}: {word!r} is left over" for word in sorted(set(LEFTOVER.findall(_FENCED.sub("", text)))))
    if not re.search(rf"^## {re.escape(version)}\b", texts["CHANGELOG.md"], re.MULTILINE):
        yield f"CHANGELOG.md: no section on {version}"
    try:
        yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    except (ValueError, yaml.YAMLError) as error:
        yield f"eval.yaml: cannot be read: {' '.join(str(error).split())}"
    try:
        yield from (f"croissant.json: {problem}" for problem in croissant_problems(folder))
    except (ValueError, KeyError, TypeError) as error:
        yield f"croissant.json: not of its form ({type(error).__name__}: {error})"
