"""Where the agent works: its project, its session, and which files its tools may look at."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from askfirst.agents.project import project_of
from askfirst.files import real_path
from askfirst.gate import conclude, judged
from askfirst.knowledge.own_tools import SERVER
from askfirst.model import Decision, Read, Request, Verdict
from askfirst.policy import flow
from askfirst.policy.case import Case
from askfirst.policy.rules import Layers
from askfirst.store import labels
from askfirst.store.layers import load_layers
from askfirst.store.sessions import session_of_client
from askfirst.toolbox.code_files import data_of, is_closed
from askfirst.toolbox.matching import BINARY_BYTES, MAX_FILE_BYTES
from askfirst.toolbox.tool_result import Failure
from askfirst.world import World

# Directories of the project that the tools which only look do not show, and what to do instead.
SHUT = {
    ".git": "use git itself: `git log`, `git show`, `git config --get`",
    "node_modules": "look at a package in the shell, where the rules decide",
}


@dataclass(frozen=True)
class Place:
    project: str
    cwd: str
    session: str
    agent: str = "claude"

    def now(self) -> Place:
        """The same, in the session of this moment: the client goes on to another one with `/clear`, and the server
        stays."""
        return replace(self, session=session_of_client(os.getppid()) or self.session)

    def layers(self) -> Layers:
        return load_layers(self.project, session=self.session, agent=self.agent, now=time.time())


def place_here() -> Place:
    """From the environment that the agent's client gives its servers."""
    cwd = os.getcwd()
    project = project_of(cwd, os.environ.get("CLAUDE_PROJECT_DIR", ""))
    return Place(project, cwd, os.environ.get("CLAUDE_CODE_SESSION_ID", "") or f"mcp-{os.getpid()}")


def inside(place: Place, path: str) -> str:
    """The real path of a file in the project. Failure when it lies elsewhere, however it is spelled."""
    if not path or "\0" in path:
        raise Failure("InvalidPath", "the path is empty or not a path", "give a path relative to the project")
    real = real_path(path, place.project if not os.path.isabs(path) else "/")
    if real is None:
        raise Failure("InvalidPath", f"`{path}` cannot be resolved")
    if real != place.project and not real.startswith(place.project.rstrip("/") + "/"):
        raise Failure(
            "OutsideProject", f"`{path}` lies outside the project", "only files of the project are open to these tools"
        )
    return real


def open_directory(place: Place, path: str, layers: Layers) -> str:
    """A directory whose names may be shown."""
    real = on_view(place, path)
    if not os.path.isdir(real):
        raise Failure("FileNotFound", f"`{path}` is not a directory", "list `.` first")
    if is_closed(place.project, os.path.relpath(real, place.project), layers):
        own = ", ".join(layers.settings.writes.own)
        raise Failure("Denied", f"`{path}` belongs to another service", f"stay within {own}")
    return real


def on_view(place: Place, path: str) -> str:
    """The same, for the tools that show what is there."""
    real = inside(place, path)
    shut = next((part for part in os.path.relpath(real, place.project).split("/") if part in SHUT), "")
    if shut:
        raise Failure("Denied", f"`{path}`: `{shut}` is not open to these tools", SHUT[shut])
    return real


class ToolWorld(World):
    """The world of a tool that asks nobody: what would need a person is denied."""

    def ask(self, case: Case) -> Case:
        return replace(case, verdict=replace(case.verdict, decision=Decision.DENY))


@dataclass(frozen=True)
class Permitted:
    """A call that was allowed."""

    layers: Layers  # the rules of this moment
    head: str  # of the log, with the record of it


def permitted(place: Place, tool: str, **given: Any) -> Permitted:
    """A call of one of these tools, decided by the gate: rules, roles, pause, record and violations count. Failure when
    it is denied."""
    request = Request(place.agent, place.session, place.project, place.project, tool, given)
    world = ToolWorld()
    case = judged(request, world.layers(request))
    verdict = conclude(case, world)
    if verdict.decision != Decision.ALLOW:
        deciding = verdict.deciding or case.verdict.deciding
        advice = deciding.advice if deciding is not None else ""
        named = given.get("file_path") or given.get("path", "")
        where = f"`{os.path.relpath(named, place.project)}`: " if named else ""
        code = "PermissionDenied" if _is_for_other_roles(verdict) else "Denied"
        raise Failure(code, f"{where}{verdict.reason}", advice or "ask the user to show you what you need of it")
    return Permitted(case.layers, world.head)


