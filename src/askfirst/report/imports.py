"""Rules of other tools, each with what it becomes here: AutoForge's and AutoCoder's files, Claude Code's permissions.

Nothing is widened: what askfirst cannot say as narrowly as it was meant, or would refuse, is left out, with the reason.
What another tool denies or asks stays with it, and narrows here too where an entry can say it.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from askfirst.agents.claude.environment import read
from askfirst.agents.claude.settings import parsed, settings_path
from askfirst.errors import ConfigError, UsageError
from askfirst.model import Decision, Request
from askfirst.policy.arguments import REST, quoted
from askfirst.policy.config import parse_org, parse_project
from askfirst.policy.keys import ORG_KEYS
from askfirst.policy.yaml_writing import render
from askfirst.policy.yamltext import Value, decode, parse
from askfirst.report.rejudge import judge_only
from askfirst.store import paths, rulefiles
from askfirst.store.layers import load_layers

ALLOW, ASK, DENY, BLOCK, LEFT_OUT, NOT_NEEDED = "allow", "ask", "deny", "block", "left out", "not needed"
SHELL_CHARACTERS = ";|&<>`$(){}\n\"'\\"
PKILL = "askfirst judges `pkill` itself: a session may stop what it started, anything else asks"


@dataclass(frozen=True)
class Imported:
    """One rule of the other tool."""

    source: str  # its file
    given: str  # as it stands there
    outcome: str  # allow, ask, deny, block; left out, not needed
    entry: dict[str, Any] | None = None  # what it becomes
    section: str = "commands"  # of the project's file; or allowed_commands, blocked_commands of the organisation's
    why: str = ""

    @property
    def line(self) -> str:
        return render((self.entry,)) if self.entry is not None else ""


def imported(source: str, project: str, *, user: bool = False) -> list[Imported]:
    """The rules of `autoforge`, or of `claude-permissions`."""
    if source == "autoforge":
        return from_autoforge(project)
    layers = load_layers(project, now=time.time())

    def is_allowed(text: str) -> bool:
        request = Request("import", "", project, project, "Bash", {"command": text})
        return judge_only(request, layers).decision == Decision.ALLOW

    return from_claude(project, user=user, is_allowed=is_allowed)


def user_file_of(wanted: list[Imported]) -> str:
    """A file of the user's with these entries and nothing else."""
    lines = ["version: 2"]
    for section in ("blocked_commands", "allowed_commands"):
        entries = tuple(w.entry for w in wanted if w.section == section and w.entry is not None)
        lines += [f"{section}:", render(entries, indent=2)] if entries else []
    return "\n".join(lines) + "\n"


# AutoForge


def from_autoforge(project: str) -> list[Imported]:
    """Of the project's file, and of the user's."""
    found: list[Imported] = []
    for name in paths.PROJECT_FALLBACKS:
        found += _autoforge_file(os.path.join(project, name), {"commands": ALLOW}, inside=project)
    sections = {"allowed_commands": ALLOW, "blocked_commands": BLOCK}
    for name in paths.ORG_FALLBACKS:
        found += _autoforge_file(os.path.join(paths.home(), name), sections)
    return found


def _autoforge_file(path: str, sections: dict[str, str], *, inside: str = "") -> Iterator[Imported]:
    data = rulefiles.read_file(path, inside=inside)
    root = parse(decode(data, path), path) if data is not None else None
    for key, value in root.content if root is not None and root.kind == "map" else ():
        if key.content in sections and value.kind == "seq":
            for entry in value.content:
                yield _autoforge_entry(path, entry, key.content, sections[key.content])
        elif key.content != "version" and value.kind != "null":
            yield Imported(path, f"{key.content}: {_plain(value)}", LEFT_OUT, why=_why_not(key.content))


def _why_not(key: str) -> str:
    if key == "pkill_processes":
        return PKILL
    if key in ORG_KEYS:
        return "a setting, not a rule: it has the same name in askfirst's own file, where you can set it"
    return f"askfirst has no `{key}`"


