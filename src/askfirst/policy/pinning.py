"""When two commands are the same, as far as an approval goes: what is pinned of each kind, and the hashes of the files
behind them (orders.py, file_hashes.py).

Words are compared as fingerprints, because they may hold secrets.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.knowledge import programs
from askfirst.knowledge.obeyed import INSTALL_ALL
from askfirst.model import DELETED, Command, Kind, Scope
from askfirst.policy.file_hashes import NOT_KNOWN, bytes_of, file_hash
from askfirst.policy.named_files import named_files
from askfirst.policy.orders import Orders, may_be_in, orders_hash, orders_of, selecting_words

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

NO_DIRECTORY = "-"
ANY_CONTENT = "any"  # in a scope's place for a hash: a person said so


def kind_of(command: Command) -> Kind:
    """The table's word, but a program that runs code is never remembered by its name, whatever table knows it."""
    base = programs.family(programs.base_name(command.name))
    runs_code = base in programs.SHELLS or base in programs.INTERPRETERS or base in programs.WRAPPERS
    return Kind.INLINE if command.action.kind == Kind.OTHER and runs_code else command.action.kind


def key_of(command: Command) -> tuple[str, ...]:
    return command.action.key or (command.name,)


def action_words(command: Command) -> str:
    """What an entry calls the action: its words behind the program's name, or that name where there are none."""
    key = key_of(command)
    return " ".join(key[1:]) or key[0]


def script_of(command: Command) -> str:
    """The real path of the file that is run as code; "" when it is not that sort of command."""
    if command.action.kind == Kind.CODE and command.action.target.startswith("/"):
        return command.action.target
    if command.program and (command.foreign or "/" in command.name) and command.action.kind in (Kind.OTHER, Kind.CODE):
        return command.program
    return ""


def where_of(command: Command, layers: Layers) -> str | None:
    if command.cwd is None:
        return NO_DIRECTORY if command.builtin else None
    if not is_inside(command.cwd, layers.project):
        return command.cwd
    return other_repository(command, layers.project)


def covers_below(scope: Scope, project: str) -> bool:
    """An action in a directory outside the project, and in those below it, as one of the project is in all of its
    directories. Not of a program that acts on its repository: another one may begin there."""
    beside = not is_inside(scope.where, project) and not is_inside(project, scope.where)
    elsewhere = scope.where.startswith("/") and scope.where != "/" and not scope.via and beside
    return elsewhere and bool(scope.action) and not scope.dangerous and scope.name not in _OF_A_REPOSITORY


# Programs that act on the repository in which they run, and on what that is connected to.
_OF_A_REPOSITORY = frozenset("git gh glab hub".split())
_COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")


def other_repository(command: Command, project: str) -> str:
    """The work tree below the project in which such a program runs, where it is another repository: its `origin` and
    its `main` are others. So are the services of another compose file. "" in the project's own, and for any other
    program."""
    folder, project, marks = command.cwd or project, project.rstrip("/"), _marks(command)
    while marks and is_inside(folder, project) and folder != project:
        if any(os.path.lexists(f"{folder}/{name}") for name in marks):
            return "" if _is_worktree_of(project, folder) else folder
        folder = os.path.dirname(folder)
    return ""


def _marks(command: Command) -> tuple[str, ...]:
    """The names by which a directory is another one. What takes the compose file in is pinned by that."""
    name, key = programs.base_name(command.name), key_of(command)
    if name in _OF_A_REPOSITORY:
        return (".git", "HEAD")
    of_services = name.endswith("-compose") or key[1:2] == ("compose",)
    return _COMPOSE_FILES if of_services and not taken_in(command).places else ()


def _is_worktree_of(project: str, folder: str) -> bool:
    """A work tree that `git worktree add` has made shares the repository's remotes and branches."""
    pointer = (bytes_of(f"{folder}/.git") or b"").decode(errors="replace").strip()
    place = os.path.realpath(os.path.join(folder, pointer.removeprefix("gitdir: ")))
    return pointer.startswith("gitdir: ") and os.path.dirname(place) == os.path.realpath(f"{project}/.git/worktrees")


