"""Load a model into vLLM, and say what runs it."""

import os
from typing import Any

from eval.models.vllm_model import Model
from loaders.errors import DecoyQAError

_CPU_CACHE = 4 << 30  # bytes
_ENVIRONMENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",  # a fork would copy the threads of other models in a broken state
}


def load(model: Model) -> Any:
    """Return vLLM's `LLM`; raises DecoyQAError for whatever is wrong with the installation, the device or the model."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        from vllm import LLM
        from vllm.platforms import current_platform

        arguments: dict[str, Any] = {"max_model_len": -1, "use_tqdm_on_load": False, **model.arguments}
        if current_platform.is_cpu():
            arguments.setdefault("enforce_eager", True)
            # A seeded request whose prompt is read in pieces kills the engine: CPU generators know no offset.
            arguments["enable_chunked_prefill"] = False
            if "gpu_memory_utilization" not in arguments:
                arguments.setdefault("kv_cache_memory_bytes", _CPU_CACHE)
        return LLM(model.source, revision=model.commit, **arguments)
    except Exception as error:
        raise DecoyQAError(f"vllm cannot run {model.identity}: {one_line(error)}") from error


def runtime(llm: Any) -> str:
    """Say what may still move a reply in its last bits: version, device, dtype, batching."""
    import vllm
    from vllm import envs
    from vllm.platforms import current_platform

    config = llm.llm_engine.vllm_config
    model, devices = config.model_config, config.parallel_config.world_size
    facts = [
        f"vllm {vllm.__version__}",
        current_platform.get_device_name() + (f" x {devices}" if devices > 1 else ""),
        str(model.dtype).removeprefix("torch."),
        model.quantization,
        f"{config.scheduler_config.max_num_seqs} sequences",
        f"context {model.max_model_len}",
        "batch-invariant" if envs.VLLM_BATCH_INVARIANT else "not batch-invariant",
    ]
    return ", ".join(fact for fact in facts if fact)


def one_line(error: Exception) -> str:
    """Return what an error says, without line ends."""
    return " ".join(f"{error}".split()) or type(error).__name__
