"""`decoyqa build realhop`: read the source, plan, compete, write, check, prove, assemble."""

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from builders.engines import Open
from builders.entities import load_pipeline, pipeline_identity
from builders.progress import Reporter
from builders.realhop.assemble import assemble
from builders.realhop.material import FAMILY, Material, Options, read_material
from builders.realhop.part import Part, build_part
from builders.realhop.recipe import Means
from builders.realhop.voices import open_voices
from builders.sources.files import file_identity
from builders.targets import target_folder
from builders.voices import RULES
from eval.models.engine import open_engine
from loaders.errors import DecoyQAError

TABLES = ("relations", "labels", "near_misses")


def build(options: Options, report: Reporter, material: Material | None = None, opener: Open = open_engine) -> Path:
    """Build the artifact and return its folder; `material` is what `read_material` returned, where it was called.

    Raises InputError for a bad input before anything is written, DecoyQAError where no item is kept.
    """
    started = time.time()
    target = target_folder(options.out, FAMILY, options.version, options.home)
    material = material or read_material(options)
    withdrawn = material.history.withdrawn(material.origin.config)
    with open_voices(options.engines, options.store, options.seed, report.asked, opener) as voices:
        nlp = load_pipeline(options.parser) if options.engines.writer == RULES else None
        tools = tools_of(nlp)
        means = Means(options.recipe, options.seed, nlp, voices, withdrawn)
        part = build_part(material, means, tools, options.home / "parts", report.start)
        _check_kept(part)
        assemble(target, options, material, means, part, tools, lambda: build_facts(options, time.time() - started))
    return target


def tools_of(nlp: Any) -> dict[str, str]:
    """Return what the recipe records of the parser and of our tables."""
    tables = {name: file_identity(Path(__file__).with_name(f"{name}.tsv")) for name in TABLES}
    return tables | ({"parser": pipeline_identity(nlp)} if nlp else {})


def _check_kept(part: Part) -> None:
    """Raise DecoyQAError with the reasons where there is nothing to publish."""
    if part.full:
        return
    lost = Counter(one.reason or one.status for one in part.candidates)
    reasons = ", ".join(f"{why} {n}" for why, n in lost.most_common())
    stored = "; what models said is stored, and is not asked again" if part.models else ""
    again = "; pending: a model call failed, and the same command asks again" if lost["pending"] else ""
    raise DecoyQAError(f"no item was kept: {reasons}{again}{stored}")


def build_facts(options: Options, seconds: float) -> Mapping[str, Any]:
    """Return what build.json says: how to run this build again here, and how long it took."""
    command = {
        "source": options.source,
        "input": str(options.path.resolve()),
        "history": str(options.history.resolve()) if options.history else None,
        "parser": options.parser,
    }
    return {"rebuild": command, "seconds": round(seconds, 1)}
