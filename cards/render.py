"""Render the page of an artifact from its manifest and record classes; no number in it is typed by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.header import Config, header
from loaders.schema import columns

TEMPLATES = Path(__file__).parent / "templates"


def render(family: str, title: str, manifest: Mapping[str, Any], configs: Sequence[Config], canary: str) -> str:
    """Return README.md: the YAML block and the family's template filled from the manifest.

    `configs` holds every config of the folder, those of construction records last.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"percent": lambda share: f"{100 * share:.1f} %", "thousands": lambda n: f"{n:,}"}
    licenses = sorted({source["license"] for source in manifest["sources"]})
    page = environment.get_template(f"{family}.md.jinja").render(
        manifest=manifest, configs=configs, columns=columns(configs[0].record), canary=canary, title=title
    )
    return header(title, manifest["version"], licenses, configs) + page
