"""What every family's build command can say."""

from dataclasses import dataclass
from pathlib import Path

from cards.history import History, history_path, read_history


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Where a build reads and writes, how much of its source it takes, and under which seed and version."""

    out: Path
    home: Path
    requests: Path | None = None  # the request store; in `home` by default
    version: str = "0.0.0.dev0"
    seed: int = 0
    limit: int | None = None
    history: Path | None = None  # releases and errata; our own by default

    @property
    def store(self) -> Path:
        """The folder of the request store."""
        return self.requests or self.home / "requests"

    def history_of(self, family: str) -> History:
        """Read the releases and errata of a family; raises InputError for a file that is none."""
        return read_history(self.history or history_path(family))
