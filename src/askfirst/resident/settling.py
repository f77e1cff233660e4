"""What a contained run has changed, judged and applied by the warm process: everything that this needs is loaded there.
In a child of its own, for it may be much, and nobody else is to wait for it."""

from __future__ import annotations

import marshal
import os
import signal
from socket import socket

from askfirst.box.session import leave_descriptors
from askfirst.contained import settle
from askfirst.hook import HandedOver
from askfirst.resident import protocol
from askfirst.resident.judging import taken_over
from askfirst.resident.start import why_not


def settle_in_child(line: socket, token: int, call: protocol.HookCall, place: str) -> None:
    """Returns at once. The reply comes from the child; where it has none, the end of the line says so."""
    if os.fork():
        return
    try:
        # The lock, the name and everybody else's line belong to the parent.
        leave_descriptors(line.fileno(), token)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        line.setblocking(True)
        line.sendall(_answer(token, call, place).packed())
    finally:
        os._exit(0)


def _answer(token: int, call: protocol.HookCall, place: str) -> protocol.Answered:
    try:
        with taken_over(call):
            if why := why_not(place):
                raise HandedOver(why)
            _, folder, code, began = call.words
            with open(os.path.join(folder, b"used"), "rb") as file:
                spec = marshal.load(file)
            if not protocol.take(token):
                raise HandedOver("the supervisor went on without an answer")
            text = settle(os.fsdecode(folder), spec, int(code), int(began))
    except HandedOver:
        return protocol.Answered(call.key, protocol.COLD)
    return protocol.Answered(call.key, stderr=text.encode("utf-8", "surrogateescape"))
