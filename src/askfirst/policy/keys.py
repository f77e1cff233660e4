"""What may stand in a rule file: every key with its meaning. The loader, the JSON Schema and the messages all read this
table."""

from __future__ import annotations

from typing import Any

from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import KINDS, ROLES, SEEN, WAYS

__all__ = ["ENTRY_KEYS", "FOREIGN_KEYS", "ORG_KEYS", "PROFILE_KEYS", "PROJECT_KEYS", "json_schema"]

_TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string", "minLength": 1}}

# key -> JSON Schema with a description. Entries of commands, in both files.
ENTRY_KEYS: dict[str, dict[str, Any]] = {
    "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "A program (`swift`), a wildcard on the name (`swift*`), or a script of the project "
        "(`./scripts/build.sh`); `npm-package` or `pypi-package` with `action: NAME` for a package, by npx, bunx, uvx "
        "and their kin alike.",
    },
    "description": {"type": "string", "maxLength": 500, "description": "One line for people."},
    "args": {
        **_TEXTS,
        "description": "Patterns of the whole list of arguments: `run build` means these two words; a trailing `...` "
        'stands for whatever follows, `*` at the end of a word for the rest of that word, `""` for no arguments; '
        "quotes keep a word with blanks together. In a block: every call that begins so. Without it, any arguments.",
    },
    "action": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "Instead of `args`: the sub-command as askfirst's tables know it (the program's own name where "
        "it has none), with any options that they know to be inert.",
    },
    "target": {
        "type": "string",
        "minLength": 1,
        "maxLength": 300,
        "description": "With `action`: what it acts on, as `askfirst explain` shows it (a host, a remote and branch).",
    },
    "deny_args": {**_TEXTS, "description": "The entry does not cover a command with one of these."},
    "paths": {
        "enum": ["project", "tmp", "cwd", "any"],
        "description": "Where it must run, and the files that it names lie; `cwd`: only where it must run. With any of "
        "the first three, git and gh run in the project's own repository, and a file that `args` or `target` spell out "
        "is the one of the project's directory.",
    },
    "env": {
        **_TEXTS,
        "description": "Variables that may be set for this program (`NAME`), or "
        "must be set to this (`NAME=value`; several values of a name: one of them).",
    },
    "decision": {"enum": ["allow", "ask", "deny"], "description": "`ask` and `deny` narrow what another layer allows."},
    "roles": {"type": "array", "items": {"enum": list(ROLES)}, "description": "Only for these roles."},
    "expires": {"type": "string", "format": "date", "description": "After this day it asks again."},
    "sha256": {
        "type": "string",
        "pattern": "^[0-9a-f]{64}$",
        "description": "Of the script that runs, or of the file that says what a runner runs: it asks again when that "
        "changes.",
    },
    "reason": {"type": "string", "maxLength": 500, "description": "Shown to the agent."},
    "warning": {
        "type": "string",
        "maxLength": 500,
        "description": "For dangerous commands: the consequences that the dialog names.",
    },
    "match": {**_TEXTS, "description": "Examples that the entry covers, checked when the file is loaded."},
    "not_match": {**_TEXTS, "description": "Examples that it must not cover, checked when the file is loaded."},
}

_INPUT: dict[str, Any] = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {
        "anyOf": [
            {"type": ["string", "number", "boolean"]},
            {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}},
        ]
    },
}
# Entries that name a tool of the agent instead of a program.
TOOL_KEYS: dict[str, dict[str, Any]] = {
    "tool": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "A tool, as Claude Code calls it (`WebFetch`), or of a server (`mcp__github__*`).",
    },
    "domains": {
        **_TEXTS,
        "minItems": 1,
        "description": "The hosts it may fetch from, by https: `docs.python.org`, `*.mozilla.org` for sub-domains, "
        "`localhost:3000`, `http://intranet:8080`. In a block also sub-domains, whatever the scheme and the port.",
    },
    "input": {**_INPUT, "description": "Only with these inputs: `{op: [get, list]}`. Other inputs are free."},
    "deny_input": {**_INPUT, "description": "The entry does not cover a call with one of these, at whatever depth."},
    "free_input": {**_TEXTS, "description": "Besides those in `input`, only these inputs may be there."},
    **{k: ENTRY_KEYS[k] for k in ("description", "decision", "roles", "expires", "reason", "warning")},
    "match": {**_TEXTS, "description": 'Calls that the entry covers: `WebFetch {"url": "https://…"}`.'},
    "not_match": {**_TEXTS, "description": "Calls that it must not cover."},
}

