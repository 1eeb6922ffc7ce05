"""A Hub on 127.0.0.1 for tests: publish to it, load from it, and let it fail as asked.

Speaks what huggingface_hub 0.2x to 2.x and `datasets` 2.21 to 5.2 ask when they publish, load and stream. Every upload
is answered `regular`, so that neither LFS nor Xet comes in. `with HubServer(folder) as hub:` runs it in a thread,
`python tests/hub_server.py --root DIR` in a process, where the JSON of a `Fault` is posted to `/_fault`.
"""

import argparse
import json
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from hub_routes import ROUTES, WRITES, Routes
from hub_store import Answer, Refused, Store
from quiet_server import QuietServer

WRITE_TOKEN, READ_TOKEN = "hf_tests_may_write", "hf_tests_may_read"


@dataclass
class Fault:
    """What goes wrong with the calls of a route: the first `skip` pass, the next `times` do not."""

    route: str
    status: int = 0  # answered instead
    headers: dict[str, str] = field(default_factory=dict)  # ... with these, e.g. Retry-After
    drop: bool = False  # the connection is closed without an answer
    cut: int | None = None  # ... or after so many bytes of its body
    done: bool = False  # the request is carried out all the same, only its answer is lost
    delay: float = 0.0  # seconds
    act: Callable[[], Any] | None = None  # what somebody else does just before
    skip: int = 0
    times: int = 1


class Request(NamedTuple):
    """A request as it came in; `user` is `writer`, `reader`, `stranger` (an unknown token) or empty."""

    method: str
    path: str
    route: str
    user: str


class HubServer(Store):
    """The server; `requests` is what it was asked, `page` how many entries a page of a tree holds."""

    def __init__(self, root: Path, port: int = 0, page: int = 1000) -> None:
        super().__init__(root)
        self.page = page
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.http = QuietServer(("127.0.0.1", port), type("Handler", (_Handler,), {"hub": self}))
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def __enter__(self) -> "HubServer":
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()

    def environment(self, home: Path, token: str = "") -> dict[str, str]:
        """Return the environment of a process that knows this Hub alone, with `home` as its HF_HOME."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        ours = {"HF_ENDPOINT": self.url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
        return {**kept, **ours, "HF_HUB_DISABLE_TELEMETRY": "1", **({"HF_TOKEN": token} if token else {})}

    def fail(self, route: str, **fault: Any) -> None:
        """Let calls of a route (a name of ROUTES) fail, see `Fault`."""
        assert route in {name for name, _, _ in ROUTES}, route
        self.faults.append(Fault(route, **fault))

    def asked(self, route: str) -> list[Request]:
        """Return the requests of a route so far."""
        return [request for request in self.requests if request.route == route]

    def next_fault(self, route: str) -> Fault:
        """Return what goes wrong with this call of a route, and count it."""
        with self.lock:
            for fault in self.faults:
                if fault.route == route and fault.skip > 0:
                    fault.skip -= 1
                elif fault.route == route and fault.times > 0:
                    fault.times -= 1
                    return fault
        return Fault(route)


class _Handler(Routes, BaseHTTPRequestHandler):
    """One request: find its route, let a fault have its way, answer."""

    hub: HubServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        self.query = {name: values[-1] for name, values in parse_qs(split.query).items()}
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.user = self.who()
        route, given = self.match(split.path)
        self.hub.requests.append(Request(self.command, self.path, route, self.user))
        fault = self.hub.next_fault(route)
        time.sleep(fault.delay)
        if fault.act:
            fault.act()
        lost = fault.drop or fault.status
        answer = self.answer(route, given) if fault.done or not lost else None
        if lost or answer is None:
            answer = Answer(fault.status, {"error": "as the test asked"}, fault.headers)
        self.send(answer, fault)

    do_HEAD = do_POST = do_DELETE = do_PUT = do_GET  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def who(self) -> str:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        return {WRITE_TOKEN: "writer", READ_TOKEN: "reader", "": ""}.get(token, "stranger")

    def match(self, path: str) -> tuple[str, dict[str, str]]:
        for name, methods, pattern in ROUTES:
            if self.command in methods.split() and (found := re.fullmatch(pattern, path)):
                return name, {key: unquote(value) for key, value in found.groupdict().items() if value is not None}
        return "none", {}

    def answer(self, route: str, given: dict[str, str]) -> Answer:
        try:
            if route == "none":
                raise Refused(404, "Sorry, we can't find the page you are looking for.")
            if self.user == "stranger":
                raise Refused(401, "Invalid credentials in Authorization header")
            if route in WRITES and not self.user:
                raise Refused(401, "Invalid username or password.")
            if route in WRITES and self.user == "reader":
                raise Refused(403, "Forbidden: you must have write access to content in this repository.")
            with self.hub.lock:
                found: Answer = getattr(self, route)(**given)
                return found
        except Refused as refused:
            return refused.answer

    def send(self, answer: Answer, fault: Fault) -> None:
        self.close_connection = self.close_connection or fault.drop or fault.cut is not None
        if fault.drop:
            return
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: fault.cut])

    def fault(self) -> Answer:
        self.hub.fail(**json.loads(self.body))
        return Answer(200, {})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="folder of everything that is published")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = HubServer(options.root, options.port)
    print(server.url, flush=True)
    server.http.serve_forever()
