"""The client in Python, for where no compiler is: the same steps as client.c, before anything else is imported."""

from __future__ import annotations

import os
import select
import sys
import time
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket  # `socket` itself takes milliseconds

from askfirst.resident import protocol
from askfirst.resident import socket_place as places
from askfirst.resident.peer import peer_of

LOST, SAMPLED = "--lost", "--sample"
SETTLED_S = 3600.0


class Input:
    """What the agent sent: all of it, or its beginning where it is too long."""

    def __init__(self) -> None:
        self.data, self.is_whole = b"", True
        parts, size = [], 0
        while chunk := os.read(0, 1 << 20):
            parts.append(chunk)
            size += len(chunk)
            if size > protocol.MAX_INPUT_BYTES:
                self.is_whole = False
                break
        self.data = b"".join(parts)


def asked(words: list[str]) -> tuple[protocol.Answered | None, list[str], bytes]:
    """The warm process's answer to `askfirst hook …`; or, for the cold hook, words and what was read of the input."""
    if is_off():
        return None, words, b""
    place = places.default()
    try:
        for stream in range(3):
            os.fstat(stream)  # what is opened later must not become one of these
        given = Input()
    except OSError:
        return None, words, b""
    how: list[str] = []
    if given.is_whole and places.is_private(place):
        key = os.urandom(protocol.KEY_BYTES)
        if key[0] % protocol.SAMPLE == 0:
            how = [SAMPLED]
        else:
            exchange = Exchange(place, key)
            answer = exchange.ask(words, given.data)
            if answer is not None:
                return answer, [], b""
            how = exchange.how
    return None, [*words, "--place", place, *how], given.data


def is_off() -> bool:
    """Switching it off costs time and nothing else, so the environment may."""
    return os.environ.get("ASKFIRST_RESIDENT") == "off"


class Exchange:
    """One call that the warm process is asked about."""

    def __init__(
        self, place: str, key: bytes, kind: bytes = protocol.HOOK, effects_s: float = protocol.EFFECTS_S
    ) -> None:
        self.place, self.key, self.kind, self.effects_s = place, key, kind, effects_s
        self.how: list[str] = []  # what the cold hook has to know, if it must judge
        self._pid, self._began = 0, time.time()

    def ask(self, words: list[str], given: bytes) -> protocol.Answered | None:
        """The answer; None where the cold hook has to judge, and then `how` says what it must know."""
        deadline = time.monotonic() + protocol.PATIENCE_S
        try:
            token = protocol.token_pipe()
        except OSError:
            return None
        try:
            found = self._exchange(self._call(words, given), token, deadline)
        except (OSError, ValueError):
            found = None
        if found is None and not protocol.take(token):
            self.how = [LOST, f"{self.key.hex()}:{self._pid}:{self._began:.6f}"] if self._pid else []
        os.close(token)
        return found if found is not None and found.kind == protocol.ANSWER else None

    def _call(self, words: list[str], given: bytes) -> bytes:
        umask = os.umask(0o077)
        os.umask(umask)
        root, here = os.stat("/"), os.stat(".")
        return protocol.HookCall(
            places.build().encode(),
            self.key,
            self.kind,
            umask=umask,
            root=(root.st_dev, root.st_ino),
            here=(here.st_dev, here.st_ino),
            cwd=os.getcwdb(),
            words=(self.kind, *map(os.fsencode, words)),
            environ=tuple(name + b"=" + value for name, value in os.environb.items()),
            input=given,
        ).packed()

    def _exchange(self, request: bytes, token: int, deadline: float) -> protocol.Answered | None:
        line = socket(AF_UNIX, SOCK_STREAM)
        try:
            line.setblocking(False)
            line.connect(places.socket_path(self.place))
            peer = peer_of(line)
            if peer.uid != os.geteuid() or peer.pid <= 0 or peer.executable != os.path.realpath(sys.executable):
                raise protocol.Malformed("not this user's process")
            self._pid = peer.pid
            rest = memoryview(request)
            passed = (SOL_SOCKET, SCM_RIGHTS, token.to_bytes(4, sys.byteorder))
            rest = rest[line.sendmsg([rest], [passed]) :]
            while rest:
                if not _ready(line, select.POLLOUT, deadline):
                    return None
                rest = rest[line.send(rest) :]
            return self._reply(line, token, deadline)
        finally:
            line.close()

    def _reply(self, line: socket, token: int, deadline: float) -> protocol.Answered | None:
        """Silence is taken for "no" after a second, or after half a minute where the call is judged already."""
        reply = bytearray()
        judged = False
        while not reply or len(reply) != protocol.size_of(reply, protocol.REPLY, protocol.MAX_REPLY_BYTES):
            if not _ready(line, select.POLLIN, deadline):
                if judged or protocol.take(token):
                    return protocol.Answered(self.key, protocol.COLD) if not judged else None
                judged, deadline = True, time.monotonic() + self.effects_s
                continue
            chunk = line.recv(1 << 16)
            if not chunk:
                return None
            reply += chunk
        return protocol.answer_in(bytes(reply), self.key)


def settled(place: str, run: str, code: int, began: int) -> str | None:
    """What the agent is told of a contained run whose changes the warm process has judged and applied; None where it
    has not, or nobody knows. It may be much to do, and whoever does it ends the line when it dies."""
    place = place or places.default()
    if is_off() or not places.is_private(place):
        return None
    asked = Exchange(place, os.urandom(protocol.KEY_BYTES), protocol.SETTLE, effects_s=SETTLED_S)
    answer = asked.ask([run, str(code), str(began)], b"")
    return answer.stderr.decode("utf-8", "surrogateescape") if answer is not None else None


def _ready(line: socket, what: int, deadline: float) -> bool:
    ear = select.poll()
    ear.register(line, what)
    return bool(ear.poll(max(0.0, (deadline - time.monotonic()) * 1000)))


def deliver(answer: protocol.Answered) -> int:
    """Write the answer whole; exit code 2 is the last way to say no."""
    try:
        if answer.stderr:
            os.write(2, answer.stderr)
        rest = memoryview(answer.stdout)
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError:
        try:
            os.write(2, b"askfirst: the answer could not be written; the call is denied\n")
        except OSError:
            pass
        return 2
    return answer.exit_code
