"""A client that hangs up leaves no trace in what other tests read; every other error is still told."""

import socket
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from quiet_server import QuietServer


class Long(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/broken":
            raise LookupError("told")
        for _ in range(200):
            self.wfile.write(b"x" * 100_000)

    def log_message(self, *_: object) -> None:
        pass


def ask(path: str) -> None:
    server = QuietServer(("127.0.0.1", 0), Long)
    server.daemon_threads = False  # so that closing waits for the answer's thread
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    with socket.create_connection(server.server_address[:2]) as client:
        client.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        client.recv(10)
    server.shutdown()
    server.server_close()


def test_hanging_up_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    ask("/long")
    assert capsys.readouterr().err == ""


def test_another_error_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    ask("/broken")
    assert "LookupError: told" in capsys.readouterr().err
