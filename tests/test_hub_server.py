"""The Hub for tests answers the real clients as the Hub does, and fails as it is asked to."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hub_server import READ_TOKEN, WRITE_TOKEN, HubServer
from hub_store import Store

ASK = """
import json, os, sys
from huggingface_hub import HfApi, CommitOperationAdd, CommitOperationDelete, hf_hub_download
api, repo = HfApi(), "org/set"
def add(**files): return [CommitOperationAdd(name.replace("_", "."), data.encode()) for name, data in files.items()]
def commit(message="m", **rest):
    return api.create_commit(repo, rest.pop("operations"), commit_message=message, repo_type="dataset", **rest).oid
def head(): return api.repo_info(repo, repo_type="dataset").sha
def names(revision="main"): return sorted(api.list_repo_files(repo, repo_type="dataset", revision=revision))
def download(name, **rest): return open(hf_hub_download(repo, name, repo_type="dataset", **rest)).read()
def tags(): return {t.name: t.target_commit for t in api.list_repo_refs(repo, repo_type="dataset").tags}
def tag(name, oid, **rest): api.create_tag(repo, tag=name, revision=oid, repo_type="dataset", **rest)
for lines, token in json.loads(sys.argv[1]):
    os.environ["HF_TOKEN"] = token
    try:
        result = None
        exec(lines)
        print(json.dumps({"result": result}))
    except Exception as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        print(json.dumps({"error": type(error).__name__, "status": status}))
"""


def ask(hub: HubServer, home: Path, *lines: str, token: str = WRITE_TOKEN) -> list[Any]:
    """Run pieces of Python with huggingface_hub in one fresh process and return what each leaves in `result`."""
    return ask_as(hub.environment(home), [(one, token) for one in lines])


def ask_as(environment: dict[str, str], pieces: Sequence[tuple[str, str]]) -> list[Any]:
    """Run each piece with its own token; where it fails, return the error's name and status."""
    command = [sys.executable, "-c", ASK, json.dumps(pieces)]
    out = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
    found = [json.loads(line) for line in out.splitlines()]
    return [one.get("result", one) for one in found]


def test_create_commit_tag_and_download(hub: HubServer, tmp_path: Path) -> None:
    (found,) = ask(
        hub,
        tmp_path / "home",
        """
url = api.create_repo(repo, repo_type="dataset", exist_ok=True)
again = api.create_repo(repo, repo_type="dataset", exist_ok=True)
first = head()
oid = commit(operations=add(README_md="---\\nlicense: mit\\n---\\n", a_txt="one"), parent_commit=first)
tag("v1", oid)
later = commit(operations=[CommitOperationDelete("a.txt")], parent_commit=oid)
result = [str(url), first, oid, later, head(), names("v1"), names(), tags(), download("a.txt", revision="v1")]
""",
    )
    url, first, oid, later, head, at_tag, at_head, tags, text = found
    assert url == f"{hub.url}/datasets/org/set"
    assert [hub.repo("org/set").commits[one].parent for one in (first, oid, later)] == [None, first, oid]
    assert (head, tags, text) == (later, {"v1": oid}, "one")
    assert at_tag == [".gitattributes", "README.md", "a.txt"]
    assert at_head == [".gitattributes", "README.md"]
    assert hub.files("org/set", "v1")["a.txt"] == b"one"
    assert all(WRITE_TOKEN not in request.path for request in hub.requests)


def test_unchanged_files_make_no_commit(hub: HubServer, tmp_path: Path) -> None:
    oid = hub.put("org/set", {"a.txt": b"one"})
    assert ask(hub, tmp_path / "home", "result = commit(operations=add(a_txt='one'))") == [oid]
    assert hub.asked("commit") == []


REFUSALS = [
    ("commit(operations=add(a_txt='1'), parent_commit='0' * 40)", WRITE_TOKEN, "HfHubHTTPError", 412),
    ("tag('v1', 'main')", WRITE_TOKEN, "HfHubHTTPError", 409),
    ("tag('v2', 'other')", WRITE_TOKEN, "RevisionNotFoundError", 404),
    ("commit(operations=add(README_md='---\\n{\\n---\\n'))", WRITE_TOKEN, "ValueError", None),
    ("commit(operations=[CommitOperationDelete('none.txt')])", WRITE_TOKEN, "RemoteEntryNotFoundError", 404),
    ("download('none.txt')", WRITE_TOKEN, "RemoteEntryNotFoundError", 404),
    ("api.dataset_info('org/none')", WRITE_TOKEN, "RepositoryNotFoundError", 404),
    ("tag('v2', 'main')", READ_TOKEN, "HfHubHTTPError", 403),
    ("tag('v2', 'main')", "", "HfHubHTTPError", 401),
    ("head()", "hf_nobody_knows", "HfHubHTTPError", 401),
    ("api.whoami()", "hf_nobody_knows", "HfHubHTTPError", 401),
]


