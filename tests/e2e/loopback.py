"""A server on loopback that speaks JSON, for as long as a `with` block lasts."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Loopback:
    """What answers is a `Handler` of its own kind, which finds this object as `model`."""

    def __init__(self, handler: type[Handler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (handler,), {"model": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def body(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        return value

    def send_json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
