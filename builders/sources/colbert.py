r"""ColBERTv2 through PyLate, the paper's retriever (section 4.1): writes a run file for `decoyqa build genadv --run`.

PyLate wants other versions of torch and sentence-transformers than we do, hence an environment of its own:

    python -m venv .venv-colbert && .venv-colbert/bin/pip install 'pylate>=1.6,<2'
    .venv-colbert/bin/python -m builders.sources.colbert \
        --passages psgs_w100.tsv.gz --source nq --input nq.jsonl --out nq.run

The collection is indexed in shards under `$DECOYQA_HOME/retrieval`, each with every question searched in it, so that
memory does not grow with the collection and a stopped run goes on with the shard where it was.
"""

import argparse
import heapq
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from builders.sources.files import sha256
from builders.sources.openqa import read_questions
from builders.sources.passages import Passages, open_passages
from builders.sources.runs import Found, Run, write_run
from loaders.artifact import replacing_folder
from loaders.errors import DecoyQAError

MODEL, REVISION = "colbert-ir/colbertv2.0", "c1e84128e85ef755c096a95bdb06b47793b13acf"
SHARD = 50_000  # passages; their vectors in single precision take 3 GB of memory
SEED = 42  # of the clusters of token vectors


class _Scored(NamedTuple):
    """Ordered so that the best passage is the least: by falling score, then as in the collection."""

    falling: float
    place: int


def search(
    passages: Passages, questions: Sequence[str], model: Any, folder: Path, depth: int, shard: int
) -> list[list[_Scored]]:
    """Return the best passages of each question, best first, from all shards; those on disk are not encoded again."""
    vectors = model.encode(list(questions), is_query=True, show_progress_bar=False)
    best: list[list[_Scored]] = [[] for _ in questions]
    texts, shards = passages.texts(), -(-len(passages) // shard)
    for number in range(shards):  # of one size, as clusters cannot be trained on a rest of a few passages
        first, end = (len(passages) * bound // shards for bound in (number, number + 1))
        part = list(islice(texts, end - first))
        found = _search_shard(part, vectors, model, folder / f"shard-{first:09d}-{len(part)}", depth)
        hits = ([_Scored(-hit["score"], first + int(hit["id"])) for hit in ones] for ones in found)
        best = [heapq.nsmallest(depth, [*before, *more]) for before, more in zip(best, hits, strict=True)]
        print(f"{end:,} of {len(passages):,} passages searched", file=sys.stderr, flush=True)
    return best


def _search_shard(texts: Sequence[str], vectors: Any, model: Any, folder: Path, depth: int) -> Any:
    from pylate import indexes, retrieve

    if not folder.is_dir():
        numbers = [str(number) for number in range(len(texts))]
        encoded = model.encode(list(texts), is_query=False, show_progress_bar=False)
        with replacing_folder(folder) as staging:
            index = indexes.PLAID(str(staging), "plaid", seed=SEED, use_triton=False, show_progress=False)
            try:
                index.add_documents(documents_ids=numbers, documents_embeddings=encoded)
            except RuntimeError as error:  # two or three passages are too few for clusters
                raise DecoyQAError(f"PLAID cannot index {len(texts)} passages: {error}") from None
    index = indexes.PLAID(str(folder), "plaid", seed=SEED, use_triton=False, show_progress=False)
    return retrieve.ColBERT(index=index).retrieve(queries_embeddings=vectors, k=min(depth, len(texts)))


def name_of(model: str, revision: str) -> str:
    """Return the run's name: PyLate's version and the model, by its commit or the checksum of a local one's weights."""
    path = Path(model)
    exact = sha256(path / "model.safetensors")[:16] if path.is_dir() else revision
    return f"pylate-{version('pylate')}:{path.name if path.is_dir() else model}@{exact}"


def main() -> None:
    """Read questions and passages, search, write the run."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--passages", type=Path, required=True)
    parser.add_argument("--source", required=True, metavar="NAME[:CONFIG]", help="as for decoyqa build genadv")
    parser.add_argument("--input", type=Path, required=True, help="the source's questions")
    parser.add_argument("--out", type=Path, required=True, help="the run file")
    parser.add_argument("--model", default=MODEL, help="on the Hub, or a folder (%(default)s)")
    parser.add_argument("--revision", default=REVISION, help="the model's commit (%(default)s)")
    parser.add_argument("--retrieved", type=int, default=10, help="passages a question (%(default)s)")
    parser.add_argument("--shard", type=int, default=SHARD, help="passages indexed at once, at most (%(default)s)")
    parser.add_argument("--device", help="cuda, cpu ...; the best one by default")
    given = parser.parse_args()
    try:
        _run(given)
    except DecoyQAError as error:
        sys.exit(f"error: {error}")


def _run(given: argparse.Namespace) -> None:
    source, _, config = given.source.partition(":")
    questions = list(read_questions(given.input, source, config or source))
    cache = Path(os.environ.get("DECOYQA_HOME", ".decoyqa")) / "retrieval"
    passages = open_passages(given.passages, cache, lambda count, found: None)
    name = name_of(given.model, given.revision)

    from pylate import models

    local = {} if Path(given.model).is_dir() else {"revision": given.revision}
    model = models.ColBERT(given.model, device=given.device, **local)
    folder = passages.folder.with_name(name.replace("/", "--").replace(":", "-"))
    best = search(passages, [question.question for question in questions], model, folder, given.retrieved, given.shard)
    found = {
        question.id: [Found(passages.id(one.place), round(-one.falling, 4)) for one in ones]
        for question, ones in zip(questions, best, strict=True)
    }
    write_run(given.out, Run(name, found))
    print(f"{given.out}: {len(found):,} questions, {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
