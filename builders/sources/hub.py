"""A source's file from the Hub at its pinned commit: fetched once, then read from the cache without any network."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from builders.sources.catalogue import Source
from builders.sources.files import sha256
from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    import httpx2

TRIES = 4
LONGEST_WAIT = 60.0  # seconds; a Hub that asks for more is not waited for
INSTEAD = "or give the file with --input"


class _LaterError(DecoyQAError):
    """The Hub may answer another time, after so many seconds where it names them."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        self.seconds = seconds
        super().__init__(message)


def fetch(source: Source, folder: Path) -> Path:
    """Return the source's file in `folder`, fetched into it where it is missing; its checksum is compared each time.

    Raises DecoyQAError where the Hub cannot be reached, limits the rate, has no such commit or file, or sends other
    bytes than are pinned. A file has its name only once it is whole and as expected.
    """
    target = folder / source.hub_id.replace("/", "--") / source.revision / source.file
    recorded = target.with_name(f"{target.name}.sha256")
    if not (target.is_file() and recorded.is_file()):
        _download(source, target, recorded)
    expected = source.sha256 or recorded.read_text("utf-8").strip()
    if (found := sha256(target)) != expected:
        raise DecoyQAError(f"{target}: sha256 {found}, expected {expected}; delete the file and it is fetched again")
    return target


def _download(source: Source, target: Path, recorded: Path) -> None:
    staging = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with staging.open("wb") as file:
            stated = _receive(source, file)
        found = sha256(staging)
        for whose, expected in (("pinned", source.sha256), ("what the Hub states", stated)):
            if expected and found != expected:
                raise DecoyQAError(f"{source.place}: sha256 {expected} is {whose}, {found} came; nothing was kept")
        recorded.write_text(f"{found}\n", "utf-8")
        staging.rename(target)
    except OSError as error:
        raise DecoyQAError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        staging.unlink(missing_ok=True)


def _receive(source: Source, file: BinaryIO) -> str:
    """Write the file's bytes and return the sha256 that the Hub states, "" where it states none; waits and retries."""
    for attempt in range(TRIES):
        try:
            return _stream(source, file)
        except _LaterError as error:
            wait = 2.0**attempt if error.seconds is None else error.seconds
            if attempt == TRIES - 1 or wait > LONGEST_WAIT:
                raise DecoyQAError(f"{error}; try again later, {INSTEAD}") from None
            print(f"{error}; next try in {wait:g} s", file=sys.stderr)
            time.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _stream(source: Source, file: BinaryIO) -> str:
    from huggingface_hub import constants, hf_hub_url
    from huggingface_hub.utils._headers import build_hf_headers
    from huggingface_hub.utils._http import get_session

    url = hf_hub_url(
        source.hub_id, source.file, repo_type="dataset", revision=source.revision, endpoint=constants.ENDPOINT
    )
    headers = build_hf_headers(library_name="decoyqa")
    file.seek(0)
    file.truncate()
    with (
        _explained(source),
        get_session().stream("GET", url, headers=headers, follow_redirects=True, timeout=60) as response,
    ):
        _check_status(source, response)
        commit = _header(response, constants.HUGGINGFACE_HEADER_X_REPO_COMMIT)
        if commit not in ("", source.revision):
            raise DecoyQAError(f"{source.place}: the revision has moved, the Hub sends commit {commit}")
        for part in response.iter_bytes():
            file.write(part)
        stated = _header(response, constants.HUGGINGFACE_HEADER_X_LINKED_ETAG).strip('"')
    return stated if len(stated) == 64 else ""


def _header(response: "httpx2.Response", name: str) -> str:
    """Return a header of the answer, or of a redirect on the way: a large file is sent by a host that knows neither."""
    return next((one.headers[name] for one in (*response.history, response) if name in one.headers), "")


def _check_status(source: Source, response: "httpx2.Response") -> None:
    status, code = response.status_code, response.headers.get("X-Error-Code", "")
    if status == 200:
        return
    if status == 429 or status >= 500:
        after = response.headers.get("Retry-After", "")
        what = "limits how often it is asked" if status == 429 else "has a fault of its own"
        wants = f", wait {after} s" if after else ""
        seconds = float(after) if after.isdecimal() else None
        raise _LaterError(f"{source.place}: the Hub {what} (status {status}{wants})", seconds)
    missing = {"RevisionNotFound": "no such commit", "EntryNotFound": "no such file at that commit"}
    what = missing.get(code) or ("no such data set, or not for this token" if status in (401, 403, 404) else "refused")
    raise DecoyQAError(f"{source.place}: {what} (status {status}); another commit goes into catalogue.toml, {INSTEAD}")


@contextmanager
def _explained(source: Source) -> Iterator[None]:
    import httpx2
    from huggingface_hub import constants
    from huggingface_hub.errors import OfflineModeIsEnabled

    try:
        yield
    except OfflineModeIsEnabled:
        raise DecoyQAError(f"{source.place}: not fetched yet, and HF_HUB_OFFLINE is set; unset it, {INSTEAD}") from None
    except httpx2.HTTPError as error:
        host = urlsplit(constants.ENDPOINT).hostname  # no more of it: an endpoint may hold a password
        raise _LaterError(f"{source.place}: no whole answer from {host} ({type(error).__name__})") from None
