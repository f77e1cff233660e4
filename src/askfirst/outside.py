"""`askfirst outside -- CMD`: the agent's voice. A command failed in the box for want of something outside, and the
agent asks for it to run as it is. The gate reads the line, asks about CMD like about any command, and lets CMD run when
a person says yes: the program `askfirst outside` itself never runs it.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

from askfirst.box import runs, withheld
from askfirst.box.voice import NETWORK, words
from askfirst.knowledge.tools import RUNNERS
from askfirst.model import Request

__all__ = ["PREFIX", "wanted"]

PREFIX = "askfirst outside --"
MAX_SAID = 80
_NO_QUOTES = str.maketrans(dict.fromkeys('“”„‟"', "'"))
_LINE = re.compile(r"\s*askfirst\s+outside\s+--\s+(?P<command>.*\S)\s*", re.DOTALL)


def wanted(request: Request) -> tuple[Request, str]:
    """The request for CMD, and what to tell the person; the same request where nothing of the kind is asked."""
    command = request.input.get("command")
    found = _LINE.fullmatch(command) if request.tool in RUNNERS and isinstance(command, str) else None
    if found is None:
        return request, ""
    inner = _unquoted(found["command"])
    return replace(request, input={**request.input, "command": inner}), _note(request, inner)


def _unquoted(text: str) -> str:
    """`askfirst outside -- 'cd src && make'`: one quoted word is the command, anything else is taken as it stands."""
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    return words[0] if len(words) == 1 and words[0] != text else text


def _note(request: Request, command: str) -> str:
    """What the box withheld when the same command ran there last."""
    for run in runs.everything():
        if run.plan.session != request.session or run.plan.command != command:
            continue
        found = withheld.known(run.plan.project, run.plan.action or (command,))
        if found is not None:
            # Its own words, whatever they say: nobody but the command has written them. No mark of theirs ends them.
            own = found.detail[:MAX_SAID].translate(_NO_QUOTES)
            said = f"; its output ends with “{own}”" if found.what == NETWORK else ""
            return f"it ran contained, {words(found)}, and failed there{said}. A yes runs it as it is"
        break
    return "the agent asks for it to run as it is, not contained"