_PROFILES: dict[str, Any] = {
    "type": "array",
    # An organisation's own names are not known here; an editor still offers those that ship.
    "items": {"anyOf": [{"enum": sorted(PROFILES)}, {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,60}$"}]},
    "description": "Named sets: those that ship with askfirst, and the organisation's own.",
}
VERSIONS = (1, 2)
_VERSION: dict[str, Any] = {"enum": list(VERSIONS), "description": "The version of this format: 2."}


def _texts(description: str) -> dict[str, Any]:
    return {**_TEXTS, "description": description}


WRITE_KEYS: dict[str, dict[str, Any]] = {
    "deny": _texts("Globs of files that agents do not write, in addition to the built-in ones."),
    "create_in": {
        "type": "array",
        "items": {"type": "string"},
        "description": 'Directories for new files; "" is the project\'s root. '
        "Without it: src, lib, tests, docs, scripts, the root, and the directories that are there already.",
    },
    "create_anywhere": {
        "type": "boolean",
        "description": "true: new files may be made in any directory of the project.",
    },
    "max_kib": {
        "type": "integer",
        "minimum": 1,
        "maximum": 65536,
        "description": "The largest file that may be written, in KiB.",
    },
    "replace_lines": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000000,
        "description": "Files with more lines than this are guarded.",
    },
    "replace_ratio": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "A write that changes this share of the lines is a replacement.",
    },
    "own": _texts("Directories that belong to this project's agents (a service in a mono-repository)."),
    "read_only": _texts("Directories that agents may only read."),
}
ALERT_KEYS: dict[str, dict[str, Any]] = {
    "violations": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "More violations than this flag a session for review.",
    },
    "window_seconds": {
        "type": "integer",
        "minimum": 1,
        "maximum": 86400,
        "description": "The time in which they are counted, in seconds.",
    },
}
AUDIT_KEYS: dict[str, dict[str, Any]] = {
    "syslog": {"type": "boolean", "description": "The head of the audit log also goes to syslog."},
    "keep": {
        "type": "string",
        "pattern": "^[1-9][0-9]{0,4}d$",
        "description": "How long records are kept, in days: `400d`. Without it, for ever.",
    },
}
TOOLCHAIN_KEYS: dict[str, dict[str, Any]] = {
    "test": {"type": "string", "description": "The command that runs the tests: `pytest -q tests/unit`."},
    "lint": {"type": "string", "description": "The command that lints: `ruff check src`."},
}
# What a project's file may say too: it only makes less possible.
NARROWING_TOOLBOX_KEYS: dict[str, dict[str, Any]] = {
    "allowed_commands": _texts("The only programs that run_test, run_lint and install_dependencies may start."),
    "branch_names": _texts("Patterns of the branches that git_checkout makes and git_push pushes to: `feature/*`."),
    "commit_pattern": {
        "type": "string",
        "description": "A regular expression that the first line of a commit's message matches.",
    },
    "commit_subject": {
        "type": "integer",
        "minimum": 10,
        "maximum": 500,
        "description": "The longest first line of a commit's message, in characters.",
    },
}
TOOLBOX_KEYS: dict[str, dict[str, Any]] = {
    **NARROWING_TOOLBOX_KEYS,
    "hitl_ttl_seconds": {
        "type": "integer",
        "minimum": 10,
        "maximum": 1800,
        "description": "How long a proposed change of a file waits for a person.",
    },
    "read_kib": {"type": "integer", "minimum": 1, "maximum": 1024, "description": "What read_file shows by default."},
    "max_read_kib": {"type": "integer", "minimum": 1, "maximum": 1024, "description": "What read_file shows at most."},
    "isolation": {
        "enum": ["STRICT", "SHARED"],
        "description": "With `writes: {own: …}`: whether agents may read the files of other services (SHARED) or not.",
    },
    "embedding_model": {
        "type": "string",
        "description": "A model for search_knowledge: its directory on this machine, or the package that brings it.",
    },
    "sudo": _texts("Programs that agents' users may start with `sudo` without a password: `/usr/bin/systemctl`."),
}


BOX_MODES = ("off", "unknown", "all")
BOX_KEYS: dict[str, dict[str, Any]] = {
    "mode": {
        "enum": list(BOX_MODES),
        "description": "off: nothing; unknown: what would be asked and is harmless there; all: what rules allow, too.",
    },
    "show": _texts("Secrets of the project that code in the box may read: `.env.test`."),
    "hosts": _texts("Machines that commands in the box may reach, where `srt` is installed: `packages.example.org`."),
}
_BOX: dict[str, Any] = {
    "anyOf": [
        {"enum": list(BOX_MODES)},
        {"type": "object", "properties": BOX_KEYS, "additionalProperties": False},
    ],
    "description": "Whether commands run contained: without network, and with nothing to change but the project.",
}


