"""Lets a person's browser reach a server inside a box: a port of this machine's loopback is passed on to the same port
of the session's."""

from __future__ import annotations

import os
import selectors
import socket

from askfirst.box import kernel, session
from askfirst.box.engine import BoxError

PIECE = 1 << 16


class Forwarder:
    """Listens outside, connects inside. A socket belongs to the network in which it was made, so this process first
    listens and then enters the session's."""

    def __init__(self, place: str, inside_port: int, outside_port: int) -> None:
        fds = session.namespaces(place)
        if not fds:
            raise BoxError("this session has no network any more: nothing of it runs")
        self.listening = socket.create_server(("127.0.0.1", outside_port))
        self.port = self.listening.getsockname()[1]
        self.inside_port = inside_port
        for fd, kind in zip(fds, (kernel.NEWUSER, kernel.NEWNET), strict=False):
            kernel.setns(fd, kind)
        for fd in fds:
            os.close(fd)
        self.events = selectors.DefaultSelector()
        self.events.register(self.listening, selectors.EVENT_READ)
        self.other: dict[socket.socket, socket.socket] = {}

    def run(self) -> None:
        while True:
            for key, _ in self.events.select():
                found = key.fileobj
                if not isinstance(found, socket.socket):
                    continue
                if found is self.listening:
                    self._accept()
                elif found in self.other:
                    self._pass_on(found)

    def _accept(self) -> None:
        outside, _ = self.listening.accept()
        try:
            inside = socket.create_connection(("127.0.0.1", self.inside_port), timeout=5)
        except OSError:
            outside.close()
            return
        inside.settimeout(None)
        self.other[outside], self.other[inside] = inside, outside
        for end in (outside, inside):
            self.events.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            data = end.recv(PIECE)
            if data:
                self.other[end].sendall(data)
                return
        except OSError:
            pass
        other = self.other.pop(end)
        self.other.pop(other, None)
        for closing in (end, other):
            self.events.unregister(closing)
            closing.close()
