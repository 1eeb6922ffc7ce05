"""vLLM inside this program: any chat model that it can load, with the model's own template.

`vllm:NAME[@REVISION][?ARGUMENT=VALUE&...]`: `eval.models.vllm_model` says what NAME and the arguments can be. Where
nothing else is asked for, the context is as long as memory allows, up to the model's own; on a CPU the cache takes
4 GiB and nothing is compiled, which would cost minutes at each start. vLLM's own variables are respected
(VLLM_BATCH_INVARIANT, VLLM_CPU_OMP_THREADS_BIND, VLLM_LOGGING_LEVEL ...); its usage report is switched off.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any, Self

from eval.models.engine import EngineOptions, Failure, Reply, Request
from eval.models.vllm_load import load, one_line, runtime
from eval.models.vllm_model import Model, find_model
from loaders.errors import DecoyQAError, MissingExtraError

# Requests that are handed over at a time. Their replies come back together, so a kill loses these at most; with fewer,
# the slowest of each batch would run alone too often. How many run at once is up to vLLM (max_num_seqs).
BATCH = 256


class VLLMEngine:
    """One model, asked in batches in the caller's order, so that a prefix shared by neighbours is read once."""

    def __init__(self, model: Model) -> None:
        self.identity, self.runtime = model.identity, "vllm, nothing to ask"
        self._model = model
        self._llm: Any = None

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Take up to 256 requests, yield what became of them, take the next.

        The model is loaded for the first one: a dry run, and a run whose replies are all stored, need no GPU. Raises
        DecoyQAError where vLLM cannot load it, or dies.
        """
        upcoming = iter(requests)
        while batch := tuple(islice(upcoming, BATCH)):
            if self._llm is None:
                self._llm = load(self._model)
                self.runtime = runtime(self._llm)
            yield from self._ask(batch)

    def _ask(self, batch: Sequence[Request]) -> Iterator[Reply | Failure]:
        from vllm.v1.engine.exceptions import EngineDeadError

        try:
            refused = [self._enqueue(request) for request in batch]
            outputs = iter(self._llm.wait_for_completion(use_tqdm=False))  # in the order of what was not refused
        except EngineDeadError as error:
            raise DecoyQAError(f"vllm died with {len(batch)} requests in hand; what it wrote above says why") from error
        context = self._llm.model_config.max_model_len
        for request, failure in zip(batch, refused, strict=True):
            yield failure or read_output(request, next(outputs), context, self.runtime)

    def _enqueue(self, request: Request) -> Failure | None:
        """Hand one request over; one that vLLM refuses (too long, bad schema) fails alone."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams
        from vllm.v1.engine.exceptions import EngineDeadError

        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        try:
            schema = StructuredOutputsParams(json=request.schema) if request.schema else None
            sampling = SamplingParams(**sampling_values(request), structured_outputs=schema)
            self._llm.enqueue_chat([messages], sampling, use_tqdm=False)
        except EngineDeadError:
            raise
        except Exception as error:  # chat templates and tokenizers raise what they like
            return Failure(request.key, one_line(error))
        return None

    def close(self) -> None:
        """Stop vLLM's processes, which frees the memory."""
        llm, self._llm = self._llm, None
        if llm is not None:
            llm.llm_engine.engine_core.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(name: str, options: EngineOptions) -> VLLMEngine:
    """Find a model; raises MissingExtraError, or DecoyQAError where there is none or an argument is unknown."""
    package = find_spec("vllm")
    if package is None or package.origin is None:  # without an origin it is a folder that happens to have this name
        raise MissingExtraError("vllm", "pip install 'decoyqa[vllm]'")
    return VLLMEngine(find_model(name))


def sampling_values(request: Request) -> dict[str, Any]:
    """Return a request's sampling in vLLM's words; the model's own defaults for generation play no part."""
    return {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "max_tokens": request.max_tokens,
        "seed": request.draw_seed,
        # In some models the marks around a thought are special tokens: without them it would run into the answer.
        "skip_special_tokens": False,
    }


def read_output(request: Request, output: Any, context: int, ran_by: str) -> Reply | Failure:
    """Turn a `RequestOutput` of vLLM into a reply; text that the end of the context (in tokens) cut is a failure.

    A reply's `raw` says what ran it, since a later run that finds it stored may be another version on another device.
    """
    said, prompt_tokens = output.outputs[0], len(output.prompt_token_ids)
    if said.finish_reason not in ("stop", "length"):
        return Failure(request.key, f"vllm ended the request: {said.finish_reason}")
    if said.finish_reason == "length" and len(said.token_ids) < request.max_tokens:
        needed = f"prompt ({prompt_tokens} tokens) and reply (up to {request.max_tokens})"
        return Failure(request.key, f"{needed} do not fit the context of {context} tokens; see max_model_len")
    fields = ("text", "token_ids", "finish_reason", "stop_reason")
    raw = {
        "runtime": ran_by,
        "prompt_tokens": prompt_tokens,
        "cached_tokens": output.num_cached_tokens,
        "outputs": [{name: getattr(said, name) for name in fields}],
    }
    return Reply(
        key=request.key,
        text=said.text,
        finish_reason=said.finish_reason,
        prompt_tokens=prompt_tokens,
        completion_tokens=len(said.token_ids),
        raw=json.dumps(raw, default=list),
        cached_tokens=output.num_cached_tokens or 0,
    )
