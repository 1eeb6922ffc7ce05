"""How near an answer is to the names in its question (section 5.2): what a model may be tempted to go by."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from builders.eureqa.snapshot import Snapshot
from builders.similarity import Similarity
from loaders.eureqa import EureQARow


def with_similarity(rows: Sequence[EureQARow], snapshot: Snapshot, similarity: Similarity) -> list[EureQARow]:
    """Fill in the mean cosine of the answer's name with the names that the question shows."""
    names = {
        name: i for i, name in enumerate(dict.fromkeys(n for row in rows for n in (row.answer, *shown(row, snapshot))))
    }
    vectors = similarity.encode(list(names))
    return [
        replace(row, similarity=_mean(vectors[names[row.answer]], vectors[[names[n] for n in shown(row, snapshot)]]))
        for row in rows
    ]


def _mean(answer: Any, others: Any) -> float:
    return round(float(np.mean(others @ answer)), 4)


def shown(row: EureQARow, snapshot: Snapshot) -> list[str]:
    """Return the names that a question shows: its facts' entities, and the one of the closing line."""
    iris = [*(layer.fact_entity for layer in row.layers), row.closing_entity]
    return [snapshot.labels[snapshot.entities.find(iri)] for iri in iris]
