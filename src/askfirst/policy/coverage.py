"""Whether a remembered approval covers a fact that would otherwise be asked about."""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Command, Duration, Fact, Grant, Read, Scope, ToolUse, Unknown, Write
from askfirst.policy.file_hashes import file_hash
from askfirst.policy.match import covers as rule_covers
from askfirst.policy.match import may_set
from askfirst.policy.orders import names_hash, scripts_hash
from askfirst.policy.pinning import (
    ANY_CONTENT,
    NO_DIRECTORY,
    covers_below,
    is_inside,
    machine_of,
    where_of,
)
from askfirst.policy.rules import Layers, Rule
from askfirst.policy.tool_match import covers as tool_covers
from askfirst.policy.tool_scope import rule_of_tool

__all__ = [
    "ASKED_FOR_LOADING",
    "ASKED_FOR_PLACE",
    "EDITS",
    "covers",
    "is_in_force",
    "of_this_text",
    "rule_of",
    "scope_covers",
]


def covers(grants: tuple[Grant, ...], fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> Grant | None:
    """The grant that covers a fact which would otherwise be asked about, or None. `facts`: all of the request."""
    for grant in grants:
        if is_in_force(grant, layers) and _covers(grant, fact, facts, layers):
            return grant
    return None


# Writes that are asked because of where they go are remembered by path. One that is asked because of what it contains
# or takes away is not covered by a yes to its place.
ASKED_FOR_PLACE = frozenset({"outside", "scope", "create-dir", "agent-notes"})
# Writes that are asked because tools load the file: a scope names the rule in `action`, and is for edits.
ASKED_FOR_LOADING = frozenset({"agent-loaded", "auto-loaded"})
EDITS = frozenset({"create", "overwrite", "append"})


def of_this_text(grants: tuple[Grant, ...]) -> tuple[Grant, ...]:
    """The grants that are for a whole request."""
    return tuple(grant for grant in grants if _is_of_text(grant))


def is_in_force(grant: Grant, layers: Layers) -> bool:
    if grant.project != layers.project:
        return False
    if grant.duration == Duration.SESSION:
        return bool(grant.session) and grant.session == layers.session
    # Permanent ones stand in the project's file and count from there; a one-shot is consumed by the manager.
    return grant.duration == Duration.TIMED and grant.created <= layers.now < grant.until


def _is_of_text(grant: Grant) -> bool:
    return any(s.kind == "text" for s in grant.scopes)


def _is_this_text(grant: Grant, layers: Layers) -> bool:
    """A text is allowed as a whole, and only while the scripts it runs are the ones that were approved."""
    return bool(grant.digest) and grant.digest == layers.digest and all(_is_unchanged(s) for s in grant.scopes)


def _covers(grant: Grant, fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> bool:
    if _is_of_text(grant):
        return _is_this_text(grant, layers)
    return any(scope_covers(s, fact, facts, layers) for s in grant.scopes)


def _is_unchanged(scope: Scope) -> bool:
    if scope.kind != "pin":
        return True
    if scope.action:
        return names_hash(scope.target, scope.action) == scope.sha256
    return (scripts_hash(scope.name, scope.target) if scope.name else file_hash(scope.target)) == scope.sha256


def scope_covers(scope: Scope, fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> bool:
    if isinstance(fact, Write):
        return scope.kind == "write" and _is_the_file(scope, fact) and _is_the_write(scope, fact)
    if isinstance(fact, Read):
        return scope.kind == "read" and fact.path is not None and fact.path == scope.target
    if isinstance(fact, ToolUse):
        return scope.kind == "tool" and tool_covers(rule_of_tool(scope), fact)
    if isinstance(fact, Unknown):
        return scope.kind == "command" and bool(scope.env) and _is_set_for(scope, fact, facts, layers)
    return scope.kind == "command" and _covers_command(scope, fact, layers)


def _is_the_write(scope: Scope, write: Write) -> bool:
    if not scope.action:
        return scope.name == write.how
    new = write.change.new if write.change is not None else ""
    return write.how in EDITS and new != "" and scope.sha256 in (ANY_CONTENT, new)


def _is_the_file(scope: Scope, write: Write) -> bool:
    if write.path is None:
        return False
    if scope.below:
        # `mv a /tmp`: the directory itself is no file, so what is written lies in it.
        inside = write.path.startswith(scope.target.rstrip("/") + "/") or write.path == scope.target
        return inside and "/../" not in write.path
    return write.path == scope.target and not write.below


def _is_set_for(scope: Scope, unknown: Unknown, facts: tuple[Fact, ...], layers: Layers) -> bool:
    """A variable that may be set for the command which was approved with it, and for no other of this request."""
    if unknown.what != "environment":
        return False
    name = unknown.text.partition("=")[0].rstrip("+")
    users = [f for f in facts if isinstance(f, Command) and any(a.name == name for a in f.assignments)]
    return bool(users) and all(may_set(scope.env, u, name) and _covers_command(scope, u, layers) for u in users)


def rule_of(scope: Scope) -> Rule:
    """The rule that says the same of a command, or of a tool."""
    if scope.kind == "tool":
        return rule_of_tool(scope)
    return Rule(
        scope.name,
        args=scope.args,
        deny_args=scope.deny_args,
        action=scope.action,
        target=scope.target,
        paths=scope.paths,
        env=scope.env,
        sha256="" if scope.sha256 == ANY_CONTENT else scope.sha256,
        path=scope.name if scope.name.startswith("/") else "",
        dangerous=scope.dangerous,
    )


def _covers_command(scope: Scope, command: Command, layers: Layers) -> bool:
    where = where_of(command, layers)
    if where is None or machine_of(command) != scope.via:
        return False
    if scope.where not in (where, command.cwd) and not (
        covers_below(scope, layers.project) and is_inside(where, scope.where)
    ):
        return False
    here = layers if scope.where in ("", NO_DIRECTORY) else replace(layers, project=scope.where)
    return rule_covers(rule_of(scope), command, here)
