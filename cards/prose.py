"""What no manifest can say of a family: what it measures, its limits and uses, its paper; one TOML file each."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

PROSE = Path(__file__).parent / "prose"
_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_STRICT)
class Measure:
    """A figure that the benchmark is made for, and where the paper defines it."""

    name: str
    meaning: str
    splits: str
    section: str


@dataclass(frozen=True, config=_STRICT)
class Paper:
    """The paper whose benchmark this is; `citation` is BibTeX."""

    title: str
    url: str
    citation: str


@dataclass(frozen=True, config=_STRICT)
class Writer:
    """What holds of one kind of writer: how it works, and where that shows."""

    method: str
    limits: list[str]


@dataclass(frozen=True, config=_STRICT)
class Prose:
    """The words of a family's card; its numbers come from the manifest. `writers` has `rules` and `model`."""

    title: str
    tags: list[str]
    summary: str
    warning: str
    pairing: str
    measures: list[Measure]
    splits: Mapping[str, str]
    method: list[str]
    writers: Mapping[str, Writer]
    steps: Mapping[str, str]
    settings: Mapping[str, str]
    collection: str
    missing: str
    annotation: str
    documents_licence: str
    contamination: str
    limits: list[str]
    biases: list[str]
    uses: list[str]
    misuses: list[str]
    personal: list[str]
    impact: str
    paper: Paper

    def writer(self, name: str) -> Writer:
        """Return what holds of a manifest's writer: the rules, or else a model."""
        return self.writers["rules" if name == "rules" else "model"]

    def all_limits(self, manifest: Mapping[str, Any]) -> list[str]:
        """Return the family's limits and those of the manifest's writer."""
        return [*self.limits, *self.writer(manifest["writer"]).limits]


def read_prose(family: str) -> Prose:
    """Return a family's prose; it is package data, so that a wrong file is a fault of ours."""
    return TypeAdapter(Prose).validate_python(tomllib.loads((PROSE / f"{family}.toml").read_text(encoding="utf-8")))
