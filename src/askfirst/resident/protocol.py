"""What passes between a client and the warm process: two messages, each a mark, a length, and parts with their lengths.

    request   build, key, kind, where, cwd, words, environment, input      client.c writes the same
    reply     key, kind, exit code, stdout, stderr

With the first bytes of a request comes the read end of a pipe that holds one byte: the token. Whoever reads it has the
call. The process reads it before its first effect; a client that gives up reads it and knows that nothing has happened
and nothing will. A client that finds it gone knows that the call is judged, and only the reply is missing.
"""

from __future__ import annotations

import os

REQUEST, REPLY = b"AFQ1", b"AFR1"
HEADER_BYTES, KEY_BYTES = 8, 16
MAX_INPUT_BYTES = 16 << 20
MAX_REQUEST_BYTES = MAX_INPUT_BYTES + (8 << 20)  # an environment and arguments have 6 MiB at most
MAX_REPLY_BYTES = 64 << 20
PATIENCE_S = 1.0  # how long a client waits for a call that is not judged yet
EFFECTS_S = 30.0  # and for one that is
SAMPLE = 128  # one call in so many is judged cold as well

HOOK, SETTLE, STOP, STATUS = b"hook", b"settle", b"stop", b"status"  # kinds of request
ANSWER, COLD = b"answer", b"cold"  # kinds of reply; what is asked by `status` is an answer


class Malformed(ValueError):
    """Not a message of this protocol."""


# Plain classes: the client in Python imports this for every call, and `dataclasses` costs more than the whole exchange.
class HookCall:
    """One call of a hook, and everything that its verdict depends on; or a contained run that is to be settled."""

    def __init__(
        self,
        build: bytes,
        key: bytes,
        kind: bytes,
        *,
        umask: int = 0o077,
        root: tuple[int, int] = (0, 0),
        here: tuple[int, int] = (0, 0),
        cwd: bytes = b"",
        words: tuple[bytes, ...] = (),
        environ: tuple[bytes, ...] = (),
        input: bytes = b"",
    ) -> None:
        self.build, self.key, self.kind, self.umask = build, key, kind, umask
        self.root, self.here = root, here  # device and inode of the root directory and of the working directory
        self.cwd, self.words, self.environ, self.input = cwd, words, environ, input

    def packed(self) -> bytes:
        where = b"%o %d %d %d %d" % (self.umask, *self.root, *self.here)
        lists = (b"".join(item + b"\0" for item in items) for items in (self.words, self.environ))
        return _packed(REQUEST, self.build, self.key, self.kind, where, self.cwd, *lists, self.input)


class Answered:
    """What the process says: an answer, or that the cold hook is to judge."""

    def __init__(
        self, key: bytes, kind: bytes = ANSWER, exit_code: int = 0, stdout: bytes = b"", stderr: bytes = b""
    ) -> None:
        self.key, self.kind, self.exit_code, self.stdout, self.stderr = key, kind, exit_code, stdout, stderr

    def packed(self) -> bytes:
        return _packed(REPLY, self.key, self.kind, bytes([self.exit_code]), self.stdout, self.stderr)


def _packed(mark: bytes, *parts: bytes) -> bytes:
    body = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return mark + len(body).to_bytes(4, "big") + body


def size_of(start: bytes | bytearray, mark: bytes, most: int) -> int:
    """How long the message will be that begins so; 0 while that cannot be told."""
    if not mark.startswith(bytes(start[:4])):
        raise Malformed("another protocol")
    if len(start) < HEADER_BYTES:
        return 0
    size = HEADER_BYTES + int.from_bytes(start[4:8], "big")
    if size > most:
        raise Malformed("too long")
    return size


def _parts(message: bytes, mark: bytes, count: int) -> list[bytes]:
    if message[:4] != mark or len(message) != HEADER_BYTES + int.from_bytes(message[4:8], "big"):
        raise Malformed("not whole")
    found: list[bytes] = []
    at = HEADER_BYTES
    while at < len(message):
        size = int.from_bytes(message[at : at + 4], "big")
        if at + 4 + size > len(message) or len(found) == count:
            raise Malformed("its parts do not fit")
        found.append(message[at + 4 : at + 4 + size])
        at += 4 + size
    if len(found) != count:
        raise Malformed("a part is missing")
    return found


def call_in(message: bytes) -> HookCall:
    build, key, kind, where, cwd, words, environ, given = _parts(message, REQUEST, 8)
    numbers = where.split(b" ")
    if len(key) != KEY_BYTES or kind not in (HOOK, SETTLE, STOP, STATUS) or len(numbers) != 5:
        raise Malformed("not a call")
    if not all(number.isdigit() and len(number) < 21 for number in numbers):
        raise Malformed("not a call")
    umask, *rest = (int(number, 8) if at == 0 else int(number) for at, number in enumerate(numbers))
    if umask > 0o777:
        raise Malformed("not a call")
    return HookCall(
        build,
        key,
        kind,
        umask=umask,
        root=(rest[0], rest[1]),
        here=(rest[2], rest[3]),
        cwd=cwd,
        words=_list(words),
        environ=_list(environ),
        input=given,
    )


def _list(part: bytes) -> tuple[bytes, ...]:
    if part and not part.endswith(b"\0"):
        raise Malformed("a list has no end")
    return tuple(part.split(b"\0")[:-1])


def answer_in(message: bytes, key: bytes) -> Answered:
    """The reply to this very call. Raises Malformed for anything that no client may print."""
    told, kind, code, stdout, stderr = _parts(message, REPLY, 5)
    if told != key or kind not in (ANSWER, COLD) or code not in (b"\0", b"\2"):
        raise Malformed("not a reply to this call")
    found = Answered(told, kind, code[0], stdout, stderr)
    # One JSON object and a line's end, or nothing at all: a client takes half an object for no decision.
    if stdout and not (stdout.startswith(b"{") and stdout.endswith(b"}\n")):
        raise Malformed("not an answer")
    return found


def token_pipe() -> int:
    """The read end of a pipe that holds one byte."""
    reader, writer = os.pipe()
    try:
        os.set_blocking(reader, False)
        os.write(writer, b"1")
    finally:
        os.close(writer)
    return reader


def take(token: int) -> bool:
    """Take the call. True for exactly one of all who hold the pipe."""
    try:
        return os.read(token, 1) == b"1"
    except OSError:
        return False
