"""The routes of the Hub for tests, as huggingface_hub and `datasets` ask them."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import yaml
from hub_store import Answer, Refused, Repo

_REPO = r"/api/(?P<kind>models|datasets|spaces)/(?P<id>[^/]+/[^/]+)"
_REVISION = r"(?P<revision>[^/]+)"
ROUTES = [
    ("create_repo", "POST", r"/api/repos/create"),
    ("validate_yaml", "POST", r"/api/validate-yaml"),
    ("whoami", "GET", r"/api/whoami-v2"),
    ("fault", "POST", r"/_fault"),
    ("preupload", "POST", rf"{_REPO}/preupload/{_REVISION}"),
    ("commit", "POST", rf"{_REPO}/commit/{_REVISION}"),
    ("tag", "POST", rf"{_REPO}/tag/{_REVISION}"),
    ("delete_tag", "DELETE", rf"{_REPO}/tag/(?P<name>[^/]+)"),
    ("branch", "POST", rf"{_REPO}/branch/(?P<name>[^/]+)"),
    ("delete_branch", "DELETE", rf"{_REPO}/branch/(?P<name>[^/]+)"),
    ("refs", "GET", rf"{_REPO}/refs"),
    ("commits", "GET", rf"{_REPO}/commits/{_REVISION}"),
    ("info", "GET", rf"{_REPO}(/revision/{_REVISION})?"),
    ("tree", "GET", rf"{_REPO}/tree/{_REVISION}(/(?P<path>.+))?"),
    ("paths_info", "POST", rf"{_REPO}/paths-info/{_REVISION}"),
    ("resolve", "GET HEAD", rf"/(?P<kind>datasets|spaces)/(?P<id>[^/]+/[^/]+)/resolve/{_REVISION}/(?P<path>.+)"),
]
WRITES = {"create_repo", "preupload", "commit", "tag", "delete_tag", "branch", "delete_branch"}


class Routes:
    """A method for each name of ROUTES; its arguments are the named parts of the route's path."""

    hub: Any  # a Store with `url` and `page`
    user: str
    path: str
    query: dict[str, str]
    body: bytes
    headers: Message

    def find(self, kind: str, id: str) -> Repo:
        repo = self.hub.repo(id, kind)
        if repo.private and not self.user:
            raise Refused(401, "Invalid username or password.", "RepoNotFound")
        return repo

    def create_repo(self) -> Answer:
        asked = json.loads(self.body)
        kind, id = f"{asked.get('type') or 'model'}s", f"{asked['organization'] or self.user}/{asked['name']}"
        url = f"{self.hub.url}/{'' if kind == 'models' else f'{kind}/'}{id}"
        if f"{kind}/{id}" in self.hub.repos:
            raise Refused(409, "You already created this repo", url=url)
        self.hub.create(id, kind, asked.get("visibility") == "private" or bool(asked.get("private")))
        return Answer(200, {"url": url, "name": id})

    def validate_yaml(self) -> Answer:
        found = re.match(r"---\n(.*?)\n---\n", json.loads(self.body)["content"], re.DOTALL)
        try:
            wrong = "" if found and isinstance(yaml.safe_load(found[1]), dict) else "no metadata"
        except yaml.YAMLError as error:
            wrong = str(error)
        return Answer(400 if wrong else 200, {"errors": [{"message": wrong}] if wrong else [], "warnings": []})

    def whoami(self) -> Answer:
        if not self.user:
            raise Refused(401, "Invalid username or password.")
        return Answer(200, {"type": "user", "name": self.user, "orgs": [], "auth": {"accessToken": {"role": "write"}}})

    def preupload(self, kind: str, id: str, revision: str) -> Answer:
        there = self.find(kind, id).at(revision).files
        names = [file["path"] for file in json.loads(self.body)["files"]]
        oids = {name: self.hub.git_oid(there[name]) if name in there else None for name in names}
        modes = {"uploadMode": "regular", "shouldIgnore": False}
        return Answer(200, {"files": [{"path": name, "oid": oids[name], **modes} for name in names]})

    def commit(self, kind: str, id: str, revision: str) -> Answer:
        repo, lines = self.find(kind, id), [json.loads(line) for line in self.body.splitlines()]
        header = lines[0]["value"]
        if revision not in repo.branches:
            raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        if header.get("parentCommit") not in (None, repo.branches[revision]):
            raise Refused(412, "A commit has happened since. Please refresh and try again.")
        changes = dict(self.changes(repo, revision, lines[1:]))
        oid = self.hub.commit(repo, changes, header["summary"], revision)
        return Answer(200, {"success": True, "commitOid": oid, "commitUrl": f"{self.hub.url}/{id}/commit/{oid}"})

    def changes(self, repo: Repo, branch: str, lines: list[dict[str, Any]]) -> Iterator[tuple[str, bytes | None]]:
        there = repo.at(branch).files
        for line in lines:
            path, key = line["value"]["path"], line["key"]
            if key == "file":
                yield path, base64.b64decode(line["value"]["content"])
            elif key == "deletedFolder":
                yield f"{path.rstrip('/')}/", None
            elif key == "deletedFile" and path in there:
                yield path, None
            else:
                raise Refused(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")

    def tag(self, kind: str, id: str, revision: str) -> Answer:
        repo, name = self.find(kind, id), json.loads(self.body)["tag"]
        if name in repo.tags:
            raise Refused(409, f"Tag reference exists already: {name}")
        self.hub.move_tag(id, name, repo.oid(revision))
        return Answer(200, {})

    def branch(self, kind: str, id: str, name: str) -> Answer:
        repo, asked = self.find(kind, id), json.loads(self.body or b"{}")
        if name in repo.branches:
            raise Refused(409, f"Reference already exists: {name}")
        repo.branches[name] = repo.oid(asked.get("startingPoint") or "main")
        self.hub.save()
        return Answer(200, {})

    def delete_tag(self, kind: str, id: str, name: str) -> Answer:
        return self.delete(self.find(kind, id).tags, name)

    def delete_branch(self, kind: str, id: str, name: str) -> Answer:
        return self.delete(self.find(kind, id).branches, name)

    def delete(self, names: dict[str, str], name: str) -> Answer:
        if names.pop(name, None) is None:
            raise Refused(404, f"Invalid rev id: {name}", "RevisionNotFound")
        self.hub.save()
        return Answer(200, {})

    def refs(self, kind: str, id: str) -> Answer:
        repo = self.find(kind, id)
        groups = {"branches": ("refs/heads/", repo.branches), "tags": ("refs/tags/", repo.tags)}
        found = {
            group: [{"name": name, "ref": f"{prefix}{name}", "targetCommit": oid} for name, oid in names.items()]
            for group, (prefix, names) in groups.items()
        }
        return Answer(200, {**found, "converts": [], "pullRequests": []})

    def commits(self, kind: str, id: str, revision: str) -> Answer:
        repo, found = self.find(kind, id), []
        oid: str | None = repo.oid(revision)
        while oid:
            one = repo.commits[oid]
            found.append({"id": oid, "authors": [], "date": one.date, "title": one.title, "message": ""})
            oid = one.parent
        return Answer(200, found)

    def info(self, kind: str, id: str, revision: str = "main") -> Answer:
        repo = self.find(kind, id)
        one = repo.at(revision)
        flags = {"private": repo.private, "gated": False, "disabled": False, "downloads": 0, "likes": 0, "tags": []}
        siblings = [{"rfilename": path} for path in sorted(one.files)]
        about = {"id": id, "sha": repo.oid(revision), "lastModified": one.date, "siblings": siblings}
        return Answer(200, {**about, **flags})

    def entries(self, repo: Repo, revision: str, expand: str) -> dict[str, dict[str, Any]]:
        """Return every file and folder of a commit by path, as the Hub describes them."""
        one = repo.at(revision)
        last = {"lastCommit": {"id": repo.oid(revision), "title": one.title, "date": one.date}}
        found = {
            folder.as_posix(): {"type": "directory", "oid": hashlib.sha1(str(folder).encode()).hexdigest(), "size": 0}
            for path in one.files
            for folder in Path(path).parents
            if folder.name
        }
        for path, sha in one.files.items():
            found[path] = {"type": "file", "oid": self.hub.git_oid(sha), "size": len(self.hub.blob(sha))}
        extra = last if expand.lower() in ("true", "1") else {}
        return {path: {**about, "path": path, **extra} for path, about in sorted(found.items())}

    def tree(self, kind: str, id: str, revision: str, path: str = "") -> Answer:
        entries = self.entries(self.find(kind, id), revision, self.query.get("expand", ""))
        if path and entries.get(path, {}).get("type") != "directory":
            raise Refused(404, f'"{path}" does not exist', "EntryNotFound")
        recursive = self.query.get("recursive", "").lower() in ("true", "1")
        start = f"{path}/" if path else ""
        inside = [name for name in entries if name.startswith(start)]
        found = [entries[name] for name in inside if recursive or "/" not in name.removeprefix(start)]
        first = int(self.query.get("cursor", 0))
        end = first + self.hub.page
        following = f"{self.hub.url}{urlsplit(self.path).path}?{urlencode({**self.query, 'cursor': end})}"
        return Answer(200, found[first:end], {"Link": f'<{following}>; rel="next"'} if len(found) > end else {})

    def paths_info(self, kind: str, id: str, revision: str) -> Answer:
        asked = parse_qs(self.body.decode())
        entries = self.entries(self.find(kind, id), revision, asked.get("expand", [""])[0])
        return Answer(200, [entries[path] for path in asked.get("paths", []) if path in entries])

    def resolve(self, kind: str, id: str, revision: str, path: str) -> Answer:
        repo = self.find(kind, id)
        about = {"X-Repo-Commit": repo.oid(revision)}
        sha = repo.at(revision).files.get(path)
        if sha is None:
            refused = Refused(404, "Entry not found", "EntryNotFound").answer
            return refused._replace(headers={**refused.headers, **about})
        data = self.hub.blob(sha)
        about |= {"ETag": f'"{self.hub.git_oid(sha)}"', "Accept-Ranges": "bytes", "Content-Type": "binary/octet-stream"}
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        if not asked or not any(asked.groups()):
            return Answer(200, data, about)
        start, end = _part(asked[1], asked[2], len(data))
        if start >= len(data):
            return Answer(416, b"", {"Content-Range": f"bytes */{len(data)}", **about})
        return Answer(206, data[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{len(data)}", **about})


def _part(first: str, last: str, size: int) -> tuple[int, int]:
    """Return start and end (one past the last byte) of a Range header's two numbers, either of which may be empty."""
    if not first:
        return max(size - int(last), 0), size
    return int(first), min(int(last) + 1, size) if last else size
