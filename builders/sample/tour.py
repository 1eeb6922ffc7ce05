"""What `make sample` shows of its items: one of each written kind in full, the decoy marked."""

import sys
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from loaders.artifact import read_rows, shard_paths
from loaders.genadv import GenADVRow
from loaders.manifest import read_manifest

SHOWN = ("adversarial", "conflict")


def main(artifact: Path, console: Console | None = None) -> None:
    """Print one item of each shown split."""
    console = console or Console()
    for split in SHOWN:
        row = first_row(artifact, split)
        if row is not None:
            console.print(item_panel(row, split))


def first_row(artifact: Path, split: str) -> GenADVRow | None:
    """Return the first row of the first config that has the split."""
    for config in read_manifest(artifact)["configs"]:
        if shard_paths(artifact, config["name"], split):
            return read_rows(artifact, config["name"], split, GenADVRow)[0]
    return None


def item_panel(row: GenADVRow, split: str) -> Panel:
    """Return the item with its inserted document in red and the documents that hold an answer in green."""
    text = Text()
    text.append(f"{row.question}\n", "bold")
    text.append(f"answers: {', '.join(row.answers)}\n")
    for number, document in enumerate(row.documents):
        inserted = number == row.inserted_at
        mark = f"  <-- {document.kind}, invented by {row.writer}" if inserted else ""
        holds = "  (holds an answer)" if document.holds_answer else ""
        style = "red" if inserted else "green" if document.holds_answer else ""
        text.append(f"\n[{number + 1}] {document.title}{holds}{mark}\n{document.text}\n", style)
    if row.conflict_answer:
        text.append(f"\nthe inserted document says: {row.conflict_answer}\n", "red")
    return Panel(text, title=f"{split}: {row.id}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