TEAM_KEYS: dict[str, dict[str, Any]] = {
    "approvers": {
        "type": "object",
        "properties": {kind: {**_TEXTS, "description": f"Persons and roles that may allow {kind}."} for kind in KINDS},
        "additionalProperties": False,
        "description": "Who may allow which kind of question. A kind that is not named: anybody. `dev` means everybody "
        "but a product_owner.",
    },
    "self_approval": {
        "anyOf": [{"type": "boolean"}, {"type": "array", "items": {"enum": list(KINDS)}}],
        "description": "Kinds that the person whose agent asks may allow; without it, `[default]`.",
    },
    "danger_approvals": {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "How many different people must allow what is dangerous.",
    },
    "unsigned": {"type": "boolean", "description": "true: a team's answer counts without a signature."},
    "policy_required": {
        "type": "boolean",
        "description": "true: everything is denied where the rules from the team's database are missing.",
    },
}
FLOW_RULE_KEYS: dict[str, dict[str, Any]] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 60, "description": "Shown in the question and in the log."},
    "when": {
        "type": "array",
        "minItems": 1,
        "items": {"enum": list(SEEN)},
        "description": "What the session must have seen, all of it; `value`: a secret's own value would go out.",
    },
    "to": {
        "type": "array",
        "items": {"enum": ["out", *WAYS]},
        "description": "Where the call goes: `out` for whatever leaves this machine (the default), one way of it, "
        "`code` for programs that may send anything, `loaded` for a file that a tool obeys by itself.",
    },
    "hosts": _texts("Only towards these hosts: `api.example.org`, `*.example.org`."),
    "decision": ENTRY_KEYS["decision"],
    "reason": ENTRY_KEYS["reason"],
}
FLOW_KEYS: dict[str, dict[str, Any]] = {
    "rules": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": FLOW_RULE_KEYS,
            "required": ["name", "when"],
            "additionalProperties": False,
        },
        "description": "Rules of flow, before the built-in ones; the first that fits counts.",
    },
    "trusted_hosts": _texts("Hosts whose pages no stranger writes: reading them does not make a session untrusted."),
    "trusted_servers": _texts("Tool servers whose results no stranger writes: `github` for `mcp__github__*`."),
    "local_servers": _texts("Tool servers that keep what they are given on this machine."),
    "private": _texts("Globs of paths, and tools (`mcp__crm__*`), whose content is private."),
}
REDACT_KEYS: dict[str, dict[str, Any]] = {
    "output": {"type": "boolean", "description": "off: results reach the model with their secrets."},
    "keep": {"type": "boolean", "description": "off: what was masked is kept nowhere, for the person neither."},
    "patterns": _texts("Regular expressions of secrets of your own; a group named `v` is the part that is masked."),
}
NOTIFY_KINDS = ("webhook", "ntfy", "slack", "desktop", "bell", "title")
NOTIFY_ON = ("waiting", "alert", "flow")
NOTIFY_KEYS: dict[str, dict[str, Any]] = {
    "kind": {"enum": list(NOTIFY_KINDS), "description": "How it is told."},
    "url": {"type": "string", "minLength": 1, "maxLength": 500, "description": "For webhook, ntfy and slack."},
    "on": {
        "type": "array",
        "items": {"enum": list(NOTIFY_ON)},
        "description": "A question that waits, a session that is flagged, a question about a flow. Without it, all.",
    },
    "after_seconds": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1800,
        "description": "How long a question waits before it is told (20).",
    },
}


_ALLOWING = ("deny_input", "free_input")  # make no sense where nothing is allowed


def _entries(description: str, *without: str) -> dict[str, Any]:
    keys = {k: v for k, v in ENTRY_KEYS.items() if k not in without}
    program = {"type": "object", "properties": keys, "required": ["name"], "additionalProperties": False}
    of_tools = {k: v for k, v in TOOL_KEYS.items() if k not in without and (k not in _ALLOWING or "deny_args" in keys)}
    tool = {"type": "object", "properties": of_tools, "required": ["tool"], "additionalProperties": False}
    return {
        "type": "array",
        "items": {"anyOf": [{"type": "string", "minLength": 1}, program, tool]},
        "description": description,
    }


