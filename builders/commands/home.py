"""Where the caches of all commands lie."""

import os
from pathlib import Path


def home() -> Path:
    """Return the folder of all caches, `$DECOYQA_HOME` or `./.decoyqa`."""
    return Path(os.environ.get("DECOYQA_HOME", ".decoyqa"))
