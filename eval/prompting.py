"""The prompts of an evaluation: one prompt a file under `eval/prompts/<family>/`."""

from pathlib import Path

from eval.models.prompts import fill, prompt_hash, read_prompt

__all__ = ["fill", "template", "template_hash"]

_FOLDER = Path(__file__).parent / "prompts"


def template(family: str, name: str) -> str:
    """Return a prompt's template, with placeholders such as `{question}`."""
    return read_prompt(_path(family, name))


def template_hash(family: str, name: str) -> str:
    """Return the sha256 of a prompt's template in hexadecimal."""
    return prompt_hash(_path(family, name))


def _path(family: str, name: str) -> Path:
    return _FOLDER / family / f"{name.replace('-', '_')}.txt"
