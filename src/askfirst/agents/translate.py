"""From another agent's tools to askfirst's: each row of a table says what a tool is called here, and which key is
which.

A key that the row does not list might change what the tool does. Such a call keeps its own name, with the agent's in
front: askfirst has no model of it, and asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from askfirst.agents.event import BEFORE_TOOL, Event, Reply
from askfirst.agents.own_rules import OwnRules, why_left
from askfirst.agents.wire import Wire
from askfirst.errors import HookInputError
from askfirst.knowledge.tools import (
    ADDRESS_KEYS,
    FETCH,
    HOUSEKEEPING,
    PATH_KEYS,
    READ_FILES,
    READERS,
    SEARCH,
    STARTERS,
    plain_key,
)
from askfirst.model import Decision, Request, Verdict
from askfirst.wording import for_agent

CWD = "cwd"  # as a key of askfirst's: where the command would run
PATHS = frozenset((*PATH_KEYS.values(), *READERS.values()))  # as keys of askfirst's
MAX_TEXTS = 1000  # of one input
MERGE_BY_HAND = (
    "askfirst: a person asked for this to be merged with the file as it is, and this hook cannot change the call. "
    "Read the file, then write the merged content."
)


@dataclass(frozen=True)
class ToolRow:
    """One tool: its name here, their keys -> ours, and keys that say nothing about what happens."""

    tool: str
    keys: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()  # their keys whose text reaches a program as a word: `-O./x` is an option there
    gathers: str = ""  # every text of the input, wherever it stands, goes into a list by this name
    passes: bool = False  # it runs nothing and writes nothing, whatever it is told


@dataclass(frozen=True)
class ToolCall:
    """A call in askfirst's words."""

    tool: str
    input: Mapping[str, Any]
    cwd: str


def row(tool: str, keys: str, ignored: str = "", *, bare: str = "") -> ToolRow:
    """`row("Edit", "path=file_path old_str=old_string")`"""
    names = dict(pair.split("=") for pair in keys.split())
    return ToolRow(tool, names, frozenset(ignored.split()), bare=frozenset(bare.split()))


def passing(names: str) -> dict[str, ToolRow]:
    """Tools that run nothing and write nothing: `update_plan=TodoWrite report_intent`."""
    pairs = (pair.partition("=") for pair in names.split())
    return {theirs: ToolRow(ours or HOUSEKEEPING, passes=True) for theirs, _, ours in pairs}


def reading_files() -> ToolRow:
    """Several files, in whatever form the agent takes them: every text may be a path."""
    return ToolRow(READ_FILES, gathers="paths")


def searching_project() -> ToolRow:
    """A search that cannot be told where to look: what it is told is what it looks for."""
    return ToolRow(SEARCH, gathers="pattern")


def fetching() -> ToolRow:
    """One or more addresses, which may stand in the middle of a prompt."""
    return ToolRow(FETCH, gathers="urls")


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(key, text) of every text, wherever it stands."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key)


def _gathered(row: ToolRow, given: Mapping[str, Any], name: str) -> list[str]:
    named = [(key, text) for key, text in _texts(dict(given)) if text.strip()]
    texts = [text for _, text in named]
    if len(texts) > MAX_TEXTS:
        raise HookInputError(f"hook input: `{name}` has more than {MAX_TEXTS} texts")
    if row.tool == SEARCH:
        for text in texts:
            _refuse_option(name, text)
    if row.tool != FETCH:
        return texts
    found = [one for key, text in named for one in _addresses(key, text)]
    return list(dict.fromkeys(found)) or texts


def _addresses(key: str, text: str) -> list[str]:
    """What a key of addresses holds is one, however it is written; elsewhere they stand among other words."""
    if plain_key(key) in ADDRESS_KEYS and len(text.split()) == 1:
        return [text.strip()]
    return [word for word in text.split() if _is_address(word)]


def _is_address(word: str) -> bool:
    """Also `https:example.com` and `http:/example.com`, which URL parsers complete."""
    return "://" in word or word.lower().startswith(("http:", "https:"))


def _refuse_option(name: str, text: object) -> None:
    if isinstance(text, str) and text.lstrip().startswith("-"):
        raise HookInputError(
            f"hook input: `{name}`: a text that begins with `-` is an option of the program that searches; "
            "write `[-]` for the first character of a pattern, `./` before a path"
        )


class TranslatingWire(Wire):
    """What all agents share whose tools are translated: `tools` is the table, and a subclass has the words."""

    tools: Mapping[str, ToolRow]
    rules = OwnRules()  # where it keeps rules of its own about commands

    def own_rules(self, texts: tuple[str, ...], project: str, environ: Mapping[str, str] | None) -> str:
        return why_left(self.rules, project, environ or {})

    def translated(self, name: str, given: Mapping[str, Any], cwd: str) -> ToolCall:
        known = self.tools.get(name)
        if known is None:
            return self._untranslated(name, given, cwd)
        if known.passes:
            # A subagent is looked up among the files of the one agent whose subagents load skills.
            return ToolCall(known.tool, {} if known.tool in STARTERS else given, cwd)
        if known.gathers:
            return ToolCall(known.tool, {known.gathers: _gathered(known, given, name)}, cwd)
        there = {key: value for key, value in given.items() if value is not None and key not in known.ignored}
        if not there.keys() <= known.keys.keys():
            return self._untranslated(name, given, cwd)
        ours = {known.keys[key]: value for key, value in there.items()}
        if len(ours) != len(there):
            raise HookInputError(f"hook input: `{name}` has two keys that mean the same")
        for key in known.bare & there.keys():
            _refuse_option(name, there[key])
        return self._as_meant(name, ToolCall(known.tool, ours, cwd))

    def _as_meant(self, name: str, call: ToolCall) -> ToolCall:
        """With the paths that the agent opens, and the directory in which it runs a command."""
        ours, cwd = dict(call.input), call.cwd
        for key in PATHS & ours.keys():
            if isinstance(ours[key], str):
                ours[key] = self.path_of(ours[key], cwd)
        where = ours.pop(CWD, "")
        if not isinstance(where, str) or "\0" in where:
            raise HookInputError(f"hook input: `{name}`: the directory is not a path")
        return replace(call, input=ours, cwd=os.path.normpath(os.path.join(cwd, where)) if where else cwd)

    def path_of(self, path: str, cwd: str) -> str:
        """The file that the agent takes this for, where it changes the text of a path before it opens it."""
        return path

    def _untranslated(self, name: str, given: Mapping[str, Any], cwd: str) -> ToolCall:
        """A tool of somebody else's may be called like one of ours: it is not ours."""
        return ToolCall(name if name.startswith("mcp__") else f"{self.name}:{name}", given, cwd)

    def changed(self, name: str, given: Mapping[str, Any], updated: Mapping[str, Any]) -> dict[str, Any]:
        """The tool's input in the agent's own keys, after a person merged its content with what is in the file, or with
        the line that runs its command contained."""
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
        if verdict.decision > Decision.CONTAIN:
            return self.refuse(event, for_agent(verdict))
        if verdict.updated_input is not None:
            return self.allow_changed(event, verdict, verdict.updated_input)
        return self.allow(event, verdict)

    def allow(self, event: Event, verdict: Verdict) -> Reply:
        return self.neutral(event)

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        """Allow the call with the content that a person merged, or with the line that runs it contained.

        An agent whose hook cannot change a call is told to do it.
        """
        return self.refuse(event, MERGE_BY_HAND)
