"""`openai:` against vLLM's own server, and how far it agrees with `vllm:` in process."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from eval.run_folder import read_replies

if TYPE_CHECKING:
    from conftest import Command

START = 600  # seconds; three processes import torch one after the other


@pytest.fixture(scope="module")
def base_url(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the server on a free port of 127.0.0.1."""
    log = tmp_path_factory.mktemp("server") / "log"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = f"--served-model-name smollm2 --host 127.0.0.1 --port {port} --max-model-len 4096 --max-num-seqs 32"
    quick = f"--enforce-eager --no-enable-chunked-prefill --kv-cache-memory-bytes {1 << 30} --generation-config vllm"
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", folder, *words.split()]
    env = os.environ | {"VLLM_NO_USAGE_STATS": "1"}
    with log.open("w") as out, subprocess.Popen([*command, *quick.split()], env=env, stdout=out, stderr=out) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        try:
            with urlopen(address, timeout=10):
                return
        except (URLError, OSError):
            time.sleep(1)
    raise RuntimeError(f"vLLM's server did not start:\n{log.read_text()[-3000:]}")


def test_the_server_agrees_with_the_engine(
    decoyqa: "Command",
    sample: Path,
    run_in_process: Path,
    base_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    out = tmp_path / "run"
    decoyqa("eval", sample, "--model", "openai:smollm2", "--base-url", base_url, "--limit", "1", "--out", out)
    served, inside = (
        {(one.condition, one.prompt, one.id): one for one in read_replies(run)} for run in (out, run_in_process)
    )
    assert served.keys() == inside.keys()
    assert all(served[place].prompt_tokens == inside[place].prompt_tokens for place in inside)
    same = [place for place in inside if served[place].text == inside[place].text]
    with capsys.disabled():
        print(f"\nvllm: in process and behind its own server say the same {len(same)} times of {len(inside)}")
        for place in list(inside)[:3]:
            print(*place[:2], repr(inside[place].text), repr(served[place].text), sep="\n  ")
    assert len(same) >= len(inside) / 2
