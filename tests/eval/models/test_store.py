"""Replies survive kills, torn lines, full disks and company; nothing stored is asked again."""

import errno
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, fields, replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from eval.models.asker import Asker
from eval.models.engine import Message, Reply, Request, open_engine
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

ROOT = Path(__file__).resolve().parents[3]
BASE = Request("fake", (Message("user", "q"),))


def request(number: int) -> Request:
    return replace(BASE, messages=(Message("user", f"question {number} é\u2028\ud83d"),))


def reply(to: Request, text: str = "a\nb\u2028c") -> Reply:
    return Reply(to.key, text, "stop", 3, 1, '{"raw": "ü"}')


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def test_put_then_get_also_after_opening_again(tmp_path):
    store = RequestStore(tmp_path / "new" / "requests")
    assert store.get(request(1).key) is None
    store.put(request(1), reply(request(1)))
    store.put(request(2), reply(request(2), ""))
    again = RequestStore(tmp_path / "new" / "requests")
    for opened in (store, again):
        assert opened.get(request(1).key) == reply(request(1))
        assert opened.get(request(2).key) == reply(request(2), "")
        assert len(opened) == 2


def test_a_line_holds_the_whole_request_and_reply_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567890abcdef")
    RequestStore(tmp_path).put(request(1), reply(request(1)))
    (segment,) = segments(tmp_path)
    line = json.loads(segment.read_text())
    assert list(line) == ["crc32", "key", "time", "request", "reply"]
    assert (line["key"], line["time"][:2]) == (request(1).key, "20")
    assert set(line["reply"]) == {field.name for field in fields(Reply)}
    stored = line["request"]
    names = ["engine", "max_tokens", "messages", "sample", "schema", "seed", "temperature", "top_p"]
    assert sorted(stored) == names == sorted(field.name for field in fields(Request))
    assert all(set(message) == {"role", "content"} for message in stored["messages"])
    assert "sk-1234567890abcdef" not in segment.read_text()
    messages = tuple(Message(**message) for message in stored.pop("messages"))
    assert Request(messages=messages, **stored).key == request(1).key


def test_the_first_reply_stands(tmp_path):
    store, other = RequestStore(tmp_path), RequestStore(tmp_path)
    store.put(request(1), reply(request(1), "first"))
    store.put(request(1), reply(request(1), "second"))
    other.put(request(1), reply(request(1), "third"))
    for opened in (store, RequestStore(tmp_path)):
        assert opened.get(request(1).key) == reply(request(1), "first")
    assert [segment.read_bytes().count(b"\n") for segment in segments(tmp_path)] == [1, 1]


def test_a_reader_writes_nothing(tmp_path):
    RequestStore(tmp_path)
    assert segments(tmp_path) == []


def test_a_reply_to_another_request_is_refused(tmp_path):
    with pytest.raises(ValueError, match="does not belong"):
        RequestStore(tmp_path).put(request(1), reply(request(2)))


@pytest.mark.parametrize("garbage", [b"", b"\n", b"\0\0\0\0\n", b"null\n", b'{"reply": {"key": "x"}}\n', b"\xff\xfe\n"])
def test_a_torn_last_line_is_skipped_wherever_it_tears(tmp_path, garbage):
    store = RequestStore(tmp_path)
    for number in (1, 2, 3):
        store.put(request(number), reply(request(number)))
    (segment,) = segments(tmp_path)
    whole = segment.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for cut in range(last, len(whole) - 1, 7):
        segment.write_bytes(whole[:cut] + garbage)
        opened = RequestStore(tmp_path)
        assert [opened.get(request(number).key) is None for number in (1, 2, 3)] == [False, False, True]
        opened.put(request(3), reply(request(3)))
        assert len(RequestStore(tmp_path)) == 3
        opened.close()
        for extra in segments(tmp_path):
            if extra != segment:
                extra.unlink()


