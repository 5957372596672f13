"""Who may talk to the live view: browsers that know its address with the token in it, from pages of its own alone.

Any page in a browser can open a websocket to this machine, and a name of any site can be made to point here. So the
address holds a token that a foreign page cannot know, the name in a request's Host must be one of this server's, and
the Origin of a websocket must be the page itself. What is said that no page says ends the connection, not in a
traceback.
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import importlib
import secrets
import threading
from collections.abc import Iterator
from typing import Any

EVERYWHERE = ("0.0.0.0", "::")
# What a websocket is closed with: its data made no sense (RFC 6455).
_INVALID_DATA = 1007
_PATCHED = threading.Lock()


class Guard:
    """The token of one server and its judgement on requests."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.port = 0  # known once the server listens
        self.token = secrets.token_urlsafe(16)
        self.installed = False

    def refusal(self, path: str, headers: Any) -> tuple[http.HTTPStatus, str] | None:
        """Why a request is refused, as a status and a sentence; None if it may pass."""
        named = str(headers.get("Host", ""))
        if not self._named_here(named):
            return http.HTTPStatus.FORBIDDEN, f"the request is for {named!r}, which is not the address of this view"
        if not self._has_token(path):
            return http.HTTPStatus.FORBIDDEN, "open the whole address that flexarm view printed: its last part is a key"
        origin = headers.get("Origin")
        if origin is not None and origin != f"http://{named}":
            return http.HTTPStatus.FORBIDDEN, f"the page at {origin!r} may not talk to this view"
        return None

    def _named_here(self, named: str) -> bool:
        """Whether a Host header names this server: another name may be a foreign one made to point here."""
        if self.host in EVERYWHERE:
            return True  # reached by names nobody here knows: the token alone must do
        names = {self.host, "localhost", "127.0.0.1", "::1"}
        return named in {f"[{name}]:{self.port}" if ":" in name else f"{name}:{self.port}" for name in names}

    def _has_token(self, path: str) -> bool:
        first = path.partition("?")[0].strip("/").partition("/")[0]
        return secrets.compare_digest(first.encode(), self.token.encode())

    def _without_token(self, path: str) -> str:
        return "/" + path.lstrip("/")[len(self.token) :].lstrip("/")

    @contextlib.contextmanager
    def installing(self) -> Iterator[None]:
        """Within it a server of viser that starts is guarded.

        viser has no place for a check of its own, so the function of `websockets` by which it listens is replaced for
        as long as it starts. `installed` is True once it was called.
        """
        server: Any = importlib.import_module("websockets.asyncio.server")
        listen = server.serve
        with _PATCHED:
            server.serve = lambda handler, *args, **options: self._guarded(listen, handler, args, options)
            try:
                yield
            finally:
                server.serve = listen

    def _guarded(self, listen: Any, handler: Any, args: Any, options: dict[str, Any]) -> Any:
        self.installed = True
        answer = options.get("process_request")

        def checked(connection: Any, request: Any) -> Any:
            refused = self.refusal(request.path, request.headers)
            if refused is not None:
                status, sentence = refused
                return connection.respond(status, sentence + "\n")
            request.path = self._without_token(request.path)
            return None if answer is None else answer(connection, request)

        async def steady(connection: Any) -> None:
            # what viser does with a message it does in tasks of its own
            asyncio.get_running_loop().set_exception_handler(_unheard)
            try:
                await handler(connection)
            except Exception:
                await connection.close(_INVALID_DATA, "not a message of this page")

        return listen(steady, *args, **{**options, "process_request": checked})


def _unheard(_loop: asyncio.AbstractEventLoop, _context: dict[str, Any]) -> None:
    """Ignore a message that matches nothing on the page; the page goes on."""
