"""What `make realhop-sample` shows: one item of each length beside its source, gold and competing text marked."""

import sys
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from loaders.artifact import read_rows
from loaders.manifest import read_manifest
from loaders.realhop import Competitor, RealHopRow


def main(artifact: Path, console: Console | None = None) -> None:
    """Print the first item of each number of hops."""
    console = console or Console()
    for config in read_manifest(artifact)["configs"]:
        full, source = (read_rows(artifact, config["name"], split, RealHopRow) for split in ("full", "source"))
        sources = {row.id: row for row in source}
        first = {row.n_hops: row for row in reversed(full)}
        for hops in sorted(first):
            console.print(item_panel(first[hops], sources[first[hops].id]))


def item_panel(row: RealHopRow, source: RealHopRow) -> Panel:
    """Return the question beside its source's, each step with its sentences in green, each path's ends in red."""
    text = Text(f"{row.question}\n", "bold")
    text.append(f"answer: {row.answer}   (was: {source.question} {source.answer})\n", "green")
    for hop in row.hops:
        text.append(f"\n{hop.hop_id}. {hop.relation}\n")
        for unit in hop.units:
            text.append(f"   [{unit.passage + 1}] {unit.fact}\n", "green")
    for path in row.competitors:
        text.append(f"\n{_heading(path)}, ends in {path.endpoint}\n")
        for fact in path.facts:
            told = row.passages[fact.passage].text[fact.start : fact.end]
            text.append(f"   [{fact.passage + 1}] {told}\n", "red")
    text.append("\n")
    for drop in row.proof.drops if row.proof else ():
        left = ", ".join(drop.any_relation) or "nothing"
        text.append(f"without step {drop.hop_id}: {', '.join(drop.solutions) or 'no answer'}; by elimination: {left}\n")
    return Panel(text, title=f"{row.n_hops} hops: {row.id}")


def _heading(path: Competitor) -> str:
    if path.family == "orphan":
        return f"orphan beside what step {path.protected_hop} leads to"
    return f"{path.family}, made for step {path.protected_hop}, misses step {path.break_hop}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
