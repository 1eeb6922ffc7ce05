"""The question sets that can be built, as data: where they come from, how large they are, under which licence."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True)
class Source:
    """One public question set: `license` is an SPDX id, `paper_rows` its number of questions in GenADV, table 3.

    On the Hub it is `file` of the data set `hub_id` at the commit `revision`; `sha256` is empty where it is not known.
    """

    name: str
    title: str
    license: str
    paper_rows: int
    split: str
    url: str
    hub_id: str
    revision: str
    file: str
    sha256: str
    note: str

    @property
    def place(self) -> str:
        """Repository, commit and file, enough to fetch the same bytes again."""
        return f"{self.hub_id}@{self.revision}/{self.file}"


def _read(path: Path) -> Mapping[str, Source]:
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType({name: Source(name=name, **facts) for name, facts in entries.items()})


SOURCES: Mapping[str, Source] = _read(Path(__file__).with_suffix(".toml"))