def test_refusals(hub: HubServer, tmp_path: Path) -> None:
    before = hub.put("org/set", {"a.txt": b"one"}, tag="v1")
    found = ask_as(hub.environment(tmp_path / "home"), [(lines, token) for lines, token, _, _ in REFUSALS])
    assert [(one["error"], one["status"]) for one in found] == [(error, status) for _, _, error, status in REFUSALS]
    assert (hub.repo("org/set").branches, hub.repo("org/set").tags) == ({"main": before}, {"v1": before})


def test_a_tree_comes_in_pages(hub: HubServer, tmp_path: Path) -> None:
    hub.page = 2
    hub.put("org/set", {f"nq/{n}.txt": b"x" for n in range(5)})
    assert ask(hub, tmp_path / "home", "result = names()")[0] == [".gitattributes", *(f"nq/{n}.txt" for n in range(5))]
    assert len(hub.asked("tree")) == 4  # six files and a folder


def test_private_repositories_need_a_token(hub: HubServer, tmp_path: Path) -> None:
    hub.create("org/set", private=True)
    found = ask_as(hub.environment(tmp_path / "home"), [("head()", ""), ("result = names()", READ_TOKEN)])
    assert found == [{"error": "RepositoryNotFoundError", "status": 401}, [".gitattributes"]]


def test_what_a_hub_should_not_do(hub: HubServer, tmp_path: Path) -> None:
    first = hub.put("org/set", {"a.txt": b"one", "b.txt": b"two"}, tag="v1")
    hub.rewrite("org/set", "v1", "a.txt", b"One")
    hub.rewrite("org/set", "v1", "b.txt", None)
    (found,) = ask(hub, tmp_path / "home", "result = [head(), names('v1'), download('a.txt', revision='v1')]")
    assert found == [first, [".gitattributes", "a.txt"], "One"]
    later = hub.put("org/set", {"a.txt": b"later"})
    hub.move_tag("org/set", "v1", "main")
    assert ask(hub, tmp_path / "home", "result = tags()") == [{"v1": later}]


def test_faults(hub: HubServer, tmp_path: Path) -> None:
    hub.put("org/set", {"a.txt": b"one"})
    hub.fail("commit", status=500, skip=1)
    hub.fail("tag", drop=True, done=True)
    hub.fail("refs", status=429, headers={"Retry-After": "7"})
    commits = [f"commit(operations=add(a_txt='{text}'))" for text in ("two", "three")]
    found = ask(hub, tmp_path / "home", *commits, "tag('v1', 'main')", "tags()", "result = tags()")
    main = hub.repo("org/set").branches["main"]
    assert found == [
        None,
        {"error": "HfHubHTTPError", "status": 500},
        {"error": "RemoteProtocolError", "status": None},
        {"error": "HfHubHTTPError", "status": 429},
        {"v1": main},
    ]
    assert hub.files("org/set")["a.txt"] == b"two"


def test_a_concurrent_publisher_comes_between_read_and_commit(hub: HubServer, tmp_path: Path) -> None:
    hub.put("org/set", {"a.txt": b"one"})
    hub.fail("commit", act=lambda: hub.put("org/set", {"a.txt": b"theirs"}))
    (found,) = ask(hub, tmp_path / "home", "commit(operations=add(a_txt='ours'), parent_commit=head())")
    assert found["status"] == 412
    assert hub.files("org/set")["a.txt"] == b"theirs"


def test_a_download_that_is_cut_goes_on_from_there(hub: HubServer, tmp_path: Path) -> None:
    hub.put("org/set", {"a.txt": b"0123456789"})
    hub.fail("resolve", skip=1, cut=4)
    assert ask(hub, tmp_path / "home", "result = download('a.txt')") == ["0123456789"]
    assert [request.method for request in hub.asked("resolve")] == ["HEAD", "GET", "GET"]


def test_a_process_of_its_own_goes_on_after_a_restart(tmp_path: Path) -> None:
    Store(tmp_path / "hub").put("org/set", {"a.txt": b"one"}, tag="v1")
    script = Path(__file__).with_name("hub_server.py")
    command = [sys.executable, str(script), "--root", str(tmp_path / "hub")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        environment = {**os.environ, "HF_ENDPOINT": url, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0"}
        ((names, tags),) = ask_as(environment, [("result = [names('v1'), tags()]", READ_TOKEN)])
        process.kill()
    assert names == [".gitattributes", "a.txt"]
    assert list(tags) == ["v1"]
