"""The models that GenADV's rules use, opened once per run."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from builders.entities import load_pipeline, pipeline_identity
from builders.pool import Pool, open_pool
from builders.similarity import Similarity, open_similarity


@dataclass(frozen=True)
class Identities:
    """What the recipe records of the tools, without opening them twice."""

    ner: str
    sentence_similarity: str
    entity_similarity: str
    pool: str

    def as_dict(self) -> dict[str, str]:
        """Return the identities by role."""
        return asdict(self)


@dataclass(frozen=True)
class Tools:
    """A parser for questions, a lighter pipeline for documents, two similarities, and the pool of names."""

    nlp: Any
    document_nlp: Any
    similarity: Similarity
    pool: Pool
    identities: Identities


def open_tools(pool_lines: Sequence[str], ner: str, sentence: str, entity: str, cache: Path) -> Tools:
    """Open everything; raises MissingExtraError with the line that installs what is missing."""
    nlp, document_nlp = load_pipeline(ner), load_pipeline(ner, for_documents=True)
    similarity, names = open_similarity(sentence), open_similarity(entity)
    pool = open_pool(pool_lines, document_nlp, names, cache)
    found = Identities(pipeline_identity(nlp), similarity.identity, names.identity, pool.identity)
    return Tools(nlp, document_nlp, similarity, pool, found)
