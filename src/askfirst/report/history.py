"""Past calls as sessions, in order: from a client's transcript, an agent's hook log, askfirst's own log, plain lines of
{"command": …}, or a recorded session that says what its project was made of.

A recorded session's project is not on this disk, so it is laid out anew in a scratch directory, and its paths are
moved there. Of files only the names are recorded; what a call writes gets a content of its own, so that a script that
was changed is another script. Not recorded, and taken for granted: git holds what was there at first, the usual build
directories are ignored, what a call deletes, edits, runs or activates was there, and a branch that a call goes to was
there, too, with the same files. On Windows the directory that calls `cd` to by a drive's letter is the project.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from askfirst import jsontext
from askfirst.errors import UsageError
from askfirst.files.kept import BUILD_DIRS
from askfirst.knowledge.tools import EDITORS, WRITERS
from askfirst.report.rejudge import PastCall, calls_in

RECORDED_HOME = "/home/dev"
_DRIVE = re.compile(r'\bcd "([A-Z]:\\[^"]+)"')
_CD = re.compile(r"\bcd (/[^\s;&|\"']+)")
_RM = re.compile(r"\brm (?:-f )?([^-;&|<>*$()][^;&|<>*$()\n]*)")
_RM_TREE = re.compile(r"\brm -(?:rf|fr|r|R) ([^-;&|<>*$()][^;&|<>*$()\n]*)")
_SCRIPT = re.compile(
    r"(?:^|[;&|(\n]|\bthen |\bdo ) *(?:(?:uv run(?: --[\w-]+)* )?(?:python3?|node|bash|sh|ruby|tsx|bun) )?"
    r"((?:[\w.-]+/)*[\w.-]+\.(?:py|sh|js|mjs|cjs|ts|rb))(?=$|[\s;&|)])"
)
_IN_ENVIRONMENT = re.compile(r"((?:/?[\w.-]+/)*\.?venv)/bin/([\w.-]+)")
_FIRST_CD = re.compile(r" *cd ([^\s;&|]+) *&&")
_MADE = re.compile(r">>? *\"?([\w./-]+)")
_BRANCH = re.compile(r"\bgit (?:checkout|switch) ([A-Za-z][\w./-]*)(?= *(?:$|[;&|\n]|2>))")
_NEW_BRANCH = re.compile(r"\bgit (?:checkout -b|switch -c) (\S+)")
_ORIGIN = "https://example.com/app.git"


@dataclass(frozen=True)
class PastSession:
    """One session of an agent: its calls in order."""

    name: str
    repository: str  # whose sessions share what is permanent
    project: str
    calls: tuple[PastCall, ...]
    recorded: dict[str, Any] | None = None  # what a recorded session says about its project


def calls_of(path: str, *, project: str) -> Iterator[PastCall]:
    """Every call in a file, in the order in which they stand there."""
    for value in values_in(path):
        yield from _recorded(value).calls if isinstance(value.get("calls"), list) else calls_in(value, project)


def sessions_of(path: str, *, project: str) -> Iterator[PastSession]:
    """The sessions in a file, in the order of their first call."""
    calls: dict[str, list[PastCall]] = {}
    for value in values_in(path):
        if isinstance(value.get("calls"), list):
            yield _recorded(value)
            continue
        for call in calls_in(value, project):
            calls.setdefault(call.session, []).append(call)
    for name, found in calls.items():
        where = found[0].project
        yield PastSession(name or os.path.basename(path), where, where, tuple(found))


def values_in(path: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a file: one a line, or one array of them."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    if data.lstrip()[:1] == b"[":
        yield from _objects(_loaded(data, path))
        return
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            yield from _objects([_loaded(line, f"{path}:{number}")])


def _loaded(data: bytes, place: str) -> Any:
    try:
        return jsontext.loads(data)
    except ValueError as error:
        raise UsageError(f"{place}: not JSON: {error}") from None


def _objects(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    return (value for value in values if isinstance(value, dict))


def _recorded(value: dict[str, Any]) -> PastSession:
    name, project = str(value.get("session", "")), str(value.get("project", RECORDED_HOME))
    calls = []
    for call in _objects(value["calls"]):
        tool, given = str(call.get("tool", "")), call.get("input")
        if isinstance(given, dict):
            given = {key: _readable(one) for key, one in given.items()}
            calls.append(PastCall(tool, given, str(call.get("cwd") or project), project, name, _text(given, tool), ""))
    return PastSession(name, str(value.get("repo") or name), project, tuple(calls), value)


def _readable(value: Any) -> Any:
    """What was taken out of a recorded command, as one word: a shell would read `<redacted:x>` as redirections."""
    if not isinstance(value, str) or "<redacted:" not in value:
        return value
    head, *others = value.split("<redacted:")
    return head + "".join("redacted-" + other.replace(">", "", 1) for other in others)


def _text(given: dict[str, Any], tool: str) -> str:
    return str(given.get("command") or given.get("file_path") or tool)


# A recorded session's project


@contextlib.contextmanager
def laid_out(session: PastSession) -> Iterator[PastSession]:
    """The session with its project on disk. Where the project is the user's own, it is left as it is."""
    if session.recorded is None:
        yield session
        return
    with tempfile.TemporaryDirectory(prefix="askfirst-replay-") as folder:
        base = os.path.realpath(folder)
        home = base + RECORDED_HOME
        project = _moved(session.project, home)
        trees = _deleted_trees(session)
        built = [tree for tree in trees if os.path.basename(tree).lower() in BUILD_DIRS]
        named = [*_deleted(session), *_used(session), *_environments(session)]
        _lay_out(Path(project), session.recorded, named, built)
        for tree in trees:
            # Whether git held what was in it is not recorded.
            if not os.path.exists(f"{project}/{tree}"):
                os.makedirs(f"{project}/{tree}")
                Path(project, tree, "work.txt").write_text("not in git\n")
        for folder in _other_repositories(session, home):
            _commit(Path(folder))
        for name in _branches(session):
            subprocess.run(("git", "branch", "--", name), cwd=project, check=False, capture_output=True)
        before = dict(os.environ)
        # Nothing of the machine that replays: no program is installed, and home, state and rules are the recorded ones.
        for name in [name for name in before if name.startswith("XDG_")]:
            del os.environ[name]
        os.environ.update(HOME=home, PATH="", SHELL="/bin/bash")
        try:
            drive = _windows_project(session)
            calls = tuple(_moved_call(call, home, project, drive) for call in session.calls)
            yield replace(session, project=project, calls=calls)
        finally:
            os.environ.clear()
            os.environ.update(before)


