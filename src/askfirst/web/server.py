"""The page's HTTP server: routes, bodies, streams.

What it may answer is decided by guard.py, what it shows by cards.py and live.py.
"""

from __future__ import annotations

import os
import queue
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from askfirst import jsontext
from askfirst.errors import AskfirstError
from askfirst.web.guard import HEADERS, Guard
from askfirst.web.live import Live

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/app.js": ("app.js", "text/javascript; charset=utf-8"),
    "/card.js": ("card.js", "text/javascript; charset=utf-8"),
    "/merge.js": ("merge.js", "text/javascript; charset=utf-8"),
    "/parts.js": ("parts.js", "text/javascript; charset=utf-8"),
    "/queue.js": ("queue.js", "text/javascript; charset=utf-8"),
    "/views.js": ("views.js", "text/javascript; charset=utf-8"),
    "/dom.js": ("dom.js", "text/javascript; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
MAX_BODY_BYTES = 16_384
MAX_CONNECTIONS = 400
SLOW_S = 15.0  # a client must send its request, and take its answer, within this
BEAT_S = 10.0  # a comment on the stream, so that a dead page is noticed
OLD_LINK = "this link was already used or is older than 30 seconds: press Enter where `askfirst serve` runs"


class Stale(AskfirstError):
    """What the page showed is not so any more: the request changed, or was answered already (409)."""


class PageServer(ThreadingHTTPServer):
    """Bound to loopback; `api` does what the page asks for."""

    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True  # a page that is started again may have its port at once

    def __init__(self, port: int, live: Live, api: Callable[[str, dict[str, Any]], Any]) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.guard = Guard(self.server_address[1])
        self.live = live
        self.api = api
        self.stopping = threading.Event()
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that went away is no error of ours; anything else goes to the terminal in one line.
        error = sys.exc_info()[1]
        if not isinstance(error, (OSError, ValueError)):
            sys.stderr.write(f"askfirst serve: {type(error).__name__}: {error}\n")


class Handler(BaseHTTPRequestHandler):
    """One connection, one request: nothing of one caller can leak into the next."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version = "askfirst"
    sys_version = ""
    timeout = SLOW_S
    readers: ClassVar[dict[str, str]] = {
        "/api/log": "log",
        "/api/grants": "grants",
        "/api/history": "history",
        "/api/team": "team",
    }
    writers: ClassVar[dict[str, str]] = {
        "/api/respond": "respond",
        "/api/approve-all": "approve_all",
        "/api/revoke": "revoke",
        "/api/clear-alert": "clear_alert",
        "/api/merge": "merge",
        "/api/lines": "lines",
    }

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if not self._may_pass(posting=False, opening=parts.path == "/"):
            return
        if parts.path in FILES:
            return self._file(*FILES[parts.path])
        if not self._has_token():
            return None
        if parts.path == "/api/events":
            return self._stream()
        if parts.path in self.readers:
            return self._call(self.readers[parts.path], dict(parse_qsl(parts.query)))
        return self._json(404, {"error": "no such address"})

    def do_POST(self) -> None:
        if not self._may_pass(posting=True):
            return
        path = urlsplit(self.path).path
        if path != "/api/session" and not self._has_token():
            return
        body = self._body()
        if body is None:
            return
        if path == "/api/session":
            token = self.server.guard.exchange(str(body.get("code", "")))
            if token is None:
                return self._json(403, {"error": OLD_LINK})
            return self._json(200, {"token": token})
        if path in self.writers:
            return self._call(self.writers[path], body)
        return self._json(404, {"error": "no such address"})

    def _refuse_method(self) -> None:
        self._json(405, {"error": "only GET and POST are allowed"})

    do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_TRACE = do_CONNECT = _refuse_method

    def _may_pass(self, *, posting: bool, opening: bool = False) -> bool:
        refusal = self.server.guard.refusal(self.headers, posting=posting, opening=opening)
        if refusal is not None:
            self._json(refusal.status, {"error": refusal.reason})
        return refusal is None

    def _has_token(self) -> bool:
        if self.server.guard.knows(self.headers.get("Authorization", "")):
            return True
        self._json(401, {"error": "open the link that `askfirst serve` prints"})
        return False

    def _body(self) -> dict[str, Any] | None:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        lengths = self.headers.get_all("Content-Length") or []
        if kind != "application/json":
            self._json(415, {"error": "send JSON"})
            return None
        if len(lengths) != 1 or not lengths[0].strip().isdigit():
            self._json(411, {"error": "the request needs one Content-Length"})
            return None
        if int(lengths[0]) > MAX_BODY_BYTES:
            self._json(413, {"error": f"the body is longer than {MAX_BODY_BYTES} bytes"})
            return None
        try:
            value = jsontext.loads(self.rfile.read(int(lengths[0])))
        except ValueError:
            value = None
        if not isinstance(value, dict):
            self._json(400, {"error": "the body is not a JSON object"})
            return None
        return value

    def _call(self, name: str, given: dict[str, Any]) -> None:
        try:
            self._json(200, self.server.api(name, given))
        except Stale as error:
            self._json(409, {"error": str(error)})
        except AskfirstError as error:
            self._json(400, {"error": str(error)})

    def _file(self, name: str, kind: str) -> None:
        with open(os.path.join(PAGE, name), "rb") as file:
            self._send(200, kind, file.read())

    def _json(self, status: int, value: Any) -> None:
        self._send(status, "application/json", jsontext.dumps(value).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.close_connection = True
        self.send_response(status)
        self._headers(kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def _stream(self) -> None:
        """Server-sent events, read with fetch (EventSource cannot carry the token)."""
        self.close_connection = True
        subscriber = self.server.live.subscribe()
        try:
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.send_response(200)
            self._headers("text/event-stream")
            self.end_headers()
            while not subscriber.lost and not self.server.stopping.is_set():
                try:
                    message = subscriber.messages.get(timeout=BEAT_S)
                except queue.Empty:
                    self.wfile.write(b": still here\n\n")
                    continue
                if message is None:
                    break
                self.wfile.write(f"event: {message['type']}\ndata: {jsontext.dumps(message)}\n\n".encode())
        except OSError:
            pass  # the page was closed, or takes nothing: it comes back by itself
        finally:
            self.server.live.unsubscribe(subscriber)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the audit log has what was decided, and a request line is of no use to a person."""

    def version_string(self) -> str:
        return "askfirst"
