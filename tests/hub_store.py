"""What a Hub for tests holds: repositories, commits, branches, tags and bytes, kept in a folder."""

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

# The one file that the Hub puts into each new repository.
GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"


class Answer(NamedTuple):
    """Status, body (JSON unless it is bytes) and headers."""

    status: int
    body: Any
    headers: Mapping[str, str] = {}


class Refused(Exception):  # noqa: N818
    """An error as the Hub tells it: status, message and the code in `X-Error-Code`."""

    def __init__(self, status: int, message: str, code: str = "", **rest: Any) -> None:
        headers = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {})}
        self.answer = Answer(status, {"error": message, **rest}, headers)
        super().__init__(message)


@dataclass
class Commit:
    """The sha256 of each file's bytes by path."""

    parent: str | None
    title: str
    date: str
    files: dict[str, str]


@dataclass
class Repo:
    """Branches and tags name commits; `kind` is `models`, `datasets` or `spaces`."""

    kind: str
    id: str
    private: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def oid(self, revision: str) -> str:
        """Return the commit that a branch, a tag or a full commit id names."""
        name = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        found = self.branches.get(name) or self.tags.get(name) or (name if name in self.commits else None)
        if found is None:
            raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return found

    def at(self, revision: str) -> Commit:
        """Return the commit at a revision."""
        return self.commits[self.oid(revision)]


class Store:
    """Repositories by `datasets/ORG/NAME`; `root` holds `blobs/` and `state.json`, from which a new store goes on."""

    def __init__(self, root: Path) -> None:
        self.root, self.lock = root, threading.RLock()
        self.repos: dict[str, Repo] = {}
        (root / "blobs").mkdir(parents=True, exist_ok=True)
        if (root / "state.json").exists():
            for name, repo in json.loads((root / "state.json").read_text()).items():
                commits = {oid: Commit(**commit) for oid, commit in repo.pop("commits").items()}
                self.repos[name] = Repo(**repo, commits=commits)

    def save(self) -> None:
        """Write the state."""
        (self.root / "state.tmp").write_text(json.dumps({name: asdict(repo) for name, repo in self.repos.items()}))
        (self.root / "state.tmp").replace(self.root / "state.json")

    def keep(self, data: bytes) -> str:
        """Store bytes and return their sha256."""
        sha = hashlib.sha256(data).hexdigest()
        (self.root / "blobs" / sha).write_bytes(data)
        return sha

    def blob(self, sha: str) -> bytes:
        """Return stored bytes."""
        return (self.root / "blobs" / sha).read_bytes()

    def git_oid(self, sha: str) -> str:
        """Return git's id of stored bytes."""
        data = self.blob(sha)
        return hashlib.sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()

    def create(self, id: str, kind: str = "datasets", private: bool = False) -> Repo:
        """Make a repository."""
        repo = self.repos[f"{kind}/{id}"] = Repo(kind, id, private)
        self.commit(repo, {".gitattributes": GITATTRIBUTES}, "initial commit")
        return repo

    def repo(self, id: str, kind: str = "datasets") -> Repo:
        """Return a repository."""
        found = self.repos.get(f"{kind}/{id}")
        if found is None:
            raise Refused(404, "Repository not found", "RepoNotFound")
        return found

    def commit(self, repo: Repo, changes: Mapping[str, bytes | None], title: str, branch: str = "main") -> str:
        """Add a commit to a branch and save; None deletes a file, or all of a path that ends in a slash."""
        parent = repo.branches.get(branch)
        files = dict(repo.commits[parent].files) if parent else {}
        for path, data in changes.items():
            if data is not None:
                files[path] = self.keep(data)
                continue
            for name in [name for name in files if name == path or (path[-1] == "/" and name.startswith(path))]:
                del files[name]
        oid = hashlib.sha1(json.dumps([parent, title, sorted(files.items())]).encode()).hexdigest()
        repo.commits[oid] = Commit(parent, title, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"), files)
        repo.branches[branch] = oid
        self.save()
        return oid

    # What a test does past every check; `id` is ORG/NAME of a dataset.

    def put(self, id: str, files: Mapping[str, bytes | None], tag: str = "") -> str:
        """Commit files (None deletes one) to main and return the commit, tagged if asked to."""
        with self.lock:
            repo = self.repos.get(f"datasets/{id}") or self.create(id)
            oid = self.commit(repo, files, "put")
            return self.move_tag(id, tag, oid) if tag else oid

    def put_folder(self, id: str, folder: Path, tag: str = "") -> str:
        """Commit a folder's files in place of all that is on main."""
        gone = self.files(id) if f"datasets/{id}" in self.repos else {}
        paths = (path for path in folder.rglob("*") if path.is_file())
        given = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        return self.put(id, {name: None for name in gone if name != ".gitattributes"} | given, tag)

    def files(self, id: str, revision: str = "main") -> dict[str, bytes]:
        """Return the files at a revision."""
        return {path: self.blob(sha) for path, sha in self.repo(id).at(revision).files.items()}

    def rewrite(self, id: str, revision: str, path: str, data: bytes | None) -> None:
        """Let a commit hold other bytes (None: not the file at all) under its old id, as no honest Hub does."""
        with self.lock:
            files = self.repo(id).at(revision).files
            files.pop(path)
            if data is not None:
                files[path] = self.keep(data)
            self.save()

    def move_tag(self, id: str, tag: str, revision: str) -> str:
        """Let a tag, new or old, name the commit at a revision; return the commit."""
        with self.lock:
            repo = self.repo(id)
            repo.tags[tag] = repo.oid(revision)
            self.save()
            return repo.tags[tag]