def _section(keys: dict[str, dict[str, Any]], description: str) -> dict[str, Any]:
    return {"type": "object", "properties": keys, "additionalProperties": False, "description": description}


PROFILE_KEYS: dict[str, dict[str, Any]] = {
    "description": ENTRY_KEYS["description"],
    "include": {
        "type": "array",
        "items": {"enum": sorted(PROFILES)},
        "description": "Profiles that ship with askfirst, switched on with it.",
    },
    "commands": _entries("Allowed where the profile is switched on.", "warning"),
}
ORG_KEYS: dict[str, dict[str, Any]] = {
    "version": _VERSION,
    "allowed_commands": _entries("Allowed in every project.", "warning"),
    "blocked_commands": _entries(
        "Never allowed in any project, and never asked about.",
        "warning",
        "decision",
        "sha256",
        "paths",
        "env",
        "deny_args",
        "target",
    ),
    "dangerous_commands": _entries(
        "Ask with a warning, and want CONFIRM typed in full.",
        "decision",
        "sha256",
        "paths",
        "env",
        "deny_args",
        "target",
        "expires",
    ),
    "approval_timeout_minutes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 30,
        "description": "How long a question waits.",
    },
    "approval_enabled": {"type": "boolean", "description": "false: what no rule allows is denied without asking."},
    "client_dialog": {
        "type": "boolean",
        "description": "off: requests wait in askfirst's own surfaces only, never in the agent's dialog.",
    },
    "dangerous_command_requires_confirmation": {
        "type": "boolean",
        "description": "Dangerous commands want CONFIRM typed in full.",
    },
    "max_project_commands": {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "description": "The largest number of entries in a project's file.",
    },
    "profiles": _PROFILES,
    "own_profiles": {
        "type": "object",
        "additionalProperties": _section(PROFILE_KEYS, "One profile."),
        "description": "Profiles of the organisation's own, by name; a project switches one on like any other.",
    },
    "roles": {
        "type": "object",
        "additionalProperties": {"enum": list(ROLES)},
        "description": "Users and their roles; everybody else is dev.",
    },
    "push_dry_run_first": {
        "type": "boolean",
        "description": "With roles: `git push` asks, and wants `--dry-run` first.",
    },
    "writes": _section(WRITE_KEYS, "What agents may write."),
    "alerts": _section(ALERT_KEYS, "When a session is flagged for review."),
    "audit": _section(AUDIT_KEYS, "The audit log."),
    "team": _section(TEAM_KEYS, "Who may answer, where a team answers through a database."),
    "protected_paths": _texts("Globs of paths that agents never write."),
    "flow": _section(FLOW_KEYS, "What sessions see, and where it may go."),
    "redact": _section(REDACT_KEYS, "Secrets in what tools show to a model."),
    "notify": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": NOTIFY_KEYS,
            "required": ["kind"],
            "additionalProperties": False,
        },
        "description": "Who is told, elsewhere, that a question waits. What is told is never enough to answer.",
    },
    "box": _BOX,
    "toolbox": _section(TOOLBOX_KEYS, "askfirst's own tools for agents (`askfirst mcp`)."),
    "resident": {
        "type": "boolean",
        "description": "off: no warm process judges calls; every call starts the hook anew, which takes longer.",
    },
}
PROJECT_KEYS: dict[str, dict[str, Any]] = {
    "version": _VERSION,
    "commands": _entries("Allowed in this project, once the file is trusted.", "warning"),
    "profiles": _PROFILES,
    "writes": _section(WRITE_KEYS, "Narrows what agents may write in this project."),
    "box": {
        "enum": list(BOX_MODES),
        "description": "Narrows: off asks again for what would run contained, all contains what rules allow as well.",
    },
    "toolchain": _section(TOOLCHAIN_KEYS, "What run_test and run_lint start here, where the manifests do not say it."),
    "toolbox": _section(NARROWING_TOOLBOX_KEYS, "Narrows what askfirst's own tools do in this project."),
}


# Keys of other tools' files that only allow: they do not count, and are named. Any other unknown key refuses the file.
FOREIGN_KEYS = {"pkill_processes": "askfirst judges `pkill` itself, so AutoForge's list does not count"}


def json_schema(which: str) -> dict[str, Any]:
    """The JSON Schema of a file: "org" or "project"."""
    keys = ORG_KEYS if which == "org" else PROJECT_KEYS
    title = (
        "askfirst: the organisation's config.yaml" if which == "org" else "askfirst: .askfirst/allowed_commands.yaml"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": keys,
        "required": ["version"],
        "additionalProperties": False,
    }
