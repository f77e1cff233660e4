"""The entries of a rule file that name a tool of the agent: their keys, and which of them could never match."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from askfirst.agents.table import AGENTS
from askfirst.knowledge import addresses
from askfirst.knowledge.tools import COMMANDS, FETCH, FOREIGN, KNOWN, READ_FILES, READERS, RUNNERS, WRITERS, plain_key
from askfirst.model import Decision
from askfirst.policy.rules import Rule
from askfirst.policy.yamltext import Value

__all__ = ["FIELDS", "field", "is_tool_name", "problem_of", "unknown_tool"]

FIELDS = ("domains", "input", "deny_input", "free_input")
_MCP, _OF_AGENT = "mcp__", tuple(f"{agent}:" for agent in ("MCP", *AGENTS))
_MAX = 100
# The keys of tools that are judged by a part of their input: no rule meets another one.
_INPUTS = {
    FETCH: ("url", "urls", "prompt"),
    "WebSearch": ("query", "allowed_domains", "blocked_domains"),
    **dict.fromkeys(("Task", "Agent"), ("subagent_type",)),
    **dict.fromkeys(("Skill", "SlashCommand"), ("skill",)),
    **dict.fromkeys(("ReadMcpResource", "ReadMcpResourceTool"), ("server", "uri")),
}
# What a key for programs is called where a tool is meant.
_INSTEAD = {
    "args": "a tool has no arguments but an input: write `input: {KEY: [VALUES]}`",
    "deny_args": "a tool has no arguments but an input: write `deny_input: {KEY: [VALUES]}`",
    "name": "write either `tool` or `name`",
}


def is_tool_name(name: str) -> bool:
    """Whether a name is a tool's and no program's."""
    return name in KNOWN or name.startswith((_MCP, *_OF_AGENT))


def field(value: Value, key: str) -> Any:
    if key == "domains":
        return tuple(_domain(v) for v in _items(value, key))
    if key == "free_input":
        return tuple(_text(v, key) for v in _items(value, key, least=0))
    if value.kind != "map":
        raise value.error(f"`{key}` must be keys with their values, not {value.is_a}", f"write `{key}: {{op: [get]}}`")
    if not value.content:
        raise value.error(f"`{key}` is empty", "name a key, or remove it")
    return tuple((_text(name, key), _values(inner, key, name.content)) for name, inner in value.content)


def _values(value: Value, key: str, name: str) -> tuple[str, ...]:
    one = value.kind in ("str", "int", "float", "bool")
    return tuple(_value(v, key) for v in ((value,) if one else _items(value, name)))


def _value(value: Value, key: str) -> str:
    if value.kind == "bool" and value.content not in ("true", "false"):
        raise value.error(f"YAML reads `{value.content}` as a boolean", f'write "{value.content}" in quotes, or true')
    if value.kind in ("int", "float", "bool"):
        return str(value.content)
    text = _text(value, key)
    if "*" in text[:-1]:
        raise value.error(f"`{text}`: a `*` is allowed only at the end", "it stands for the rest of one part of a path")
    if text == "*" and key == "input":
        raise value.error("a bare `*` matches any value", "leave the key out")
    return text


def _domain(value: Value) -> str:
    text = _text(value, "domains")
    problem = addresses.problem_of(text)
    if problem is not None:
        raise value.error(*problem)
    return text


def _items(value: Value, key: str, *, least: int = 1) -> tuple[Value, ...]:
    if value.kind != "seq":
        shown = value.content if isinstance(value.content, str) and value.content else "…"
        raise value.error(f"`{key}` must be a list, not {value.is_a}", f"write `{key}: [{shown}]`")
    if len(value.content) < least:
        raise value.error(f"`{key}` is empty, so nothing could match", "name what it stands for, or remove it")
    if len(value.content) > _MAX:
        raise value.content[_MAX].error(f"`{key}` has more than {_MAX} items", "shorten it")
    return tuple(value.content)


def _text(value: Value, key: str) -> str:
    text = value.content
    if value.kind != "str":
        shown = f"YAML reads `{text}` as {value.is_a}" if isinstance(text, str) else f"`{key}` holds {value.is_a}"
        raise value.error(shown, f'write "{text}" in quotes' if isinstance(text, str) else "write a text")
    if not text or len(text) > 300 or not text.isprintable():
        raise value.error(f"`{key}` holds an empty, long or invisible text", "write up to 300 characters on one line")
    return str(text)


def problem_of(rule: Rule, given: tuple[str, ...]) -> tuple[str, str, str] | None:
    """(key, problem, hint) when an entry with these keys could never match, or would mean more than it says."""
    name = rule.name
    for key in given:
        if key in _INSTEAD:
            return key, f"`{key}` does not fit the tool `{name}`", _INSTEAD[key]
        if key in ("paths", "env", "sha256"):
            return key, f"`{key}` is for programs, and `{name}` is a tool", "remove it"
    named = _name_problem(name, allows=rule.decision == Decision.ALLOW)
    if named is not None:
        return "tool", *named
    if rule.domains and name in KNOWN and name != FETCH:
        return "domains", f"`{name}` fetches no address", "remove `domains`"
    return _input_problem(rule)


def _name_problem(name: str, *, allows: bool) -> tuple[str, str] | None:
    start = name.removesuffix("*")
    if "*" in start or not name.isprintable() or len(name.split()) != 1:
        return f"`{name}` is not a tool's name", "write it as the agent calls it; only one `*` is allowed, at the end"
    if start.startswith((_MCP, *_OF_AGENT)):
        return _foreign_problem(name, start, allows=allows)
    if start != name:
        return f"`{name}`: a wildcard is for tools of servers", "name each tool, or write `mcp__SERVER__*`"
    if name not in KNOWN:
        problem, hint = unknown_tool(name)
        return f"{problem}, so the entry could never match", hint
    return _needless(name) if allows else None


def _foreign_problem(name: str, start: str, *, allows: bool) -> tuple[str, str] | None:
    """Of a server's tool, or one that only another agent has: an entry that allows must say whose."""
    server, mark, _ = start.removeprefix(_MCP).partition("__")
    if start.startswith(_MCP) and allows and not (server and mark):
        return f"`{name}` would allow tools of any server", f"name the server: `mcp__{server or 'SERVER'}__*`"
    if not start.startswith(_MCP) and allows and start != name and len(start.partition(":")[2]) < 3:
        return f"`{name}` would allow too many tools", "name the tool"
    if start in (_MCP, *_OF_AGENT) and start == name:
        return f"`{name}` names no tool", "write `mcp__SERVER__TOOL`"
    return None


