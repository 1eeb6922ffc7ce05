"""Fixtures that every folder of tests shares."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

# One thread per model: tests may run side by side, and spinning threads cost far more than they bring.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Return the path of a real data file, or skip where the checkout has none."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"needs the real data file {name}, which is not beside this checkout")
        return path

    return find
