"""A network between a machine and the database that a test can cut, or let swallow everything."""

from __future__ import annotations

import contextlib
import socket
import threading

from tests.team.server import Server


class Network:
    """Forwards to a server while `mode` is "up"; "down" refuses and cuts, "lost" takes everything and answers
    nothing."""

    def __init__(self, server: Server) -> None:
        self._to = (server.host, server.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.mode = "up"
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._run(self._accept)

    def _run(self, work: object, *values: object) -> None:
        threading.Thread(target=work, args=values, daemon=True).start()  # type: ignore[arg-type]

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.mode == "down":
                near.close()
                continue
            with self._lock:
                self._open.append(near)
            if self.mode == "lost":
                continue
            try:
                far = socket.create_connection(self._to, timeout=10)
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open.append(far)
            self._run(self._pump, near, far)
            self._run(self._pump, far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while self.mode == "lost":
                    threading.Event().wait(0.02)
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.close()

    def cut(self) -> None:
        """Every connection ends now, and none is made."""
        self.mode = "down"
        with self._lock:
            for end in self._open:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                    end.close()
            self._open.clear()

    def swallow(self) -> None:
        self.mode = "lost"

    def restore(self) -> None:
        if self.mode == "lost":
            self.cut()
        self.mode = "up"

    def close(self) -> None:
        self.cut()
        self._listener.close()
