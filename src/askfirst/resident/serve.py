"""The warm process: takes calls from clients of the same user, judges one after the other, and ends by itself.

Reading and writing never wait for a client, so a slow one holds nobody up. What is read is bounded in size, number and
time. It ends when nobody has called for a while, when its own code has changed on the disk, when its name leads
elsewhere, and when it is told to.
"""

from __future__ import annotations

import gc
import json
import os
import select
import selectors
import signal
import socket
import sys
import time
from types import FrameType

from askfirst import __version__
from askfirst.agents.event import Reply
from askfirst.hook import HandedOver, OutOfTime
from askfirst.resident import protocol
from askfirst.resident import socket_place as places
from askfirst.resident.build import refresh
from askfirst.resident.judging import Judging, Unwanted
from askfirst.resident.loaded import Loaded, load_everything
from askfirst.resident.peer import is_like_us
from askfirst.resident.settling import settle_in_child
from askfirst.store import atomic

IDLE_S = 1800.0
SLOW_S = 5.0  # a client that has not sent its call, or taken its answer, by then is left alone
MAX_CLIENTS = 256
MAX_HELD_BYTES = 64 << 20  # of calls that are not whole yet
COLLECT_EVERY = 100  # calls; between them nobody waits for the collector
LOOK_EVERY_S = 1.0  # at every file of the code; at those that an upgrade changes on every call
IDLE_LOOK_S = 10.0
REPLY_KEPT_S = 60.0
MAX_REPLIES = 1000


class Ending(BaseException):
    """SIGTERM while nothing is judged."""


