"""What `make eureqa-sample` shows of its items: one of each config at its deepest, its chain solved from the end."""

import sys
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from loaders.artifact import read_rows
from loaders.eureqa import SPLITS, EureQARow
from loaders.manifest import read_manifest


def main(artifact: Path, console: Console | None = None) -> None:
    """Print the first item of each config's last split."""
    console = console or Console()
    for config in read_manifest(artifact)["configs"]:
        splits = [split for split in SPLITS if split in config["rows"]]
        if splits:
            row = read_rows(artifact, config["name"], splits[-1], EureQARow)[0]
            console.print(item_panel(row, config["name"]))


def item_panel(row: EureQARow, config: str) -> Panel:
    """Return the question with the names that it shows in red, and the entities that it hides in green."""
    text = Text(f"{row.question}\n", "bold")
    shown = [label_of(iri) for iri in (*(layer.fact_entity for layer in row.layers), row.closing_entity)]
    text.append(f"\nnames in sight: {' · '.join(shown)}\n", "red")
    text.append(f"\n{row.closing}\n")
    for layer in reversed(row.layers):
        text.append(f"{layer.placeholder} is {layer.label}", "green")
        text.append(f"  ({layer.n_relation} by the relation, {layer.n_fact} by the fact, {layer.n_joint} by both)\n")
    text.append(f"\nwithout the closing line: {row.n_answers_without_closing} possible\n")
    return Panel(text, title=f"{config}: {row.id}")


def label_of(iri: str) -> str:
    """Return the name that an IRI spells."""
    return iri.rpartition("/")[2].replace("_", " ")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
