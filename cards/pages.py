"""Everything in an artifact's folder that a person or another program reads before the rows."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.croissant import croissant
from cards.example import choose_example
from cards.figures import draw_figures
from cards.header import Config
from cards.history import History, changelog_text, errata_text
from cards.prose import read_prose
from cards.render import fill, render
from loaders.manifest import write_json


def write_pages(
    folder: Path,
    family: str,
    manifest: Mapping[str, Any],
    rows: Sequence[Config],
    construction: Sequence[Config],
    history: History,
) -> None:
    """Write README.md, figures, croissant.json, eval.yaml, CHANGELOG.md and ERRATA.md beside the Parquet files.

    `rows` are the configs that readers load, `construction` those that tell how they were made; every split of them has
    rows, and each text holds the canary. Of the manifest every family needs `family`, `version`, `splits`, `configs`
    (with `name`, `rows`, `left_out`, `funnel`), `sources`, `catalogue`, `writer`, `seed`, `limit`, `recipe`, `tools`,
    `prompts`, `content_id` and `canary`; what else it shows is for the family's own templates.
    """
    prose, configs = read_prose(family), [*rows, *construction]
    draw_figures(folder, manifest)
    texts = {
        "README.md": render(family, prose, manifest, configs, choose_example(folder, rows)),
        "eval.yaml": fill(f"{family}.eval.yaml.jinja", prose=prose, manifest=manifest),
        "CHANGELOG.md": changelog_text(history, manifest["version"], list(_facts(manifest)), manifest["canary"]),
        "ERRATA.md": errata_text(history, manifest["canary"]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_json(folder / "croissant.json", croissant(folder, prose, manifest, configs, history))


def _facts(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the changelog says of the version at hand."""
    for config in manifest["configs"]:
        counts = {split: config["rows"][split] for split in manifest["splits"] if split in config["rows"]}
        rows = ", ".join(f"{split} {count:,}" for split, count in counts.items())
        yield f"Rows of `{config['name']}`: {rows}."
    yield f"Writer `{manifest['writer']}`, seed {manifest['seed']}, content id `{manifest['content_id']}`."
