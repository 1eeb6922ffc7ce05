"""How much of GenADV's time is NER and embedding: `make_candidates` against bare `nlp.pipe` and `encode`.

Run as `python tests/bench/bench_genadv.py`; `--profile` lists what the rest of the time goes to. The questions are the
sample's, each in several copies whose years are shifted, so that nearly every passage is a text of its own. CPU time of
one thread is measured, because the wall clock of a shared machine tells little.
"""

import argparse
import cProfile
import os
import pstats
import re
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
sys.path.insert(0, str(Path(__file__).parents[2]))

from builders.entities import EMBEDDED_PIPELINE
from builders.genadv.candidates import make_candidates
from builders.genadv.material import SAMPLE_POOL
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.seeds import seeds
from builders.genadv.tools import Tools, open_tools
from builders.pool import read_pool_text
from builders.sources.openqa import read_questions
from loaders.records import Question

TARGET = 0.9
YEAR = re.compile(r"\b1[3-9]\d\d\b")


def questions() -> Iterator[Question]:
    """Yield the sample's questions over and over, in each round with other years and ids."""
    folder = SAMPLE_POOL.parent
    originals = [
        q for name in ("nq", "tqa", "webq", "popqa") for q in read_questions(folder / f"{name}.jsonl", name, name)
    ]
    for round_number in range(1000):
        yield from (_shifted(question, round_number) for question in originals)


def _shifted(question: Question, years: int) -> Question:
    def shift(text: str) -> str:
        return YEAR.sub(lambda found: str(int(found.group()) + years), text)

    return replace(
        question,
        id=f"{question.id}-{years}",
        question=shift(question.question),
        answers=tuple(map(shift, question.answers)),
        documents=tuple(replace(d, title=shift(d.title), text=shift(d.text)) for d in question.documents),
    )


@dataclass
class Recorded:
    """A tool whose calls are remembered: their texts, and the CPU time that passed in them."""

    tool: Any
    method: str
    calls: list[list[str]] = field(default_factory=list)
    seconds: float = 0.0

    def __getattr__(self, name: str) -> Any:
        return self._call if name == self.method else getattr(self.tool, name)

    def _call(self, texts: Sequence[str], **settings: Any) -> Any:
        self.calls.append(list(texts))
        started = process_time()
        found = getattr(self.tool, self.method)(texts, **settings)
        if self.method == "encode":
            self.seconds += process_time() - started
            return found
        return self._timed(iter(found))

    def _timed(self, docs: Iterator[Any]) -> Iterator[Any]:
        while True:
            started = process_time()
            doc = next(docs, None)
            self.seconds += process_time() - started
            if doc is None:
                return
            yield doc

    @property
    def texts(self) -> list[str]:
        """All texts of all calls."""
        return [text for call in self.calls for text in call]

    def bare(self) -> float:
        """Return the CPU time of the tool alone on the same texts, in one call."""
        started = process_time()
        for _ in getattr(self.tool, self.method)(self.texts):
            pass
        return process_time() - started


def timed(work: Callable[[], object]) -> float:
    """Return the CPU time of a call in seconds."""
    started = process_time()
    work()
    return process_time() - started


def main() -> None:
    """Print the ratio of bare to whole time for each tool, and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--profile", action="store_true", help="list the functions that take most time")
    given = parser.parse_args()
    recipe = GenADVRecipe()
    cases = seeds(islice(questions(), given.questions), recipe.k, 0).cases
    everything = sorted(cases, key=lambda case: case.id)
    with TemporaryDirectory() as cache:
        real = open_tools(read_pool_text(SAMPLE_POOL), EMBEDDED_PIPELINE, "minilm", "minilm", Path(cache))
    make_candidates(cases[:8], everything, recipe, real, 0)  # first calls load and compile
    parse, read = Recorded(real.nlp, "pipe"), Recorded(real.document_nlp, "pipe")
    encode = Recorded(real.similarity, "encode")
    tools = Tools(parse, read, encode, real.pool, real.identities)
    profile = cProfile.Profile()
    if given.profile:
        profile.enable()
    whole = timed(lambda: make_candidates(cases, everything, recipe, tools, 0))
    profile.disable()
    parts = {"nlp.pipe, questions and statements": parse, "nlp.pipe, documents": read, "encode": encode}
    bare = {name: part.bare() for name, part in parts.items()}
    print(f"{len(cases)} questions, CPU seconds on one thread")
    for name, part in parts.items():
        print(
            f"  {name:<36} {len(part.texts):>6} texts in {len(part.calls):>5} calls: "
            f"{part.seconds:6.2f} inside the build, {bare[name]:6.2f} bare"
        )
    rest = whole - sum(part.seconds for part in parts.values())
    ratio = sum(bare.values()) / whole
    print(f"  {'everything else':<36} {rest:.2f}")
    print(f"whole {whole:.2f}, bare {sum(bare.values()):.2f}: ratio {ratio:.3f} (target {TARGET} or more)")
    print(f"{len(cases) / whole:.2f} questions a second, peak memory {peak_mb():.0f} MB")
    if given.profile:
        pstats.Stats(profile).strip_dirs().sort_stats("cumulative").print_stats(70)


def peak_mb() -> float:
    """Return the largest resident set of this process so far in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
