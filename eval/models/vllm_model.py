"""Which model `vllm:` runs: NAME[@REVISION][?ARGUMENT=VALUE&...], what identifies it, and vLLM's own arguments.

NAME is a repository of the Hub, pinned to the commit that REVISION (`main` by default) names when it is opened, or a
folder that holds a model. Arguments are those of vLLM's engine, for instance
`vllm:org/name-70b@main?tensor_parallel_size=4&max_model_len=8192`. What one of DECIDING is set to belongs to the
identity, and so to the key of every request; those of PLACEMENT say where and how fast the model runs. The key to a
closed repository is taken from HF_TOKEN alone.
"""

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from loaders.errors import DecoyQAError, InputError

DECIDING = ("dtype", "kv_cache_dtype", "quantization")
PLACEMENT = (
    "cpu_offload_gb",
    "distributed_executor_backend",
    "enable_expert_parallel",
    "enable_prefix_caching",
    "enforce_eager",
    "gpu_memory_utilization",
    "kv_cache_memory_bytes",
    "max_model_len",
    "max_num_batched_tokens",
    "max_num_seqs",
    "pipeline_parallel_size",
    "tensor_parallel_size",
)
Value = str | int | float | bool | None


@dataclass(frozen=True)
class Model:
    """What vLLM loads: a repository at a commit, or a folder, without one; and what its replies are filed under."""

    source: str
    commit: str | None
    identity: str
    arguments: Mapping[str, Value]


def find_model(name: str) -> Model:
    """Resolve a name; raises InputError where there is no model, DecoyQAError for a bad argument or revision."""
    place, mark, query = name.partition("?")
    arguments = parse_arguments(query) if mark else {}
    if Path(place).is_dir():
        source, commit, version = place, None, f"sha256:{_digest(Path(place))}"
        shown = Path(place).resolve().name
    else:
        source, _, revision = place.partition("@")
        shown, version = source, (commit := _resolve(source, revision or None))
    return Model(source, commit, f"vllm:{shown}@{version}{_suffix(arguments)}", arguments)


def parse_arguments(query: str) -> dict[str, Value]:
    """Read `a=1&b=true&c=word`; raises DecoyQAError for anything else, and for an argument that is not known here."""
    pairs = [part.partition("=") for part in query.split("&")]
    if not all(key and text for key, _, text in pairs):
        raise DecoyQAError("expected ARGUMENT=VALUE, joined by &, behind the ? of a vllm: model")
    if unknown := sorted({key for key, *_ in pairs} - {*DECIDING, *PLACEMENT}):
        known = ", ".join(sorted((*DECIDING, *PLACEMENT)))
        raise DecoyQAError(f"unknown argument {unknown[0]!r} of vllm; known: {known}")
    return {key: _value(text) for key, _, text in pairs}


def _value(text: str) -> Value:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, Value) else text


def _suffix(arguments: Mapping[str, Value]) -> str:
    deciding = "&".join(f"{key}={arguments[key]}" for key in DECIDING if key in arguments)
    return f"?{deciding}" if deciding else ""


def _resolve(repository: str, revision: str | None) -> str:
    """Return the commit that a revision names now; without a network, the one that it named when it was cached."""
    from huggingface_hub import resolve_revision
    from huggingface_hub.constants import HF_HUB_OFFLINE
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, RevisionResolutionError

    try:
        return resolve_revision(repository, revision=revision, local_files_only=HF_HUB_OFFLINE).resolved
    except HFValidationError as error:
        expected = "expected a folder with a model, or the name of a repository of the Hub"
        raise InputError(repository, None, expected) from error
    except (HfHubHTTPError, RevisionResolutionError) as error:
        offline = " (HF_HUB_OFFLINE is set)" if HF_HUB_OFFLINE else ""
        where = f"{repository}@{revision or 'main'}"
        raise DecoyQAError(f"no such model: {where}{offline}: {' '.join(str(error).split())}") from error


def _digest(folder: Path) -> str:
    """Return the sha256 over the names and contents of the files that vLLM may read: all but hidden ones and texts."""
    if not any((folder / name).is_file() for name in ("config.json", "params.json")):
        raise InputError(folder, None, "expected a folder with a model: config.json, tokenizer, weights")
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
    files = [path for path in paths if not path.name.startswith(".")]
    with ThreadPoolExecutor() as pool:  # hashing lets go of the interpreter's lock
        lines = [f"{digest}  {path.name}\n" for digest, path in zip(pool.map(_sha256, files), files, strict=True)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
