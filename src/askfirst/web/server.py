"""The page's HTTP server: routes, bodies, streams.

Who may speak to it is decided by guard.py and logins.py, what it shows by cards.py and live.py, what it does by api.py.
"""

from __future__ import annotations

import io
import os
import queue
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from askfirst import jsontext
from askfirst.errors import AskfirstError
from askfirst.web.guard import HEADERS, Guard
from askfirst.web.live import Live
from askfirst.web.logins import Logins, PageLogin

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
MAX_BODY_BYTES = 65_536
MAX_CONNECTIONS = 400
MAX_UNHEARD = 64  # connections that have not sent their whole request yet; beyond that the oldest is closed
SLOW_S = 10.0  # a client must have sent its whole request within this, and takes each part of its answer within it
BEAT_S = 10.0  # a comment on the stream, so that a dead page is noticed
OLD_LINK = "this link was already used or is older than 30 seconds: press Enter where `askfirst serve` runs"
_DIGITS = re.compile(r"[0-9]{1,9}")


class Stale(AskfirstError):
    """What the page showed is not so any more: the request changed, or was answered already (409)."""


def files_of(folder: str) -> dict[str, tuple[str, str]]:
    """Address -> (file, type) of what the page consists of: exactly the files that came with askfirst."""
    found = {"/": (os.path.join(folder, "index.html"), KINDS["html"])}
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(directory, name)
            kind = KINDS.get(name.rpartition(".")[2])
            if kind is not None and name != "index.html":
                found["/" + os.path.relpath(path, folder).replace(os.sep, "/")] = (path, kind)
    return found


FILES = files_of(PAGE)


class PageServer(ThreadingHTTPServer):
    """Bound to loopback; `api` does what the page asks for."""

    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True  # a page that is started again may have its port at once

    def __init__(
        self,
        port: int,
        live: Live,
        api: Callable[[str, str, dict[str, Any], PageLogin], Any],
        *,
        logins: Logins,
        origins: tuple[str, ...] = (),
    ) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.guard = Guard(self.server_address[1], origins)
        self.logins = logins
        self.live = live
        self.api = api
        self.stopping = threading.Event()
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._unheard: dict[socket.socket, None] = {}  # in the order in which they came
        self._lock = threading.Lock()

    def link(self, origin: str = "") -> str:
        """A fresh link for a browser."""
        return f"{origin or self.guard.origin}/#{self.logins.code()}"

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self._note_unheard(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.heard(request)
            self._room.release()

    def _note_unheard(self, request: socket.socket) -> None:
        """Whoever opens many connections and says nothing pushes out their own: a browser's request takes
        milliseconds."""
        with self._lock:
            self._unheard[request] = None
            oldest = next(iter(self._unheard)) if len(self._unheard) > MAX_UNHEARD else None
            if oldest is not None:
                del self._unheard[oldest]
        if oldest is not None:
            try:
                oldest.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # gone already

    def heard(self, request: socket.socket) -> None:
        with self._lock:
            self._unheard.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that went away is no error of ours; anything else goes to the terminal in one line.
        error = sys.exc_info()[1]
        if not isinstance(error, (OSError, ValueError)):
            sys.stderr.write(f"askfirst serve: {type(error).__name__}: {error}\n")


class _Arriving(io.RawIOBase):
    """What a client sends, all of it within one deadline, however it is dripped."""

    def __init__(self, connection: socket.socket, within_s: float) -> None:
        self._connection, self._until = connection, time.monotonic() + within_s

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request took too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class Handler(BaseHTTPRequestHandler):
    """One connection, one request: nothing of one caller can leak into the next."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version = "askfirst"
    sys_version = ""
    timeout = SLOW_S

    def setup(self) -> None:
        super().setup()
        self.rfile = io.BufferedReader(_Arriving(self.connection, SLOW_S))

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if not self._may_pass(posting=False, opening=parts.path == "/"):
            return None
        self._is_heard()
        if parts.path in FILES:
            return self._file(*FILES[parts.path])
        login = self._login()
        if login is None:
            return None
        if parts.path == "/api/events":
            return self._stream(login)
        return self._call("GET", parts.path, dict(parse_qsl(parts.query)), login)

    def do_POST(self) -> None:
        if not self._may_pass(posting=True):
            return None
        path = urlsplit(self.path).path
        login = None if path == "/api/session" else self._login()
        if login is None and path != "/api/session":
            return None
        body = self._body()
        self._is_heard()
        if body is None:
            return None
        if login is None:
            return self._enter(str(body.get("code", "")))
        return self._call("POST", path, body, login)

    def _enter(self, code: str) -> None:
        origin = self.server.guard.origin_of(self.headers)
        token = self.server.logins.exchange(code, browser=self.headers.get("User-Agent", ""), address=origin)
        if token is None:
            return self._json(403, {"error": OLD_LINK})
        return self._json(200, {"token": token})

    def _refuse_method(self) -> None:
        self._json(405, {"error": "only GET and POST are allowed"})

    do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_TRACE = do_CONNECT = _refuse_method

    def _is_heard(self) -> None:
        self.server.heard(self.connection)
        self.connection.settimeout(SLOW_S)

    def _may_pass(self, *, posting: bool, opening: bool = False) -> bool:
        refusal = self.server.guard.refusal(self.headers, posting=posting, opening=opening)
        if refusal is not None:
            self._json(refusal.status, {"error": refusal.reason})
        return refusal is None

    def _login(self) -> PageLogin | None:
        login = self.server.logins.of(self.headers.get("Authorization", ""))
        if login is None:
            self._json(401, {"error": "open the link that `askfirst serve` prints"})
        return login

    def _body(self) -> dict[str, Any] | None:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        lengths = self.headers.get_all("Content-Length") or []
        if kind != "application/json":
            self._json(415, {"error": "send JSON"})
            return None
        if len(lengths) != 1 or not _DIGITS.fullmatch(lengths[0].strip()):
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

    def _call(self, method: str, path: str, given: dict[str, Any], login: PageLogin) -> None:
        try:
            found = self.server.api(method, path, given, login)
        except Stale as error:
            return self._json(409, {"error": str(error)})
        except AskfirstError as error:
            return self._json(400, {"error": str(error)})
        if found is None:
            return self._json(404, {"error": "no such address"})
        if method == "POST":
            self.server.live.look_soon()
        return self._json(200, found)

    def _file(self, path: str, kind: str) -> None:
        with open(path, "rb") as file:
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

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the standard library refuses by itself gets the same headers as everything else."""
        self.command = getattr(self, "command", None) or "GET"
        self._json(code, {"error": message or "this is not a request"})

    def _headers(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def _stream(self, login: PageLogin) -> None:
        """Server-sent events, read with fetch (EventSource cannot carry the token)."""
        self.close_connection = True
        subscriber = self.server.live.subscribe(login.id)
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
                self.wfile.write(b"data: " + message + b"\n\n")
        except OSError:
            pass  # the page was closed, or takes nothing: it comes back by itself
        finally:
            self.server.live.unsubscribe(subscriber)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the audit log has what was decided, and a request line is of no use to a person."""

    def version_string(self) -> str:
        return "askfirst"
