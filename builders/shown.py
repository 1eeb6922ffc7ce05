"""What the commands of several families show of an artifact."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from builders.targets import is_development


def rows_table(manifest: Mapping[str, Any]) -> Table:
    """Return a line per config with its rows per split."""
    table = Table("config", *manifest["splits"], title="rows per split")
    for config in manifest["configs"]:
        table.add_row(config["name"], *(f"{config['rows'].get(split, 0):,}" for split in manifest["splits"]))
    return table


def steps_table(title: str, steps: Sequence[Mapping[str, Any]]) -> Table:
    """Return a line per step: what entered, was kept, waits and was rejected for which reason."""
    table = Table("step", "entered", "kept", "pending", "rejected", title=title)
    for step in steps:
        reasons = "\n".join(f"{reason} {n:,}" for reason, n in step["rejected"].items())
        table.add_row(step["step"], *(f"{step[name]:,}" for name in ("entered", "kept", "pending")), reasons)
    return table


def pending_line(pending: int, what: str, version: str) -> str:
    """Return what is said of those whose model call failed."""
    again = "the same command asks" if is_development(version) else "a build under another --version asks"
    return f"{pending:,} {what} are pending (a model call failed): {again} for them and for nothing else"
