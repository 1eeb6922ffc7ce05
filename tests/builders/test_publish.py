"""`decoyqa publish` against a Hub on 127.0.0.1: the whole round, every fault, two at once, and a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hub_server import READ_TOKEN, WRITE_TOKEN, HubServer

from builders.cli import main
from loaders.manifest import changed_files, read_manifest

DECOYQA = [sys.executable, "-c", "from builders.cli import main; main()"]
PUBLISHER = Path(__file__).with_name("publisher.py")
RETRIEVED = "nq/retrieved-00000-of-00001.parquet"


class Run(NamedTuple):
    """What a command left: exit code, the lines of stdout, and stderr."""

    code: int
    lines: list[str]
    errors: str


class Publisher:
    """A process that publishes to a Hub, and the repository that the test at hand may use."""

    def __init__(self, hub: HubServer, home: Path, *words: str) -> None:
        self.hub, self.repo = hub, ""
        command = [sys.executable, str(PUBLISHER), *words]
        self.process = subprocess.Popen(
            command, env=hub.environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, artifact: Path, *words: str, token: str = WRITE_TOKEN, repo: str = "") -> Run:
        """Publish an artifact and wait for it."""
        self.start(artifact, *words, token=token, repo=repo)
        return self.wait()

    def start(self, artifact: Path, *words: str, token: str = WRITE_TOKEN, repo: str = "") -> None:
        assert self.process.stdin is not None
        asked = {"words": ["publish", str(artifact), "--repo", repo or self.repo, *words], "token": token}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()

    def wait(self) -> Run:
        assert self.process.stdout is not None
        code, out, errors = json.loads(self.process.stdout.readline())
        return Run(code, out.splitlines(), errors)


@pytest.fixture(scope="module")
def shared_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubServer]:
    with HubServer(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def publishers(shared_hub: HubServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Publisher]]:
    """Two processes."""
    found = [Publisher(shared_hub, tmp_path_factory.mktemp("home"), "--here") for _ in range(2)]
    yield found
    for publisher in found:
        publisher.process.kill()
        publisher.process.communicate()


@pytest.fixture
def publish(shared_hub: HubServer, publishers: list[Publisher], request: pytest.FixtureRequest) -> Publisher:
    """The first process, with an empty repository of its own and a Hub without faults."""
    shared_hub.faults.clear()
    shared_hub.requests.clear()
    for publisher in publishers:
        publisher.repo = f"org/{abs(hash(request.node.name))}"
    return publishers[0]


def command(hub: HubServer, home: Path, *words: str, token: str = WRITE_TOKEN, **environment: str) -> Run:
    """Run `decoyqa` as a user does."""
    environment = {**hub.environment(home, token), **environment}
    run = subprocess.run([*DECOYQA, *words], env=environment, capture_output=True, text=True, timeout=120)
    return Run(run.returncode, run.stdout.splitlines(), run.stderr)


def test_the_whole_round(shared_hub: HubServer, release_folder: Path, tmp_path: Path) -> None:
    build = json.loads((release_folder / "build.json").read_text())
    (release_folder / "build.json").write_text(json.dumps({**build, "rebuild": {"pool": "/home/me/pool"}}))
    run = command(shared_hub, tmp_path / "home", "publish", str(release_folder), "--repo", "org/round")
    assert run.code == 0, run.errors
    repo = shared_hub.repo("org/round")
    commit = repo.tags["v1.2.3"]
    files = {path.relative_to(release_folder).as_posix(): path.read_bytes() for path in release_folder.rglob("*.*")}
    count = len(files)
    assert run.lines == [
        f"{release_folder}: {count} files, every check passed",
        "nothing is pending",
        "org/round has no release yet",
        f"org/round: commit {commit}, {count} files put, 0 deleted",
        "org/round: tagged v1.2.3",
        f"org/round v1.2.3: loaded back, the sha256 of all {count - 2} files is that of the manifest",
        f"revision {commit}",
        'load_dataset("org/round", "nq", revision="v1.2.3")',
    ]
    assert repo.branches == {"main": commit}
    assert len(repo.commits) == 2  # the Hub's own and ours
    there = shared_hub.files("org/round", "v1.2.3")
    assert there.keys() == files.keys() | {".gitattributes"}
    assert json.loads(there["build.json"]) == build
    assert all(there[name] == data for name, data in files.items() if name != "build.json")
    assert not any(WRITE_TOKEN in text for text in (*run.lines, run.errors, *(one.path for one in shared_hub.requests)))


def test_the_same_version_twice(publish: Publisher, release_folder: Path, change: SimpleNamespace) -> None:
    first = publish(release_folder)
    again = publish(release_folder)
    commit = publish.hub.repo(publish.repo).tags["v1.2.3"]
    assert again.lines[2] == f"{publish.repo} v1.2.3 is published already"
    assert (again.code, again.lines[-2]) == (first.code, first.lines[-2]) == (0, f"revision {commit}")
    assert len(publish.hub.repo(publish.repo).commits) == 2
    change.edit(release_folder, "README.md", "\n## Limits\n", "\n## Limits\n\nOne more.\n")
    other = publish(release_folder)
    assert other.code == 2
    assert other.errors == (
        f"error: {publish.repo} has v1.2.3 already, commit {commit}, and other files: README.md, manifest.json; "
        "a release never changes, raise the version\n"
    )
    assert publish.hub.repo(publish.repo).tags == {"v1.2.3": commit}


def test_the_next_version_replaces_the_files_and_keeps_the_old_tag(
    publish: Publisher, release_folder: Path, change: SimpleNamespace
) -> None:
    (release_folder / "old.md").write_text(read_manifest(release_folder)["canary"])
    assert publish(change.rewrite(release_folder)).code == 0
    following = change.as_version(release_folder, "1.2.4")
    (following / "old.md").unlink()
    run = publish(change.rewrite(following))
    assert run.code == 0, run.errors
    assert (
        f"{publish.repo}: commit {publish.hub.repo(publish.repo).tags['v1.2.4']}, 3 files put, 1 deleted" in run.lines
    )
    assert "1.2.3 -> 1.2.4: a patch change" in run.lines
    hub = publish.hub
    assert hub.files(publish.repo, "v1.2.3").keys() - hub.files(publish.repo, "v1.2.4").keys() == {"old.md"}


def test_a_version_that_is_too_low_for_what_changed(
    publish: Publisher, release_folder: Path, change: SimpleNamespace
) -> None:
    publish(release_folder)
    run = publish(change.as_version(release_folder, "1.2.2"))
    assert run.code == 2
    assert "version 1.2.2 after 1.2.3 with a patch change: expected 1.2.4 or higher" in run.errors
    assert publish.hub.repo(publish.repo).tags.keys() == {"v1.2.3"}


def test_a_dry_run_writes_what_would_be_pushed(
    publish: Publisher, release_folder: Path, change: SimpleNamespace, tmp_path: Path
) -> None:
    words = ("--dry-run", "--to", str(tmp_path / "to"))
    run = publish(release_folder, *words)
    assert (run.code, run.lines[-1]) == (0, f"{publish.repo} has no release yet")
    assert f"datasets/{publish.repo}" not in publish.hub.repos
    publish(release_folder)
    following = change.as_version(release_folder, "1.2.4")
    requests = len(publish.hub.requests)
    run = publish(following, *words)
    assert (run.code, run.lines[-1]) == (0, f"{publish.repo}: 3 files would be put, 0 deleted")
    assert run.lines[-2] == "1.2.3 -> 1.2.4: a patch change"
    assert {one.method for one in publish.hub.requests[requests:]} <= {"GET", "HEAD"}
    folder = tmp_path / "to" / publish.repo / "1.2.4"
    assert changed_files(folder) == []
    publish(following)
    there = publish.hub.files(publish.repo, "v1.2.4")
    del there[".gitattributes"]
    assert there == {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}


def test_nothing_is_pushed_of_an_artifact_with_a_problem(
    publish: Publisher, release_folder: Path, change: SimpleNamespace
) -> None:
    sources = [{**one, "license": "unknown"} for one in read_manifest(release_folder)["sources"]]
    run = publish(change.rewrite(release_folder, sources=sources))
    assert run.code == 2
    assert run.lines[:2] == ["source nq (config nq): licence unknown", "source popqa (config popqa): licence unknown"]
    assert run.errors == f"error: {release_folder} cannot be published: {len(run.lines)} problem(s)\n"
    assert publish.hub.requests == []


@pytest.mark.parametrize(
    ("route", "fault", "said", "commits"),
    [
        ("refs", {"status": 500}, "the Hub answers 500", 0),
        ("create_repo", {"status": 500}, "the Hub answers 500", 0),
        ("create_repo", {"status": 500, "done": True}, "the Hub answers 500", 1),
        ("commit", {"status": 500}, "the Hub answers 500", 1),
        ("commit", {"status": 429, "headers": {"Retry-After": "9"}}, "the Hub wants fewer requests, wait 9 s", 1),
        ("commit", {"drop": True}, "no answer from http://127.0.0.1", 1),
        ("commit", {"drop": True, "done": True}, "no answer from http://127.0.0.1", 2),
        ("commit", {"status": 412}, "somebody else published in the meantime", 1),
        ("tag", {"status": 500}, "the Hub answers 500", 2),
        ("tag", {"drop": True}, "no answer from http://127.0.0.1", 2),
        ("refs", {"drop": True, "skip": 2}, "no answer from http://127.0.0.1", 2),
    ],
)
def test_after_a_failure_the_next_try_goes_on(
    publish: Publisher, release_folder: Path, route: str, fault: dict[str, Any], said: str, commits: int
) -> None:
    publish.hub.fail(route, **fault)
    run = publish(release_folder)
    assert (run.code, run.errors.count("\n")) == (2, 1)
    assert run.errors.startswith(f"error: {publish.repo}: {said}")
    assert "goes on from there" in run.errors
    found = publish.hub.repos.get(f"datasets/{publish.repo}")
    assert len(found.commits if found else ()) == commits
    assert not found or not found.tags or (route, fault.get("skip")) == ("refs", 2)
    again = publish(release_folder)
    assert again.code == 0, again.errors
    repo = publish.hub.repo(publish.repo)
    assert repo.tags == {"v1.2.3": repo.branches["main"]}
    assert len(repo.commits) == 2


def test_a_lost_answer_to_the_tag_is_no_failure(publish: Publisher, release_folder: Path) -> None:
    publish.hub.fail("tag", drop=True, done=True)
    assert publish(release_folder).code == 0
    publish.hub.fail("commit", delay=0.5)
    assert publish(release_folder, repo=f"{publish.repo}-slow").code == 0


def test_two_publishers_at_once(
    publish: Publisher, publishers: list[Publisher], release_folder: Path, change: SimpleNamespace
) -> None:
    other = change.as_version(release_folder, "1.3.0")
    both = Barrier(2, timeout=60)
    publish.hub.fail("commit", act=both.wait, times=2)
    for publisher, artifact in zip(publishers, (release_folder, other), strict=True):
        publisher.start(artifact)
    runs = sorted((publisher.wait() for publisher in publishers), key=lambda run: run.code)
    assert [run.code for run in runs] == [0, 2]
    assert "somebody else published in the meantime; nothing of this release is visible" in runs[1].errors
    repo = publish.hub.repo(publish.repo)
    assert list(repo.tags.values()) == [repo.branches["main"]]
    assert len(repo.commits) == 2


def test_the_same_tag_made_by_somebody_else_in_the_meantime(publish: Publisher, release_folder: Path) -> None:
    hub, repo = publish.hub, publish.repo
    hub.fail("tag", act=lambda: hub.put(repo, {"theirs.md": b"theirs"}, tag="v1.2.3"))
    run = publish(release_folder)
    theirs = hub.repo(repo).tags["v1.2.3"]
    assert run.code == 2
    assert run.errors == f"error: {repo}: somebody else has made v1.2.3 in the meantime, commit {theirs}\n"


def test_a_release_whose_bytes_are_no_longer_ours_is_not_ours(publish: Publisher, release_folder: Path) -> None:
    publish(release_folder)
    good = publish.hub.files(publish.repo)[RETRIEVED]
    publish.hub.rewrite(publish.repo, "v1.2.3", RETRIEVED, good[:100] + bytes([good[100] ^ 1]) + good[101:])
    run = publish(release_folder)
    assert run.code == 2
    assert f"and other files: {RETRIEVED};" in run.errors


def test_what_is_loaded_back_is_compared_with_what_was_pushed(
    publish: Publisher, release_folder: Path, change: SimpleNamespace
) -> None:
    hub, repo = publish.hub, publish.repo
    other = change.rewrite(change.as_version(release_folder, "1.2.3.other"), version="1.2.3")
    hub.fail("info", skip=1, act=lambda: hub.put_folder(repo, other, tag="v1.2.3"))  # the tag moves just before
    run = publish(release_folder)
    moved = hub.repo(repo).tags["v1.2.3"]
    assert (run.code, run.errors.splitlines()[-1]) == (
        2,
        f"error: {repo} v1.2.3: commit {moved} was loaded back, not what was published",
    )


def test_killed_between_commit_and_tag(
    shared_hub: HubServer, publish: Publisher, release_folder: Path, tmp_path: Path
) -> None:
    shared_hub.fail("tag", delay=5.0, status=500)
    words = [*DECOYQA, "publish", str(release_folder), "--repo", publish.repo]
    with subprocess.Popen(
        words, env=shared_hub.environment(tmp_path, WRITE_TOKEN), stdout=subprocess.DEVNULL
    ) as process:
        until = time.monotonic() + 60
        while not shared_hub.asked("tag") and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    repo = shared_hub.repo(publish.repo)
    assert (process.returncode, len(repo.commits), repo.tags) == (-signal.SIGKILL, 2, {})
    run = publish(release_folder)
    commit = repo.branches["main"]
    assert f"{publish.repo}: commit {commit} holds this release already, without its tag" in run.lines
    assert (run.code, repo.tags) == (0, {"v1.2.3": commit})


@pytest.mark.parametrize(
    ("repo", "token", "said"),
    [
        ("", "", "no token for the Hub: `hf auth login`, or set HF_TOKEN"),
        ("", "hf_nobodyknowsthis", "does not take the token of HF_TOKEN or `hf auth login`"),
        ("", READ_TOKEN, "the token may not do this (Forbidden: you must have write access"),
        ("name", WRITE_TOKEN, "--repo name: ORG/NAME expected"),
        ("org/a/b", WRITE_TOKEN, "Repo id must be in the form"),
        ("org/a b", WRITE_TOKEN, "Repo id must use alphanumeric chars"),
        ("org/model", WRITE_TOKEN, "org/model is a model on the Hub"),
    ],
)
def test_who_and_where(publish: Publisher, release_folder: Path, repo: str, token: str, said: str) -> None:
    publish.hub.create("org/model", "models")
    run = publish(release_folder, token=token, repo=repo)
    assert (run.code, run.errors.count("\n")) == (2, 1)
    assert said in run.errors
    assert "hf_nobody" not in run.errors
    assert f"datasets/{repo or publish.repo}" not in publish.hub.repos


def test_private_repositories(publish: Publisher, release_folder: Path) -> None:
    assert publish(release_folder, "--private").code == 0
    assert publish.hub.repo(publish.repo).private


def test_a_hub_that_is_not_there(shared_hub: HubServer, release_folder: Path, tmp_path: Path) -> None:
    words = ("publish", str(release_folder), "--repo", "org/none")
    run = command(shared_hub, tmp_path, *words, HF_ENDPOINT="http://me:secret@127.0.0.1:9")
    assert run.code == 2
    assert run.errors.startswith("error: org/none: no answer from http://***@127.0.0.1:9 (")
    assert "secret" not in run.errors


def test_offline(release_folder: Path, tmp_path: Path) -> None:
    words = ["publish", str(release_folder), "--repo", "org/none"]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stderr) == (2, "error: org/none: HF_HUB_OFFLINE is set, and this needs the Hub\n")
    result = CliRunner().invoke(main, [*words, "--dry-run", "--to", str(tmp_path / "to")])
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "HF_HUB_OFFLINE is set: not compared with the Hub")
    assert pq.read_table(tmp_path / "to/org/none/1.2.3" / RETRIEVED).num_rows == 5
