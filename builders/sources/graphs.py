"""The knowledge graphs that EureQA can be built from: where they come from, and under which licence."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class GraphSource:
    """One knowledge graph: `license` is an SPDX id, or `unknown`."""

    title: str
    license: str
    url: str
    note: str


GRAPHS: Mapping[str, GraphSource] = MappingProxyType(
    {
        "dbpedia": GraphSource(
            "DBpedia",
            "CC-BY-SA-3.0",
            "https://www.dbpedia.org/resources/snapshot-release/",
            "the paper uses the snapshot of 2021-09; give its files of objects, labels, redirects and types",
        ),
        "sample": GraphSource(
            "DecoyQA's sample graph",
            "CC-BY-4.0",
            "https://www.dbpedia.org/",
            "about 2,500 facts that we wrote down in DBpedia's terms; the input of `make eureqa-sample`",
        ),
    }
)
