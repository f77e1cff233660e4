"""tool_context: what surrounds an agent's tools, from the organisation's and the project's files."""

from __future__ import annotations

import os
from typing import Any

from askfirst.knowledge.own_tools import SERVER, TOOLS, refused_for
from askfirst.toolbox.place import Place, enter
from askfirst.toolbox.tool_result import Failure
from askfirst.toolbox.toolchain import lint_runner, test_runner


def tool_context(place: Place) -> dict[str, Any]:
    settings = enter(place, "tool_context").settings
    writes, toolbox = settings.writes, settings.toolbox
    roots = [os.path.join(place.project, d.strip("/")) for d in writes.own] or [place.project]
    refused = {name: why for name in TOOLS if (why := refused_for(SERVER + name, settings.role))}
    return {
        "project": place.project,
        "service_root": roots[0],
        "service_roots": roots,
        "shared_read_only": list(writes.read_only),
        "isolation_level": toolbox.isolation,
        "role": settings.role or "no roles are configured",
        "allowed_commands": list(toolbox.allowed_commands) or "those that the rules allow (list_allowed_commands)",
        "toolchain": {"test": _runner(test_runner, place, toolbox), "lint": _runner(lint_runner, place, toolbox)},
        "refused_tools": refused,
        "profiles": list(settings.profiles),
    }


def _runner(find: Any, place: Place, toolbox: Any) -> str:
    try:
        return " ".join(find(place.project, toolbox).argv)
    except Failure as failure:
        return f"none: {failure.message}"
