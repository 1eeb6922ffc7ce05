"""The words that all folders share, as frozen records; Parquet schemas and card tables are derived from them."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class Document:
    """One retrieved or written passage, as a reader sees it (title and text)."""

    id: Annotated[str, "the source's id of the document; a hash of title and text where the source has none"]
    title: Annotated[str, "title; empty where the source has none"]
    text: Annotated[str, "passage text, never empty"]
    score: Annotated[float | None, "the retriever's score; null where unknown"] = None
    kind: Annotated[str, "retrieved, adversarial, conflict, random or topk"] = "retrieved"
    holds_answer: Annotated[bool, "whether title or text holds an answer, by normalised tokens"] = False
    rank: Annotated[int, "1-based rank in the question's own retrieved list; 0 if it does not come from there"] = 0


@dataclass(frozen=True)
class Question:
    """An open-domain question with its retrieved documents, best first, as read from a source."""

    id: str
    source_id: str
    question: str
    answers: tuple[str, ...]
    documents: tuple[Document, ...] = ()
    relation: str = ""
    subject: str = ""


@dataclass(frozen=True)
class Span:
    """A half-open range of code points in a numbered passage."""

    passage: Annotated[int, "0-based index of the passage"]
    start: Annotated[int, "first code point"]
    end: Annotated[int, "one past the last code point"]


@dataclass(frozen=True)
class Passage:
    """A titled passage of a multi-hop item."""

    title: Annotated[str, "title"]
    text: Annotated[str, "text"]


@dataclass(frozen=True)
class Hop:
    """One step of a multi-hop question: what is asked, on which hops it rests, and where its support stands."""

    hop_id: Annotated[str, "id, unique in the item"]
    relation: Annotated[str, "sub-question or relation"]
    answer: Annotated[str, "the hop's answer; empty where the source does not say"]
    depends_on: Annotated[tuple[str, ...], "ids of the hops whose answers this hop needs"]
    support: Annotated[tuple[Span, ...], "where the supporting text stands"]


@dataclass(frozen=True)
class Item:
    """The base form of a multi-hop question that `audit` and the REALHOP builder read."""

    id: Annotated[str, "the source's id"]
    question: Annotated[str, "the question"]
    answer: Annotated[str, "the gold answer"]
    answer_aliases: Annotated[tuple[str, ...], "other right answers"]
    passages: Annotated[tuple[Passage, ...], "all passages in their order"]
    hops: Annotated[tuple[Hop, ...], "hops in an order that respects depends_on"]
    answerable: Annotated[bool, "whether the passages answer the question"]
    source_license: Annotated[str, "licence of the source"]
    source_id: Annotated[str, "id that variants of one question share: what is drawn together in an interval"] = ""
    inserted: Annotated[tuple[Span, ...], "text that somebody added to mislead; it stays in every condition"] = ()
    competitor_answers: Annotated[tuple[str, ...], "where planned competing paths end"] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """The gold answer and its aliases."""
        return (self.answer, *self.answer_aliases)


@dataclass(frozen=True)
class Retrieval:
    """How questions got their documents: enough to retrieve the same passages again."""

    passages: Annotated[str, "checksum of the file of passages as it was read"]
    n_passages: Annotated[int, "passages with text in it"]
    retriever: Annotated[str, "engine, version, settings and tokenizer; the name in the run file of another tool"]
    depth: Annotated[int, "passages kept for a question at most"]
    run: Annotated[str, "checksum of another tool's run file; empty where we retrieved"] = ""


@dataclass(frozen=True)
class Provenance:
    """Where rows come from: enough to fetch the same bytes again and to know what may be done with them."""

    source: Annotated[str, "name of the source, as `decoyqa sources` lists it"]
    config: Annotated[str, "config of the artifact that the source fills"]
    sha256: Annotated[str, "checksum of the input as it was read"]
    rows: Annotated[int, "rows in the input"]
    license: Annotated[str, "SPDX id, or `unknown`"]
    hub: Annotated[str, "repository, commit and file on the Hub; empty for a file of one's own"] = ""
    retrieval: Annotated[Retrieval | None, "null where the documents stand in the input itself"] = None


@dataclass(frozen=True)
class Verdict:
    """What one gate said of one candidate, with the evidence that it saw."""

    gate: Annotated[str, "name of the gate"]
    version: Annotated[int, "raised whenever the gate's decision rule changes"]
    verdict: Annotated[str, "pass, fail or pending; of a checker's question its answer: yes, no or unjudged"]
    evidence: Annotated[str, "the figure or text that the verdict rests on"]


@dataclass(frozen=True)
class Reason:
    """Why something was dropped: a stable snake-case code that is counted, and a detail for the reader."""

    code: Annotated[str, "snake-case name"]
    detail: Annotated[str, "what was found"] = ""


@dataclass(frozen=True)
class Outcome:
    """How one reply was scored under one condition; scores are null where a reply could not be scored."""

    id: Annotated[str, "id of the item"]
    config: Annotated[str, "config of the artifact"]
    condition: Annotated[str, "paired condition, such as retrieved or adversarial"]
    prompt: Annotated[str, "name of the prompt"]
    sample: Annotated[int, "0-based sample number"]
    request: Annotated[str, "key of the stored request"]
    status: Annotated[str, "scored, truncated, unjudged or pending"]
    prediction: Annotated[str, "the reply after parsing"]
    answerable: Annotated[bool, "whether the documents held an answer before anything was inserted"]
    abstained: Annotated[bool, "whether the reply is the abstain word that the prompt asks for"]
    accuracy: Annotated[float | None, "1 if an answer stands in the reply as whole normalised tokens"]
    substring_accuracy: Annotated[float | None, "1 if an answer is a substring of the reply, both normalised (paper)"]
    em: Annotated[float | None, "exact match after normalisation"]
    f1: Annotated[float | None, "token F1, best over answers"]
    took_decoy: Annotated[float | None, "1 if the decoy's answer stands in the reply; null if it has none"] = None
    abstention_due: Annotated[bool, "whether the right reply is the abstain word that the prompt asks for"] = False
    held_gold: Annotated[float | None, "1 if the reply holds a gold answer and does not abstain"] = None


@dataclass(frozen=True)
class AuditOutcome:
    """How one reply was judged under one condition of an audit; `correct` is null where there is no verdict."""

    id: Annotated[str, "id of the item"]
    source_id: Annotated[str, "id that variants of one question share"]
    config: Annotated[str, "the source, or its twin"]
    condition: Annotated[str, "full, drop_one, control, half, window or circular"]
    target: Annotated[str, "the hop, half or mask; empty for full"]
    prompt: Annotated[str, "name of the prompt"]
    sample: Annotated[int, "0-based sample number"]
    n_hops: Annotated[int, "number of hops of the item"]
    answer_elsewhere: Annotated[bool, "whether text outside of every support holds an answer"]
    removed_tokens: Annotated[int, "tokens that the condition takes away, titles that go with them included"]
    request: Annotated[str, "key of the stored request; empty where the condition cannot be made"]
    judge_request: Annotated[str, "key of the judge's request; empty where no judge was needed"]
    status: Annotated[str, "scored, truncated, unjudged, pending or unavailable"]
    prediction: Annotated[str, "the reply after parsing"]
    verdict: Annotated[str, "correct, partial, incorrect, unjudged; empty where nothing was judged"]
    correct: Annotated[float | None, "1 if the verdict is correct, 0 if partial or incorrect"]
    took_endpoint: Annotated[float | None, "1 if a wrong reply equals the end of a competing path; null without any"]
