"""askfirst's own tools for agents, one row each: what a call does to the world, and which roles may call it.

Roles count where the organisation's file has a `roles` section; who is not listed there is a dev. What is `required`
(pushing, the system) is refused where there are no roles, too: nobody has been given that right.
"""

from __future__ import annotations

from dataclasses import dataclass

SERVER = "mcp__askfirst__"  # in front of a tool's name, in the words of an agent's client
LOOKS = "looks"
PROPOSES = "proposes"  # or asks a person: nothing happens without a yes
CHANGES = "changes"  # files, the index, a branch, installed packages
DELETES = "deletes"
SENDS = "sends"  # to another machine

ANYBODY: frozenset[str] = frozenset()
WORKERS = frozenset(("dev", "sre", "release_manager"))
RELEASE = frozenset(("release_manager",))
SRE = frozenset(("sre",))


@dataclass(frozen=True)
class Row:
    effect: str = LOOKS
    roles: frozenset[str] = ANYBODY  # who may call it, where there are roles
    required: bool = False  # also where there are none: then nobody may
    critical: bool = False  # the log marks every call so


_WORK = Row(CHANGES, WORKERS)
_SYSTEM = Row(CHANGES, SRE, required=True, critical=True)
TOOLS: dict[str, Row] = {
    # what is allowed
    **dict.fromkeys(("list_allowed_commands", "check_command", "pending_requests", "tool_context"), Row()),
    "request_approval": Row(PROPOSES),
    # files
    **dict.fromkeys(("read_file", "search_file", "count_matches", "list_files", "proposal_status"), Row()),
    **dict.fromkeys(("write_file", "apply_patch", "edit_file"), Row(PROPOSES, WORKERS)),
    "delete_file": Row(DELETES, WORKERS),
    # the shell, by intent
    **dict.fromkeys(("run_test", "run_lint"), _WORK),
    **dict.fromkeys(("git_status", "git_diff"), Row()),
    **dict.fromkeys(("git_add", "git_commit", "git_checkout", "install_dependencies"), _WORK),
    "git_push": Row(SENDS, RELEASE, required=True, critical=True),
    # the system
    "verify_binary": Row(LOOKS, SRE, required=True, critical=True),
    **dict.fromkeys(("system_ctl", "install_package", "migrate_config"), _SYSTEM),
    # what is known of the code
    **dict.fromkeys(
        ("find_usage", "get_related_tests", "get_system_map", "search_knowledge", "get_task_context"), Row()
    ),
}


def row_of(tool: str) -> Row | None:
    """The row of a tool by its full name."""
    return TOOLS.get(tool.removeprefix(SERVER)) if tool.startswith(SERVER) else None


def refused_for(tool: str, role: str) -> str:
    """Why this role may not call a tool, by its full name; "" when it may. `role` is "" where there are no roles."""
    row = row_of(tool)
    if row is None or not row.roles or role in row.roles or (not role and not row.required):
        return ""
    name, wanted = tool.removeprefix(SERVER), " or ".join(sorted(row.roles))
    have = f"this user's role is {role}" if role else "the organisation's file gives nobody a role"
    return f"{name} needs the role {wanted}; {have}"
