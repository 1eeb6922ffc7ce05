"""An engine whose replies are all in the request store: what a rebuild opens in place of a model."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from builders.sources.files import sha256
from eval.models.engine import Failure, Reply, Request
from loaders.errors import DecoyQAError


class StoredEngine:
    """Stands for the engine of an identity, all of whose replies are stored: whatever is still asked is missing."""

    runtime = "request store"

    def __init__(self, identity: str, store: Path) -> None:
        self.identity, self._store = identity, store

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Raise DecoyQAError at the first request."""
        for request in requests:
            raise DecoyQAError(f"cannot rebuild: {self._store} holds no reply of {self.identity} to {request.key}")
        return iter(())

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rebuild_facts(folder: Path, manifest: Mapping[str, Any], kind: str) -> Any:
    """Return what build.json says of how an artifact was built.

    Raises DecoyQAError where it does not say, and where candidates, of this kind, wait for replies that never came.
    """
    if pending := sum(config["pending"] for config in manifest["configs"]):
        raise DecoyQAError(f"cannot rebuild: {pending} {kind} of {folder} are pending, their replies never came")
    try:
        return json.loads((folder / "build.json").read_bytes())["rebuild"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DecoyQAError(f"cannot rebuild: {folder / 'build.json'} does not say from what") from None


def check_unchanged(path: Path | None, checksum: str | None, config: str) -> None:
    """Raise DecoyQAError where an input is gone, or no longer the one of the manifest."""
    if path and not path.is_file():
        raise DecoyQAError(f"cannot rebuild: {path} is not there any more")
    if path and sha256(path) != checksum:
        raise DecoyQAError(f"cannot rebuild: {path} is no longer what {config} was built from")
