"""Where an OpenAI-compatible endpoint is, what it is told to let us in, and which of that nobody may read."""

import logging
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import SplitResult, parse_qsl, quote, quote_plus, unquote, urlsplit
from urllib.request import getproxies

from loaders.errors import DecoyQAError

OPENAI = "https://api.openai.com/v1"
NO_KEY = "no-key"  # what a server that asks for no key is told
HIDDEN = "[secret]"


@dataclass(frozen=True)
class Endpoint:
    """An address without credentials or query, and apart from it what is sent along."""

    url: str
    host: str
    key: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    def hide(self, text: str) -> str:
        """Return a message without anything that opens the endpoint."""
        return self._any.sub(HIDDEN, text).encode("utf-8", "replace").decode()

    def hide_in_reply(self, text: str) -> str:
        """Return what a model said without keys that a server put there; `ollama` as a key is left alone as a word."""
        for secret in self._unmistakable:
            text = text.replace(secret, HIDDEN)
        return text

    @cached_property
    def _any(self) -> "re.Pattern[str]":
        return re.compile("|".join(map(re.escape, self.secrets)) or r"(?!)")

    @cached_property
    def _unmistakable(self) -> tuple[str, ...]:
        return tuple(s for s in self.secrets if len(s) >= 20 or (len(s) >= 12 and re.search(r"\d", s)))


class HidingFilter(logging.Filter):
    """Takes the secrets of an endpoint out of log lines: the HTTP client logs whole addresses."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self._endpoint = endpoint

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite a line; it is always kept."""
        record.msg, record.args = self._endpoint.hide(record.getMessage()), ()
        return True


def find_endpoint(base_url: str) -> Endpoint:
    """Find address and key as the package openai does: OPENAI_BASE_URL where none is given, OPENAI_API_KEY.

    Raises DecoyQAError for an address that is none, for a key that no header can carry, and where api.openai.com is to
    be asked without a key; any other server may need none. A user and password in the address become a header, its
    query goes with every call.
    """
    address = _split(base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI)
    userinfo, _, host = address.netloc.rpartition("@")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key and not userinfo and address.hostname == "api.openai.com":
        raise DecoyQAError("OPENAI_API_KEY is not set; set it, or name another endpoint with OPENAI_BASE_URL")
    if not re.fullmatch(r"[!-~]*", key):
        raise DecoyQAError("OPENAI_API_KEY holds characters that no key has")
    query = dict(parse_qsl(address.query))
    logins = (userinfo, *(urlsplit(proxy).netloc.rpartition("@")[0] for proxy in getproxies().values()))
    of_logins = (form for login in logins for form in (login, login.partition(":")[2], _basic(login)))
    secrets = _forms((key, *of_logins, *query.values(), *_custom_headers()))
    return Endpoint(
        url=address._replace(netloc=host, query="", fragment="").geturl(),
        host=host,
        key=key or NO_KEY,
        headers={"Authorization": f"Basic {_basic(userinfo)}"} if userinfo else {},
        query=query,
        secrets=tuple(sorted(secrets, key=len, reverse=True)),  # the longest first: one may lie in another
    )


def _split(url: str) -> SplitResult:
    expected = "expected a base URL of the form http://HOST:PORT/v1"
    try:
        address = urlsplit(url.strip())
        usable = address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # its text holds parts of the address
        usable = False
    if not usable:
        raise DecoyQAError(expected)
    return address


def _basic(login: str) -> str:
    return b64encode(unquote(login).encode()).decode()


def _custom_headers() -> Iterator[str]:
    """Yield the values of the headers that the package openai takes from the environment."""
    for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines():
        value = line.partition(":")[2].strip()
        yield value
        yield value.rpartition(" ")[2]  # without `Bearer`


def _forms(secrets: Iterable[str]) -> set[str]:
    """Return each secret as it is and as it stands in a URL; very short ones are everywhere and hide nothing."""
    ways = (str, unquote, quote_plus, lambda secret: quote(secret, safe=""))
    return {form for secret in secrets for way in ways if len(form := way(secret)) > 3}
