"""How the warm process and its client are: for `status`, `doctor` and `askfirst resident`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from askfirst.resident import build, protocol, start
from askfirst.resident import socket_place as places

IN_PYTHON = "in Python; `askfirst resident build` compiles a faster one where there is a C compiler"


@dataclass(frozen=True)
class Condition:
    """What was found."""

    running: bool  # and answering
    silent: bool  # there, and not answering
    process: dict[str, Any] | None  # what it says of itself
    why_not: str  # why none may be started
    socket: str
    client: str  # the fast one; "": the one in Python
    client_trouble: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def words(self) -> str:
        if self.process is not None:
            told = self.process
            return f"running (pid {told['pid']}, {told['calls']} calls, {told['handed_over']} left to the cold hook)"
        if self.silent:
            return "there, and does not answer; `askfirst resident stop` ends it"
        return f"not running: {self.why_not}" if self.why_not else "not running; it starts with the next call"


def look(place: str) -> Condition:
    told = start.ask(place, protocol.STATUS)
    built = build.present()
    return Condition(
        told is not None,
        told is None and start.is_running(place),
        json.loads(told) if told is not None else None,
        start.why_not(place),
        places.socket_path(place),
        built.path if built is not None else "",
        build.trouble(built) if built is not None else "",
    )
