"""What a request store holds: replies, tokens and money by engine."""

from dataclasses import dataclass
from pathlib import Path

from eval.models.prices import Prices
from eval.models.segments import read_lines
from eval.models.store import RequestStore, Told, untold
from eval.models.store_line import decode, key_of


@dataclass
class Use:
    """The replies of one engine, their tokens, what they cost (None: price unknown), when the first and last came."""

    engine: str
    replies: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    usd: float | None = 0.0
    first: str = ""
    last: str = ""


@dataclass(frozen=True)
class StoreStats:
    """Segments, bytes and replies of a folder; `duplicates` and `torn` are lines that a compaction leaves out."""

    segments: int
    size: int
    replies: int
    duplicates: int
    torn: int
    uses: tuple[Use, ...]


def store_stats(folder: Path, prices: Prices, told: Told = untold) -> StoreStats:
    """Read every segment of a store and count; a reply that was stored twice counts once. `told` hears (done, all)."""
    store, uses = RequestStore(folder), dict[str, Use]()
    lines = duplicates = torn = size = 0
    for path in store.index.segments():
        for start, line in read_lines(path):
            key, size = key_of(line), size + len(line)
            if key is None:
                torn += bool(line.strip())
                continue
            lines += 1
            if store.index.place(key) == (path, start):
                _count(line, uses, prices)
                told(lines - duplicates, len(store))
            else:
                duplicates += 1
    ordered = tuple(uses[engine] for engine in sorted(uses))
    return StoreStats(len(store.index.segments()), size, lines - duplicates, duplicates, torn, ordered)


def _count(line: bytes, uses: dict[str, Use], prices: Prices) -> None:
    entry = decode(line)
    reply, engine = entry.reply, entry.request.engine
    use, price = uses.setdefault(engine, Use(engine)), prices.of(engine)
    use.replies += 1
    use.prompt_tokens += reply.prompt_tokens
    use.cached_tokens += reply.cached_tokens
    use.completion_tokens += reply.completion_tokens
    use.reasoning_tokens += reply.reasoning_tokens
    use.usd = None if use.usd is None or price is None else use.usd + price.of(reply)
    if entry.time:
        use.first = min(use.first or entry.time, entry.time)
        use.last = max(use.last, entry.time)
