"""What of the engine `vllm:` can be told without vLLM: names, identities, requests and outputs; see tests/with_vllm."""

import hashlib
import json
import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import pytest

from eval.models import vllm
from eval.models.engine import Failure, Message, Reply, Request, open_engine
from eval.models.vllm_load import load, one_line
from eval.models.vllm_model import Model, find_model, parse_arguments
from loaders.errors import DecoyQAError, InputError, MissingExtraError

COMMIT = "12fd25f77366fa6b3b4b768ec3050bf629380bac"
REQUEST = Request("vllm:x", (Message("user", "Hi"),), temperature=0.7, max_tokens=5, seed=3, top_p=0.9, sample=2)


@pytest.fixture
def folder(tmp_path):
    model = tmp_path / "My-Model"
    model.mkdir()
    for name, text in {"config.json": "{}", "model.safetensors": "weights", "README.md": "x", ".hidden": "x"}.items():
        (model / name).write_text(text)
    return model


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A cache in which `org/model` was `COMMIT` when it was last fetched."""
    refs = tmp_path / "hub" / "models--org--model" / "refs"
    (refs.parent / "snapshots" / COMMIT).mkdir(parents=True)
    refs.mkdir()
    (refs / "main").write_text(COMMIT)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


@pytest.fixture
def install(monkeypatch):
    """Return a function that puts something in the place of vLLM's `LLM`, on a machine with or without a GPU."""
    monkeypatch.setattr(os, "environ", dict(os.environ))

    def put(llm, is_cpu):
        package, platforms = ModuleType("vllm"), ModuleType("vllm.platforms")
        package.LLM, platforms.current_platform = llm, SimpleNamespace(is_cpu=lambda: is_cpu)
        monkeypatch.setitem(sys.modules, "vllm", package)
        monkeypatch.setitem(sys.modules, "vllm.platforms", platforms)

    return put


def output(finish="stop", tokens=(5, 6, 2), cached=4):
    said = SimpleNamespace(index=0, text="A b.", token_ids=tokens, finish_reason=finish, stop_reason=None)
    return SimpleNamespace(outputs=[said], prompt_token_ids=[1] * 9, num_cached_tokens=cached)


def test_a_missing_package_names_its_line(monkeypatch):
    monkeypatch.setattr(vllm, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"vllm is not installed; .* pip install 'decoyqa\[vllm\]'"):
        open_engine("vllm:org/model")


@pytest.mark.skipif(bool(find_spec("vllm")), reason="vllm is installed here")
def test_a_folder_of_that_name_is_not_the_package(tmp_path, monkeypatch):
    (tmp_path / "vllm").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert find_spec("vllm") is not None
    with pytest.raises(MissingExtraError):
        open_engine("vllm:org/model")


def test_a_folder_is_known_by_its_content_alone(folder):
    lines = "".join(
        f"{hashlib.sha256(text).hexdigest()}  {name}\n"
        for name, text in ((b"config.json", b"{}"), (b"model.safetensors", b"weights"))
        for name in [name.decode()]
    )
    digest = hashlib.sha256(lines.encode()).hexdigest()
    model = find_model(str(folder))
    assert (model.source, model.commit) == (str(folder), None)
    assert model.identity == f"vllm:My-Model@sha256:{digest}"
    (folder / "README.md").write_text("another text")
    assert find_model(f"{folder}/").identity == model.identity
    (folder / "tokenizer.json").write_text("{}")
    assert find_model(str(folder)).identity != model.identity


def test_a_renamed_weight_file_is_another_model(folder):
    before = find_model(str(folder)).identity
    (folder / "model.safetensors").rename(folder / "model-2.safetensors")
    assert find_model(str(folder)).identity != before


def test_a_folder_whose_name_looks_like_a_revision(folder):
    folder = folder.rename(folder.with_name("model@v2"))
    assert find_model(str(folder)).identity.startswith("vllm:model@v2@sha256:")


@pytest.mark.parametrize("name", ["org/model", "org/model@main", f"org/model@{COMMIT}"])
def test_a_repository_is_pinned_to_a_commit(hub, name):
    model = find_model(name)
    assert (model.source, model.commit, model.identity) == ("org/model", COMMIT, f"vllm:org/model@{COMMIT}")


def test_what_decides_replies_is_in_the_identity_and_the_rest_is_not(hub):
    model = find_model("org/model@main?quantization=fp8&tensor_parallel_size=4&dtype=float16&enforce_eager=true")
    assert model.identity == f"vllm:org/model@{COMMIT}?dtype=float16&quantization=fp8"
    assert model.arguments == {
        "quantization": "fp8",
        "tensor_parallel_size": 4,
        "dtype": "float16",
        "enforce_eager": True,
    }


@pytest.mark.parametrize("name", ["org/model@v9", "org/other"])
def test_a_revision_that_cannot_be_resolved(hub, name):
    where = name if "@" in name else f"{name}@main"
    with pytest.raises(DecoyQAError, match=rf"no such model: {where} \(HF_HUB_OFFLINE is set\): \S.*") as caught:
        find_model(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["./none", "/none/at/all", "model.gguf/x/y", "a b"])
def test_what_is_neither_a_folder_nor_a_repository(name):
    with pytest.raises(InputError, match="expected a folder with a model, or the name of a repository of the Hub"):
        find_model(name)


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(InputError, match=r"config\.json, tokenizer, weights"):
        find_model(str(tmp_path))