def unknown_tool(name: str) -> tuple[str, str]:
    plain = {plain_key(known): known for known in KNOWN}
    near = plain.get(plain_key(name)) or next(iter(get_close_matches(name, sorted(KNOWN), 1, 0.75)), "")
    hint = (
        f"did you mean `{near}`?"
        if near
        else "tools have the names that Claude Code gives them, or `mcp__SERVER__TOOL`"
    )
    return f"no tool is called `{name}` here", hint


def _needless(name: str) -> tuple[str, str] | None:
    """What no entry can allow as a whole, because its parts are judged."""
    if name in RUNNERS or name == COMMANDS:
        return f"`{name}` runs commands, which are judged one by one", "name the programs that may run"
    if name in READERS or name == READ_FILES:
        return f"`{name}` may read what is no secret, and no entry makes it read more", "remove the entry"
    if name in WRITERS or name in FOREIGN:
        return f"`{name}` changes files, which are judged one by one", "see `writes`, or use `decision: ask` or `deny`"
    return None


def _input_problem(rule: Rule) -> tuple[str, str, str] | None:
    if rule.input and (rule.name in RUNNERS or rule.name == COMMANDS):
        return "input", "a command has many spellings, and its text is not compared", "write `name` and `args` instead"
    for field_name, pairs in (("input", rule.input), ("deny_input", rule.deny_input)):
        if problem := _keys_problem(rule.name, field_name, [key for key, _ in pairs]):
            return field_name, *problem
    denied = {plain_key(key): values for key, values in rule.deny_input}
    for key, values in rule.input:
        taken = denied.get(plain_key(key), ())
        if set(values) <= set(taken) or "*" in taken:
            return "deny_input", f"`deny_input` takes back all that `input` allows for `{key}`", "remove one of them"
    return None


def _keys_problem(tool: str, field_name: str, keys: list[str]) -> tuple[str, str] | None:
    known = _INPUTS.get(tool)
    odd = next((key for key in keys if known and key not in known), "")
    if odd and known:
        return f"`{tool}` has no input `{odd}`", f"its inputs are {', '.join(known)}"
    plain = [plain_key(key) for key in keys]
    if "" in plain:
        return f"`{keys[plain.index('')]}` is no key of an input", "name the key"
    if field_name == "input" and len(set(plain)) < len(plain):
        return "two keys are spellings of one, so nothing could have both", "remove one of them"
    return None
