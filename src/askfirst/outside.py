"""`askfirst outside -- CMD`: the agent's voice. A command failed in the box for want of something outside, and the
agent asks for it to run as it is. The gate reads the line, asks about CMD like about any command, and lets CMD run when
a person says yes: the program `askfirst outside` itself never runs it.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

from askfirst.box import voice, withheld
from askfirst.knowledge.tools import RUNNERS
from askfirst.model import Request
from askfirst.policy.case import Case
from askfirst.policy.contain import actions_of

__all__ = ["PREFIX", "told", "wanted"]

PREFIX = "askfirst outside --"
_LINE = re.compile(r"\s*askfirst\s+outside\s+--\s+(?P<command>.*\S)\s*", re.DOTALL)


def wanted(request: Request) -> Request | None:
    """The request for CMD; None where nothing of the kind is asked."""
    command = request.input.get("command")
    found = _LINE.fullmatch(command) if request.tool in RUNNERS and isinstance(command, str) else None
    if found is None:
        return None
    return replace(request, input={**request.input, "command": _unquoted(found["command"])})


def _unquoted(text: str) -> str:
    """`askfirst outside -- 'cd src && make'`: one quoted word is the command, anything else is taken as it stands."""
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    return words[0] if len(words) == 1 and words[0] != text else text


def told(case: Case) -> Case:
    """The request for CMD, with what the box withheld when it ran there last."""
    failed = withheld.of_these(case.request.project, actions_of(case))
    said = next(map(voice.for_person, failed.values()), "the agent asks for it to run as it is, not contained")
    note = f"{said}. A yes runs it as it is" if failed else said
    return replace(case, verdict=replace(case.verdict, notes=(*case.verdict.notes, note)))
