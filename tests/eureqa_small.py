"""Small graphs for tests of EureQA: written as lines of three names, and the sample built once without a model."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.build import build
from builders.eureqa.load import make_snapshot
from builders.eureqa.material import Options
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.snapshot import Snapshot
from builders.sources.dbpedia import ONTOLOGY, RESOURCE, Dump
from builders.sources.dbpedia import Edge as Triple

SAMPLE = Path(__file__).parents[1] / "builders" / "sample" / "eureqa" / "graph.ttl"
PARENTS = {
    "Agent": "Thing",
    "Person": "Agent",
    "Artist": "Person",
    "MusicalArtist": "Artist",
    "OfficeHolder": "Person",
    "Organisation": "Agent",
    "Band": "Organisation",
    "Company": "Organisation",
    "SportsTeam": "Organisation",
    "SoccerClub": "SportsTeam",
    "Place": "Thing",
    "Settlement": "Place",
    "City": "Settlement",
    "Country": "Place",
    "River": "Place",
    "Region": "Place",
    "AdministrativeRegion": "Region",
    "Work": "Thing",
    "Film": "Work",
    "Language": "Thing",
    "Award": "Thing",
    "EthnicGroup": "Thing",
    "Event": "Thing",
    "MilitaryConflict": "Event",
    "TopicalConcept": "Thing",
    "Genre": "TopicalConcept",
    "MusicGenre": "Genre",
}


def small(
    lines: str,
    types: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    redirects: Mapping[str, str] | None = None,
) -> Snapshot:
    """Return a snapshot of `subject relation object` lines, local names all, with `types` by class: `Film`: `A B`."""
    edges = [line.split() for line in lines.splitlines() if line.strip()]
    dump = Dump(parents=dict(PARENTS))
    for name, members in (types or {}).items():
        for member in members.split():
            dump.types.setdefault(RESOURCE + member, []).append(name)
    dump.labels = {RESOURCE + name: label for name, label in (labels or {}).items()}
    dump.redirects = {RESOURCE + name: RESOURCE + other for name, other in (redirects or {}).items()}
    triples = (Triple(RESOURCE + s, ONTOLOGY + r, RESOURCE + o) for s, r, o in edges)
    return make_snapshot(triples, dump, (), {"inputs": {}, "types": {}})


def entity(name: str, snapshot: Snapshot) -> int:
    """Return an entity's number by local name."""
    found = snapshot.entities.find(RESOURCE + name)
    assert found >= 0, name
    return found


def relation(name: str, snapshot: Snapshot) -> int:
    """Return a relation's number by local name."""
    return snapshot.relations.index(ONTOLOGY + name)


def edge(text: str, snapshot: Snapshot) -> Edge[int, int]:
    """Return the edge `relation other`, seen from the subject, or `<relation other`, seen from the object."""
    name, other = text.split()
    direction = IN if name.startswith("<") else OUT
    return Edge(direction, relation(name.removeprefix("<"), snapshot), entity(other, snapshot))


class Letters:
    """A sentence model for tests: texts with the same letters are alike."""

    identity = "letters"

    def encode(self, texts: Sequence[str]) -> Any:
        letters = [[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts]
        counts = np.array(letters, np.float32).reshape(-1, 26)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def build_small(inputs: Iterable[Path], folder: Path, **options: Any) -> Path:
    """Build an artifact in `folder`, with `Letters` for a sentence model and without pictures."""
    own = EureQARecipe.__annotations__.keys() - {"seeds"}
    recipe = {name: options.pop(name) for name in list(options) if name in own}
    wanted = Options(
        tuple(inputs),
        out=folder / "out",
        home=folder / "home",
        recipe=EureQARecipe(**recipe),
        source="sample",
        **options,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builders.eureqa.build.open_similarity", lambda name: Letters())
        patch.setattr("cards.pages.draw_figures", lambda *_: None)
        return build(wanted, lambda text: None)
