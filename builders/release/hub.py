"""A data set's repository on the Hub as its publisher sees it; what fails there becomes one line without secrets."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING

from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    from huggingface_hub.errors import HfHubHTTPError
    from huggingface_hub.hf_api import RepoFile

# Made by the Hub itself; no release has it, no release deletes it.
OF_THE_HUB = frozenset({".gitattributes"})
AGAIN = "run the same command again, it goes on from there"


@dataclass(frozen=True)
class State:
    """What the Hub holds: the commit at the head of main (empty where there is no repository), and tags by name."""

    head: str
    tags: Mapping[str, str]


@dataclass(frozen=True)
class Changes:
    """What makes a commit's files those of a release: `put` are new or changed, `delete` are there and no more."""

    put: Mapping[str, Path | bytes]
    delete: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.put or self.delete)


class Repository:
    """ORG/NAME on the Hub of `HF_ENDPOINT`; the token is found by huggingface_hub's own ways.

    Every method raises DecoyQAError where the Hub refuses, fails or cannot be reached.
    """

    def __init__(self, name: str) -> None:
        from huggingface_hub import HfApi
        from huggingface_hub.utils._validators import validate_repo_id

        self.name, self._api = name, HfApi(library_name="decoyqa")
        with explained(name):
            validate_repo_id(name)
        if "/" not in name:
            raise DecoyQAError(f"--repo {name}: ORG/NAME expected")

    def state(self) -> State:
        """Ask for main and the tags."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with explained(self.name):
            try:
                refs = self._api.list_repo_refs(self.name, repo_type="dataset")
            except RepositoryNotFoundError:
                return State("", {})
        heads = [branch.target_commit for branch in refs.branches if branch.name == "main"]
        return State("".join(heads), {tag.name: tag.target_commit for tag in refs.tags})

    def create(self, private: bool) -> str:
        """Make the repository and return its first commit; refuses the name of a model that is there."""
        from huggingface_hub import get_token

        if get_token() is None:
            raise DecoyQAError("no token for the Hub: `hf auth login`, or set HF_TOKEN")
        with explained(self.name):
            if self._api.repo_exists(self.name, repo_type="model"):
                raise DecoyQAError(f"{self.name} is a model on the Hub; a data set of the same name would be mistaken")
            self._api.create_repo(self.name, repo_type="dataset", private=private, exist_ok=True)
        head = self.state().head
        if not head:
            raise DecoyQAError(f"{self.name} has no branch main")
        return head

    def changes(self, files: Mapping[str, Path | bytes], commit: str) -> Changes:
        """Compare a release's files with those of a commit, by the hashes that the Hub lists."""
        from huggingface_hub.hf_api import RepoFile

        with explained(self.name):
            entries = self._api.list_repo_tree(self.name, repo_type="dataset", revision=commit, recursive=True)
            there = {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}
        put = {path: data for path, data in files.items() if path not in there or not _is_same(data, there[path])}
        return Changes(put, tuple(sorted(there.keys() - files.keys() - OF_THE_HUB)))

    def commit(self, changes: Changes, parent: str, message: str) -> str:
        """Make one atomic commit on `parent` and return it; another head than `parent` is refused by the Hub."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        put = [CommitOperationAdd(path, data) for path, data in changes.put.items()]
        delete = [CommitOperationDelete(path) for path in changes.delete]
        with explained(self.name):
            made = self._api.create_commit(
                self.name, [*put, *delete], commit_message=message, repo_type="dataset", parent_commit=parent
            )
        return str(made.oid)

    def tag(self, name: str, commit: str) -> None:
        """Tag a commit; a tag that is there already stays as it is and is an error."""
        with explained(self.name):
            self._api.create_tag(self.name, tag=name, revision=commit, repo_type="dataset")


def _is_same(data: Path | bytes, there: "RepoFile") -> bool:
    from huggingface_hub.utils.sha import git_hash

    content = data.read_bytes() if isinstance(data, Path) else data
    return there.lfs.sha256 == sha256(content).hexdigest() if there.lfs else there.blob_id == git_hash(content)


def is_offline() -> bool:
    """Whether `HF_HUB_OFFLINE` keeps this process from the Hub."""
    from huggingface_hub.constants import is_offline_mode

    return is_offline_mode()


@contextmanager
def explained(repo: str) -> Iterator[None]:
    """Turn what huggingface_hub raises into one line: what happened, and what to do."""
    import httpx2

    try:
        yield
    except (httpx2.HTTPError, OSError, ValueError, KeyError) as error:
        raise DecoyQAError(f"{repo}: {scrubbed(_explain(error))}") from None


def _explain(error: Exception) -> str:
    import httpx2
    from huggingface_hub.constants import ENDPOINT
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set, and this needs the Hub"
    if isinstance(error, HfHubHTTPError):
        return _explain_status(error.response.status_code, error.server_message or str(error), error)
    if isinstance(error, httpx2.HTTPError):
        return f"no answer from {ENDPOINT} ({error}); {AGAIN}"
    if isinstance(error, KeyError | JSONDecodeError):
        return f"{ENDPOINT} does not answer as a Hub does ({error})"
    return str(error)


def _explain_status(status: int, said: str, error: "HfHubHTTPError") -> str:
    if status == 401:
        return f"the Hub does not take the token of HF_TOKEN or `hf auth login` ({said})"
    if status == 403:
        return f"the token may not do this ({said})"
    if status == 412:
        return f"somebody else published in the meantime; nothing of this release is visible, {AGAIN}"
    if status == 429:
        wait = error.response.headers.get("Retry-After")
        return f"the Hub wants fewer requests{f', wait {wait} s' if wait else ''}; {AGAIN}"
    return f"the Hub answers {status} ({said})" + (f"; {AGAIN}" if status >= 500 else "")


def scrubbed(text: str) -> str:
    """Return a text as one line without tokens and without the user of a URL."""
    from huggingface_hub import get_token

    for secret in (token for token in [get_token()] if token):
        text = text.replace(secret, "***")
    return re.sub(r"//[^/\s@]+@", "//***@", re.sub(r"\bhf_\w{8,}", "hf_***", " ".join(text.split())))
