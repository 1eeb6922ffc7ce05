"""SPARQL servers of tests: the real oxigraph and Virtuoso in processes of their own, and a proxy with faults.

with Oxigraph(["graph.nt"], folder) as url: ...
with FaultyProxy(url) as proxy:
    proxy.faults = ["503", "half"]  # the next two answers; afterwards it passes all on
"""

import json
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Self

from quiet_server import QuietServer

OXIGRAPH = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
JSON = "application/sparql-results+json"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A server process; `url` is where it is asked."""

    url: str
    process: "subprocess.Popen[bytes]"

    def __enter__(self) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", int(self.url.split(":")[2].partition("/")[0])), 1).close()
                return self.url
            time.sleep(0.05)
        raise RuntimeError(f"{self.process.args!r} does not answer")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)


class Oxigraph(Server):
    """PyPI's `oxigraph`, with files loaded as they are, odd IRIs too."""

    def __init__(self, files: Sequence[Path], folder: Path) -> None:
        assert OXIGRAPH, "pip install oxigraph"
        port, store = free_port(), str(folder / "oxigraph")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        for file in files:
            subprocess.run([OXIGRAPH, "load", "--lenient", "-l", store, "-f", str(file)], check=True, **quiet)  # type: ignore[call-overload]
        self.url = f"http://127.0.0.1:{port}/query"
        words = [OXIGRAPH, "serve-read-only", "-l", store, "-b", f"127.0.0.1:{port}"]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


INI = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
MaxCheckpointRemap = 2000
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
MaxCheckpointRemap = 2000
[Parameters]
ServerPort = {sql}
DirsAllowed = ., {folder}, {data}
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
LiteMode = 0
[HTTPServer]
ServerPort = {http}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = 10000
MaxQueryCostEstimationTime = 400
MaxQueryExecutionTime = 60
"""


class Virtuoso(Server):
    """Debian's Virtuoso, the engine behind dbpedia.org, with its limit of 10,000 rows."""

    def __init__(self, files: Sequence[Path], folder: Path) -> None:
        ports = {"sql": free_port(), "http": free_port()}
        (folder / "virtuoso.ini").write_text(INI.format(folder=folder, data=files[0].parent, **ports))
        words = ["virtuoso-t", "+configfile", str(folder / "virtuoso.ini"), "+foreground"]
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{ports['http']}/sparql"
        self._files, self._sql = files, ports["sql"]

    def __enter__(self) -> str:
        url = super().__enter__()
        for file in self._files:
            # Bits of the flags: take names that are no proper IRIs as they are.
            load = f"DB.DBA.TTLP_MT(file_to_string_output('{file}'), '', 'http://dbpedia.org', 255);"
            self._run(load)
        self._run("checkpoint;")
        return url

    def _run(self, command: str) -> None:
        words = ["isql-vt", f"127.0.0.1:{self._sql}", "dba", "dba", f"exec={command}"]
        for _ in range(50):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0 and "Error" not in done.stderr:
                return
            time.sleep(0.2)
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")


class FaultyProxy:
    """A proxy on 127.0.0.1 before a real endpoint, or before nothing at all.

    `faults` are taken one a request; `fault` decides for the rest. `queries` and `heads` keep what was asked.
    """

    def __init__(self, target: str = "") -> None:
        self.target = target
        self.faults: list[str] = []
        self.fault: Callable[[str], str] = lambda query: ""
        self.queries: list[str] = []
        self.heads: list[dict[str, str]] = []
        self.limit = 10  # rows that the fault `maxrows` lets through
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.handle(self)

            def do_GET(self) -> None:
                self.send_error(405, "this test server wants POST")

            def log_message(self, *_: Any) -> None:
                pass

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/sparql"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        body = http.rfile.read(int(http.headers["Content-Length"]))
        query = urllib.parse.parse_qs(body.decode())["query"][0]
        self.queries.append(query)
        self.heads.append(dict(http.headers))
        fault = self.faults.pop(0) if self.faults else self.fault(query)
        with suppress(ConnectionError):
            self._answer(http, body, fault)

    def _answer(self, http: BaseHTTPRequestHandler, body: bytes, fault: str) -> None:
        if fault == "hangup":
            return http.connection.shutdown(socket.SHUT_RDWR)
        if fault == "slow":
            time.sleep(2.0)
        if fault.isdigit() and fault != "206":
            after = {"Retry-After": "7"} if fault in ("429", "503") else {}
            told = f"as told, {http.headers.get('Authorization', 'nobody')}".encode()
            return self._send(http, int(fault), after | {"Content-Type": "text/plain"}, told)
        if fault == "html":
            return self._send(
                http, 200, {"Content-Type": "text/html"}, b"<html><body>Welcome to the wiki</body></html>"
            )
        if fault == "empty":
            return self._send(http, 200, {"Content-Type": JSON}, b"")
        if fault == "other-json":
            return self._send(http, 200, {"Content-Type": "application/json"}, b'{"error": "no such thing"}')
        status, headers, answer = self._good(body)
        if fault == "drips":
            return self._send(http, 200, headers, answer, pause=0.2)
        if fault == "maxrows":
            found = json.loads(answer)
            rows = found["results"]["bindings"]
            headers |= {"X-SPARQL-MaxRows": str(self.limit)} if len(rows) > self.limit else {}
            found["results"]["bindings"] = rows[: self.limit]
            answer = json.dumps(found).encode()
        if fault == "silent":  # rows are missing, and nothing says so
            found = json.loads(answer)
            found["results"]["bindings"] = found["results"]["bindings"][:-1]
            answer = json.dumps(found).encode()
        if fault == "half":
            answer = answer[: len(answer) // 2]
        if fault == "s1tat":
            headers |= {"X-SQL-State": "S1TAT", "X-SQL-Message": "RC...: Returning incomplete results"}
        return self._send(http, 206 if fault == "206" else status, headers, answer)

    def _good(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if not self.target:
            empty = {"head": {"vars": []}, "results": {"bindings": []}}
            return 200, {"Content-Type": JSON}, json.dumps(empty).encode()
        fields = {"Accept": JSON, "Content-Type": "application/x-www-form-urlencoded"}
        with urllib.request.urlopen(urllib.request.Request(self.target, body, fields)) as answer:
            return 200, {"Content-Type": JSON}, answer.read()

    @staticmethod
    def _send(
        http: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes, pause: float = 0.0
    ) -> None:
        http.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            http.send_header(name, value)
        http.end_headers()
        pieces = [body[i : i + 16] for i in range(0, len(body), 16)] if pause else [body]
        for piece in pieces:
            http.wfile.write(piece)
            time.sleep(pause)
