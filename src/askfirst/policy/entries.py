"""The entries of a project's rule file that a permanent approval would add: no wider than what was shown."""

from __future__ import annotations

import os

from askfirst.model import Command, Kind
from askfirst.policy.tool_scope import entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from askfirst.model import Scope
    from askfirst.policy.rules import Layers
    from askfirst.policy.scope import Offer, Part

__all__ = ["entries_of", "entry_for"]

# A rule's `args` are prefixes, so what would make another command of it behind the prefix is named.
_PUSH = tuple(
    "--force* -f --delete -d --mirror --prune --all --tags --receive-pack* --exec* -o --push-option* +*".split()
)
_CURL = tuple(
    "-X* --request* -d* --data* --json* -F* --form* -T* --upload-file* -K* --config* -x* --proxy* -o* --output* -O* "
    "--remote* "
    "-b* --cookie* -u* --user* -n* --netrc* --next -:".split()
)
_DENY_ARGS = {("git", "push"): _PUSH, ("curl",): _CURL}


def entries_of(offer: Offer, layers: Layers, *, wide: bool) -> tuple[dict[str, Any], ...]:
    """One entry for each asked fact; () when one of them has none."""
    entries: list[dict[str, Any]] = []
    for part in offer.parts:
        scope = part.wide if wide and part.wide is not None else part.scope
        entry = entry_for(scope, part, layers) if scope is not None else None
        if entry is None:
            return ()
        if entry not in entries:
            entries.append(entry)
    return tuple(entries)


def entry_for(scope: Scope, part: Part, layers: Layers) -> dict[str, Any] | None:
    """The entry for one scope; None when no rule can say it."""
    if scope.kind == "tool":
        return entry_of(scope)
    command = part.finding.fact
    if not isinstance(command, Command):
        return None
    entry = _by_kind(scope, command, layers)
    if entry is None or not _can_be_written(entry):
        return None
    if command.action.description:
        entry["description"] = command.action.description
    return entry


def _by_kind(scope: Scope, command: Command, layers: Layers) -> dict[str, Any] | None:
    if scope.kind == "script":
        return _script(scope, command, layers)
    if scope.where not in ("", "-"):
        return None  # the project's file speaks of the project
    if scope.kind in ("action", "edit"):
        named = _named(scope, command)
        return named if named is None or scope.any_args else {**named, "paths": "project"}
    if scope.kind == "host":
        return _host(scope, command)
    return _exact(command) if scope.kind == "exact" and command.action.kind == Kind.OTHER else None


def _exact(command: Command) -> dict[str, Any] | None:
    words = [w.value or "" for w in command.argv[1:]]
    if not all(map(_is_one_word, words)) or any(w.endswith("*") for w in words):
        return None
    return {"name": command.name, **({"args": [" ".join(words)]} if words else {})}


def _is_one_word(text: str) -> bool:
    return text.split() == [text]


def _named(scope: Scope, command: Command) -> dict[str, Any] | None:
    """Program and action; a target (`git config user.name`) only where it stands right behind them."""
    words = [*scope.key[1:], *([scope.target] if scope.target else [])]
    if scope.target and [w.value for w in command.argv[1 : len(words) + 1]] != words:
        return None
    return {"name": scope.key[0], **({"args": [" ".join(words)]} if words else {})}


def _script(scope: Scope, command: Command, layers: Layers) -> dict[str, Any] | None:
    relative = os.path.relpath(scope.target, layers.project)
    if relative.startswith("../") or relative.split() != [relative]:
        return None
    if not scope.key:
        return {"name": f"./{relative}", "sha256": scope.sha256}
    words = [w.value or "" for w in command.argv[1:]]
    if not words or words[0].startswith("-"):
        return None  # options of the interpreter stand before the script: a prefix would not name the script
    return {"name": command.name, "args": [words[0]], "sha256": scope.sha256, "paths": "project"}


def _host(scope: Scope, command: Command) -> dict[str, Any] | None:
    words = [_any_path_of(w.value or "", scope.target) for w in command.argv[1:]]
    # Only the last word of a prefix may end in `*`.
    if not words or not all(map(_is_one_word, words)) or any(w.endswith("*") for w in words[:-1]):
        return None
    denied = _DENY_ARGS.get(scope.key[:2]) or _DENY_ARGS.get(scope.key[:1]) or ()
    kept = [d for d in denied if not any(_is_denied(w, d) for w in words)]
    return {"name": command.name, "args": [" ".join(words)], **({"deny_args": kept} if kept else {})}


def _any_path_of(word: str, host: str) -> str:
    return f"{word.partition('://')[0]}://{host}/*" if "://" in word else word


def _is_denied(word: str, denied: str) -> bool:
    return word == denied or (denied.endswith("*") and word.startswith(denied[:-1]))


def _can_be_written(entry: dict[str, Any]) -> bool:
    """A word with a blank in it, or one that ends in `*`, would mean something else in a rule."""
    name = str(entry["name"])
    return (
        name.isprintable()
        and name.split() == [name]
        and "*" not in name
        and all(a.isprintable() for a in entry.get("args", ()))
    )
