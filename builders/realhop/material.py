"""What a build of REALHOP is told to do, and what it starts from: a multi-hop source, read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.engines import Engines
from builders.entities import EMBEDDED_PIPELINE
from builders.options import BuildOptions
from builders.realhop.recipe import RealHopRecipe
from builders.sources.files import sha256
from builders.sources.multihop import MULTIHOP
from cards.history import History
from loaders.errors import InputError
from loaders.records import Item, Provenance

FAMILY = "realhop"


@dataclass(frozen=True)
class Options(BuildOptions):
    """Everything that the command line can say."""

    source: str
    path: Path
    parser: str = EMBEDDED_PIPELINE  # by which the rules read sub-questions
    engines: Engines = field(default_factory=Engines)
    recipe: RealHopRecipe = field(default_factory=RealHopRecipe)


@dataclass(frozen=True)
class Material:
    """All that a build starts from: items in the order of the source, where they come from, the family's history."""

    items: tuple[Item, ...]
    origin: Provenance
    history: History

    @property
    def by_hops(self) -> Mapping[int, list[Item]]:
        """The items by number of hops, fewer first."""
        lengths = sorted({len(item.hops) for item in self.items})
        return {hops: [item for item in self.items if len(item.hops) == hops] for hops in lengths}


def read_material(options: Options) -> Material:
    """Read and check everything before a model is opened or a file written; raises InputError at the first bad row."""
    source = MULTIHOP[options.source]
    history = options.history_of(FAMILY)
    items = tuple(source.read(options.path))
    if not any(item.answerable and any(hop.support for hop in item.hops) for item in items):
        raise InputError(options.path, None, "expected answerable questions with supporting paragraphs, found none")
    origin = Provenance(options.source, source.config, sha256(options.path), len(items), source.license)
    return Material(items[: options.limit], origin, history)