class Client:
    """One connection: first a call comes in, then its answer goes out."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.since = line, time.monotonic()
        self.read, self.size = bytearray(), 0
        self.token = -1
        self.rest = memoryview(b"")
        self.is_answered = False
        self.kept = ""  # the file of its reply

    def close(self) -> None:
        self.line.close()
        if self.token >= 0:
            os.close(self.token)
            self.token = -1

    @property
    def is_whole(self) -> bool:
        return bool(self.size) and len(self.read) == self.size

    def receive(self) -> bool:
        """False when nothing more will come."""
        if self.is_answered:
            return bool(self.line.recv(1))
        room = socket.CMSG_SPACE(4)
        data, control, flags, _ = self.line.recvmsg(1 << 18, room)
        for level, kind, passed in control:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS) and len(passed) >= 4:
                self._keep_token(passed)
        if flags & socket.MSG_CTRUNC:
            raise protocol.Malformed("more descriptors than one")
        self.read += data
        self.size = protocol.size_of(self.read, protocol.REQUEST, protocol.MAX_REQUEST_BYTES)
        if self.size and len(self.read) > self.size:
            raise protocol.Malformed("more than a call")
        return bool(data)

    def _keep_token(self, passed: bytes) -> None:
        numbers = [int.from_bytes(passed[at : at + 4], sys.byteorder) for at in range(0, len(passed) - 3, 4)]
        for number in numbers:
            if self.token < 0:
                self.token = number
                os.set_inheritable(number, False)
                os.set_blocking(number, False)  # or a client could make us wait for its byte
            else:
                os.close(number)

    def has_token(self) -> bool:
        """Whether the call is still to be had: the client may have gone on without us."""
        if self.token < 0:
            return False
        ear = select.poll()
        ear.register(self.token, select.POLLIN)
        return any(happened & select.POLLIN for _, happened in ear.poll(0))


class Resident:
    """Everything of the process but its start."""

    def __init__(self, place: str, *, idle_s: float = IDLE_S) -> None:
        self.place, self.idle_s = place, idle_s
        self.began = self.last = time.monotonic()
        self.calls = self.handed_over = self.settled = 0
        self.is_ending = self.is_idle = False
        self.loaded = Loaded()
        self._clients: dict[int, Client] = {}
        self._ready: list[Client] = []
        self._choose = selectors.DefaultSelector()
        self._listener = self._listen()

    def _listen(self) -> socket.socket:
        """The name appears when somebody listens behind it. The lock says that nobody else does."""
        path = places.socket_path(self.place)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        atomic.remove(f"{path}.new")
        listener.bind(f"{path}.new")
        os.chmod(f"{path}.new", 0o600)
        listener.listen(MAX_CLIENTS)
        listener.setblocking(False)
        self._inode = os.lstat(f"{path}.new").st_ino
        os.rename(f"{path}.new", path)
        self._choose.register(listener, selectors.EVENT_READ)
        return listener

    def serve(self) -> None:
        signal.signal(signal.SIGTERM, self._told_to_end)
        signal.signal(signal.SIGHUP, self._told_to_end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.disable()
        try:
            while not self.is_ending and not self._is_over():
                self._turn()
        except Ending:
            pass
        finally:
            self._end()

    def _is_over(self) -> bool:
        is_idle = time.monotonic() - self.last > self.idle_s
        return is_idle or not self._is_reachable() or self.loaded.has_changed_within(LOOK_EVERY_S)

    def _is_reachable(self) -> bool:
        """Whether the name still leads here: what cleans up /tmp takes it away, and the lock's name with it."""
        try:
            return os.lstat(places.socket_path(self.place)).st_ino == self._inode
        except OSError:
            return False

    def _told_to_end(self, _number: int, _frame: FrameType | None) -> None:
        self.is_ending = True
        if self.is_idle:
            raise Ending

    def _end(self) -> None:
        """First the name goes, then those who still wait see the end of the line, and judge cold."""
        if self._is_reachable():
            atomic.remove(places.socket_path(self.place))
        self._listener.close()
        for client in [*self._clients.values()]:
            client.close()

    # One turn: what came in, what can go out, what can be judged

    def _turn(self) -> None:
        timeout = LOOK_EVERY_S if self._clients else min(self.idle_s, IDLE_LOOK_S)
        self.is_idle = True
        happened = self._choose.select(timeout)
        self.is_idle = False
        for key, events in happened:
            if key.fileobj is self._listener:
                self._accept()
            else:
                self._move(self._clients[key.fd], events)
        while self._ready and not self.is_ending:
            self._answer(self._ready.pop(0))
        self._leave_slow_ones()
        _reap()
        if self.calls % COLLECT_EVERY == 0 and self.calls:
            gc.collect()

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            line.setblocking(False)
            try:
                welcome = len(self._clients) < MAX_CLIENTS and is_like_us(line)
            except OSError:
                welcome = False
            if not welcome:
                line.close()
                continue
            client = self._clients[line.fileno()] = Client(line)
            self._choose.register(line, selectors.EVENT_READ)
            self._move(client, selectors.EVENT_READ)  # a call is mostly there already

    def _move(self, client: Client, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE:
                self._send(client)
            elif not client.receive():
                self._drop(client, is_clean=client.is_answered)
            elif client.is_whole and not client.is_answered:
                self._ready.append(client)
            elif sum(len(c.read) for c in self._clients.values()) > MAX_HELD_BYTES:
                self._drop(client)
        except BlockingIOError:
            return
        except (OSError, ValueError):
            self._drop(client)

    def _drop(self, client: Client, *, is_clean: bool = False) -> None:
        """`is_clean`: the client has read its answer to the end (what it leaves unread is an error on our side)."""
        if client.line.fileno() < 0:
            return
        if client.kept and is_clean:
            atomic.remove(client.kept)
        self._choose.unregister(client.line)
        del self._clients[client.line.fileno()]
        if client in self._ready:
            self._ready.remove(client)
        client.close()

    def _leave_slow_ones(self) -> None:
        now = time.monotonic()
        for client in [c for c in self._clients.values() if now - c.since > SLOW_S]:
            self._drop(client)

    # Judging

    def _answer(self, client: Client) -> None:
        try:
            call = protocol.call_in(bytes(client.read))
        except ValueError:
            self._drop(client)
            return
        client.read.clear()
        client.since = time.monotonic()
        if call.build != places.build().encode():
            answer = protocol.Answered(call.key, protocol.COLD)
        elif call.kind == protocol.STATUS:
            answer = protocol.Answered(call.key, stdout=json.dumps(self.status()).encode() + b"\n")
        elif call.kind == protocol.STOP:
            self.is_ending = True
            answer = protocol.Answered(call.key, stdout=b"{}\n")
        elif call.kind == protocol.SETTLE:
            self.last, self.is_ending = time.monotonic(), self.loaded.has_changed()
            if not self.is_ending:
                self.settled += 1
                settle_in_child(client.line, client.token, call, self.place)
            self._drop(client)
            return
        else:
            found = self._judged(client, call)
            if found is None:
                self._drop(client)
                return
            answer = found
        client.rest, client.is_answered = memoryview(answer.packed()), True
        self._send(client)

    def _judged(self, client: Client, call: protocol.HookCall) -> protocol.Answered | None:
        """None where nothing can be said any more: the client went on without us, or finds its reply by itself."""
        self.last, self.calls = time.monotonic(), self.calls + 1
        if not client.has_token():
            return None
        judging = Judging(lambda: protocol.take(client.token))
        try:
            if self.loaded.has_changed():
                self.is_ending = True
                raise HandedOver("askfirst was changed on the disk")
            reply = judging.reply(call, self.place)
        except (HandedOver, OutOfTime) as left:
            self.handed_over += 1
            doubtful = judging.failed and judging.committed
            self.is_ending = self.is_ending or doubtful or isinstance(left, Unwanted)
            # Once something may have happened, only the cold hook can find out what.
            return None if judging.committed else protocol.Answered(call.key, protocol.COLD)
        self.is_ending = self.is_ending or judging.failed
        found = _answered(call.key, reply)
        client.kept = self._keep(found)
        return found

    def _keep(self, answer: protocol.Answered) -> str:
        """The answer stands from here on, also if this process or the line dies. Where that cannot be written, a lost
        reply is judged again, and recorded once."""
        folder = places.replies_path(self.place)
        path = f"{folder}/{answer.key.hex()}"
        try:
            atomic_write(path, answer.packed())
        except FileNotFoundError:
            try:
                os.mkdir(folder, 0o700)
                atomic_write(path, answer.packed())
            except OSError:
                return ""
        except OSError:
            return ""
        if self.calls % MAX_REPLIES == 0:
            _sweep(folder)
        return path

    def _send(self, client: Client) -> None:
        try:
            while client.rest:
                client.rest = client.rest[client.line.send(client.rest) :]
            client.line.shutdown(socket.SHUT_WR)
            self._choose.modify(client.line, selectors.EVENT_READ)
        except BlockingIOError:
            self._choose.modify(client.line, selectors.EVENT_WRITE)
        except OSError:
            self._drop(client)

    def status(self) -> dict[str, object]:
        return {
            "pid": os.getpid(),
            "version": __version__,
            "running_s": round(time.monotonic() - self.began),
            "calls": self.calls,
            "handed_over": self.handed_over,
            "settled": self.settled,  # contained runs
            "idle_ends_after_s": self.idle_s,
        }


def atomic_write(path: str, data: bytes) -> None:
    """Not durable: it has to outlive this process, and no client outlives the machine."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        atomic.write_all(handle, data)
    finally:
        os.close(handle)


def _answered(key: bytes, reply: Reply) -> protocol.Answered:
    stderr = reply.stderr.encode("utf-8", "replace") + b"\n" if reply.stderr else b""
    return protocol.Answered(key, exit_code=reply.exit_code, stdout=reply.stdout, stderr=stderr)


def _reap() -> None:
    """What a call has started and left to itself: between two calls nobody waits for a child."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _sweep(folder: str) -> None:
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        try:
            if time.time() - os.lstat(path).st_mtime > REPLY_KEPT_S:
                os.unlink(path)
        except OSError:
            continue


def run(place: str, lock: int, *, idle_s: float = IDLE_S) -> None:
    """The process from here on. `lock` is held, and so stays until the end."""
    os.set_inheritable(lock, False)
    load_everything()
    resident = Resident(place, idle_s=idle_s)
    refresh()
    resident.serve()
