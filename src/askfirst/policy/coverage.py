"""Whether a remembered approval covers a fact that would otherwise be asked about."""

from __future__ import annotations

from askfirst.model import Command, Duration, Kind, Read, ToolUse, Write
from askfirst.policy.pinning import (
    definition_hash,
    file_hash,
    fingerprints,
    host_words,
    key_of,
    kind_of,
    not_known,
    script_key,
    script_of,
    where_of,
)
from askfirst.policy.tool_scope import scope_covers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact, Grant, Scope
    from askfirst.policy.rules import Layers

__all__ = ["covers", "is_in_force"]


def covers(grants: tuple[Grant, ...], fact: Fact, layers: Layers) -> Grant | None:
    """The grant that covers a fact which would otherwise be asked about, or None."""
    for grant in grants:
        if is_in_force(grant, layers) and _covers(grant, fact, layers):
            return grant
    return None


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


def _covers(grant: Grant, fact: Fact, layers: Layers) -> bool:
    if _is_of_text(grant):
        return _is_this_text(grant, layers)
    return any(_scope_covers(s, fact, layers) for s in grant.scopes)


def _is_unchanged(scope: Scope) -> bool:
    if scope.kind == "pin":
        return definition_hash(scope.key[0], scope.target) == scope.sha256
    return scope.kind != "script" or file_hash(scope.target) == scope.sha256


def _scope_covers(scope: Scope, fact: Fact, layers: Layers) -> bool:
    if isinstance(fact, Write):
        return scope.kind == "write" and fact.path == scope.target and scope.key == (fact.how,) and not fact.below
    if isinstance(fact, Read):
        return scope.kind == "read" and fact.path is not None and fact.path == scope.target
    if isinstance(fact, ToolUse):
        return scope.kind == "tool" and scope_covers(scope, fact)
    return isinstance(fact, Command) and _covers_command(scope, fact, layers)


def _covers_command(scope: Scope, command: Command, layers: Layers) -> bool:
    script = script_of(command)
    if script or scope.kind == "script":
        same = scope.kind == "script" and script == scope.target and script_key(command) == scope.key
        return same and file_hash(script) == scope.sha256
    where = where_of(command, layers)
    if command.foreign or where is None or scope.where not in (where, command.cwd):
        return False
    return _same_command(scope, command)


def _same_command(scope: Scope, command: Command) -> bool:
    key = key_of(command)
    if scope.kind == "action" and scope.any_args:
        return key[:1] == scope.key and kind_of(command) == Kind.OTHER
    if key != scope.key or (scope.kind in ("action", "edit") and command.action.target != scope.target):
        return False
    if scope.kind == "action":
        return kind_of(command) in (Kind.READ, Kind.BUILD) and definition_hash(key[0], command.cwd) == scope.sha256
    if scope.kind == "edit":
        return kind_of(command) == Kind.EDIT
    if scope.kind == "wrapper":
        return command.action.kind == Kind.WRAPPER and _begins_with(command, scope.words)
    return not not_known(command) and _same_words(scope, command)


def _begins_with(command: Command, words: tuple[str, ...]) -> bool:
    return bool(words) and fingerprints(command)[: len(words)] == words


def _same_words(scope: Scope, command: Command) -> bool:
    if scope.kind == "host":
        return command.action.target == scope.target and host_words(command) == scope.words
    return scope.kind == "exact" and fingerprints(command) == scope.words
