"""An engine whose replies are all in the request store: what a rebuild opens in place of a model."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

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


def check_unchanged(path: Path | None, checksum: str | None, config: str) -> None:
    """Raise DecoyQAError where an input is gone, or no longer the one of the manifest."""
    if path and not path.is_file():
        raise DecoyQAError(f"cannot rebuild: {path} is not there any more")
    if path and sha256(path) != checksum:
        raise DecoyQAError(f"cannot rebuild: {path} is no longer what {config} was built from")
