"""How many calls a second the engine `openai:` makes, against a bare AsyncOpenAI loop at the same server.

Run: python tests/bench/bench_openai.py. The server, a process of its own, answers after 50 ms; 256 calls are in flight,
so that nobody can make more than 5,120 calls a second. aiohttp alone shows what a leaner client could make.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fault_server import FaultServer
from faults import echo

from eval.models.engine import EngineOptions, Message, Reply, Request, open_engine
from eval.models.openai_body import body

SLOTS, SECONDS, CALLS, REPETITIONS, AIM = 256, 0.05, 1000, 3, 0.9
Ask = Callable[[dict[str, object]], Awaitable[str]]


def serve(pipe: Connection) -> None:
    """Run the server until the other end of the pipe closes."""
    with FaultServer(SECONDS) as server:
        pipe.send(server.base_url)
        pipe.poll(None)


def requests(name: str) -> list[Request]:
    """Prompts of the length that an evaluation's have, some 700 tokens."""
    context = "The Seville stands on Orinoco, with the harbour on three sides. " * 45
    return [Request("openai:fake", (Message("user", f"{context}\n{name} {number}"),)) for number in range(CALLS)]


def check(asked: list[Request], texts: list[str]) -> None:
    """Stop if anybody got another's answer, or none."""
    if sorted(texts) != sorted(echo(request.messages[0].content) for request in asked):
        sys.exit("wrong answers")


def with_engine(base_url: str, asked: list[Request]) -> list[str]:
    with open_engine("openai:fake", EngineOptions(base_url, SLOTS)) as engine:
        return [answer.text for answer in engine.ask(asked) if isinstance(answer, Reply)]


async def gather(asked: list[Request], ask: Ask) -> list[str]:
    """Ask with as many workers as there are slots."""
    waiting = iter(asked)

    async def worker() -> list[str]:
        return [await ask(body("fake", request, ())) for request in waiting]

    return [text for texts in await asyncio.gather(*(worker() for _ in range(SLOTS))) for text in texts]


async def bare(base_url: str, asked: list[Request], aio: bool = False) -> list[str]:
    from openai import AsyncOpenAI, DefaultAioHttpClient

    client = AsyncOpenAI(base_url=base_url, http_client=DefaultAioHttpClient() if aio else None)

    async def ask(sent: dict[str, object]) -> str:
        return (await client.chat.completions.create(**sent)).choices[0].message.content

    async with client:
        return await gather(asked, ask)


async def lean(base_url: str, asked: list[Request]) -> list[str]:
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(sent: dict[str, object]) -> str:
            async with session.post(f"{base_url}/chat/completions", json=sent) as answer:
                return (await answer.json())["choices"][0]["message"]["content"]

        return await gather(asked, ask)


WAYS: dict[str, Callable[[str, list[Request]], list[str]]] = {
    "bare AsyncOpenAI": lambda url, asked: asyncio.run(bare(url, asked)),
    "bare AsyncOpenAI over aiohttp": lambda url, asked: asyncio.run(bare(url, asked, aio=True)),
    "openai: engine": with_engine,
    "aiohttp alone": lambda url, asked: asyncio.run(lean(url, asked)),
}


def main() -> None:
    """Print calls a second (best of the repetitions) and CPU time of each way; exit 1 below the aim."""
    os.environ["OPENAI_API_KEY"] = "none"
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    base_url = ours.recv()
    rates: dict[str, list[float]] = {name: [] for name in WAYS}
    costs: dict[str, list[float]] = {name: [] for name in WAYS}
    for repetition in range(REPETITIONS):
        for name, way in WAYS.items():
            asked = requests(f"{name} {repetition}")
            start, cpu = perf_counter(), process_time()
            texts = way(base_url, asked)
            rates[name].append(CALLS / (perf_counter() - start))
            costs[name].append((process_time() - cpu) / CALLS * 1000)
            check(asked, texts)
    server.kill()
    print(f"{SLOTS} in flight, {SECONDS * 1000:.0f} ms a reply, {CALLS} calls:")
    for name in WAYS:
        print(f"  {name}: {max(rates[name]):.0f} calls/s, {min(costs[name]):.2f} ms CPU a call")
    ratio = max(rates["openai: engine"]) / max(rates["bare AsyncOpenAI"])
    print(f"ratio to the bare loop {ratio:.2f} (aim {AIM})")
    sys.exit(ratio < AIM)


if __name__ == "__main__":
    main()
