"""When two commands are the same, as far as an approval goes: what is pinned of each kind, and the hashes of the files
behind them.

Hashing is the one thing here that looks at the disk. Words are compared as fingerprints, because they may hold secrets.
"""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.knowledge import programs
from askfirst.model import Command, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

NO_DIRECTORY = "-"
# Files that say what a runner runs: when they change, `npm test` is another command.
_DEFINITIONS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "rake": ("Rakefile", "rakefile"),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "composer": ("composer.json",),
    "deno": ("deno.json", "deno.jsonc"),
    "mix": ("mix.exs",),
    **dict.fromkeys(("gradle", "gradlew"), ("build.gradle", "build.gradle.kts")),
    **dict.fromkeys(("mvn", "mvnw"), ("pom.xml",)),
}


def kind_of(command: Command) -> Kind:
    """The table's word, but a program that runs code is never remembered by its name, whatever table knows it."""
    base = programs.family(programs.base_name(command.name))
    runs_code = base in programs.SHELLS or base in programs.INTERPRETERS or base in programs.WRAPPERS
    return Kind.INLINE if command.action.kind == Kind.OTHER and runs_code else command.action.kind


def key_of(command: Command) -> tuple[str, ...]:
    return command.action.key or (command.name,)


def script_of(command: Command) -> str:
    """The real path of the file that is run as code; "" when it is not that sort of command."""
    if command.action.kind == Kind.CODE and command.action.target.startswith("/"):
        return command.action.target
    if command.program and (command.foreign or "/" in command.name) and command.action.kind in (Kind.OTHER, Kind.CODE):
        return command.program
    return ""


def script_key(command: Command) -> tuple[str, ...]:
    """The interpreter; "" for a script that is run by its own name. `python3 x.py` and `./x.py` are not the same."""
    return () if command.program == script_of(command) else (command.name,)


def where_of(command: Command, layers: Layers) -> str | None:
    if command.cwd is None:
        return NO_DIRECTORY if command.builtin else None
    return "" if is_inside(command.cwd, layers.project) else command.cwd


def is_inside(path: str, project: str) -> bool:
    root = project.rstrip("/")
    return bool(root) and (path == root or path.startswith(root + "/")) and "/../" not in path + "/"


def not_known(command: Command) -> str:
    vague = next((w for w in command.argv if w.value is None), None)
    return f"what `{vague.text}` stands for is not known, so it is allowed once at most" if vague else ""


def _fingerprint(word: str) -> str:
    return sha256_hex("askfirst-word-1\n" + word)[:20]


def fingerprints(command: Command) -> tuple[str, ...]:
    return tuple(_fingerprint(w.value if w.value is not None else "\0" + w.text) for w in command.argv[1:])


def host_words(command: Command) -> tuple[str, ...]:
    """Every word but the addresses on the host itself: there the path is free, everything else stays."""
    host = command.action.target
    free = [w for w in command.argv[1:] if w.value is not None and "://" in w.value and _host(w.value) == host]
    return tuple(
        sorted(
            _fingerprint(w.value if w.value is not None else "\0" + w.text) for w in command.argv[1:] if w not in free
        )
    )


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


def file_hash(path: str) -> str:
    data = _read(path)
    return "" if data is None else sha256_hex(data)


def definition_hash(program: str, cwd: str | None) -> str:
    """Of what defines the runner's work. "" when the program has no such file."""
    names = _DEFINITIONS.get(program)
    if names is None or cwd is None:
        return ""
    folders = [cwd]
    while names == ("package.json",) and os.path.dirname(folders[-1]) != folders[-1]:
        folders.append(os.path.dirname(folders[-1]))  # the package managers look upwards
    # The first that is there is the one that counts, for the runner and so for us.
    found = (_definition(os.path.join(folder, name)) for folder in folders for name in names)
    return sha256_hex(next((d for d in found if d), "absent"))


def _definition(path: str) -> str:
    data = _read(path)
    if data is None:
        return ""
    if path.endswith("package.json"):
        try:
            # A new dependency does not make `npm test` another command; a new script does.
            return "scripts " + jsontext.dumps(jsontext.loads(data).get("scripts"))
        except (ValueError, AttributeError, TypeError):
            pass
    return sha256_hex(data)


def wrapper_words(command: Command, commands: tuple[Command, ...]) -> tuple[str, ...]:
    """For a wrapper whose inner command is known: its words up to that program's name. () for anything else."""
    if command.action.kind != Kind.WRAPPER or not command.action.rule:
        return ()
    for inner in commands:
        size = len(inner.argv)
        if inner is not command and inner.via and 0 < size < len(command.argv) and command.argv[-size:] == inner.argv:
            return fingerprints(command)[: len(command.argv) - size]
    return ()
