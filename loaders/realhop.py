"""The REALHOP family: its rows (a config per setting, a split per condition), and `load()`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from loaders.benchmark import Benchmark
from loaders.records import Passage, Verdict
from loaders.release import open_release

SPLITS = ("full", "source", "drop", "control")
FAMILIES = ("flexible", "strict", "orphan")
CANARY = "decoyqa-realhop-canary 7c1be0f4-52d9-5b0e-9a77-3e6f1d2c8b45: benchmark data, keep out of training sets"


@dataclass(frozen=True)
class Unit:
    """One evidence unit of a hop (appendix I.1); `passages[passage].text[start:end]` is `fact`, in code points."""

    unit_id: Annotated[str, "id, unique in the item"]
    fact: Annotated[str, "the recorded sentence; of a source question the supporting text"]
    passage: Annotated[int, "0-based index of the passage"]
    start: Annotated[int, "first code point"]
    end: Annotated[int, "one past the last code point"]


@dataclass(frozen=True)
class RealHop:
    """One step of the question; all of its units together state its relation."""

    hop_id: Annotated[str, "id, unique in the item"]
    relation: Annotated[
        str,
        "what the hop asks, as a sentence over `#k`, the answers of the hops; of a source question its sub-question",
    ]
    answer: Annotated[str, "the hop's answer"]
    depends_on: Annotated[tuple[str, ...], "ids of the hops whose answers this hop needs"]
    units: Annotated[tuple[Unit, ...], "where it is told"]


@dataclass(frozen=True)
class CompetitorFact:
    """One sentence of a competing path; a fact that is told in two units has two of them."""

    fact_id: Annotated[str, "id, unique in the item"]
    passage: Annotated[int, "0-based index of the passage"]
    start: Annotated[int, "first code point"]
    end: Annotated[int, "one past the last code point"]


@dataclass(frozen=True)
class Competitor:
    """A complete path to another answer that fails one relation of the question, or an orphan (appendix I.2)."""

    branch_id: Annotated[str, "id, unique in the item"]
    family: Annotated[str, "flexible, strict or orphan"]
    protected_hop: Annotated[str, "the hop for which it was made"]
    break_hop: Annotated[str, "the hop whose relation it misses; empty for an orphan"]
    endpoint: Annotated[str, "the answer at which it ends"]
    facts: Annotated[tuple[CompetitorFact, ...], "its own sentences; the rest it shares with the gold path"]


@dataclass(frozen=True)
class DropProof:
    """What is left of an item when one hop's support passages are taken away whole."""

    hop_id: Annotated[str, "the hop"]
    solutions: Annotated[tuple[str, ...], "answers that still follow: none"]
    any_relation: Annotated[
        tuple[str, ...],
        "answers that remain if the lost relation is read as any of its type; at least two unless the hop is the last",
    ]
    complete_branches: Annotated[tuple[str, ...], "competing paths that are still whole"]
    unattached_heads: Annotated[
        tuple[str, ...], "entities from which the later hops still go on and to which nothing leads"
    ]


@dataclass(frozen=True)
class UnitProof:
    """Whether one evidence unit is needed: the answers that follow without it."""

    unit_id: Annotated[str, "the unit"]
    solutions: Annotated[tuple[str, ...], "answers that follow without it"]


@dataclass(frozen=True)
class Proof:
    """Read back from the final text, without the plan; anyone can make it again with `decoyqa verify`."""

    solutions: Annotated[tuple[str, ...], "answers that follow from the full text: the gold one alone"]
    drops: Annotated[tuple[DropProof, ...], "one per hop"]
    units: Annotated[tuple[UnitProof, ...], "one per evidence unit"]


@dataclass(frozen=True)
class RealHopRow:
    """One question under one condition."""

    row_id: Annotated[str, "id, and with `drop` and `control` the hop; unique in the split"]
    id: Annotated[str, "the item; pairs the splits"]
    source_id: Annotated[str, "the source's id"]
    target_hop: Annotated[str, "the hop that `drop` takes away and `control` is matched to; empty elsewhere"]
    question: Annotated[str, "the question"]
    answer: Annotated[str, "the gold answer"]
    answer_aliases: Annotated[tuple[str, ...], "other right answers"]
    passages: Annotated[tuple[Passage, ...], "all passages in the source's order"]
    hops: Annotated[
        tuple[RealHop, ...], "hops in an order that respects depends_on; units that stand in this row's passages"
    ]
    competitors: Annotated[
        tuple[Competitor, ...], "competing paths and orphans, with the sentences that stand in this row's passages"
    ]
    choices: Annotated[tuple[str, ...], "options of a multiple-choice question; empty elsewhere"]
    n_hops: Annotated[int, "number of hops"]
    proof: Annotated[Proof | None, "null for the source's question and for what is made from spans"]
    writer: Annotated[str, "who planned it; empty for the source's question"]
    source_license: Annotated[str, "licence of the source"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


@dataclass(frozen=True)
class RealHopCandidate:
    """One source item with every step's verdict, kept or not."""

    id: Annotated[str, "the item"]
    config: Annotated[str, "setting"]
    status: Annotated[str, "kept, rejected or pending"]
    reason: Annotated[str, "named reason of a rejected item; empty otherwise"]
    question: Annotated[str, "the rebuilt question; empty where no plan was made"]
    relations: Annotated[tuple[str, ...], "the hops as sentences over `#k`, as far as they were understood"]
    dropped_paths: Annotated[tuple[str, ...], "competing paths that were pruned, each `branch_id: reason`"]
    verdicts: Annotated[tuple[Verdict, ...], "steps and gates in their order"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


class Realhop(Benchmark[RealHopRow]):
    """A loaded REALHOP benchmark: configs are settings, splits are conditions, paired by the item and the hop."""

    record = RealHopRow

    def belong_together(self, rows: Sequence[RealHopRow]) -> bool:
        """Whether the Drops and Controls among rows of an item are of one hop."""
        return len({row.target_hop for row in rows if row.target_hop}) <= 1

    def candidates(self, config: str) -> list[RealHopCandidate]:
        """Return every item of a config's source with its verdicts, the rejected ones too."""
        return self.release.rows(f"{config}_construction", "items", RealHopCandidate)


def load(where: str | Path, revision: str = "") -> Realhop:
    """Load a REALHOP benchmark: `load("ORG/NAME", "v1.0.0")` from the Hub, or `load(FOLDER)`.

    See `loaders.genadv.load` for what is checked and what raises DecoyQAError.
    """
    return Realhop(open_release(where, revision, "realhop"))
