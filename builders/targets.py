"""Where an artifact goes, and which versions may be overwritten."""

import os
import re
from pathlib import Path

from loaders.errors import DecoyQAError

VERSION = re.compile(r"\d+\.\d+\.\d+(\.dev\d+)?", re.ASCII)


def check_version(version: str) -> None:
    """Raise DecoyQAError unless a version is X.Y.Z or X.Y.Z.devN."""
    if not VERSION.fullmatch(version):
        raise DecoyQAError(f"--version {version}: expected X.Y.Z or X.Y.Z.devN")


def target_folder(out: Path, family: str, version: str, home: Path) -> Path:
    """Return `<out>/<family>/<version>`; raises DecoyQAError where a real version stands there, or no folder can."""
    folder = out / family / version
    for place in (folder, home):
        check_place(place)
    if folder.exists() and not is_development(version):
        raise DecoyQAError(f"{folder} exists; a released version is never overwritten, give another --version")
    return folder


def check_place(folder: Path) -> None:
    """Raise DecoyQAError where a folder cannot stand: a file does or is above it, or the one above is not writable."""
    first = next((place for place in (folder, *folder.absolute().parents) if place.exists()), None)
    if first is not None and not first.is_dir():
        raise DecoyQAError(f"{folder} cannot be made: {first} is no folder")
    if first is not None and not os.access(first, os.W_OK | os.X_OK):
        raise DecoyQAError(f"{folder} cannot be made: {first} is not writable")


def is_development(version: str) -> bool:
    """Whether a version may be overwritten: only `X.Y.Z.devN` may."""
    return ".dev" in version
