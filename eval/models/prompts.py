"""Prompt files: one prompt a file, placeholders such as `{question}`, filled in one pass, hashed for the record."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def read_prompt(path: Path) -> str:
    """Return the template in a prompt file, without the line end that closes the file."""
    return path.read_text(encoding="utf-8").removesuffix("\n")


def prompt_hash(path: Path) -> str:
    """Return the sha256 of the template in a prompt file, in hexadecimal."""
    return hashlib.sha256(read_prompt(path).encode()).hexdigest()


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill a template in one pass, so that a value that itself holds `{question}` stays as it is."""
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)
