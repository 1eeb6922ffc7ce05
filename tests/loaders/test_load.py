"""A release is loaded from the Hub or a folder, and whatever is not as it was released is found and named."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_server import HubServer

from loaders.artifact import read_rows, write_rows
from loaders.errors import DecoyQAError
from loaders.genadv import Candidate, GenADVRow, load
from loaders.manifest import list_files, manifest_text, read_manifest

TAG, SPLIT = "v1.2.3", "nq/random-00000-of-00001.parquet"
OLD = [f"where does River{number} flow" for number in range(5)]
ROOT = Path(__file__).resolve().parents[2]
Ask = Callable[..., dict[str, Any]]


class Reader:
    """A process that loads from a Hub, with a cache of its own or another's."""

    def __init__(self, hub: HubServer, home: Path, **more: str) -> None:
        environment = {**hub.environment(home), "PYTHONPATH": str(ROOT), **more}
        script = str(Path(__file__).with_name("load_from_hub.py"))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, script], env=environment, **pipes)  # type: ignore[call-overload]

    def __call__(self, where: str, revision: str = TAG) -> dict[str, Any]:
        """Load and return what came of it."""
        self.process.stdin.write(f"{json.dumps([where, revision])}\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def end(self) -> None:
        """Close the pipes, at which the process ends."""
        self.process.communicate(timeout=30)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubServer]:
    """Run one Hub for all tests, each of which has a repository of its own."""
    with HubServer(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the HF_HOME of all processes."""
    return tmp_path_factory.mktemp("home")


def reader(server: HubServer, home: Path, **more: str) -> Iterator[Reader]:
    process = Reader(server, home, **more)
    yield process
    process.end()


@pytest.fixture(scope="module")
def online(server: HubServer, home: Path) -> Iterator[Reader]:
    yield from reader(server, home)


@pytest.fixture(scope="module")
def offline(server: HubServer, home: Path) -> Iterator[Reader]:
    yield from reader(server, home, HF_HUB_OFFLINE="1")


@pytest.fixture
def repo(server: HubServer, small_artifact: Path, request: pytest.FixtureRequest) -> str:
    """Publish the small artifact in a new repository."""
    name = f"org/{request.node.name.partition('[')[0][-40:].strip('_')}-{len(server.repos)}"
    server.put_folder(name, small_artifact, TAG)
    return name


def renumbered(artifact: Path, version: str, question: str) -> Path:
    """Return the artifact as another version, in which each question of nq/random is the given one."""
    body = read_manifest(artifact)
    rows = read_rows(artifact, "nq", "random", GenADVRow)
    write_rows(artifact, "nq", "random", GenADVRow, [replace(row, question=question) for row in rows])
    files = [vars(file) for file in list_files(artifact)]
    (artifact / "manifest.json").write_text(manifest_text({**body, "version": version, "files": files}))
    return artifact


def test_every_row_is_loaded_from_the_hub_and_again_without_it(
    server: HubServer, online: Reader, offline: Reader, repo: str, small_artifact: Path
) -> None:
    found = online(repo)
    assert found["commit"] == server.repo(repo).tags[TAG]
    assert (found["version"], found["content_id"]) == ("1.2.3", read_manifest(small_artifact)["content_id"])
    assert found["ids"]["nq/conflict"] == ["q0", "q1", "q3", "q4"]
    assert list(found["ids"]) == [
        *(f"nq/{split}" for split in ("retrieved", "adversarial", "conflict", "random", "topk")),
        *(f"popqa/{split}" for split in ("retrieved", "adversarial", "conflict", "random")),
    ]
    asked = len(server.requests)
    assert offline(repo) == found
    assert offline(repo, found["commit"]) == found
    assert len(server.requests) == asked
    assert online(repo, found["commit"]) == found


def test_a_second_load_downloads_nothing(server: HubServer, online: Reader, repo: str) -> None:
    online(repo)
    asked = len(server.asked("resolve"))
    assert online(repo)["version"] == "1.2.3"
    assert len(server.asked("resolve")) == asked


def test_without_a_network_a_release_that_was_never_loaded_is_refused(offline: Reader, repo: str) -> None:
    assert "the cache does not hold it" in offline(repo)["error"]


def test_what_other_readers_left_in_the_cache_is_no_release(online: Reader, offline: Reader, repo: str) -> None:
    """`datasets` alone stores only what it reads; here the tag is known and the commit's folder is there, in part."""
    folder = Path(online(repo, f"only {TAG}")["folder"])
    (folder / SPLIT).unlink()
    assert "does not hold it" in offline(repo)["error"] or f"{SPLIT}: missing" in offline(repo)["error"]


def test_another_version_in_the_cache_is_never_taken(
    server: HubServer, online: Reader, offline: Reader, repo: str, small_artifact: Path
) -> None:
    server.put_folder(repo, renumbered(small_artifact, "1.3.0", "a newer question?"), "v1.3.0")
    assert "a newer question?" in online(repo, "v1.3.0")["questions"]
    assert "the cache does not hold it" in offline(repo, TAG)["error"]
    assert online(repo, TAG)["questions"] == OLD
    for _ in range(2):
        assert (offline(repo, TAG)["version"], offline(repo, "v1.3.0")["version"]) == ("1.2.3", "1.3.0")
    assert offline(repo, TAG)["questions"] == OLD


def test_a_tag_of_another_version_is_refused(server: HubServer, online: Reader, repo: str) -> None:
    server.move_tag(repo, "v2.0.0", TAG)
    assert online(repo, "v2.0.0")["error"] == f"{repo}: version 1.2.3 found where v2.0.0 was asked for"


def test_a_moved_tag_is_found_with_and_without_a_network(
    server: HubServer, online: Reader, offline: Reader, repo: str, small_artifact: Path
) -> None:
    old = online(repo)["commit"]
    new = server.put_folder(repo, renumbered(small_artifact, "1.2.3", "a better question?"), TAG)
    assert new != old
    for load_again in (online, online, offline):
        found = load_again(repo)["error"]
        assert f"tag {TAG} has moved" in found
        assert f"was commit {old} when it was first loaded here and is {new} now" in found
    assert online(repo, old)["questions"] == OLD
    assert online(repo, new)["questions"] == ["a better question?", *OLD]


def test_a_tag_that_other_readers_saw_elsewhere_has_moved_too(server: HubServer, online: Reader, repo: str) -> None:
    old = Path(online(repo, f"only {TAG}")["folder"]).name
    new = server.put(repo, {"note.txt": b"new"}, TAG)
    for _ in range(2):
        assert f"was commit {old} when it was first loaded here and is {new} now" in online(repo)["error"]


def flipped(data: bytes) -> bytes:
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.parametrize(
    ("path", "change", "line"),
    [
        (SPLIT, flipped, f"{SPLIT}: changed bytes, sha256 differs"),
        (SPLIT, lambda data: None, f"{SPLIT}: missing"),
        ("README.md", flipped, "README.md: changed bytes, sha256 differs"),
        ("manifest.json", flipped, "manifest.json"),
        ("manifest.json", lambda data: None, f"{TAG}: no manifest.json"),
        ("decoyqa.py", lambda data: b"", "decoyqa.py: extra"),
        ("nq/random-00001-of-00001.parquet", lambda data: b"", "nq/random-00001-of-00001.parquet: extra"),
    ],
)
def test_a_changed_missing_or_extra_file_is_named(
    server: HubServer, online: Reader, repo: str, path: str, change: Callable[[bytes], bytes | None], line: str
) -> None:
    server.put(repo, {path: change(server.files(repo).get(path, b""))}, "v1.2.3")
    error = online(repo)["error"]
    assert line in error
    assert error.count(": extra") + error.count(": missing") + error.count(": changed") <= 1


def test_bytes_that_change_under_the_commit_are_found(server: HubServer, online: Reader, repo: str) -> None:
    commit = server.repo(repo).tags[TAG]
    server.rewrite(repo, commit, SPLIT, flipped(server.files(repo)[SPLIT]))
    assert f"{SPLIT}: changed bytes" in online(repo, commit)["error"]


def test_a_cached_file_that_changes_later_is_found(online: Reader, offline: Reader, repo: str) -> None:
    path = (Path(online(repo)["folder"]) / SPLIT).resolve()
    path.write_bytes(flipped(path.read_bytes()))
    assert f"{SPLIT}: changed bytes" in online(repo)["error"]
    assert f"{SPLIT}: changed bytes" in offline(repo)["error"]


@pytest.mark.parametrize(
    ("where", "revision", "line"),
    [
        ("{repo}", "", "say which release"),
        ("{repo}", "main", "revision 'main' is neither a tag vX.Y.Z nor a full commit id"),
        ("{repo}", "v1.2", "revision 'v1.2' is neither"),
        ("{repo}", "v1.2.4", "has no release v1.2.4"),
        ("{repo}", "0" * 40, f"has no release {'0' * 40}"),
        ("org/nothing", TAG, "the Hub shows no data set org/nothing"),
        ("no/such/folder", TAG, "no/such/folder is neither a folder nor ORG/NAME"),
        ("./folder", TAG, "./folder is neither a folder nor ORG/NAME"),
    ],
)
def test_what_cannot_be_found_is_said(online: Reader, repo: str, where: str, revision: str, line: str) -> None:
    assert line in online(where.format(repo=repo), revision)["error"]


@pytest.mark.parametrize("fault", [{"drop": True}, {"status": 500}])
def test_a_hub_that_fails_is_said_and_does_not_matter_later(
    server: HubServer, online: Reader, repo: str, fault: dict[str, Any]
) -> None:
    server.fail("info", **fault)
    assert f"{repo} {TAG}" in online(repo)["error"]
    assert online(repo)["version"] == "1.2.3"


def test_no_password_of_an_address_is_said(server: HubServer, tmp_path: Path, repo: str) -> None:
    process = Reader(server, tmp_path, HF_ENDPOINT=server.url.replace("//", "//user:secret@"))
    server.fail("info", status=500)
    found = json.dumps(process(repo))
    process.end()
    assert "500" in found
    assert "secret" not in found


def test_a_folder_is_loaded_and_checked_in_the_same_way(small_artifact: Path) -> None:
    loaded = load(small_artifact, TAG)
    assert (loaded.release.commit, loaded.release.version) == ("", "1.2.3")
    assert loaded.rows("nq", "conflict") == read_rows(small_artifact, "nq", "conflict", GenADVRow)
    assert loaded.candidates("nq") == read_rows(small_artifact, "nq_construction", "candidates", Candidate)
    assert load(str(small_artifact)).manifest == read_manifest(small_artifact)
    with pytest.raises(DecoyQAError, match=r"version 1\.2\.3 found where v1\.2\.4 was asked for"):
        load(small_artifact, "v1.2.4")
    with pytest.raises(DecoyQAError, match=f"found where {'a' * 40} was asked for"):
        load(small_artifact, "a" * 40)
    (small_artifact / SPLIT).write_bytes(b"")
    with pytest.raises(DecoyQAError, match=rf"{SPLIT}: 0 bytes, \d+ expected"):
        load(small_artifact)


def test_what_git_and_the_hubs_client_leave_in_a_folder_is_not_extra(small_artifact: Path) -> None:
    for name in (".gitattributes", ".git/HEAD", ".cache/huggingface/download/README.md.metadata"):
        (small_artifact / name).parent.mkdir(parents=True, exist_ok=True)
        (small_artifact / name).touch()
    assert load(small_artifact).configs == ("nq", "popqa")
    (small_artifact / "nq" / ".gitattributes").touch()
    with pytest.raises(DecoyQAError, match=r"nq/\.gitattributes: extra"):
        load(small_artifact)


def test_a_manifest_whose_counts_disagree_with_its_files_is_refused(small_artifact: Path) -> None:
    body = read_manifest(small_artifact)
    body["configs"][0]["rows"]["random"] = 4
    (small_artifact / "manifest.json").write_text(manifest_text(body))
    with pytest.raises(DecoyQAError, match=r"nq: \{.*'random': 5.*\} rows in its files, \{.*'random': 4.*\} expected"):
        load(small_artifact)
    body = read_manifest(shutil.copytree(small_artifact, small_artifact.parent / "other"))
    next(file for file in body["files"] if file["path"] == SPLIT)["rows"] = 4
    (small_artifact / "manifest.json").write_text(manifest_text(body))
    with pytest.raises(DecoyQAError, match=f"{SPLIT}: 5 rows, 4 expected"):
        load(small_artifact)


def test_another_family_is_refused(small_artifact: Path) -> None:
    (small_artifact / "manifest.json").write_text(manifest_text({**read_manifest(small_artifact), "family": "eureqa"}))
    with pytest.raises(DecoyQAError, match="of family eureqa, not genadv"):
        load(small_artifact)


def test_rows_are_paired_by_id(small_artifact: Path) -> None:
    loaded = load(small_artifact)
    pairs = loaded.paired("nq", "retrieved", "adversarial", "conflict")
    assert [tuple(row.id for row in rows) for rows in pairs] == [("q0",) * 3, ("q3",) * 3, ("q4",) * 3]
    assert [row.documents[row.inserted_at].kind for row in pairs[0][1:]] == ["adversarial", "conflict"]
    assert [row.id for (row,) in loaded.paired("nq", "random")] == ["q0", "q1", "q2", "q3", "q4"]


def test_a_split_that_is_not_there_is_named_with_those_that_are(small_artifact: Path) -> None:
    loaded = load(small_artifact)
    assert loaded.splits("popqa") == ("retrieved", "adversarial", "conflict", "random")
    with pytest.raises(DecoyQAError, match="popqa has no split 'topk', only retrieved, adversarial"):
        loaded.rows("popqa", "topk")
    with pytest.raises(DecoyQAError, match="no config 'tqa', only nq, popqa, nq_construction, popqa_construction"):
        loaded.rows("tqa", "retrieved")


def test_a_cache_that_may_only_be_read_is_enough(
    server: HubServer, home: Path, online: Reader, repo: str, tmp_path: Path
) -> None:
    online(repo)
    (tmp_path / "hub").symlink_to(home / "hub")
    (tmp_path / "decoyqa").write_text("a file where a folder would be made")
    process = Reader(server, tmp_path, HF_HUB_OFFLINE="1")
    assert process(repo)["version"] == "1.2.3"
    process.end()
