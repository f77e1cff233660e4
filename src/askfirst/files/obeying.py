"""Which files a command's program would obey (knowledge/obeyed.py), found on the disk: when each was changed, and
whether git's HEAD has it. What that means is for policy/judge.py.

Programs look for such files where they are started, where their words point, and above; so does this, up to the
project's root. A few also obey those that they meet in the directories below (`**/ruff.toml`)."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from askfirst.files.content_checks import installs_alike
from askfirst.files.head import content_in_head, head_moved, is_in_head, regular_file
from askfirst.knowledge.globs import below, fold, wild
from askfirst.knowledge.obeyed import (
    INSTALL_ALL,
    INSTALLS,
    ONLY_WHERE,
    PACKAGES,
    READABLE,
    SHIM_PROGRAMS,
    SHIMS,
    by_program,
)
from askfirst.knowledge.programs import base_name
from askfirst.model import Command, Fact, Kind, ObeyedFile, Write

__all__ = ["with_obeyed"]

MAX_DIRECTORIES = 60
MAX_BELOW = 5_000
# Nothing of the project is kept here: programs pass over them, or the table names them as a whole.
NOT_BELOW = frozenset(
    ".git .hg .svn .venv venv node_modules site-packages __pycache__ .tox .nox .eggs .mypy_cache .ruff_cache "
    ".pytest_cache".split()
)
MAX_FILES = 200
MAX_SETTINGS_BYTES = 1 << 16
CODE_ENDINGS = (".py", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".sh", ".rb", ".so", ".dylib", ".jar", ".wasm")
MODULE_ENDINGS = (".tf", ".tf.json", ".tofu", ".tofu.json", ".hcl")
_FILLS = ("overwrite", "append", "create", "extract")
_SEPARATORS = str.maketrans(dict.fromkeys("\"'`=,:;()[]{}<>|", " "))
NEVER_SEEN = float("inf")  # a change later than every session's beginning


def with_obeyed(facts: tuple[Fact, ...], *, project: str, profiles: Collection[str]) -> tuple[Fact, ...]:
    """The same facts; each command that rules could allow carries the files that its program obeys, but for those
    that a profile excuses. Never raises: what cannot be looked at counts as changed."""
    writes = _written_by_all(facts)
    return tuple(
        replace(f, obeys=_obeyed_by(f, writes, project, profiles))
        if isinstance(f, Command) and not f.builtin and (f.action.allowed or f.action.profile or _adds(f))
        else f
        for f in facts
    )


def _written_by_all(facts: tuple[Fact, ...]) -> list[Write]:
    """What the text fills; `below` also where it moves or links a directory to a place that is not there yet."""
    writes = [f for f in facts if isinstance(f, Write) and f.path]
    trees = any(f.how in ("move", "link") and os.path.isdir(f.path or "") for f in writes)
    return [
        replace(f, below=f.below or (trees and f.by != "mkdir" and not os.path.lexists(f.path or "")))
        for f in writes
        if f.how in _FILLS
    ]


def _adds(command: Command) -> bool:
    """`npm install zod`: asked about in any case, and what its manifest names says what a yes is for."""
    return command.action.kind == Kind.INSTALL and base_name(command.name) in INSTALL_ALL


def _obeyed_by(
    command: Command, writes: list[Write], project: str, profiles: Collection[str]
) -> tuple[ObeyedFile, ...]:
    rows = [
        (files, why, ONLY_WHERE.get(name, ""))
        for name in _names_of(command)
        for excused, files, why in by_program().get(name, ())
        if not any(profile in profiles for profile in excused.split())
    ]
    if not rows:
        return ()
    directories = _directories(command, project)
    if directories is None:
        return (ObeyedFile("a directory that is not known", rows[0][1], NEVER_SEEN, False),)
    found = _written_by(command, writes, rows, project)
    written = {w.path for w in writes}
    for files, why, only in rows:
        paths = [*_beside(directories, files), *_below(command, files)]
        orders = _that_say(only, [*paths, *_named_files(command)]) if only else _led_to(paths, written)
        for file in orders:
            found.setdefault(file, replace(_looked_at(file, why, project), written=file in written))
            if len(found) > MAX_FILES:
                return (*found.values(), ObeyedFile("many more files", why, NEVER_SEEN, False))
    return tuple(found.values())


def _written_by(
    command: Command, writes: list[Write], rows: list[tuple[list[str], str, str]], project: str
) -> dict[str, ObeyedFile]:
    """What the same text writes and the program would find: `cp drafts/x.tf . && terraform plan`. In a directory that
    the text brings as a whole there may be any of the files."""
    named = _paths_in(command)
    found: dict[str, ObeyedFile] = {}
    for write in writes:
        place = write.path or ""
        reasons = [row[1] for row in rows if _is_one_of(write, row, named)]
        shown = _shown(place, project)
        if not reasons and write.below and any(below(path, place) is not None for path in named):
            reasons, shown = ["there may be files in it that decide what it does"], f"{shown}/"
        if reasons:
            found[place] = ObeyedFile(shown, reasons[-1], NEVER_SEEN, False, place, written=True)
    return found


def _is_one_of(write: Write, row: tuple[list[str], str, str], named: list[str]) -> bool:
    """Whether what is written is a file of the row, or one that the words name, and says what matters."""
    patterns, _, only = row
    names = fold(write.path or "").split("/")
    fits = any(_is_tail(pattern.removeprefix("**/").split("/"), names) for pattern in patterns)
    if not only or write.content is None:
        return fits or (bool(only) and write.path in named)
    text = write.content.decode("utf-8", "replace").lower()
    return (fits or write.path in named) and re.search(only, text) is not None


def _paths_in(command: Command) -> list[str]:
    """Where the program is started, and what its words may name."""
    return [os.path.realpath(os.path.join(command.cwd or "", text)) for text in (".", *_texts(command))]


def _is_tail(pattern: list[str], names: list[str]) -> bool:
    """Whether a path ends in what the pattern says; `**` at its end stands for anything below."""
    if pattern[-1] == "**":
        heads = range(len(pattern) - 1, len(names) + 1)
        return any(_is_tail(pattern[:-1], names[:end]) for end in heads)
    return len(names) >= len(pattern) and all(map(wild, pattern, names[-len(pattern) :]))


def _beside(directories: list[str], patterns: list[str]) -> Iterator[str]:
    for directory in directories:
        for pattern in patterns:
            yield from _matching(directory, pattern.removeprefix("**/").split("/"))


def _below(command: Command, patterns: list[str]) -> Iterator[str]:
    """The files that `**/NAME` means, below where the program is started and where its words point."""
    names = [pattern.removeprefix("**/") for pattern in patterns if pattern.startswith("**/")]
    cwd, walked = command.cwd or "/", 0
    starts = {os.path.realpath(cwd), *_named(command, cwd)} if names else set()
    for start in sorted(starts):
        if any(start.startswith(f"{other}/") for other in starts):
            continue
        for directory, folders, files in os.walk(start):
            folders[:] = [folder for folder in folders if folder not in NOT_BELOW]
            walked += 1
            if walked > MAX_BELOW:
                yield "directories that were not looked at"
                return
            yield from (f"{directory}/{file}" for file in files if any(wild(name, fold(file)) for name in names))


def _names_of(command: Command) -> list[str]:
    name, program = base_name(command.name), command.program or ""
    shim = "/shims/" in program or (base_name(program) in SHIM_PROGRAMS and base_name(program) != name)
    installs = f"{name}{INSTALLS}" if f"{name}{INSTALLS}" in by_program() else INSTALLS
    key = command.action.key
    plugin = "-".join(key[:2])  # `docker compose` is `docker-compose`
    module = key[2] if key[1:2] == ("-m",) and len(key) > 2 else ""  # of Python
    unversioned = name.rstrip("0123456789.")  # `pip3.11`
    return [
        *dict.fromkeys((name, plugin, module, unversioned)),
        *([SHIMS] if shim else ()),
        *([installs] if command.action.kind == Kind.INSTALL else ()),
    ]


def _directories(command: Command, project: str) -> list[str] | None:
    """Where the program would look; None when that is not known."""
    if command.cwd is None:
        return None
    found: dict[str, None] = {}
    for start in (command.cwd, *_named(command, command.cwd)):
        for directory in _upwards(start, project.rstrip("/")):
            found.setdefault(directory)
        if len(found) > MAX_DIRECTORIES:
            return None
    return list(found)


def _named(command: Command, cwd: str) -> Iterator[str]:
    """The directories of what the words name: `--directory sub`, `-Csub`, `--config=sub/x.toml`, `src/*.py`."""
    for part in _texts(command):
        path = os.path.join(cwd, part)
        if os.path.isdir(path):
            yield os.path.realpath(path)
        elif os.path.lexists(path) or part.endswith("/"):
            yield os.path.realpath(os.path.dirname(path))


def _texts(command: Command) -> Iterator[str]:
    """What may be a path in the words."""
    for word in command.argv[1:]:
        text = word.value if word.value is not None else word.prefix
        for part in {text, text.partition("=")[2], text[2:] if text.startswith("-") else ""}:
            if part and "\0" not in part:
                yield part


def _upwards(directory: str, project: str) -> Iterator[str]:
    """The directory and those above it: to the project's root, or, outside the project, to a home."""
    home = os.path.expanduser("~")
    while directory not in ("/", home):
        yield directory
        if directory == project:
            return
        directory = os.path.dirname(directory)


