"""README.md of an artifact, from its manifest, record classes, an item and the family's prose; no number is typed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.example import Example
from cards.funnel import answering, conditions, opinions, step_names
from cards.header import Config, header
from cards.markdown import escape, shorten
from cards.prose import Prose
from eval.stats import minimum_effect
from loaders.schema import columns

TEMPLATES = Path(__file__).parent / "templates"
# Code points of a shown text: of one among many, and of one that the reader should judge; and how many answers.
BRIEF, FULL, ANSWERS = 140, 700, 5


def render(family: str, prose: Prose, manifest: Mapping[str, Any], configs: Sequence[Config], example: Example) -> str:
    """Return README.md: the YAML block, and the family's template filled.

    `configs` holds every config of the folder, those of construction records last. Raises jinja2's UndefinedError where
    the manifest lacks something that a card needs.
    """
    licenses = sorted({source["license"] for source in manifest["sources"]})
    page = fill(f"{family}.md.jinja", prose=prose, manifest=manifest, configs=configs, example=example)
    return header(prose.title, manifest["version"], licenses, prose.tags, configs) + page


def fill(template: str, **values: Any) -> str:
    """Return a template of this folder filled; a name that is not there is an error, not a gap."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "percent": lambda share: f"{100 * share:.1f} %",
        "share": lambda share: f"{100 * share:g} %",
        "points": lambda difference: f"{100 * difference:.1f}",
        "thousands": lambda n: f"{n:,}",
        "brief": lambda text: escape(shorten(text, BRIEF)),
        "code": lambda text: "`{}`".format(text.replace("`", "'")),
        "full": lambda text: escape(shorten(text, FULL)),
    }
    environment.tests["single"] = lambda values: len(values) == 1
    environment.globals |= {
        "answering": answering,
        "columns": columns,
        "conditions": conditions,
        "minimum_effect": minimum_effect,
        "opinions": opinions,
        "shown_answers": ANSWERS,
        "step_names": step_names,
    }
    return environment.get_template(template).render(**values)
