"""What an approval remembers (and, from policy/coverage.py, whether a remembered one covers a fact).

The narrowest thing that still saves the next prompt: the action (`npm test`, not `npm`), a script with its hash, a
host, the exact words, or the exact text. What could not be understood is remembered by the digest of the whole request,
or not at all. Words that must be the same are kept as fingerprints, because they may hold secrets."""

from __future__ import annotations

import os

from askfirst._record import Record
from askfirst.knowledge.tools import runs_its_input
from askfirst.model import Command, Decision, Duration, Kind, Read, Scope, ToolUse, Unknown, Write
from askfirst.policy.coverage import covers, is_in_force
from askfirst.policy.pinning import (
    NO_DIRECTORY,
    definition_hash,
    file_hash,
    fingerprints,
    host_words,
    is_inside,
    key_of,
    kind_of,
    not_known,
    script_key,
    script_of,
    where_of,
    wrapper_words,
)
from askfirst.policy.tool_scope import scope_of, wide_scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from askfirst.model import Finding, Verdict
    from askfirst.policy.rules import Layers

__all__ = ["Offer", "Part", "covers", "is_in_force", "offer_of", "scopes_of"]

MAX_TEXT, MAX_COMMANDS = 2000, 20
# Unknown facts of these classes cannot be told apart by their text: what runs depends on what the text does not say.
_NOT_REMEMBERED = frozenset({"syntax", "expansion", "too long", "eval", "zsh"})
# Writes that are asked because of where they go are remembered by path; those asked because of what they contain are
# not.
_ASKED_FOR_PLACE = frozenset({"outside", "scope", "create-dir", "agent-notes"})
# The same words later would take something else away.
_ASKED_FOR_LOSS = frozenset({"replace", "empties"})
_EXACT_TEXT = Scope("text", (), shown="exactly this text, in this directory")


class Part(Record):
    """What an approval would remember of one asked fact."""

    finding: Finding
    scope: Scope | None  # None: only as part of the exact text
    wide: Scope | None = None  # one key wider
    only_once: str = ""  # why not even for the session
    not_permanent: str = ""  # why no file may hold it


class Offer(Record):
    """What an approval of a whole request would remember."""

    parts: tuple[Part, ...]
    scopes: tuple[Scope, ...]
    wide: tuple[Scope, ...] = ()  # () when it cannot be widened
    refused: Mapping[int, str] = {}  # Duration -> why it is not offered


def scopes_of(verdict: Verdict, layers: Layers) -> tuple[Scope, ...]:
    return offer_of(verdict, layers, text="").scopes


def offer_of(verdict: Verdict, layers: Layers, *, text: str) -> Offer:
    """What can be remembered of the facts that were asked about. `text` is the whole request's."""
    commands = tuple(f.fact for f in verdict.findings if isinstance(f.fact, Command))
    parts = tuple(_part(f, layers, commands) for f in verdict.findings if f.decision == Decision.ASK)
    if not parts:
        nothing = "askfirst cannot tell its parts apart"
        return Offer((), (_EXACT_TEXT,), (), _refusals(nothing, nothing))
    only_once = _first(p.only_once for p in parts) or _too_big(text, verdict)
    not_permanent = only_once or _first(p.not_permanent for p in parts)
    if any(p.scope is None for p in parts):
        # One part is bound to the exact text, so all of it is: a chain's risky part must not be remembered on its own.
        refused = _refusals(only_once, not_permanent or "an exact text is not a rule")
        return Offer(parts, (_EXACT_TEXT, *_pins(parts)), (), refused)
    known = _unique(p.scope for p in parts)
    wide = () if only_once else _widened(parts)
    return Offer(parts, known, wide, _refusals(only_once, not_permanent))


def _widened(parts: tuple[Part, ...]) -> tuple[Scope, ...]:
    return _unique(p.wide or p.scope for p in parts) if any(p.wide for p in parts) else ()


