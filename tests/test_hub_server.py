"""The Hub for tests answers the real clients as the Hub does, and fails as it is asked to."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hub_server import READ_TOKEN, WRITE_TOKEN, HubServer
from hub_store import Store

Ask = Callable[..., Any]

ASK = """
import json, sys
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
try:
    result = None
    exec(sys.argv[1])
    print(json.dumps({"result": result}))
except Exception as error:
    status = getattr(getattr(error, "response", None), "status_code", None)
    print(json.dumps({"error": type(error).__name__, "status": status, "message": str(error)}))
"""


@pytest.fixture
def ask(hub: HubServer, tmp_path: Path) -> Ask:
    """Run lines of Python with huggingface_hub in a fresh process and return what they leave in `result`."""

    def run(lines: str, token: str = WRITE_TOKEN, home: str = "home") -> Any:
        command = [sys.executable, "-c", ASK, lines]
        environment = hub.environment(tmp_path / home, token)
        out = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
        found = json.loads(out.splitlines()[-1])
        return found.get("result", found)

    return run


def test_create_commit_tag_and_download(hub: HubServer, ask: Ask) -> None:
    found = ask("""
url = api.create_repo(repo, repo_type="dataset", exist_ok=True)
again = api.create_repo(repo, repo_type="dataset", exist_ok=True)
first = head()
oid = commit(operations=add(README_md="---\\nlicense: mit\\n---\\n", a_txt="one"), parent_commit=first)
tag("v1", oid)
later = commit(operations=[CommitOperationDelete("a.txt")], parent_commit=oid)
result = [str(url), first, oid, later, head(), names("v1"), names(), tags(), download("a.txt", revision="v1")]
""")
    url, first, oid, later, head, at_tag, at_head, tags, text = found
    assert url == f"{hub.url}/datasets/org/set"
    assert [hub.repo("org/set").commits[one].parent for one in (first, oid, later)] == [None, first, oid]
    assert (head, tags, text) == (later, {"v1": oid}, "one")
    assert at_tag == [".gitattributes", "README.md", "a.txt"]
    assert at_head == [".gitattributes", "README.md"]
    assert hub.files("org/set", "v1")["a.txt"] == b"one"
    assert all(WRITE_TOKEN not in request.path for request in hub.requests)


def test_unchanged_files_make_no_commit(hub: HubServer, ask: Ask) -> None:
    oid = hub.put("org/set", {"a.txt": b"one"})
    assert ask("result = commit(operations=add(a_txt='one'))") == oid
    assert hub.asked("commit") == []


@pytest.mark.parametrize(
    ("lines", "token", "error", "status"),
    [
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
    ],
)
def test_refusals(hub: HubServer, ask: Ask, lines: str, token: str, error: str, status: int | None) -> None:
    before = hub.put("org/set", {"a.txt": b"one"}, tag="v1")
    found = ask(lines, token)
    assert (found["error"], found["status"]) == (error, status)
    assert (hub.repo("org/set").branches, hub.repo("org/set").tags) == ({"main": before}, {"v1": before})


def test_a_tree_comes_in_pages(ask: Ask, hub: HubServer) -> None:
    hub.page = 2
    hub.put("org/set", {f"nq/{n}.txt": b"x" for n in range(5)})
    assert ask("result = names()") == [".gitattributes", *(f"nq/{n}.txt" for n in range(5))]
    assert len(hub.asked("tree")) == 4  # six files and a folder


def test_private_repositories_need_a_token(hub: HubServer, ask: Ask) -> None:
    ask("api.create_repo(repo, repo_type='dataset', private=True)")
    assert ask("head()", token="")["error"] == "RepositoryNotFoundError"
    assert ask("result = names()", token=READ_TOKEN) == [".gitattributes"]


def test_what_a_hub_should_not_do(hub: HubServer, ask: Ask) -> None:
    first = hub.put("org/set", {"a.txt": b"one", "b.txt": b"two"}, tag="v1")
    hub.rewrite("org/set", "v1", "a.txt", b"One")
    hub.rewrite("org/set", "v1", "b.txt", None)
    found = ask("result = [head(), names('v1'), download('a.txt', revision='v1')]")
    assert found == [first, [".gitattributes", "a.txt"], "One"]
    later = hub.put("org/set", {"a.txt": b"later"})
    hub.move_tag("org/set", "v1", "main")
    assert ask("result = tags()") == {"v1": later}


def test_faults(hub: HubServer, ask: Ask) -> None:
    before = hub.put("org/set", {"a.txt": b"one"})
    hub.fail("commit", status=500, skip=1)
    hub.fail("tag", drop=True, done=True)
    hub.fail("refs", status=429, headers={"Retry-After": "7"})
    lines = "commit(operations=add(a_txt='two')); commit(operations=add(a_txt='three'))"
    assert ask(lines)["status"] == 500
    assert hub.files("org/set")["a.txt"] == b"two"
    assert ask("tag('v1', 'main')")["error"] == "RemoteProtocolError"
    assert hub.repo("org/set").tags == {"v1": hub.repo("org/set").branches["main"]}
    assert ask("tags()")["status"] == 429
    assert hub.repo("org/set").oid("main") != before


def test_a_concurrent_publisher_comes_between_read_and_commit(hub: HubServer, ask: Ask) -> None:
    hub.put("org/set", {"a.txt": b"one"})
    hub.fail("commit", act=lambda: hub.put("org/set", {"a.txt": b"theirs"}))
    assert ask("commit(operations=add(a_txt='ours'), parent_commit=head())")["status"] == 412
    assert hub.files("org/set")["a.txt"] == b"theirs"


def test_a_download_that_is_cut_goes_on_from_there(hub: HubServer, ask: Ask) -> None:
    hub.put("org/set", {"a.txt": b"0123456789"})
    hub.fail("resolve", skip=1, cut=4)
    assert ask("result = download('a.txt')") == "0123456789"
    assert [request.method for request in hub.asked("resolve")] == ["HEAD", "GET", "GET"]


def test_a_process_of_its_own_goes_on_after_a_restart(tmp_path: Path) -> None:
    Store(tmp_path / "hub").put("org/set", {"a.txt": b"one"}, tag="v1")
    script = Path(__file__).with_name("hub_server.py")
    command = [sys.executable, str(script), "--root", str(tmp_path / "hub")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        ask = [sys.executable, "-c", ASK, "result = [names('v1'), tags()]"]
        environment = {**os.environ, "HF_ENDPOINT": url, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0"}
        out = subprocess.run(ask, env=environment, capture_output=True, text=True, timeout=60, check=True).stdout
        process.kill()
    names, tags = json.loads(out)["result"]
    assert names == [".gitattributes", "a.txt"]
    assert list(tags) == ["v1"]