def _lay_out(project: Path, recorded: dict[str, Any], named: list[str], built: list[str]) -> None:
    project.mkdir(parents=True)
    scripts = recorded.get("npm_scripts") or {}
    (project / ".gitignore").write_text("".join(f"{name}/\n" for name in sorted(BUILD_DIRS)))
    for name in ("node_modules", ".next", "dist", "build", *built):
        (project / name).mkdir(parents=True, exist_ok=True)
    for name in (*recorded.get("manifests", ()), *recorded.get("files", ()), *named):
        path = project / str(name)
        if ".." in Path(name).parts or path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_content(path, str(name), scripts))
        if path.parent.name == "bin":
            path.chmod(0o755)
    _commit(project)


def _deleted(session: PastSession) -> list[str]:
    """Files of the project that a recorded `rm` names and no earlier call wrote: they were there, and git held them."""
    found: list[str] = []
    written: set[str] = set()
    for call in session.calls:
        if call.tool in WRITERS:
            written.add(os.path.join(call.cwd, str(call.input.get("file_path", ""))))
        for words in _RM.findall(str(call.input.get("command", ""))):
            for word in words.split():
                path = os.path.normpath(os.path.join(call.cwd, word.strip("\"'")))
                if "." in os.path.basename(path) and path not in written and path.startswith(session.project + "/"):
                    found.append(os.path.relpath(path, session.project))
    return found


def _used(session: PastSession) -> list[str]:
    """Files of the project that a recorded call runs or edits and no earlier one wrote."""
    found: list[str] = []
    made: set[str] = set()
    for call in session.calls:
        text = str(call.input.get("command", ""))
        written = os.path.normpath(os.path.join(call.cwd, str(call.input.get("file_path", ""))))
        made.update(_placed(name, call, text) for name in _MADE.findall(text))
        places = [written] if call.tool in EDITORS else [_placed(name, call, text) for name in _SCRIPT.findall(text)]
        found += [path for path in places if path not in made and path.startswith(session.project + "/")]
        if call.tool in WRITERS:
            made.add(written)
    return [os.path.relpath(path, session.project) for path in dict.fromkeys(found)]


