"""How a call travels: over aiohttp, which finds a free connection at once where httpx2 searches all of them.

HTTP/1.1 does not say which call an answer belongs to. What a server sends unasked (an answer twice, say) would be
taken for the next call's answer, so a connection on which anything waits is closed. httpx2 does not look, aiohttp only
when it takes a connection back.
"""

from functools import cache
from ssl import SSLContext
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from yarl import URL

from eval.models.openai_endpoint import Endpoint

CONNECT_SECONDS = 20.0


def open_client(endpoint: Endpoint) -> AsyncOpenAI:
    """Return a client that neither tries again nor stops waiting: who uses it does."""
    return AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key,
        default_headers=endpoint.headers,
        default_query=endpoint.query,
        timeout=None,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(transport=Transport()),
    )


class Transport(httpx2.AsyncBaseTransport):
    """A transport without limits of its own, used by one event loop; proxies are taken from the environment."""

    def __init__(self) -> None:
        self._ssl = httpx2.create_ssl_context()
        self._session: aiohttp.ClientSession | None = None
        self._proxy_of = cache(proxy_of)  # reading the environment takes as long as a call

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read the whole answer; raises httpx2.TransportError."""
        self._session = self._session or _session(self._ssl)
        address = URL(str(request.url), encoded=True)
        try:
            async with self._session.request(
                request.method,
                address,
                headers=request.headers.multi_items(),
                data=await request.aread(),
                proxy=self._proxy_of(address.scheme, address.host),
                allow_redirects=False,
            ) as answer:
                content = await answer.read()
        except aiohttp.ClientError as error:
            raise httpx2.TransportError(f"{type(error).__name__}: {error}") from error
        return httpx2.Response(answer.status, headers=answer.raw_headers, content=content)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session:
            await self._session.close()


class _Connector(aiohttp.TCPConnector):
    async def connect(self, req: ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout) -> Connection:
        """Return a connection on which nothing waits."""
        connection = await super().connect(req, traces, timeout)
        while connection.protocol is None or connection.protocol.should_close:
            connection.close()
            connection = await super().connect(req, traces, timeout)
        return connection


def _session(ssl: SSLContext) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=_Connector(limit=0, ssl=ssl),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
        auto_decompress=False,  # httpx2 does
    )


def proxy_of(scheme: str, host: str | None) -> str | None:
    """Return the proxy that the environment (HTTPS_PROXY, NO_PROXY) names for an address."""
    proxies = getproxies()
    return None if proxy_bypass(host or "") else proxies.get(scheme) or proxies.get("all")
