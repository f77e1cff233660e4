"""Calls a registered hook the way an agent does, to see whether it really answers and really closes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from askfirst.store.observe import observing_since

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire

TIMEOUT_S = 60
NONSENSE = "this is not JSON"


def probe(wire: Wire, command: str, project: str, variables: Mapping[str, str] | None = None) -> str:
    """What is wrong with a hook's command line; "" when it holds. A shell runs it in the project, as an agent does."""
    call = json.dumps(wire.sample(project, "true"))
    environment = {**os.environ, **(variables or {})}
    # While calls are only observed, the hook leaves them to the client; what it cannot read it denies all the same.
    wanted = ("allow", "ask", "deny", *(("",) if observing_since() else ()))
    return _try(wire, command, project, environment, call, wanted) or _try(
        wire, command, project, environment, NONSENSE, ("deny",)
    )


def _try(
    wire: Wire, command: str, project: str, environment: dict[str, str], given: str, wanted: tuple[str, ...]
) -> str:
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=given,
            capture_output=True,
            text=True,
            cwd=project,
            env=environment,
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    try:
        decision = wire.decision_in(done.stdout) if done.stdout.strip() != "{}" else ""
    except (ValueError, KeyError, TypeError):
        return f"not an answer: {done.stdout.strip()[:200]!r}"
    if decision not in wanted:
        return f"it answered `{decision}` to {'input that is not JSON' if given == NONSENSE else 'a command'}"
    return ""