def is_inside(path: str, project: str) -> bool:
    root = project.rstrip("/")
    return bool(root) and (path == root or path.startswith(root + "/")) and "/../" not in path + "/"


def target_of(command: Command) -> str:
    """What the action acts on, and for a runner the options that choose another file of definitions."""
    values = [w.shown for w in command.argv[1:]]
    # Between blanks a target's words cannot be told from one word that holds them: `git push 'origin dev'`.
    blank = [repr(word) for word in values if " " in word and word in command.action.target]
    named = [command.action.target] if command.action.target else _of_a_task(command)
    return " ".join(dict.fromkeys([*named, *blank, *selecting_words(command), *_only_tried(command, named)]))


def _only_tried(command: Command, named: list[str]) -> list[str]:
    """A yes to what only shows what would be done is none to doing it. `named`: what the target says anyhow."""
    short = ("-n",) if key_of(command)[:2] == ("git", "push") or key_of(command)[0] in _TRIES else ()
    said = " ".join(named).split()
    words = [w.shown.partition("=") for w in command.argv[1:] if w.shown not in said]
    tried = any((name in _TRIED and value not in ("false", "none", "0")) or name in short for name, _, value in words)
    return [DRY_RUN] if tried else []


DRY_RUN = "--dry-run"
_TRIED = frozenset(f"{DRY_RUN} --dry --just-print --recon --no-act".split())
_TRIES = frozenset("make gmake ninja rake just task".split())  # with `-n`


def _of_a_task(command: Command) -> list[str]:
    """What a task is given that no profile lets run, because its name says that it changes more than files, belongs to
    it: `nx run app:deploy --prod`, `tox -e release`."""
    action = command.action
    if action.kind != Kind.BUILD or action.allowed or action.profile or action.free:
        return []
    words = [w.shown for w in command.argv[1:]]
    for word in key_of(command)[1:]:
        if word in words:
            words.remove(word)
    return [" ".join(words)] if words else []


def content_hash(command: Command) -> str:
    """Of the script that runs, or of what defines the runner's work; "" when there is neither."""
    if command.action.target.startswith("@sha256:"):  # a patch, by what it says
        named = [os.path.normpath(os.path.join(command.cwd or "/", w.shown)) for w in command.argv[1:]]
        return NOT_KNOWN if _writes_one_of(named, command) else command.action.target.removeprefix("@sha256:")
    if command.action.kind == Kind.INSTALL and (command.obeys or programs.base_name(command.name) in INSTALL_ALL):
        return _orders_hash(command)
    script = script_of(command)
    return run_hash(command, script) if script else _defined(command)


def run_hash(command: Command, path: str) -> str:
    """Of a file as the command will find it; NOT_KNOWN where the same text may write it first."""
    written = [(where, digest) for where, below, digest in command.beside if may_be_in(path, where, below)]
    if not written:
        return file_hash(path)
    # Of one that is not there yet: it runs after it was written, or not at all.
    is_new = len(written) == 1 and written[0][1] not in ("", DELETED) and not os.path.lexists(path)
    return written[0][1] if is_new else NOT_KNOWN


def _defined(command: Command) -> str:
    return orders_hash(command, taken_in(command))


def taken_in(command: Command, *, reading: bool = False) -> Orders:
    """What it takes in beside its words. `pip install -r FILE`, `kubectl apply -f FILE`: an entry holds none of the
    files that are named, a yes for the session does. `reading`: as a part of a text (`helm template x | kubectl …`)."""
    if machine_of(command) or script_of(command):
        return Orders()
    dangerous = bool(command.action.danger) or programs.base_name(command.name) in programs.DANGEROUS
    obeys = command.action.kind == Kind.INSTALL or (dangerous and command.action.kind != Kind.READ)
    return orders_of(command, named_files(command) if obeys else (), reading=reading)


def _writes_one_of(files: list[str], command: Command) -> bool:
    return any(may_be_in(file, where, below) for file in files for where, below, _ in command.beside)


def _orders_hash(command: Command) -> str:
    """Of every file that an installation obeys: a new dependency makes `npm install` another command."""
    if _writes_one_of([file.place for file in command.obeys], command):
        return NOT_KNOWN
    places = (*(file.place for file in command.obeys), *named_files(command))
    return sha256_hex("\0".join(("orders", *sorted(f"{place}\0{file_hash(place)}" for place in set(places)))))