def _environments(session: PastSession) -> list[str]:
    """What recorded calls use of Python's virtual environments below the project, which none of them makes."""
    texts = [(call, str(call.input.get("command", ""))) for call in session.calls]
    if any("-m venv" in text or "uv venv" in text for _, text in texts):
        return []
    used = {
        (os.path.relpath(_placed(folder, call, text), session.project), program)
        for call, text in texts
        for folder, program in _IN_ENVIRONMENT.findall(text)
    }
    files = (
        f"{folder}/{name}" for folder, program in used for name in ("pyvenv.cfg", "bin/activate", f"bin/{program}")
    )
    return sorted(set(files))


def _deleted_trees(session: PastSession) -> list[str]:
    """Directories of the project that a recorded call deletes as a whole."""
    found = [
        _placed(word.strip("\"'"), call, text)
        for call in session.calls
        if (text := str(call.input.get("command", "")))
        for words in _RM_TREE.findall(text)
        for word in words.split()
    ]
    inside = (
        path for path in found if path.startswith(session.project + "/") and "." not in os.path.basename(path)[1:]
    )
    return [os.path.relpath(path, session.project) for path in dict.fromkeys(inside)]


def _placed(name: str, call: PastCall, text: str) -> str:
    """Where a name of a command lies, behind a `cd` at its beginning."""
    first = _FIRST_CD.match(text)
    return os.path.normpath(os.path.join(call.cwd, first[1].strip("\"'") if first else "", name))


def _branches(session: PastSession) -> list[str]:
    """What recorded calls go to and none of them makes."""
    texts = [str(call.input.get("command", "")) for call in session.calls]
    made = {name for text in texts for name in _NEW_BRANCH.findall(text)}
    return sorted({name for text in texts for name in _BRANCH.findall(text)} - made)


def _other_repositories(session: PastSession, home: str) -> Iterator[str]:
    """Directories outside the project where the recorded calls used git: there was a repository."""
    project = _moved(session.project, home)
    used = {
        _moved(folder, home)
        for call in session.calls
        if "git " in str(call.input.get("command", ""))
        for folder in (call.cwd, *_CD.findall(call.input["command"]))
        if folder.startswith(RECORDED_HOME)
    }
    return (f for f in sorted(used) if not f"{f}/".startswith(f"{project}/"))


def _content(path: Path, name: str, scripts: dict[str, Any]) -> str:
    if path.name == "activate":
        return f'VIRTUAL_ENV="{path.parent.parent}"\nexport VIRTUAL_ENV\nPATH="$VIRTUAL_ENV/bin:$PATH"\n'
    if os.path.basename(name) == "package.json":
        found = scripts.get(name) or scripts.get(os.path.dirname(name)) or ()
        return jsontext.dumps({"name": "app", "scripts": {str(s): "run" for s in found}}) + "\n"
    return f"# {name}\n{unknown_code(name)}"


def unknown_code(name: str) -> str:
    """What stands in a file is not recorded: where code is judged by what it says, this must not be understood."""
    return 'exec("not recorded")\n' if name.endswith(".py") else ""


def _commit(project: Path) -> None:
    """Everything that was there is in git, as it was for the one who worked with it."""
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=dev", "-c", "user.email=dev@example.com")
    project.mkdir(parents=True, exist_ok=True)
    steps = (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", _ORIGIN),
        ("add", "-A", "--ignore-errors"),
        (*who, "commit", "-qm", "as recorded", "--allow-empty"),
    )
    for step in steps:
        subprocess.run(("git", *step), cwd=project, env=quiet, check=True, capture_output=True)


def _moved(text: str, home: str) -> str:
    return text.replace(RECORDED_HOME, home)


def _windows_project(session: PastSession) -> str:
    """Where the project is on a drive: the directory that every such `cd` goes to, or below."""
    found = sorted({path for call in session.calls for path in _DRIVE.findall(str(call.input.get("command", "")))})
    return found[0] if found and all(path.startswith(found[0]) for path in found) else ""


def _moved_call(call: PastCall, home: str, project: str, drive: str) -> PastCall:
    given = {key: _moved(value, home) if isinstance(value, str) else value for key, value in call.input.items()}
    if drive and isinstance(given.get("command"), str):
        on_drive = re.compile(f'"{re.escape(drive)}([^"]*)"')
        given["command"] = on_drive.sub(lambda m: f'"{project}{m[1].replace(chr(92), "/")}"', given["command"])
    elif drive and str(given.get("file_path", "")).startswith(drive):
        given["file_path"] = project + given["file_path"].removeprefix(drive).replace(chr(92), "/")
    return replace(call, input=given, cwd=_moved(call.cwd, home), project=project)