def _autoforge_entry(path: str, entry: Value, section: str, outcome: str) -> Imported:
    given = _plain(entry)
    fields = {k.content: v.content for k, v in entry.content} if entry.kind == "map" else {"name": entry.content}
    more = sorted(set(fields) - {"name", "description"})
    if not isinstance(fields.get("name"), str) or more:
        why = f"askfirst does not know its `{more[0]}`, which may narrow it" if more else "it has no name"
        return Imported(path, given, LEFT_OUT, section=section, why=why)
    name = str(fields["name"])
    if section == "commands" and "/" in name and not name.startswith(("/", "./", "~", "../")):
        name = f"./{name}"
    described = {"description": fields["description"]} if isinstance(fields.get("description"), str) else {}
    return _checked(Imported(path, given, outcome, {"name": name, **described}, section))


def _plain(value: Value) -> str:
    if value.kind == "map":
        return "{" + ", ".join(f"{k.content}: {_plain(v)}" for k, v in value.content) + "}"
    return "[" + ", ".join(map(_plain, value.content)) + "]" if value.kind == "seq" else str(value.content)


# Claude Code


def from_claude(project: str, *, user: bool, is_allowed: Callable[[str], bool]) -> list[Imported]:
    """Of the project's two settings files, or of the user's. `is_allowed`: what runs without asking already."""
    section = "allowed_commands" if user else "commands"
    found: list[Imported] = []
    for scope in ("user",) if user else ("project", "local"):
        path = settings_path(scope, project)
        permissions = _permissions(path)
        for kind in (ALLOW, ASK, DENY):
            listed = permissions.get(kind)
            for rule in listed if isinstance(listed, list) else ():
                found.append(_claude_rule(path, str(rule), kind, section, is_allowed))
    return found


def _permissions(path: str) -> dict[str, Any]:
    try:
        settings = parsed(read(path))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    found = settings.get("permissions") if isinstance(settings, dict) else None
    return found if isinstance(found, dict) else {}


def _claude_rule(path: str, rule: str, kind: str, section: str, is_allowed: Callable[[str], bool]) -> Imported:
    given = f"{kind}: {rule}"
    tool = _tool_of(rule)
    if tool:
        entry = {**tool, **({"decision": kind} if kind != ALLOW else {})}
        return _checked(Imported(path, given, kind, entry, section))
    text, prefix, why = _command_of(rule)
    if why:
        return Imported(path, given, LEFT_OUT, section=section, why=why)
    if kind == ALLOW and is_allowed(text):
        harmless = "what is harmless of it runs without asking already" if prefix else "it runs without asking already"
        return Imported(path, given, NOT_NEEDED, section=section, why=harmless)
    name, *words = shlex.split(text)
    entry = {"name": name}
    if words or not prefix:
        entry["args"] = [" ".join((*map(quoted, words), *([REST] if prefix else [])))]
    if kind != ALLOW:
        entry["decision"] = kind
    return _checked(Imported(path, given, kind, entry, section))


def _tool_of(rule: str) -> dict[str, Any]:
    """The entry for a rule about a host, or about the tools of an MCP server; {} when it is neither."""
    tool, _, rest = rule.partition("(")
    if tool == "WebFetch" and rest.startswith("domain:"):
        return {"tool": tool, "domains": [rest.removeprefix("domain:").removesuffix(")").strip()]}
    if tool.startswith("mcp__") and not rest:
        return {"tool": tool if tool.count("__") > 1 else f"{tool}__*"}
    return {}


def _command_of(rule: str) -> tuple[str, bool, str]:
    """(the command, whether anything may follow it, why no entry can say it)"""
    tool, bracket, rest = rule.partition("(")
    if tool != "Bash":
        return "", False, "it is about another tool than the shell: it stays with the client"
    text = rest.removesuffix(")").strip() if bracket else "*"
    if text in ("", "*", ":*"):
        return "", False, "it means every command"
    prefix = text.endswith((":*", " *"))
    text = text[:-2].strip() if prefix else text
    if any(c in text for c in SHELL_CHARACTERS + "*") or "=" in text.partition(" ")[0]:
        return "", False, "no entry can say this: it is more than one program with plain words"
    return text, prefix, ""


def _checked(found: Imported) -> Imported:
    """The same, unless a rule file may not hold its entry."""
    assert found.entry is not None
    text = f"version: 2\n{found.section}:\n{render((found.entry,), indent=2)}\n"
    try:
        file = parse_project(text, "") if found.section == "commands" else parse_org(text, "")
        errors = [ConfigError.of(problem) for problem in file.problems]
    except ConfigError as error:
        errors = [error]
    if not errors:
        return found
    why = "; ".join(filter(None, (errors[0].problem, errors[0].hint)))
    return replace(found, outcome=LEFT_OUT, entry=None, why=why)