def not_known(command: Command) -> str:
    vague = next((w for w in command.argv if w.value is None), None)
    return f"what `{vague.text}` stands for is not known, so it is allowed once at most" if vague else ""


PACKAGES_NAMED = "packages "  # begins the target of an installation that names nothing else
_FOR_DEVELOPMENT = "-D --save-dev --dev -d -S --save -E --save-exact --exact".split()
_INERT_IN_INSTALLATIONS = {
    **dict.fromkeys(("npm", "pnpm", "yarn"), frozenset([*_FOR_DEVELOPMENT, "--no-audit", "--no-fund", "--silent"])),
    "bun": frozenset(_FOR_DEVELOPMENT),
    **dict.fromkeys(
        ("pip", "pip3"), frozenset("-U --upgrade -q --quiet --no-input --disable-pip-version-check".split())
    ),
    "uv": frozenset(("--dev", "-q", "--quiet")),
    "cargo": frozenset(("--dev", "--build", "-q", "--quiet")),
}
_PYTHON = ("pip", "pip3", "uv")


def is_installer(program: str) -> bool:
    return program in _INERT_IN_INSTALLATIONS


def installed_packages(command: Command) -> str:
    """The packages that an installation names, as a target, where their versions are all that it says else; "" where it
    may say more: a place, another index, what is fetched by another name."""
    program, words = programs.base_name(command.name), [w.value for w in command.argv[2:]]
    inert = _INERT_IN_INSTALLATIONS.get(program)
    if inert is None or len(key_of(command)) != 2 or (command.argv[1].value or "-")[0] == "-":
        return ""
    names = [_package_of(word, python=program in _PYTHON) for word in words if word not in inert]
    return PACKAGES_NAMED + " ".join(sorted(names)) if names and all(names) else ""


def _package_of(word: str | None, *, python: bool) -> str:
    """Its name, where a plain version stands behind it at most: `x@npm:y` is another package."""
    marks = ("==", ">=", "~=") if python else ("@",)
    text = word or ""
    scope, name = ("@", text[1:]) if text[:1] == "@" and not python else ("", text)
    for mark in marks:
        name, found, version = name.partition(mark)
        plain = version.lstrip("^~") in ("latest", "next", "canary") or version.lstrip("^~")[:1].isdigit()
        if found:
            is_version = plain and version.lstrip("^~").replace("-", "").replace(".", "").isalnum()
            return scope + name if is_version and _is_package(name, scope) else ""
    return scope + name if _is_package(name, scope) else ""


_FILES = (".txt", ".toml", ".whl", ".tgz", ".tar", ".gz", ".zip", ".bz2", ".py")


def _is_package(name: str, scope: str) -> bool:
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if scope:
        owner, _, rest = plain.partition("/")
        plain = owner + rest if owner and rest else ""
    return plain.isalnum() and plain.isascii() and name[0].isalnum() and not name.endswith(_FILES)


def host_of_url(url: str) -> str:
    rest = url.partition("://")[2]
    for end in "/?#":
        rest = rest.partition(end)[0]
    return "" if "@" in rest or "\\" in rest else rest.lower()


def wrapper_words(command: Command, commands: tuple[Command, ...]) -> int:
    """For a wrapper whose inner command is known: how many of its words stand up to that program's name. 0 for anything
    else."""
    if command.action.kind != Kind.WRAPPER or not command.action.rule:
        return 0
    for inner in commands:
        size = len(inner.argv)
        if inner is not command and inner.via and 0 < size < len(command.argv) and command.argv[-size:] == inner.argv:
            return len(command.argv) - size
    return 0


def machine_of(command: Command) -> str:
    """Where a command runs that is handed to another machine or into a container: "ssh host"; "" on this one."""
    return " ".join(v for v in command.via if v.startswith(_ELSEWHERE))


_ELSEWHERE = ("ssh ", "slogin ", "mosh ", "autossh ", "docker exec ", "podman exec ", "docker-compose exec ")
