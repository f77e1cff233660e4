"""GitHub Copilot CLI: the JSON of its `preToolUse` hooks, as seen with 1.0.102.

What matters about this client: any exit code but 0 closes, and a timeout opens; without one of its own it gives a hook 30 seconds.
"""

from __future__ import annotations

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import BEFORE_TOOL, Event, Reply, json_reply, object_of
from askfirst.agents.translate import PASS, before_tool, directory, given_back, passing, row, text, translated
from askfirst.errors import HookInputError
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the installer writes 3600 seconds
LEAVING = ("attach", "vacuum", "pragma", "load_extension", "readfile", "writefile", "edit(", "fts3_tokenizer")
TOOLS = {
    "bash": row(
        "Bash", "command=command description=description", "shellId mode detach initial_wait timeout sessionId async"
    ),
    "create": row("Write", "path=file_path file_text=content"),
    "edit": row("Edit", "path=file_path old_str=old_string new_str=new_string"),
    "apply_patch": row("ApplyPatch", "patch=command input=command"),
    **passing(
        """view grep glob read_bash list_bash stop_bash task read_agent list_agents write_agent session_store_sql update_todo report_intent
        fetch_copilot_cli_documentation web_fetch web_search ask_user"""
    ),
}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    session = text(data, "sessionId")
    cwd = directory(data, "cwd")
    project = project_of(cwd, environ.get("COPILOT_PROJECT_DIR", ""))
    call = translated("copilot", TOOLS, text(data, "toolName"), _arguments(data), cwd)
    if call.tool == "sql" and _stays_inside(call.input.get("query")):
        call = call.replace(tool=PASS)
    return before_tool("copilot", call, data, session=session, project=project)


def _arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    """An object, or (before 1.0) its JSON as a text; a patch comes as the bare text."""
    value = data.get("toolArgs")
    if isinstance(value, str):
        if value.startswith("*** Begin Patch"):
            return {"patch": value}
        value = object_of(value.encode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise HookInputError("hook input: `toolArgs` is not an object")
    return value


def _stays_inside(query: object) -> bool:
    """The agent keeps its list of things to do in a database of its own; only these words lead out of that."""
    return isinstance(query, str) and not any(word in query.lower() for word in LEAVING)


def answer(event: Event, verdict: Verdict) -> Reply:
    if verdict.decision != Decision.ALLOW:
        return refuse(event, for_agent(verdict))
    value: dict[str, Any] = {"permissionDecision": "allow", "permissionDecisionReason": for_agent(verdict)}
    if verdict.updated_input is not None:
        value["modifiedArgs"] = given_back(TOOLS, event.data["toolName"], _arguments(event.data), verdict.updated_input)
    return json_reply(value)


def neutral(event: Event, *, message: str = "") -> Reply:
    assert event.name == BEFORE_TOOL
    return json_reply({})


def refuse(event: Event | None, reason: str) -> Reply:
    return json_reply({"permissionDecision": "deny", "permissionDecisionReason": reason})