def test_replies_that_come_while_the_disk_is_busy_share_the_next_sync(tmp_path, monkeypatch):
    begun, go, synced = threading.Event(), threading.Event(), list[int]()
    fsync = os.fsync

    def slow(handle: int) -> None:
        begun.set()
        go.wait(10)
        synced.append(os.fstat(handle).st_size)
        fsync(handle)

    store = RequestStore(tmp_path)
    store.put(request(0), reply(request(0)))
    (segment,) = segments(tmp_path)
    monkeypatch.setattr("eval.models.segments.os.fsync", slow)
    for number in range(1, 100):
        assert store.add(request(number), reply(request(number)))
        begun.wait(10)
    assert len(RequestStore(tmp_path)) == 100  # a kill would find them all
    go.set()
    store.sync()
    assert len(synced) == 2
    assert synced[-1] == segment.stat().st_size
    assert not store.add(request(5), reply(request(5)))


def test_a_disk_that_refuses_at_the_sync_is_told_and_another_segment_begun(tmp_path, monkeypatch):
    store = RequestStore(tmp_path)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store.put(request(0), reply(request(0)))
    with monkeypatch.context() as patch:
        patch.setattr("eval.models.segments.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            store.put(request(1), reply(request(1)))
    store.put(request(2), reply(request(2)))
    assert len(segments(tmp_path)) == 2


def test_lines_without_checksum_and_time_are_read_and_are_the_oldest(tmp_path):
    store = RequestStore(tmp_path)
    store.put(request(1), reply(request(1), "new"))
    old = {"request": asdict(request(1)), "reply": asdict(reply(request(1), "old"))}
    (tmp_path / "9-1-z.jsonl").write_text(json.dumps(old) + "\n")
    store.refresh()
    for opened in (store, RequestStore(tmp_path)):
        assert opened.get(request(1).key) == reply(request(1), "old")


def test_a_bit_that_fell_over_is_no_reply(tmp_path):
    RequestStore(tmp_path).put(request(1), reply(request(1), "black"))
    (segment,) = segments(tmp_path)
    segment.write_bytes(segment.read_bytes().replace(b"black", b"bleck"))
    assert request(1).key not in RequestStore(tmp_path)


def test_a_refresh_reads_what_others_appended_and_waits_for_the_end_of_a_line(tmp_path):
    store, other = RequestStore(tmp_path), RequestStore(tmp_path)
    other.put(request(1), reply(request(1)))
    (segment,) = segments(tmp_path)
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-9])  # as a network file system may show it for a moment
    store.refresh()
    assert request(1).key not in store
    segment.write_bytes(whole)
    store.refresh()
    other.put(request(2), reply(request(2)))
    store.refresh()
    assert [store.get(request(number).key) is not None for number in (1, 2, 3)] == [True, True, False]


def test_more_segments_than_files_that_may_be_open(tmp_path, monkeypatch):
    monkeypatch.setattr("eval.models.store_index.OPEN_FILES", 3)
    for number in range(8):
        with RequestStore(tmp_path) as store:
            store.put(request(number), reply(request(number), str(number)))
    store = RequestStore(tmp_path)
    for _ in range(2):
        assert [store.get(request(number).key).text for number in range(8)] == list("01234567")
    assert len(store.index._files) <= 3


def test_a_folder_that_never_keeps_still_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("eval.models.store_index.PAUSE", 0)
    store = RequestStore(tmp_path)
    store.put(request(1), reply(request(1)))

    def gone(path: Path, start: int = 0) -> None:
        raise FileNotFoundError(path)

    monkeypatch.setattr("eval.models.store_index.read_lines", gone)
    with pytest.raises(DecoyQAError, match="its segments vanish while they are read"):
        RequestStore(tmp_path)


def test_a_full_disk_tears_one_line_and_no_other(tmp_path):
    # The limit on file size stops a write in the middle, as a full disk does.
    code = f"""
import resource, signal, sys
sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]
from pathlib import Path
from test_store import RequestStore, reply, request
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = RequestStore(Path({str(tmp_path)!r}))
store.put(request(1), reply(request(1)))
size = next(Path({str(tmp_path)!r}).glob("*.jsonl")).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
try:
    store.put(request(2), reply(request(2)))
except OSError:
    print("refused", store.get(request(2).key))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put(request(3), reply(request(3)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "refused None\n"
    store = RequestStore(tmp_path)
    assert [store.get(request(number).key) is None for number in (1, 2, 3)] == [False, True, False]
    torn, clean = segments(tmp_path)
    assert not torn.read_bytes().endswith(b"\n")
    assert clean.read_bytes().count(b"\n") == 1


# A process of its own that asks requests of a slow scripted engine and logs each call before it is made.
ASKING = """
from pathlib import Path
from eval.models.engine import Message, Request, open_engine
from eval.models.asker import Asker
from eval.models.store import RequestStore

