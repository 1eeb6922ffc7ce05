"""A card as tests of every family see it: what it is rendered from, its sections, its tables."""

import re
from dataclasses import dataclass
from typing import Any

from cards.example import Example
from cards.header import Config
from cards.prose import read_prose
from cards.render import render
from loaders.schema import columns

Manifest = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """What a page is rendered from, and the page below its YAML block."""

    family: str
    manifest: Manifest
    configs: list[Config]
    example: Example

    def page(self, manifest: Manifest | None = None) -> str:
        prose = read_prose(self.family)
        return render(self.family, prose, manifest or self.manifest, self.configs, self.example).split("\n---\n", 1)[1]


def section(page: str, name: str) -> str:
    """Return a section of the second level, without its heading."""
    return re.split(r"^## ", page.split(f"\n## {name}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def tables(page: str) -> list[list[int]]:
    """Return every table as its rows' numbers of cells."""
    found = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    return [[len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()] for table in found]


def unexplained(page: str, *records: type) -> list[str]:
    """Return the columns of record classes whose type and meaning the page does not tell."""
    told = section(page, "Columns")
    all_columns = (column for record in records for column in columns(record))
    return [one.name for one in all_columns if f"| `{one.name}` | {one.type} | {one.meaning} |" not in told]
