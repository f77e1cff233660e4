"""What an approval remembers, and whether a remembered one covers a fact.

The narrowest thing that still saves the next prompt: the action (`npm test`, not `npm`), a script with its hash, a host, the exact
words, or the exact text. What could not be understood is remembered by the digest of the whole request, or not at all.
Words that must be the same are kept as fingerprints, because they may hold secrets.
"""

from __future__ import annotations

import os

from askfirst._record import Record
from askfirst.digest import sha256_hex
from askfirst.model import Command, Decision, Duration, Kind, Read, Scope, Unknown, Write
from askfirst.policy import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from askfirst.model import Fact, Finding, Grant, Verdict
    from askfirst.policy.rules import Layers

__all__ = ["Offer", "Part", "covers", "grant_of_text", "is_in_force", "offer_of", "scopes_of"]

MOST_TEXT, MOST_COMMANDS = 2000, 20
NO_DIRECTORY = "-"
# Unknown facts of these classes cannot be told apart by their text: what runs depends on what the text does not say.
_NOT_REMEMBERED = frozenset({"syntax", "expansion", "too long", "eval", "zsh"})
# Writes that are asked because of where they go are remembered by path; those asked because of what they contain are not.
_ASKED_FOR_PLACE = frozenset({"outside", "scope", "create-dir", "agent-notes"})
# Files that say what a runner runs: when they change, `npm test` is another command.
_DEFINITIONS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "rake": ("Rakefile", "rakefile"),
}


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
    parts = tuple(_part(f, layers) for f in verdict.findings if f.decision == Decision.ASK)
    only_once = next((p.only_once for p in parts if p.only_once), "") or _too_big(text, verdict)
    not_permanent = only_once or next((p.not_permanent for p in parts if p.not_permanent), "")
    if not parts:
        only_once = not_permanent = "nothing in it can be told apart"
    known = tuple(p.scope for p in parts if p.scope is not None)
    if len(known) < len(parts) or not parts:
        # One part is bound to the exact text, so all of it is: a chain's risky part must not be remembered on its own.
        pinned = tuple(s for s in known if s.sha256)
        scopes: tuple[Scope, ...] = (Scope("text", (), shown="exactly this text, in this directory"), *pinned)
        return Offer(parts, scopes, (), _refusals(only_once, not_permanent or "an exact text is not a rule"))
    wide = tuple(p.wide or p.scope for p in parts if p.scope is not None) if any(p.wide for p in parts) and not only_once else ()
    return Offer(parts, _unique(known), _unique(wide), _refusals(only_once, not_permanent))


def _refusals(only_once: str, not_permanent: str) -> dict[int, str]:
    refused: dict[int, str] = {}
    if only_once:
        refused[Duration.SESSION] = refused[Duration.TIMED] = only_once
    if not_permanent or only_once:
        refused[Duration.PERMANENT] = not_permanent or only_once
    return refused


