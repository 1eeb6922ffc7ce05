"""One segment made of many, without losing a reply at any moment.

A process on another machine may hold any segment open, and nothing on a network file system tells. So the age of the
last write decides what is old enough, and two orders of steps keep a writer safe that comes back later than that. The
new segment is on disk before the first old one goes: a kill leaves every reply, some of them twice. And an old segment
is renamed before its size is looked at for the last time: who wrote to it before is noticed by the size, who writes
after that finds its name gone and takes another segment (`Segment.append`).
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.models.segments import UNFINISHED, read_lines, sync_folder, write_segment
from eval.models.store import RequestStore, Told, untold
from eval.models.store_line import key_of
from loaders.errors import DecoyQAError

HOUR = 3600.0  # seconds
KEPT, DUPLICATE, TORN, BLANK = "kept", "duplicate", "torn", "blank"


@dataclass(frozen=True)
class Compaction:
    """What was done, or would be: segments made into one, lines kept and left out, segments still too young."""

    merged: tuple[Path, ...]
    kept: int
    duplicates: int
    torn: int
    young: int


def compact(folder: Path, hours: float, dry_run: bool = False, told: Told = untold) -> Compaction:
    """Make one segment of all that nobody wrote to for so many hours: one line a key, the oldest.

    `told` hears (lines written, all). Raises DecoyQAError where no new segment can be written; nothing goes then.
    """
    store, now = RequestStore(folder), time.time()
    old = [path for path in store.index.segments() if now - path.stat().st_mtime >= hours * HOUR]
    counts = Counter(verdict for verdict, *_ in _judged(store, old))
    if len(old) == 1 and counts.keys() <= {KEPT}:
        old = []
    if old and not dry_run:
        _replace(store, old, lambda done: told(done, counts[KEPT]))
        for path in folder.glob(f"*{UNFINISHED}"):  # of a compaction that was killed
            if now - path.stat().st_mtime >= hours * HOUR:
                path.unlink(missing_ok=True)
    young = len(store.index.segments()) - len(old)
    return Compaction(tuple(old), counts[KEPT], counts[DUPLICATE], counts[TORN], young)


def _judged(store: RequestStore, old: Sequence[Path]) -> Iterator[tuple[str, Path, int, bytes]]:
    """Yield (verdict, segment, offset of the line's end, line); only a line of these segments can make another go."""
    going = set(old)
    for path in old:
        for start, line in read_lines(path):
            verdict = KEPT
            if (key := key_of(line)) is None:
                verdict = TORN if line.strip() else BLANK
            elif (standing := store.index.place(key)) and standing != (path, start) and standing[0] in going:
                verdict = DUPLICATE
            yield verdict, path, start + len(line), line


def _replace(store: RequestStore, old: Sequence[Path], told: Callable[[int], None]) -> None:
    sizes = dict.fromkeys(old, 0)

    def kept() -> Iterator[bytes]:
        done = 0
        for verdict, path, end, line in _judged(store, old):
            sizes[path] = end
            if verdict == KEPT:
                yield line.rstrip(b"\n") + b"\n"
                done += 1
                told(done)

    try:
        write_segment(store.folder, kept())
    except OSError as error:
        raise DecoyQAError(f"{store.folder}: no segment could be written ({error}); nothing was removed") from error
    for path, size in sizes.items():
        _retire(path, size)
    sync_folder(store.folder)


def _retire(path: Path, size: int) -> None:
    """Remove a segment whose first `size` bytes stand in another; one that grew keeps its new name and is read on."""
    aside = path.with_name(f"old-{path.name}")
    try:
        path.rename(aside)
        if aside.stat().st_size == size:
            aside.unlink()
    except FileNotFoundError:
        pass  # another compaction was faster
