"""Prompt files: one prompt a file under `eval/prompts/<family>/`, filled in one pass, hashed for the record."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "prompts"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def template(family: str, name: str) -> str:
    """Return a prompt's template, with placeholders such as `{question}`."""
    path = _FOLDER / family / f"{name.replace('-', '_')}.txt"
    return path.read_text(encoding="utf-8").removesuffix("\n")


def template_hash(family: str, name: str) -> str:
    """Return the sha256 of a prompt's template in hexadecimal."""
    return hashlib.sha256(template(family, name).encode()).hexdigest()


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill a template in one pass, so that a value that itself holds `{question}` stays as it is."""
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)