def _matching(directory: str, parts: list[str]) -> Iterator[str]:
    """The files below a directory that a pattern names."""
    try:
        names = os.listdir(directory)
    except (NotADirectoryError, FileNotFoundError):
        return
    except OSError:
        yield f"{directory}/?"
        return
    first, rest = parts[0], parts[1:]
    for name in names:
        path = f"{directory}/{name}"
        if first == "**":
            if os.path.isdir(path) and not os.path.islink(path):
                yield from _matching(path, parts)
            else:
                yield path
        elif wild(first, fold(name)):
            if rest:
                yield from _matching(path, rest)
            else:
                yield path


def _named_files(command: Command) -> list[str]:
    """The files that the words name: `-f other.yml`."""
    texts = [word.value or "" for word in command.argv[1:]]
    return _existing(command.cwd or "", (part for text in texts for part in (text, text.partition("=")[2], text[2:])))


def _existing(folder: str, names: Iterable[str]) -> list[str]:
    paths = (os.path.normpath(os.path.join(folder, name)) for name in names if "\0" not in name)
    return [path for path in paths if os.path.isfile(path)]


def _that_say(only: str, paths: list[str]) -> Iterator[str]:
    """Of the files, and of those that they name, the ones whose text has the pattern; what cannot be read may."""
    seen: dict[str, None] = {}
    while paths and len(seen) <= MAX_FILES:
        path = paths.pop()
        if path in seen or os.path.isdir(path):
            continue
        seen[path] = None
        text = _text_of(os.path.realpath(path))
        says = text is None or re.search(only, text.lower()) is not None
        if says:
            yield path
        if text and (says or os.path.basename(path).startswith(".env")):
            paths += _existing(os.path.dirname(path), text.translate(_SEPARATORS).split())
    if any(path not in seen for path in paths):
        yield "many more files"