@pytest.mark.parametrize("query", ["", "dtype", "dtype=", "a&b=1", "hf_token=hf_secret&"])
def test_arguments_that_cannot_be_read(query):
    with pytest.raises(DecoyQAError, match="expected ARGUMENT=VALUE") as caught:
        parse_arguments(query)
    assert "secret" not in str(caught.value)


def test_no_key_goes_into_a_name():
    with pytest.raises(DecoyQAError, match="unknown argument 'hf_token' of vllm; known: cpu_offload_gb, ") as caught:
        parse_arguments("hf_token=hf_secret&dtype=auto")
    assert "secret" not in str(caught.value)


def test_values_are_json_where_they_can_be():
    values = {"gpu_memory_utilization": 0.8, "max_num_seqs": 32, "enforce_eager": False, "quantization": None}
    query = "gpu_memory_utilization=0.8&max_num_seqs=32&enforce_eager=false&quantization=null"
    assert parse_arguments(query) == values
    assert parse_arguments("dtype=[1]") == {"dtype": "[1]"}


def test_a_gpu_gets_what_vllm_chooses_and_a_context_that_fits(install):
    install(lambda source, **words: (source, words), is_cpu=False)
    source, words = load(Model("org/model", COMMIT, "vllm:x", {"tensor_parallel_size": 4}))
    assert source == "org/model"
    assert words == {"revision": COMMIT, "max_model_len": -1, "use_tqdm_on_load": False, "tensor_parallel_size": 4}


def test_a_cpu_compiles_nothing_and_gives_the_cache_4_gib_unless_told_otherwise(install):
    install(lambda source, **words: words, is_cpu=True)
    plain = load(Model("m", None, "vllm:x", {}))
    assert (plain["enforce_eager"], plain["enable_chunked_prefill"]) == (True, False)
    assert (plain["kv_cache_memory_bytes"], plain["revision"]) == (4 * 1024**3, None)
    told = load(Model("m", None, "vllm:x", {"gpu_memory_utilization": 0.3, "enforce_eager": False}))
    assert "kv_cache_memory_bytes" not in told
    assert told["enforce_eager"] is False


def test_vllm_without_a_device_is_an_error_in_one_line(install):
    def refuse(source, **words):
        raise RuntimeError("Failed to infer device type,\nplease set ...")

    install(refuse, is_cpu=False)
    with pytest.raises(DecoyQAError, match=r"^vllm cannot run vllm:x: Failed to infer device type, please set \.\.\.$"):
        load(Model("org/model", COMMIT, "vllm:x", {}))


def test_nothing_is_loaded_before_something_is_asked(install, monkeypatch, folder):
    def refuse(source, **words):
        raise RuntimeError("no device")

    install(refuse, is_cpu=False)
    monkeypatch.setattr(vllm, "find_spec", lambda name: find_spec("json"))
    with open_engine(f"vllm:{folder}") as engine:
        assert list(engine.ask([])) == []
        assert engine.runtime == "vllm, nothing to ask"
        with pytest.raises(DecoyQAError, match="no device"):
            next(engine.ask([REQUEST]))


def test_vllm_sends_no_report_of_use(install):
    os.environ.pop("VLLM_NO_USAGE_STATS", None)
    install(lambda source, **words: os.environ["VLLM_NO_USAGE_STATS"], is_cpu=False)
    assert load(Model("m", None, "vllm:x", {})) == "1"


def test_sampling_in_the_words_of_vllm():
    assert vllm.sampling_values(REQUEST) == {
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 5,
        "seed": REQUEST.draw_seed,
        "skip_special_tokens": False,
    }
    assert vllm.sampling_values(replace(REQUEST, sample=1))["seed"] != REQUEST.draw_seed


def test_an_output_becomes_a_reply():
    raw = {
        "runtime": "vllm 0.0",
        "prompt_tokens": 9,
        "cached_tokens": 4,
        "outputs": [{"text": "A b.", "token_ids": [5, 6, 2], "finish_reason": "stop", "stop_reason": None}],
    }
    reply = vllm.read_output(REQUEST, output(), 64, "vllm 0.0")
    assert isinstance(reply, Reply)
    assert reply == Reply(REQUEST.key, "A b.", "stop", 9, 3, json.dumps(raw), cached_tokens=4)


def test_token_ids_of_any_sequence_can_be_stored():
    reply = vllm.read_output(REQUEST, output(tokens=range(3), cached=None), 64, "vllm 0.0")
    assert isinstance(reply, Reply)
    assert json.loads(reply.raw)["outputs"][0]["token_ids"] == [0, 1, 2]
    assert reply.cached_tokens == 0


def test_the_limit_of_the_request_cuts_a_reply_the_end_of_the_context_does_not():
    cut = vllm.read_output(REQUEST, output("length", tokens=(1, 2, 3, 4, 5)), 64, "vllm 0.0")
    assert isinstance(cut, Reply)
    assert cut.finish_reason == "length"
    full = vllm.read_output(REQUEST, output("length"), 12, "vllm 0.0")
    error = "prompt (9 tokens) and reply (up to 5) do not fit the context of 12 tokens; see max_model_len"
    assert full == Failure(REQUEST.key, error)


@pytest.mark.parametrize("finish", ["abort", "error", None])
def test_what_vllm_did_not_finish_is_no_reply(finish):
    assert vllm.read_output(REQUEST, output(finish), 64, "vllm 0.0") == Failure(
        REQUEST.key, f"vllm ended the request: {finish}"
    )


def test_an_error_in_one_line():
    assert one_line(ValueError("a\n  b")) == "a b"
    assert one_line(KeyError()) == "KeyError"
