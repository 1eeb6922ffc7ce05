"""Fetch a release from the Hub: a tag is resolved to a commit, and every file of that commit is downloaded.

What a tag named when it was first seen is kept in `$HF_HOME/decoyqa/tags`, because the Hub's own cache forgets it
when the tag moves. Works with huggingface_hub 0.24 and later.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from loaders.errors import DecoyQAError, MissingExtraError

_TAG, _COMMIT = re.compile(r"v\d+\.\d+\.\d+", re.ASCII), re.compile(r"[0-9a-f]{40}")


def fetch(repo: str, revision: str) -> Path:
    """Return the cached folder of a release; its name is the commit. Without a network the cache alone is asked.

    `revision` is a tag vX.Y.Z or a full commit id. Raises DecoyQAError where there is no such repository, tag or cached
    copy, and where the tag names another commit than it did before.
    """
    if not (_TAG.fullmatch(revision) or _COMMIT.fullmatch(revision)):
        raise DecoyQAError(f"{repo}: revision {revision!r} is neither a tag vX.Y.Z nor a full commit id")
    with _explained(repo, revision):
        commit = revision if _COMMIT.fullmatch(revision) else _resolve(repo, revision)
        folder = _download(repo, commit)
    if not (folder / "manifest.json").is_file():
        raise DecoyQAError(f"{repo} {revision}: no manifest.json, at least in the cache; load it once with a network")
    return folder


def _resolve(repo: str, tag: str) -> str:
    first = _first_seen(repo, tag)
    commit = _download(repo, tag, "manifest.json").name
    _remember(repo, tag, first or commit)
    if commit != (first or commit):
        raise DecoyQAError(
            f"{repo}: tag {tag} has moved: it was commit {first} when it was first loaded here and is {commit} now. "
            f"A release never changes; ask its publisher, or name the commit that you want as the revision"
        )
    return commit


def _download(repo: str, revision: str, pattern: str | None = None) -> Path:
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(repo, repo_type="dataset", revision=revision, allow_patterns=pattern))


def _first_seen(repo: str, tag: str) -> str:
    """Return the commit that a tag named when we first loaded it, else when others last did; empty if nobody did."""
    from huggingface_hub.constants import HF_HUB_CACHE

    ref = Path(HF_HUB_CACHE) / f"datasets--{repo.replace('/', '--')}" / "refs" / tag
    for path in (_memory(repo, tag), ref):
        with suppress(OSError):
            return path.read_text().strip()
    return ""


def _remember(repo: str, tag: str, commit: str) -> None:
    path = _memory(repo, tag)
    if path.exists():
        return
    with suppress(OSError):  # a cache that may only be read remembers nothing
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{tag}.{os.getpid()}")
        new.write_text(commit)
        new.replace(path)


def _memory(repo: str, tag: str) -> Path:
    from huggingface_hub.constants import HF_HOME

    return Path(HF_HOME) / "decoyqa" / "tags" / repo.replace("/", "--") / tag


@contextmanager
def _explained(repo: str, revision: str) -> Iterator[None]:
    """Turn what huggingface_hub raises into one line that a user can act upon."""
    try:
        import huggingface_hub.utils
    except ImportError:
        raise MissingExtraError("huggingface_hub", "pip install huggingface_hub") from None
    utils: Any = huggingface_hub.utils  # from 0.24 to 2.x these names are found nowhere else
    try:
        yield
    except utils.RevisionNotFoundError:
        raise DecoyQAError(f"{repo} has no release {revision}") from None
    except utils.RepositoryNotFoundError:
        raise DecoyQAError(f"the Hub shows no data set {repo}; if it is private, `hf auth login` first") from None
    except (utils.LocalEntryNotFoundError, utils.OfflineModeIsEnabled) as error:
        why = f"no answer from the Hub, and the cache does not hold it: {_said(error)}"
        raise DecoyQAError(f"{repo} {revision}: {why}") from None
    # The first base is the error of requests, httpx or httpx2, of which a broken connection is one.
    except (utils.HfHubHTTPError.__bases__[0], OSError) as error:
        raise DecoyQAError(f"{repo} {revision} could not be fetched: {_said(error)}") from None


def _said(error: Exception) -> str:
    """Return the first line of an error, without the password that an address may hold."""
    return re.sub(r"//[^/@\s]+@", "//", f"{error}".partition("\n")[0])