def _unique(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    return tuple(dict.fromkeys(scopes))


def _too_big(text: str, verdict: Verdict) -> str:
    commands = sum(isinstance(f.fact, Command) for f in verdict.findings)
    if len(text) > MOST_TEXT:
        return f"it is longer than {MOST_TEXT:,} characters, so it is allowed once at most"
    if commands > MOST_COMMANDS:
        return f"it holds more than {MOST_COMMANDS} commands, so it is allowed once at most"
    return ""


def _part(finding: Finding, layers: Layers) -> Part:
    fact = finding.fact
    if isinstance(fact, Command):
        return _command_part(finding, fact, layers)
    if isinstance(fact, Write):
        if fact.path is None or fact.below or finding.origin.rule not in _ASKED_FOR_PLACE:
            return Part(finding, None, not_permanent="a write is approved with its content, not as a rule")
        shown = f"{fact.how} {fact.path}, whatever the content"
        scope = Scope("write", (fact.how,), fact.path, shown=shown)
        return Part(finding, scope, not_permanent="writes outside the rules are not made permanent")
    if isinstance(fact, Read):
        if fact.path is None:
            return Part(finding, None, only_once="which file it reads is not known")
        shown = f"read {fact.path}"
        return Part(finding, Scope("read", (), fact.path, shown=shown), not_permanent="reading secrets is not made permanent")
    if isinstance(fact, Unknown):
        if fact.what in _NOT_REMEMBERED:
            return Part(finding, None, only_once=f"it could not be understood ({fact.why}), so it is allowed once at most")
        return Part(finding, None, not_permanent=f"{fact.why}: an exact text is not a rule")
    return Part(finding, None, only_once="nothing is known about it")


def _command_part(finding: Finding, command: Command, layers: Layers) -> Part:
    where = _where(command, layers)
    danger = finding.danger or command.action.danger
    if where is None:
        return Part(finding, None, only_once="the directory in which it would run is not known, so it is allowed once at most")
    script = _script_of(command)
    if script:
        return _script_part(finding, command, script, layers)
    kind, key = _kind(command), _key(command)
    name = " ".join(key)
    refuse = f"`{key[0]}` is a dangerous command: it is not made permanent" if danger else ""
    if kind in (Kind.INLINE, Kind.WRAPPER, Kind.CODE):
        return Part(finding, None, only_once=_not_known(command), not_permanent=f"`{key[0]}` runs code: only the exact text is remembered")
    if kind in (Kind.READ, Kind.BUILD):
        sha256 = _definition_hash(command)
        shown = f"`{name}` with any arguments that stay in the project{_place(where)}"
        return Part(finding, Scope("action", key, where=where, sha256=sha256, shown=shown), not_permanent=refuse)
    if kind == Kind.EDIT:
        shown = f"`{name}` on files in the project that are not protected{_place(where)}"
        return Part(finding, Scope("edit", key, where=where, shown=shown), not_permanent=refuse)
    if unknown := _not_known(command):
        return Part(finding, None, only_once=unknown)
    words = _fingerprints(command)
    text = " ".join(w.text for w in command.argv)
    if kind == Kind.NETWORK and command.action.target:
        shown = f"`{name}` to {command.action.target}, with no other options than these{_place(where)}"
        scope = Scope("host", key, command.action.target, where, shown=shown, words=_host_words(command))
        return Part(finding, scope, not_permanent=refuse)
    exact = Scope("exact", key, "", where, shown=f"exactly `{text}`{_place(where)}", words=words)
    if kind == Kind.INSTALL:
        return Part(finding, exact, not_permanent=refuse or "an installation is not made permanent")
    if kind in (Kind.DESTRUCTIVE, Kind.NETWORK):
        here = exact.replace(where=command.cwd or NO_DIRECTORY, shown=f"exactly `{text}`, in this directory")
        return Part(finding, here, not_permanent=refuse or ("what deletes is not made permanent" if kind == Kind.DESTRUCTIVE else ""))
    wide = Scope("action", (key[0],), where=where, any_args=True, shown=f"`{key[0]}` with any arguments{_place(where)}")
    return Part(finding, exact, None if danger else wide, not_permanent=refuse)


def _script_part(finding: Finding, command: Command, path: str, layers: Layers) -> Part:
    digest = _file_hash(path)
    if not digest:
        return Part(finding, None, only_once=f"{path} cannot be read, so what it does is not known")
    inside = _is_inside(path, layers.project)
    shown_path = os.path.relpath(path, layers.project) if inside else path
    shown = f"`{shown_path}` as it is now ({digest[:12]}…), with any arguments"
    scope = Scope("script", _script_key(command), path, "", digest, shown=shown)
    danger = finding.danger or command.action.danger
    refuse = "it is a dangerous command: it is not made permanent" if danger else "" if inside else f"{path} is not in the project"
    return Part(finding, scope, not_permanent=refuse)


# What a fact is, as far as remembering it goes


def _kind(command: Command) -> Kind:
    """The table's word, but a program that runs code is never remembered by its name, whatever table knows it."""
    base = programs.family(programs.base_name(command.name))
    runs_code = base in programs.SHELLS or base in programs.INTERPRETERS or base in programs.WRAPPERS
    return Kind.INLINE if command.action.kind == Kind.OTHER and runs_code else command.action.kind


def _key(command: Command) -> tuple[str, ...]:
    return command.action.key or (command.name,)


def _script_of(command: Command) -> str:
    """The real path of the file that is run as code; "" when it is not that sort of command."""
    if command.action.kind == Kind.CODE and command.action.target.startswith("/"):
        return command.action.target
    if command.program and (command.foreign or "/" in command.name) and command.action.kind in (Kind.OTHER, Kind.CODE):
        return command.program
    return ""


def _script_key(command: Command) -> tuple[str, ...]:
    """The interpreter; "" for a script that is run by its own name. `python3 x.py` and `./x.py` are not the same."""
    return () if command.program == _script_of(command) else (command.name,)


def _where(command: Command, layers: Layers) -> str | None:
    if command.cwd is None:
        return NO_DIRECTORY if command.builtin else None
    return "" if _is_inside(command.cwd, layers.project) else command.cwd


def _place(where: str) -> str:
    return "" if where in ("", NO_DIRECTORY) else f", in {where}"


def _is_inside(path: str, project: str) -> bool:
    root = project.rstrip("/")
    return bool(root) and (path == root or path.startswith(root + "/")) and "/../" not in path + "/"


def _not_known(command: Command) -> str:
    vague = next((w for w in command.argv if w.value is None), None)
    return f"what `{vague.text}` stands for is not known, so it is allowed once at most" if vague else ""


def _fingerprint(word: str) -> str:
    return sha256_hex("askfirst-word-1\n" + word)[:20]


def _fingerprints(command: Command) -> tuple[str, ...]:
    return tuple(_fingerprint(w.value if w.value is not None else "\0" + w.text) for w in command.argv[1:])


def _host_words(command: Command) -> tuple[str, ...]:
    """Every word but the addresses on the host itself: there the path is free, everything else stays."""
    host = command.action.target
    free = [w for w in command.argv[1:] if w.value is not None and "://" in w.value and _host(w.value) == host]
    return tuple(sorted(_fingerprint(w.value if w.value is not None else "\0" + w.text) for w in command.argv[1:] if w not in free))


def _host(url: str) -> str:
    rest = url.partition("://")[2]
    for end in "/?#":
        rest = rest.partition(end)[0]
    return "" if "@" in rest or "\\" in rest else rest.lower()


# Hashes of files: the one thing here that looks at the disk


def _read(path: str) -> bytes | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        parts, size = [], 0
        while part := os.read(fd, 1 << 20):
            size += len(part)
            if size > 64 << 20:
                return None
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        os.close(fd)


def _file_hash(path: str) -> str:
    data = _read(path)
    return "" if data is None else sha256_hex(data)


def _definition_hash(command: Command) -> str:
    """Of what defines the runner's work. "" when the program has no such file."""
    names = _DEFINITIONS.get(_key(command)[0])
    if names is None or command.cwd is None:
        return ""
    found = [os.path.join(command.cwd, n) for n in names]
    return sha256_hex("\n".join(_definition(path) for path in found))


def _definition(path: str) -> str:
    data = _read(path)
    if data is None:
        return "absent"
    if path.endswith("package.json"):
        from askfirst import jsontext

        try:
            # A new dependency does not make `npm test` another command; a new script does.
            return "scripts " + jsontext.dumps(jsontext.loads(data).get("scripts"))
        except (ValueError, AttributeError, TypeError):
            pass
    return sha256_hex(data)


# Whether a grant covers a fact


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


def grant_of_text(grants: tuple[Grant, ...], layers: Layers) -> Grant | None:
    """The grant that allows the very request whose digest is in the layers."""
    return next((g for g in grants if is_in_force(g, layers) and _is_of_text(g) and _is_this_text(g, layers)), None)


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
    return scope.kind != "script" or _file_hash(scope.target) == scope.sha256


def _scope_covers(scope: Scope, fact: Fact, layers: Layers) -> bool:
    if isinstance(fact, Write):
        return scope.kind == "write" and fact.path == scope.target and scope.key == (fact.how,) and not fact.below
    if isinstance(fact, Read):
        return scope.kind == "read" and fact.path is not None and fact.path == scope.target
    if not isinstance(fact, Command):
        return False
    script = _script_of(fact)
    if script or scope.kind == "script":
        same = scope.kind == "script" and script == scope.target and _script_key(fact) == scope.key
        return same and _file_hash(script) == scope.sha256
    if fact.foreign or _where(fact, layers) is None:
        return False
    if scope.where != _where(fact, layers) and scope.where != fact.cwd:
        return False
    return _same_command(scope, fact)


def _same_command(scope: Scope, fact: Command) -> bool:
    key = _key(fact)
    if scope.kind == "action" and scope.any_args:
        return key[:1] == scope.key and _kind(fact) == Kind.OTHER
    if key != scope.key:
        return False
    if scope.kind == "action":
        return _kind(fact) in (Kind.READ, Kind.BUILD) and _definition_hash(fact) == scope.sha256
    if scope.kind == "edit":
        return _kind(fact) == Kind.EDIT
    if _not_known(fact):
        return False
    if scope.kind == "host":
        return fact.action.target == scope.target and _host_words(fact) == scope.words
    return scope.kind == "exact" and _fingerprints(fact) == scope.words
