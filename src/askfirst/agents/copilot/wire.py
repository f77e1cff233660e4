"""GitHub Copilot CLI: the JSON of its `preToolUse` hooks, as seen with 1.0.102.

What matters about this client: any exit code but 0 closes, and a timeout opens; without one of its own it gives a
hook 30 seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.agents.event import Event, Reply, directory, json_reply, object_of, text
from askfirst.agents.own_rules import OwnRules
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, fetching, passing, row
from askfirst.errors import HookInputError
from askfirst.knowledge.tools import HOUSEKEEPING
from askfirst.model import Verdict
from askfirst.wording import for_agent

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire

# The agent keeps its things to do, and its sessions, in databases of its own; only these words lead out of them.
SQL_TOOLS = frozenset(("copilot:sql", "copilot:session_store_sql"))
SQL_THAT_LEAVES = ("attach", "vacuum", "pragma", "load_extension", "readfile", "writefile", "edit(", "fts3_tokenizer")


class CopilotWire(TranslatingWire):
    name = "copilot"
    changes_commands = True
    rules = OwnRules(
        (
            "~/.copilot/config.json",
            "~/.copilot/settings.json",
            "~/.copilot/permissions-config.json",
            ".github/copilot/settings.json",
            ".github/copilot/settings.local.json",
        ),
        (
            "denied_tools",
            "deny_tools",
            "deniedTools",
            "denyTools",
            "excluded_tools",
            "excludedTools",
            "permissions.deny",
        ),
        folders=("/etc/github-copilot/policy.d",),
        variables=("COPILOT_HOME",),
        options=("--deny-tool", "--excluded-tools"),
    )
    tools = {
        "bash": row(
            "Bash",
            "command=command description=description",
            "shellId mode detach initial_wait timeout sessionId async",
        ),
        "create": row("Write", "path=file_path file_text=content"),
        "edit": row("Edit", "path=file_path old_str=old_string new_str=new_string"),
        "apply_patch": row("ApplyPatch", "patch=command input=command"),
        "view": row("Read", "path=file_path", "view_range forceReadLargeFiles"),
        "grep": row(
            "Grep",
            "pattern=pattern path=path glob=glob",
            "type output_mode -A -B -C -n -i head_limit multiline",
            bare="pattern path type",
        ),
        "web_fetch": fetching(),
        **passing(
            """
            glob=Glob read_bash=BashOutput list_bash=BashOutput stop_bash=KillShell task=Task read_agent=TaskOutput
            list_agents=ListAgents write_agent=SendMessage update_todo=TodoWrite report_intent
            fetch_copilot_cli_documentation web_search=WebSearch ask_user=AskUserQuestion
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        session = text(data, "sessionId")
        cwd = directory(data, "cwd")
        project = project_of(cwd, environ.get("COPILOT_PROJECT_DIR", ""))
        call = self.translated(text(data, "toolName"), _arguments(data), cwd)
        if call.tool in SQL_TOOLS and _stays_inside(call.input.get("query")):
            call = replace(call, tool=HOUSEKEEPING)
        return self.before_tool(call, data, session=session, project=project)

    def allow(self, event: Event, verdict: Verdict) -> Reply:
        return json_reply({"permissionDecision": "allow", "permissionDecisionReason": for_agent(verdict)})

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        given = self.changed(event.data["toolName"], _arguments(event.data), updated)
        return json_reply(
            {"permissionDecision": "allow", "permissionDecisionReason": for_agent(verdict), "modifiedArgs": given}
        )

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"permissionDecision": "deny", "permissionDecisionReason": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return {
            "sessionId": "askfirst-doctor",
            "timestamp": 1,
            "cwd": project,
            "toolName": "bash",
            "toolArgs": {"command": command},
        }

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["permissionDecision"])


def _arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    """An object, or (before 1.0) its JSON as a string; a patch comes as the bare text."""
    value = data.get("toolArgs")
    if isinstance(value, str):
        if value.startswith("*** Begin Patch"):
            return {"patch": value}
        value = object_of(value.encode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise HookInputError("hook input: `toolArgs` is not an object")
    return value


def _stays_inside(query: object) -> bool:
    return isinstance(query, str) and not any(word in query.lower() for word in SQL_THAT_LEAVES)


WIRE: Wire = CopilotWire()