def enter(place: Place, tool: str, **given: Any) -> Layers:
    """The call of one of askfirst's own tools, by its short name: decided, recorded, and refused for other roles. The
    rules of this moment."""
    return permitted(place, SERVER + tool, **given).layers


def service_root(place: Place, layers: Layers) -> str:
    """Where the tests, the linter and the lock file of this agent's service are: `writes: {own: …}` names it."""
    own = layers.settings.writes.own
    root = os.path.join(place.project, own[0].strip("/")) if len(own) == 1 else place.project
    return root if os.path.isdir(root) else place.project


def of_service(place: Place, layers: Layers, path: str) -> str:
    """The real path of something to run or look at as a whole. Failure where it belongs to another service, or holds
    one."""
    real = inside(place, path)
    if not os.path.lexists(real):
        raise Failure("FileNotFound", f"`{path}` does not exist", "use list_files to see what is there")
    if os.path.isdir(real):
        permitted(place, "Grep", path=real)
    else:
        permitted(place, "Read", file_path=real)
    limits = layers.settings
    own = [os.path.join(place.project, d.strip("/")) for d in limits.writes.own]
    if limits.toolbox.isolation != "SHARED" and any(o != real and o.startswith(real.rstrip("/") + "/") for o in own):
        said = f"`{path}` holds other services, too"
        raise Failure("Denied", said, f"stay within {', '.join(limits.writes.own)}")
    return real


def note_shown(place: Place, layers: Layers, paths: Iterable[str]) -> None:
    """Files of the project whose content an answer shows: what they are labelled with, the session has seen."""
    facts = tuple(Read(os.path.join(place.project, path), path, "toolbox") for path in dict.fromkeys(paths))
    now = time.time()
    labels.note(place.session, place.project, tuple(replace(seen, at=now) for seen in flow.shown(facts, layers)))


def _is_for_other_roles(verdict: Verdict) -> bool:
    return verdict.deciding is not None and verdict.deciding.origin.rule.startswith("roles: ")


def readable(place: Place, path: str) -> str:
    """The real path of a file that the agent may read without asking."""
    return read_permit(place, path)[0]


def read_permit(place: Place, path: str) -> tuple[str, Permitted]:
    """The same, with the rules and the record."""
    real = inside(place, path)
    return real, permitted(place, "Read", file_path=real)


def text_of(real: str, shown: str) -> tuple[bytes, str]:
    """Content of a file, as bytes and as text. Binary files and very large ones are refused."""
    try:
        if not os.path.isfile(real):
            raise FileNotFoundError
        data = data_of(real, MAX_FILE_BYTES)
    except FileNotFoundError:
        raise Failure(
            "FileNotFound", f"`{shown}` does not exist or is not a file", "use list_files to see what is there"
        ) from None
    except OSError as error:
        raise Failure("Unreadable", f"`{shown}`: {error.strerror}") from None
    if len(data) > MAX_FILE_BYTES:
        said = f"`{shown}` is larger than {MAX_FILE_BYTES >> 20} MiB"
        raise Failure("TooLarge", said, "look at a part with `sed -n 1,200p`")
    if b"\0" in data[:BINARY_BYTES]:
        raise Failure("BinaryFile", f"`{shown}` is a binary file", "only text is shown")
    try:
        return data, data.decode("utf-8")
    except UnicodeDecodeError:
        raise Failure("BinaryFile", f"`{shown}` is not UTF-8 text", "only UTF-8 text is shown") from None


def lines_of(text: str) -> list[str]:
    """Lines with their ends, as editors and diffs count them: `splitlines` would also break at form feeds and the
    like."""
    *lines, last = text.split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
