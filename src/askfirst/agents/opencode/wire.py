"""OpenCode: what its plugin (plugin.js) asks over a pipe, as run with 1.18.33.

OpenCode has no hook processes; the plugin runs inside it, calls this hook for every tool, and throws to block. It throws as well
when the hook fails in any way, so here a plain deny is enough.
"""

from __future__ import annotations

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import Reply, json_reply, object_of
from askfirst.agents.translate import before_tool, directory, given_back, members, passing, row, text, translated
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from askfirst.agents.event import Event
    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the plugin waits an hour
TOOLS = {
    "bash": row("Bash", "command=command workdir=cwd description=description", "timeout"),
    "write": row("Write", "filePath=file_path content=content"),
    "edit": row("Edit", "filePath=file_path oldString=old_string newString=new_string replaceAll=replace_all"),
    "apply_patch": row("ApplyPatch", "patchText=command"),
    "patch": row("ApplyPatch", "patchText=command"),
    **passing(
        "read glob grep list todowrite todoread webfetch websearch codesearch task question lsp plan_enter plan_exit invalid"
    ),
}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    session = text(data, "session")
    cwd = directory(data, "directory")
    project = project_of(cwd)
    call = translated("opencode", TOOLS, text(data, "tool"), members(data, "args"), cwd)
    return before_tool("opencode", call, data, session=session, project=project, ident=text(data, "call", ""))


def answer(event: Event, verdict: Verdict) -> Reply:
    if verdict.decision != Decision.ALLOW:
        return refuse(event, for_agent(verdict))
    if verdict.updated_input is None:
        return neutral(event)
    return json_reply(
        {"decision": "allow", "args": given_back(TOOLS, event.data["tool"], event.data["args"], verdict.updated_input)}
    )


def neutral(event: Event, *, message: str = "") -> Reply:
    return json_reply({"decision": "allow"})


def refuse(event: Event | None, reason: str) -> Reply:
    return json_reply({"decision": "deny", "reason": reason})
