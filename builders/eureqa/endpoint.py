"""A SPARQL endpoint, what is asked of it at most, and what its failures mean."""

import ast
from base64 import b64encode
from dataclasses import dataclass
from typing import cast
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit

from eval.models.openai_retry import retry_after
from loaders.errors import DecoyQAError

BUSY = (408, 429, 502, 503, 504)
TOO_MUCH = (413, 500)  # Virtuoso sends 500 where it expects a query to take too long
SHOWN = 120  # characters of a server's words
PER_SECOND = 10.0  # a tenth of what DBpedia's public endpoint allows


class TooMuchError(DecoyQAError):
    """No whole answer came; the same query would bring no other, but half of it may."""


class SlowError(TooMuchError):
    """No whole answer came in time."""


class BusyError(DecoyQAError):
    """No answer at all: worth another try, after `wait` seconds where the endpoint asks for them."""

    wait: float | None = None


@dataclass(frozen=True)
class Endpoint:
    """Where a graph can be asked, and how politely that is done.

    `snapshot` names what it holds: replies are kept under it, so change it when the data changes. `graph` is the
    default graph where the endpoint has several; user and password may stand in the URL. Raises DecoyQAError for what
    is no URL.
    """

    url: str
    snapshot: str = "unnamed"
    graph: str = ""
    timeout: float = 120.0  # seconds for a whole answer
    per_second: float = PER_SECOND  # requests
    tries: int = 6
    stored: bool = False  # nothing is sent: all answers must have been kept before

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            # Not printed: nobody knows which part of it is a password.
            raise DecoyQAError("expected the address of a SPARQL endpoint to begin with http:// or https://")

    @property
    def bare_url(self) -> str:
        """The URL without user and password."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    @property
    def name(self) -> str:
        """The URL without anything that may be secret."""
        return urlunsplit(urlsplit(self.bare_url)._replace(query="", fragment=""))

    @property
    def account(self) -> tuple[str, str]:
        """User and password, empty where the URL has none."""
        parts = urlsplit(self.url)
        return unquote(parts.username or ""), unquote(parts.password or "")

    def facts(self) -> dict[str, str]:
        """Return what a manifest says of it: no secret, and of the data what names them."""
        return {"name": self.name, "snapshot": self.snapshot, "graph": self.graph}

    def problem(self, expected: str, found: str) -> str:
        """Return one line for the user; a careless server may have repeated our secrets to us."""
        user, password = self.account
        for secret in (b64encode(f"{user}:{password}".encode()).decode(), password, urlsplit(self.url).query):
            found = found.replace(secret, "***") if secret else found
        return f"{self.name}: expected {expected}, found {found}"

    def trouble(self, error: Exception) -> DecoyQAError:
        """Return what an exception of a request means."""
        # The wrapper hides some statuses behind exceptions of its own, which keep urllib's as their context.
        refusal = error if isinstance(error, HTTPError) else error.__context__
        if isinstance(refusal, HTTPError):
            return self._refused(refusal, _said(error) or refusal.read(SHOWN * 4))
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, TimeoutError):
            return SlowError(self.problem("an answer", f"none within {self.timeout:g} seconds"))
        return BusyError(self.problem("an answer", str(reason) or type(reason).__name__))

    def _refused(self, refusal: HTTPError, body: bytes) -> DecoyQAError:
        kind = BusyError if refusal.code in BUSY else TooMuchError if refusal.code in TOO_MUCH else DecoyQAError
        found = kind(self.problem("an answer", f"HTTP {refusal.code}: {words(body) or refusal.reason}"))
        if isinstance(found, BusyError):
            found.wait = retry_after({name.lower(): value for name, value in refusal.headers.items()})
        return found


def words(body: bytes) -> str:
    """Return the beginning of what a server sent, on one line."""
    return " ".join(body.decode("utf-8", "replace").split())[:SHOWN]


def _said(error: Exception) -> bytes:
    """Return the server's words, which the wrapper puts behind its own as Python would print the bytes."""
    printed = str(error).partition("Response:\n")[2]
    return cast(bytes, ast.literal_eval(printed)) if printed else b""