engine = open_engine(f"scripted:{rules}")
answer = engine._answer
def logged(request):
    with open(log, "a") as file:
        file.write(request.key + "\\n")
    return answer(request)
engine._answer = logged
requests = [Request(engine.identity, (Message("user", f"question {n}, kind {n % 3}"),)) for n in range(first, end)]
Asker(engine, RequestStore(Path(folder))).ask(requests)
"""
# Processes that do not have to import everything anew: twenty kills take seconds.
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["eval.models.asker", "eval.models.scripted"])


def rules(folder: Path) -> Path:
    path = folder / "rules.jsonl"
    lines = [{"contains": [f"kind {kind}"], "reply": f"reply {kind}", "seconds": 0.01} for kind in range(3)]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def start(folder: Path, log: Path, first: int, end: int) -> BaseProcess:
    names = {"rules": str(rules(folder)), "log": str(log), "first": first, "end": end}
    process = FORKING.Process(target=exec, args=(ASKING, names | {"folder": str(folder / "requests")}))
    process.start()
    return process


def ended(process: BaseProcess) -> int | None:
    process.join()
    return process.exitcode


def questions(folder: Path, first: int, end: int) -> list[Request]:
    identity = open_engine(f"scripted:{rules(folder)}").identity
    return [Request(identity, (Message("user", f"question {n}, kind {n % 3}"),)) for n in range(first, end)]


def asked(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


def test_kills_cost_no_more_than_the_call_in_flight(tmp_path):
    draw, log, kills = random.Random(7), tmp_path / "log", 0
    wanted = questions(tmp_path, 0, 120)
    for _ in range(20):
        store = RequestStore(tmp_path / "requests")
        stored = {one.key for one in wanted if store.get(one.key)}
        before = len(asked(log))
        process = start(tmp_path, log, 0, 120)
        while len(asked(log)) == before and process.is_alive():
            time.sleep(0.002)
        time.sleep(draw.uniform(0.0, 0.06))
        process.kill()
        kills += ended(process) == -signal.SIGKILL
        assert not stored & set(asked(log)[before:])
    assert ended(start(tmp_path, log, 0, 120)) == 0
    assert kills == 20
    # Each kill lost the one call in flight at most, so that one was asked again.
    assert 120 <= len(asked(log)) <= 120 + kills
    engine = open_engine(f"scripted:{rules(tmp_path)}")
    undisturbed = Asker(engine, RequestStore(tmp_path / "undisturbed")).ask(wanted)
    after_kills = Asker(engine, RequestStore(tmp_path / "requests")).ask(wanted)
    assert after_kills == undisturbed
    assert len(after_kills.replies) == 120


def test_two_processes_write_at_the_same_time(tmp_path):
    logs = [tmp_path / "log0", tmp_path / "log1"]
    pair = [start(tmp_path, logs[0], 0, 40), start(tmp_path, logs[1], 20, 60)]
    assert [ended(process) for process in pair] == [0, 0]
    store = RequestStore(tmp_path / "requests")
    found = [store.get(one.key) for one in questions(tmp_path, 0, 60)]
    assert [one.text if one else None for one in found] == [f"reply {n % 3}" for n in range(60)]
    assert len(segments(tmp_path / "requests")) == 2
    lines = b"".join(segment.read_bytes() for segment in segments(tmp_path / "requests")).splitlines()
    assert len(lines) == sum(len(asked(log)) for log in logs)
    assert os.getpid() not in [int(segment.name.split("-")[1]) for segment in segments(tmp_path / "requests")]