def _pins(parts: tuple[Part, ...]) -> tuple[Scope, ...]:
    return tuple(pin for part in parts if (pin := _pin(part)) is not None)


def _first(reasons: Iterable[str]) -> str:
    return next((reason for reason in reasons if reason), "")


def _pin(part: Part) -> Scope | None:
    """What must not change under an exact text: the scripts it runs, and what its runners run."""
    scope, command = part.scope, part.finding.fact
    if scope is None or not scope.sha256 or not isinstance(command, Command):
        return None
    return scope if scope.kind == "script" else Scope("pin", scope.key, command.cwd or "", sha256=scope.sha256)


def _refusals(only_once: str, not_permanent: str) -> dict[int, str]:
    refused: dict[int, str] = {}
    if only_once:
        refused[Duration.SESSION] = refused[Duration.TIMED] = only_once
    if not_permanent or only_once:
        refused[Duration.PERMANENT] = not_permanent or only_once
    return refused


def _unique(scopes: Iterable[Scope | None]) -> tuple[Scope, ...]:
    return tuple(dict.fromkeys(scope for scope in scopes if scope is not None))


def _too_big(text: str, verdict: Verdict) -> str:
    commands = sum(isinstance(f.fact, Command) for f in verdict.findings)
    if len(text) > MAX_TEXT:
        return f"it is longer than {MAX_TEXT:,} characters, so it is allowed once at most"
    if commands > MAX_COMMANDS:
        return f"it holds more than {MAX_COMMANDS} commands, so it is allowed once at most"
    return ""


def _part(finding: Finding, layers: Layers, commands: tuple[Command, ...]) -> Part:
    fact = finding.fact
    if isinstance(fact, Command):
        wrapped = wrapper_words(fact, commands)
        return _wrapper_part(finding, fact, wrapped, layers) if wrapped else _command_part(finding, fact, layers)
    if isinstance(fact, Write):
        if finding.origin.rule in _ASKED_FOR_LOSS:
            return Part(
                finding,
                None,
                only_once="it is approved for what the file holds now, so it is allowed once at most",
            )
        if fact.path is None or fact.below or finding.origin.rule not in _ASKED_FOR_PLACE:
            return Part(finding, None, not_permanent="a write is approved with its content, not as a rule")
        shown = f"{fact.how} {fact.path}, whatever the content"
        scope = Scope("write", (fact.how,), fact.path, shown=shown)
        return Part(finding, scope, not_permanent="writes outside the rules are not made permanent")
    if isinstance(fact, Read):
        if fact.path is None:
            return Part(finding, None, only_once="askfirst cannot tell which file it reads")
        shown = f"read {fact.path}"
        return Part(
            finding, Scope("read", (), fact.path, shown=shown), not_permanent="reading secrets is not made permanent"
        )
    if isinstance(fact, ToolUse):
        return _tool_part(finding, fact)
    if isinstance(fact, Unknown):
        if fact.what in _NOT_REMEMBERED:
            return Part(
                finding, None, only_once=f"it could not be understood ({fact.why}), so it is allowed once at most"
            )
        return Part(finding, None, not_permanent=f"{fact.why}: an exact text is not a rule")
    return Part(finding, None, only_once="askfirst knows nothing about it")


def _tool_part(finding: Finding, use: ToolUse) -> Part:
    refuse = f"`{use.name}` takes code: only the exact call is remembered" if runs_its_input(use.name) else ""
    if finding.danger:
        refuse = "it is a dangerous tool: it is not made permanent"
    return Part(finding, scope_of(use), None if refuse else wide_scope_of(use), not_permanent=refuse)


