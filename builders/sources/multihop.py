"""The multi-hop question sets that REALHOP can be built from, and what a card says of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builders.sources.musique import read_musique
from loaders.records import Item


@dataclass(frozen=True)
class MultiHopSource:
    """One set of questions: its reader, the config that it fills, and its page; `license` is an SPDX id."""

    read: Callable[[Path], Iterator[Item]]
    config: str
    title: str
    license: str
    url: str
    paper_rows: int = 0  # questions that the paper takes; 0 for a source of ours


MULTIHOP: Mapping[str, MultiHopSource] = {
    "musique": MultiHopSource(
        read_musique, "musique", "MuSiQue", "CC-BY-4.0", "https://github.com/StonyBrookNLP/musique", 790
    ),
    "sample": MultiHopSource(
        read_musique, "musique", "DecoyQA's sample questions", "CC-BY-4.0", "https://github.com/StonyBrookNLP/musique"
    ),
}
