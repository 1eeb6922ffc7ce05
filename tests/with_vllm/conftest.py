"""What `make test-vllm` adds to the suite: vLLM, SmolLM2 as `local/smollm2` in a Hub cache, one sample, one run of it.

Collected only where vLLM is installed; `tests/with_vllm/convert.py` makes the cache. One engine runs at a time: two
would fight for the cores.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

collect_ignore_glob = [] if find_spec("vllm") else ["test_*.py"]

ROOT = Path(__file__).resolve().parents[2]
HUB = Path(sys.prefix) / "hub"
os.environ["HF_HUB_CACHE"] = str(HUB)  # before anything imports huggingface_hub, and for every process started here
ARGUMENTS = f"max_model_len=4096&max_num_seqs=32&kv_cache_memory_bytes={1 << 30}"

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def folder() -> Path:
    """Return the folder of SmolLM2's safetensors."""
    repository = HUB / "models--local--smollm2"
    return repository / "snapshots" / (repository / "refs" / "main").read_text()


@pytest.fixture(scope="session")
def model(folder: Path) -> str:
    """Return the engine's name for that folder."""
    return f"vllm:{folder}?{ARGUMENTS}"


@pytest.fixture(scope="session")
def decoyqa(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Return a function that runs a command and shows it where it fails; all share one request store."""
    home = tmp_path_factory.mktemp("home")

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        script = Path(sys.prefix) / "bin" / "decoyqa"
        env = os.environ | {"DECOYQA_HOME": str(home)}
        done = subprocess.run([script, *map(str, words)], cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="session")
def build(decoyqa: Command) -> Command:
    """Return a function that builds from the first two questions of the sample."""
    path = ROOT / "builders" / "sample" / "genadv" / "nq.jsonl"
    return partial(decoyqa, "build", "genadv", "--source", "nq", "--input", path, "--limit", "2")


@pytest.fixture(scope="session")
def sample(build: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an artifact made by the rules."""
    out = tmp_path_factory.mktemp("sample")
    build("--out", out)
    return out / "genadv" / "0.0.0.dev0"


@pytest.fixture(scope="session")
def run_in_process(decoyqa: Command, sample: Path, model: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run folder of `vllm:` on the first question of the sample, under all its conditions."""
    out = tmp_path_factory.mktemp("in-process") / "run"
    decoyqa("eval", sample, "--model", model, "--limit", "1", "--out", out)
    return out
