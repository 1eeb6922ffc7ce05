"""The HTTP server under the test servers: a client that hangs up is no error of theirs."""

import sys
from http.server import ThreadingHTTPServer
from typing import Any


class QuietServer(ThreadingHTTPServer):
    """Say nothing of a dropped connection: what a thread prints would land in the output that another test checks."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report any other error as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