def _text_of(path: str) -> str | None:
    try:
        return regular_file(path, MAX_SETTINGS_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _led_to(paths: list[str], written: Collection[str | None]) -> Iterator[str]:
    """The files, and since settings that nobody has touched may name a plugin that somebody has, or writes: files of
    code whose path, or whose name as a Python module, stands in their text, and the modules of a plan."""
    seen: dict[str, None] = {}
    while paths:
        path = paths.pop(0)
        if path in seen:
            continue
        seen[path] = None
        yield path
        text = None if path.endswith(CODE_ENDINGS) else _text_of(path)
        folder = os.path.dirname(path)
        for word in dict.fromkeys((text or "").translate(_SEPARATORS).split()):
            module = f"{word.replace('.', '/')}.py" if word.replace(".", "").replace("_", "").isalnum() else ""
            for name in (word, module):
                code = os.path.normpath(os.path.join(folder, name))
                if name.endswith(CODE_ENDINGS) and (code in written or os.path.isfile(code)):
                    yield code
            if word.startswith(("./", "../")) and path.endswith(MODULE_ENDINGS):
                parts = _matching(os.path.normpath(os.path.join(folder, word)), ["*"])
                paths += [part for part in parts if part.endswith(MODULE_ENDINGS)]


def _shown(path: str, project: str) -> str:
    return path.removeprefix(project.rstrip("/") + "/")


def _looked_at(path: str, why: str, project: str) -> ObeyedFile:
    try:
        changed = os.lstat(path).st_ctime
    except OSError:
        changed = NEVER_SEEN
    committed = is_in_head(path)
    if why == PACKAGES and not committed and _installs_as_in_head(path):
        return ObeyedFile(_shown(path, project), why, head_moved(path), True, path)
    return ObeyedFile(_shown(path, project), why, changed, committed, path, () if committed else _news(path))


def _installs_as_in_head(path: str) -> bool:
    """Whether only such parts of a manifest have changed as say nothing of what is installed."""
    before, now = content_in_head(path), _text_of(path)
    if before is None or now is None:
        return False
    return installs_alike(fold(os.path.basename(path)), before.decode("utf-8", "replace"), now)


def _news(path: str) -> tuple[str, ...]:
    """The lines of a manifest that HEAD does not have: what would be fetched now and was not before."""
    if fold(os.path.basename(path)) not in READABLE:
        return ()
    before = (content_in_head(path) or b"").decode("utf-8", "replace")
    known = {line.strip().rstrip(",") for line in before.splitlines()}
    lines = (line.strip().rstrip(",") for line in (_text_of(path) or "").splitlines())
    return tuple(line for line in lines if len(line) > len("{}") and line[0] not in "#/" and line not in known)
