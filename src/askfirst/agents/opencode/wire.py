"""OpenCode: what its plugin (plugin.js) asks over a pipe, as run with 1.18.33.

OpenCode has no hook processes; the plugin runs inside it, calls this hook for every tool, and throws to block. It
throws as well when the hook fails in any way, so here a plain deny is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.agents.event import Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.own_rules import OwnRules
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, fetching, passing, row
from askfirst.model import Verdict

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire


class OpenCodeWire(TranslatingWire):
    name = "opencode"
    changes_commands = True
    rules = OwnRules(
        (
            "~/.config/opencode/opencode.json",
            "~/.config/opencode/opencode.jsonc",
            "opencode.json",
            "opencode.jsonc",
        ),
        ("permission", "tools"),
    )
    tools = {
        "bash": row("Bash", "command=command workdir=cwd description=description", "timeout"),
        "write": row("Write", "filePath=file_path content=content"),
        "edit": row("Edit", "filePath=file_path oldString=old_string newString=new_string replaceAll=replace_all"),
        "apply_patch": row("ApplyPatch", "patchText=command"),
        "patch": row("ApplyPatch", "patchText=command"),
        "read": row("Read", "filePath=file_path", "offset limit"),
        "grep": row("Grep", "pattern=pattern path=path include=glob"),
        "lsp": row("LSP", "filePath=filePath", "operation line character query"),
        "webfetch": fetching(),
        **passing(
            """
            glob=Glob list=LS todowrite=TodoWrite todoread=TodoRead websearch=WebSearch codesearch=WebSearch task=Task
            question=AskUserQuestion plan_enter=EnterPlanMode plan_exit=ExitPlanMode invalid
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        session = text(data, "session")
        cwd = directory(data, "directory")
        call = self.translated(text(data, "tool"), members(data, "args"), cwd)
        return self.before_tool(call, data, session=session, project=project_of(cwd), ident=text(data, "call", ""))

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        return json_reply({"decision": "allow", "args": self.changed(event.data["tool"], event.data["args"], updated)})

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"decision": "allow"})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"decision": "deny", "reason": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return {
            "tool": "bash",
            "session": "askfirst-doctor",
            "call": "1",
            "args": {"command": command},
            "directory": project,
        }

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["decision"])


WIRE: Wire = OpenCodeWire()
