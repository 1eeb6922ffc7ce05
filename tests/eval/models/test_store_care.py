"""What a store holds, and compacting it while others write to it and while it is killed."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.models.engine import Message, Reply, Request
from eval.models.prices import Price, Prices
from eval.models.store import RequestStore
from eval.models.store_compact import compact
from eval.models.store_stats import Use, store_stats
from loaders.errors import DecoyQAError

ROOT = Path(__file__).resolve().parents[3]
PRICES = Prices((Price("paid:m", 2.0, 1.0, 10.0, date(2026, 11, 29), "made up"),), ("free",))


def request(number: int, engine: str = "free:m") -> Request:
    return Request(engine, (Message("user", f"question {number} é\u2028\ud83d"),))


def reply(to: Request, text: str = "yes", **rest: int) -> Reply:
    return replace(Reply(to.key, text, "stop", 30, 4, '{"raw": "ü"}'), **rest)


def put(store: RequestStore, *numbers: int, text: str = "yes") -> None:
    for number in numbers:
        store.put(request(number), reply(request(number), text))


def fill(folder: Path, *segments: tuple[int, ...]) -> None:
    """Write a segment for each group of numbers, so that none knows of another: repeated numbers are duplicates."""
    stores = [RequestStore(folder) for _ in segments]
    for store, numbers in zip(stores, segments, strict=True):
        put(store, *numbers, text=f"from {numbers}")
        store.close()


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def texts(folder: Path, numbers: range) -> list[str | None]:
    store = RequestStore(folder)
    return [found.text if (found := store.get(request(number).key)) else None for number in numbers]


def tear(segment: Path) -> None:
    with segment.open("ab") as file:
        file.write(b'{"crc32": "00000000", "key": "')


def test_stats_count_replies_tokens_and_money_by_engine(tmp_path):
    with RequestStore(tmp_path) as store:
        for number in range(3):
            one = request(number, "paid:m")
            store.put(
                one, reply(one, prompt_tokens=1_000, completion_tokens=100, cached_tokens=200, reasoning_tokens=50)
            )
        one = request(1, "other:m")
        store.put(one, reply(one))
    fill(tmp_path, (1, 2), (2, 3))
    tear(segments(tmp_path)[-1])
    found = store_stats(tmp_path, PRICES)
    assert (found.segments, found.replies, found.duplicates, found.torn) == (3, 7, 1, 1)
    assert found.size == sum(path.stat().st_size for path in segments(tmp_path))
    free, other, paid = found.uses
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert paid.first[:10] == paid.last[:10] == today
    # 3 times 800 at 2, 200 at 1 and 100 at 10 dollars a million
    assert paid == Use("paid:m", 3, 3_000, 600, 300, 150, pytest.approx(0.0084), paid.first, paid.last)
    assert (other.engine, other.replies, other.usd) == ("other:m", 1, None)
    assert (free.engine, free.replies, free.prompt_tokens, free.usd) == ("free:m", 3, 90, 0.0)


def test_a_compaction_keeps_one_line_a_key_the_oldest_and_drops_torn_lines(tmp_path):
    fill(tmp_path, (1, 2), (2, 3), (1, 3, 4))
    tear(segments(tmp_path)[0])
    before = texts(tmp_path, range(1, 5))
    assert before == ["from (1, 2)", "from (1, 2)", "from (2, 3)", "from (1, 3, 4)"]
    planned = compact(tmp_path, 0, dry_run=True)
    assert len(segments(tmp_path)) == 3
    done = compact(tmp_path, 0)
    assert planned == done
    assert (len(done.merged), done.kept, done.duplicates, done.torn, done.young) == (3, 4, 3, 1, 0)
    (segment,) = segments(tmp_path)
    assert segment.read_bytes().count(b"\n") == 4
    assert texts(tmp_path, range(1, 5)) == before
    assert compact(tmp_path, 0).merged == ()
    assert segments(tmp_path) == [segment]


def test_which_of_two_replies_is_the_oldest_does_not_hang_on_names_and_survives(tmp_path):
    late, early = RequestStore(tmp_path), RequestStore(tmp_path)
    put(late, 1)  # its segment is the first by name
    put(early, 1, 2, text="early")
    put(late, 2, text="late")
    for _ in range(2):
        assert texts(tmp_path, range(1, 3)) == ["yes", "early"]
        late.close()
        compact(tmp_path, 0)
    late.refresh()
    assert late.get(request(2).key) == reply(request(2), "early")


def test_segments_written_to_lately_are_left_alone(tmp_path):
    fill(tmp_path, (1, 2), (2, 3), (2, 4))
    first, second, third = segments(tmp_path)
    for path in (first, second):
        os.utime(path, (time.time() - 3 * 3600,) * 2)
    found = compact(tmp_path, 2)
    assert (found.merged, found.kept, found.duplicates, found.young) == ((first, second), 3, 1, 1)
    assert third.exists()
    assert len(segments(tmp_path)) == 2
    assert texts(tmp_path, range(1, 5)) == ["from (1, 2)", "from (1, 2)", "from (2, 3)", "from (2, 4)"]


def test_only_what_is_compacted_can_make_a_line_go(tmp_path):
    fill(tmp_path, (1,), (1,))
    first, second = segments(tmp_path)
    os.utime(second, (0, 0))
    tear(second)
    os.utime(second, (0, 0))
    assert compact(tmp_path, 2).kept == 1  # its older twin stands in a segment that may still go
    first.unlink()
    assert texts(tmp_path, range(1, 2)) == ["from (1,)"]


def test_a_writer_whose_segment_was_compacted_away_takes_another(tmp_path):
    store = RequestStore(tmp_path)
    put(store, 1, 2)
    fill(tmp_path, (3,))
    assert len(compact(tmp_path, 0).merged) == 2
    put(store, 4)
    assert store.get(request(1).key) == reply(request(1))
    assert texts(tmp_path, range(1, 5)) == ["yes", "yes", "from (3,)", "yes"]
    assert len(segments(tmp_path)) == 2


def test_a_line_written_while_the_compaction_reads_is_kept(tmp_path, monkeypatch):
    store = RequestStore(tmp_path)
    put(store, 1)
    fill(tmp_path, (2,))
    rename = Path.rename

    def writing_first(path: Path, target: Path) -> Path:
        if path == segments(tmp_path)[0]:
            put(store, 3)  # after the new segment was written, before the old one's name goes
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", writing_first)
    compact(tmp_path, 0)
    assert texts(tmp_path, range(1, 4)) == ["yes", "from (2,)", "yes"]
    monkeypatch.undo()
    compact(tmp_path, 0)
    assert texts(tmp_path, range(1, 4)) == ["yes", "from (2,)", "yes"]
    assert len(segments(tmp_path)) == 1


def test_a_reader_that_was_open_finds_everything_after_a_compaction(tmp_path):
    fill(tmp_path, (1, 2), (3, 4))
    reader = RequestStore(tmp_path)
    compact(tmp_path, 0)
    assert [reader.get(request(number).key) is not None for number in range(1, 6)] == [True] * 4 + [False]
    reader.refresh()
    assert len(reader) == 4


def test_no_room_for_the_new_segment_removes_nothing(tmp_path, monkeypatch):
    fill(tmp_path, (1, 2), (2, 3))
    before = segments(tmp_path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DecoyQAError, match=r"No space left on device.*nothing was removed"):
        compact(tmp_path, 0)
    assert sorted(tmp_path.iterdir()) == before


def test_a_kill_at_any_point_of_a_compaction_keeps_every_reply(tmp_path):
    """Each system call that changes the folder is followed by a kill once."""
    numbers = range(1, 7)
    fill(tmp_path / "whole", (1, 2), (2, 3), (4, 5, 6))
    before = texts(tmp_path / "whole", numbers)
    code = f"""
