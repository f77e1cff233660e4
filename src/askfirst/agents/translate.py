"""From another agent's tools to askfirst's: each row of a table says what a tool is called here, and which key is
which.

A key that the row does not list might change what the tool does. Such a call keeps its own name: askfirst has no
model of it, and asks.
"""

from __future__ import annotations

import os

from askfirst._record import Record
from askfirst.agents.event import BEFORE_TOOL, Event
from askfirst.agents.wire import Wire
from askfirst.errors import HookInputError
from askfirst.knowledge.tools import FOREIGN, PASSING, RUNNERS, WRITERS
from askfirst.model import Decision, Request
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.agents.event import Reply
    from askfirst.model import Verdict

CWD = "cwd"  # as a key of askfirst's: where the command would run
OUR_NAMES = PASSING | RUNNERS | WRITERS | FOREIGN | {"Skill"}
PASS = "Read"  # what runs nothing and writes nothing goes by this name
MERGE_BY_HAND = (
    "askfirst: a person asked for this to be merged with the file as it is, and this hook cannot change the call. "
    "Read the file, then write the merged content."
)


class ToolRow(Record):
    """One tool: its name here, their keys -> ours, and keys that say nothing about what happens."""

    tool: str
    keys: Mapping[str, str] = {}
    ignored: frozenset[str] = frozenset()


class ToolCall(Record):
    """A call in askfirst's words."""

    tool: str
    input: Mapping[str, Any]
    cwd: str


def row(tool: str, keys: str, ignored: str = "") -> ToolRow:
    """`row("Edit", "path=file_path old_str=old_string")`"""
    return ToolRow(tool, dict(pair.split("=") for pair in keys.split()), frozenset(ignored.split()))


def passing(names: str) -> dict[str, ToolRow]:
    """Tools that run nothing and write nothing."""
    return {name: ToolRow(PASS) for name in names.split()}


class TranslatingWire(Wire):
    """What all agents share whose tools are translated: `tools` is the table, and a subclass has the words."""

    tools: Mapping[str, ToolRow]

    def translated(self, name: str, given: Mapping[str, Any], cwd: str) -> ToolCall:
        known = self.tools.get(name)
        if known is None:
            return self._untranslated(name, given, cwd)
        if known.tool == PASS:
            return ToolCall(PASS, {}, cwd)
        there = {key: value for key, value in given.items() if value is not None and key not in known.ignored}
        if not there.keys() <= known.keys.keys():
            return self._untranslated(name, given, cwd)
        ours = {known.keys[key]: value for key, value in there.items()}
        if len(ours) != len(there):
            raise HookInputError(f"hook input: `{name}` has two keys that mean the same")
        where = ours.pop(CWD, "")
        if not isinstance(where, str) or "\0" in where:
            raise HookInputError(f"hook input: `{name}`: the directory is not a path")
        return ToolCall(known.tool, ours, os.path.normpath(os.path.join(cwd, where)) if where else cwd)

    def _untranslated(self, name: str, given: Mapping[str, Any], cwd: str) -> ToolCall:
        # A tool of somebody else's may be called like one of ours: it is not ours.
        return ToolCall(f"{self.name}:{name}" if name in OUR_NAMES else name, given, cwd)

    def merged(self, name: str, given: Mapping[str, Any], updated: Mapping[str, Any]) -> dict[str, Any]:
        """The tool's input in the agent's own keys, after a person merged its content with what is in the file."""
        theirs = {ours: key for key, ours in self.tools[name].keys.items() if key in given}
        return {**given, **{theirs[key]: value for key, value in updated.items() if key in theirs}}

    def before_tool(
        self,
        call: ToolCall,
        data: Mapping[str, Any],
        *,
        session: str,
        project: str,
        ident: str = "",
        mode: str = "default",
    ) -> Event:
        """The one event that these agents have: a tool is about to be used."""
        request = Request(
            agent=self.name,
            session=session,
            cwd=call.cwd,
            project=project,
            tool=call.tool,
            input=call.input,
            tool_use_id=ident,
            mode=mode,
        )
        return Event(BEFORE_TOOL, session, project, request, data)

    def answer(self, event: Event, verdict: Verdict) -> Reply:
        """None of these agents says whether a person is there: the hook waits itself, and never lets `ask` through."""
        if verdict.decision != Decision.ALLOW:
            return self.refuse(event, for_agent(verdict))
        if verdict.updated_input is not None:
            return self.allow_merged(event, verdict, verdict.updated_input)
        return self.allow(event, verdict)

    def allow(self, event: Event, verdict: Verdict) -> Reply:
        return self.neutral(event)

    def allow_merged(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        """Allow the call with the content that a person merged.

        An agent whose hook cannot change a call is told to do it.
        """
        return self.refuse(event, MERGE_BY_HAND)