def _command_part(finding: Finding, command: Command, layers: Layers) -> Part:
    where = where_of(command, layers)
    if where is None:
        return Part(
            finding, None, only_once="the directory where it would run is unknown, so it is allowed once at most"
        )
    script = script_of(command)
    if script:
        return _script_part(finding, command, script, layers)
    key, target = key_of(command), command.action.target
    refuse = f"`{key[0]}` is a dangerous command: it is not made permanent" if _danger(finding, command) else ""
    match kind_of(command):
        case Kind.INLINE | Kind.WRAPPER | Kind.CODE:
            reason = f"`{key[0]}` runs code: only the exact text is remembered"
            return Part(finding, None, only_once=not_known(command), not_permanent=reason)
        case Kind.READ | Kind.BUILD:
            shown = f"`{' '.join(key)}` with any arguments that stay in the project{_place(where)}"
            scope = Scope("action", key, target, where, definition_hash(key[0], command.cwd), shown=shown)
            return Part(finding, scope, not_permanent=refuse)
        case Kind.EDIT:
            shown = f"`{' '.join(key)}` on files in the project that are not protected{_place(where)}"
            return Part(finding, Scope("edit", key, target, where, shown=shown), not_permanent=refuse)
        case _:
            unknown = not_known(command)
            return Part(finding, None, only_once=unknown) if unknown else _exact_part(finding, command, where, refuse)


def _danger(finding: Finding, command: Command) -> str:
    return finding.danger or command.action.danger


def _exact_part(finding: Finding, command: Command, where: str, refuse: str) -> Part:
    """What is remembered word by word: hosts, installations, deletions, and programs that no table knows."""
    kind, key, target = kind_of(command), key_of(command), command.action.target
    if kind == Kind.NETWORK and target:
        shown = f"`{' '.join(key)}` to {target}, with no options but these{_place(where)}"
        scope = Scope("host", key, target, where, shown=shown, words=host_words(command))
        return Part(finding, scope, not_permanent=refuse)
    text = " ".join(w.text for w in command.argv)
    shown = f"exactly `{text}`{_place(where)}"
    exact = Scope("exact", key, "", where, shown=shown, words=fingerprints(command))
    if kind == Kind.INSTALL:
        return Part(finding, exact, not_permanent=refuse or "an installation is not made permanent")
    if kind in (Kind.DESTRUCTIVE, Kind.NETWORK):
        here = exact.replace(where=command.cwd or NO_DIRECTORY, shown=f"exactly `{text}`, in this directory")
        deletes = "a deletion is not made permanent" if kind == Kind.DESTRUCTIVE else ""
        return Part(finding, here, not_permanent=refuse or deletes)
    wide = Scope("action", (key[0],), where=where, any_args=True, shown=f"`{key[0]}` with any arguments{_place(where)}")
    return Part(finding, exact, None if _danger(finding, command) else wide, not_permanent=refuse)


def _wrapper_part(finding: Finding, command: Command, words: tuple[str, ...], layers: Layers) -> Part:
    """Never the wrapper alone: with the options it has, for the program it runs; that one's own words are remembered by
    its own part."""
    where = where_of(command, layers)
    shown = " ".join(w.text for w in command.argv[: len(words) + 1])
    scope = Scope("wrapper", key_of(command), where=where or "", shown=f"`{shown}`", words=words)
    refuse = f"`{' '.join(key_of(command))}` runs other programs: it is not made permanent"
    return Part(finding, scope if where is not None else None, not_permanent=refuse)


def _script_part(finding: Finding, command: Command, path: str, layers: Layers) -> Part:
    digest = file_hash(path)
    if not digest:
        return Part(finding, None, only_once=f"{path} cannot be read, so askfirst cannot tell what it does")
    inside = is_inside(path, layers.project)
    shown_path = os.path.relpath(path, layers.project) if inside else path
    shown = f"`{shown_path}` as it is now ({digest[:12]}…), with any arguments"
    scope = Scope("script", script_key(command), path, "", digest, shown=shown)
    refuse = "" if inside else f"{path} is not in the project"
    if _danger(finding, command):
        refuse = "it is a dangerous command: it is not made permanent"
    return Part(finding, scope, not_permanent=refuse)


def _place(where: str) -> str:
    return "" if where in ("", NO_DIRECTORY) else f", in {where}"