import os, signal, sys
sys.path[:0] = [{str(ROOT)!r}]
from pathlib import Path
from eval.models.store_compact import compact
left = int(sys.argv[2])
def counted(call):
    def run(*words, **rest):
        global left
        found = call(*words, **rest)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    return run
os.fsync, Path.rename, Path.unlink = counted(os.fsync), counted(Path.rename), counted(Path.unlink)
compact(Path(sys.argv[1]), 0)
"""
    kills = 0
    for step in range(1, 20):
        folder = tmp_path / str(step)
        subprocess.run(["cp", "-r", tmp_path / "whole", folder], check=True)
        run = subprocess.run([sys.executable, "-c", code, folder, str(step)], check=False)
        assert texts(folder, numbers) == before
        compact(folder, 0)
        assert texts(folder, numbers) == before
        assert len(list(folder.iterdir())) == 1
        if run.returncode == 0:
            break
        kills += run.returncode == -signal.SIGKILL
    # fsync, rename and fsync of the folder for the new segment; rename and unlink of three old ones; the folder again
    assert kills == step - 1 == 3 + 6 + 1


Steps = st.lists(
    st.tuples(st.sampled_from(["put", "refresh", "compact", "close"]), st.integers(0, 2), st.integers(0, 5)),
    max_size=25,
)


@given(Steps)
@settings(max_examples=40, deadline=None)
def test_whatever_several_processes_do_the_first_reply_to_everything_is_found(steps):
    """Three stores stand for three processes that put, look, compact and begin another segment in any order."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        stores, first = [RequestStore(folder) for _ in range(3)], dict[int, str]()
        for turn, (what, who, number) in enumerate(steps):
            if what == "put":
                first.setdefault(number, f"turn {turn}")
                put(stores[who], number, text=f"turn {turn}")
            elif what == "refresh":
                stores[who].refresh()
            elif what == "close":
                stores[who].close()
            else:
                compact(folder, 0)
        for store in stores:
            store.refresh()
        for store in (*stores, RequestStore(folder)):
            assert {n: store.get(request(n).key).text for n in first} == first
            assert len(store) == len(first)
            store.close()
