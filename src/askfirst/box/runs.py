"""Single-use records of what is to run contained.

    box/runs/<id>/plan.json    the plan, until the run is forgotten
    box/runs/<id>/command      the command's text: a command line has limits, a file has none
    box/runs/<id>/spec         what the launcher does; renamed when it is used, so that it is used once
    box/runs/<id>/report.json  what became of it

The agent's client gets a short line with the id in place of the command. The text of the command never passes through
quoting, and 100 kB of it fit.
"""

from __future__ import annotations

import json
import marshal
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from askfirst.agents.table import AGENTS
from askfirst.box import engines
from askfirst.box import home as homes
from askfirst.box import session as sessions
from askfirst.box.engine import BoxError, Engine
from askfirst.box.entering import MAX_PROCESSES
from askfirst.box.inside import inside_of
from askfirst.box.plan import Finished, Kept, Plan
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, StoreError
from askfirst.files.secret_files import secret_files
from askfirst.knowledge.places import OBEYED_IN_BUILDS
from askfirst.redact import redact
from askfirst.store import atomic, clock, ids, paths
from askfirst.store.whole_results import MAX_BYTES

KEEP_S = 7 * 24 * 3600.0  # as long as an applied proposal can be undone
SPEC_FORMAT = 1
MAX_ABOUT = 200
START = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
# For clients whose next command starts where the shell of the last one ended: the launcher's output is the command's,
# and where the command's shell ended up comes through a descriptor of its own. Others get the launcher alone: some
# refuse a command with a substitution.
LEADING_BACK = (
    '{{ __askfirst=$(exec {start} 3>&1 >&4 4>&-); __askfirst_code=$?; }} 4>&1; [ -z "$__askfirst" ] || '
    'cd -- "$__askfirst"; [ "$__askfirst_code" = 0 ] || (exit "$__askfirst_code")'
)
_IN_TMP = re.compile(r"(?<![\w.-])/tmp/[\w./@+-]{1,200}")
_RUN_IN_LINE = re.compile(r"box/start\.py'? (?P<place>'[^']+'|\S+)(?: 3>&1 >&4 4>&-\)|\Z)")


@dataclass(frozen=True)
class Run:
    """A plan that is ready to run, runs, or has run."""

    id: str
    place: str  # its private directory
    plan: Plan
    created: float
    engine: str

    @property
    def command_line(self) -> str:
        """What replaces the agent's command."""
        return line_of(self.place, self.plan.agent)

    @property
    def finished(self) -> Finished | None:
        """What became of it; None while it has not ended."""
        try:
            record = json.loads(atomic.read_private(os.path.join(self.place, "report.json")))
        except FileNotFoundError:
            return self._unchanged()
        except (OSError, StoreError, ValueError):
            return None
        return Finished(
            record["exit_code"],
            tuple(record["changed"]),
            tuple(Kept(**k) for k in record["kept"]),
            tuple(record["notes"]),
        )

    def _unchanged(self) -> Finished | None:
        """It changed nothing, so there was nothing to report but how it ended."""
        try:
            return Finished(int(atomic.read_private(os.path.join(self.place, "code"))))
        except (OSError, StoreError, ValueError):
            return None


def interpreter() -> str:
    return os.path.abspath(sys.executable)


def root() -> str:
    return paths.private_dir("box", "runs")


def line_of(place: str, agent: str) -> str:
    start = " ".join(map(shlex.quote, (interpreter(), "-I", "-S", START, place)))
    return LEADING_BACK.format(start=start) if _keeps_cwd(agent) else start


def _keeps_cwd(agent: str) -> bool:
    row = AGENTS.get(agent)
    return row is None or row.keeps_cwd


def prepare(plan: Plan, engine: Engine | None = None) -> Run:
    """Store what is to run. Raises BoxError where it cannot run contained; then it is asked for."""
    engine = engine or engines.available(plan.hosts)
    if engine is None:
        raise BoxError("nothing on this machine can run a command contained; see `askfirst doctor`")
    if not (plan.cwd + "/").startswith(plan.project.rstrip("/") + "/"):
        raise BoxError(f"{plan.cwd}: is outside the project, so nothing can run contained there")
    run_id = ids.new_id()
    place = paths.private_dir("box", "runs", run_id)
    try:
        _write(place, "command", plan.command.encode("utf-8", "surrogateescape"))
        inside = inside_of(plan)
        spec = {
            **engine.spec(plan, inside, place, engines.probed(engine)),
            "format": SPEC_FORMAT,
            "project": plan.project,
            "cwd": plan.cwd,
            "shell": plan.shell,
            "home": inside.home,
            "shown": [*inside.system, *inside.read],
            "hidden": list(inside.hidden),
            "builds": list(inside.builds),
            "obeyed": sorted(OBEYED_IN_BUILDS) if inside.builds else [],
            "background": plan.background,
            "leads_back": _keeps_cwd(plan.agent),
            "max_processes": MAX_PROCESSES,
            "program_dirs": sorted(homes.PROGRAM_DIRS),
            "session_place": session_place(plan),
            "session_id": plan.session,
            "client": _client_pid(),
            "masks": _masks(plan),
        }
        run = Run(run_id, place, plan, clock.wall(), engine.name)
        _write(
            place,
            "plan.json",
            json.dumps({"plan": asdict(plan), "created": run.created, "engine": engine.name}).encode(),
        )
        _write(place, "spec", marshal.dumps(spec))
        if inside.builds:
            _announce(spec["session_place"], run_id)
    except (OSError, AskfirstError):
        shutil.rmtree(place, ignore_errors=True)
        raise
    return run


def _announce(session: str, run_id: str) -> None:
    """It may begin at any time, and then writes build directories directly (box/alongside.py)."""
    folder = os.path.join(session, "active")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    os.close(os.open(os.path.join(folder, run_id), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _write(place: str, name: str, data: bytes) -> None:
    """Not synced: a run that does not outlive the machine's crash is simply not run."""
    fd = os.open(os.path.join(place, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        atomic.write_all(fd, data)
    finally:
        os.close(fd)


def _masks(plan: Plan) -> dict[str, Any]:
    """What the launcher needs to mask secrets in the output; nothing where they are not masked. Values stay where they
    are: it reads them itself."""
    if not plan.masks:
        return {}
    return {
        "files": secret_files(plan.project),
        "patterns": list(plan.mask_patterns),
        "keep": MAX_BYTES if plan.keep_whole else 0,
        "about": (plan.session, plan.project, "Bash", redact(plan.command)[:MAX_ABOUT]),
    }


def session_place(plan: Plan) -> str:
    """Where the session keeps its /tmp and its network."""
    return paths.private_dir("box", "sessions", _session_name(plan.agent, plan.session or plan.project))


def _session_name(agent: str, session: str) -> str:
    return sha256_hex(f"{agent}\0{session}")[:24]


def end_session(agent: str, session: str) -> None:
    """Nothing that ran contained outlives its session. What it kept in /tmp stays, for it may be resumed."""
    place = os.path.join(paths.private_dir("box", "sessions"), _session_name(agent, session))
    if session and os.path.isdir(place):
        sessions.end(place)


def _client_pid() -> int:
    named = os.environ.get("CLAUDE_PID", "")
    return int(named) if named.isdigit() else 0


def find(typed: str) -> Run:
    """The run whose id begins like this."""
    known = [name for name in os.listdir(root()) if ids.is_id(name)]
    return load(ids.resolve(typed, known, what="contained run", see="askfirst box list"))


def load(id: str) -> Run:
    place = os.path.join(root(), id)
    try:
        record = json.loads(atomic.read_private(os.path.join(place, "plan.json")))
        plan = record["plan"]
        for name in ("show", "hosts", "action", "mask_patterns"):
            plan[name] = tuple(plan[name])
        return Run(id, place, Plan(**plan), record["created"], record["engine"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{place}: is not the record of a contained run ({error}); remove it") from error


def everything() -> Iterator[Run]:
    """All runs, newest first. What is no record is passed over."""
    found = []
    for name in filter(ids.is_id, os.listdir(root())):
        try:
            found.append(load(name))
        except StoreError:
            continue
    yield from sorted(found, key=lambda run: run.created, reverse=True)


def original_of(command_line: str) -> Plan | None:
    """The plan behind a line that replaced a command; None where this is no such line. What a client tells after a tool
    has run names the changed input."""
    place = _place_in(command_line)
    try:
        return load(os.path.basename(place)).plan if place else None
    except StoreError:
        return None


def _place_in(command_line: str) -> str:
    found = _RUN_IN_LINE.search(command_line)
    (place,) = (shlex.split(found["place"]) if found else []) or ("",)
    return place if os.path.dirname(place) == root() and ids.is_id(os.path.basename(place)) else ""


def waits(command_line: str, agent: str, session: str) -> bool:
    """Whether this is the line of a run that was prepared for this session, and has not begun."""
    place, plan = _place_in(command_line), original_of(command_line)
    if plan is None or (plan.agent, plan.session) != (agent, session):
        return False
    return command_line == line_of(place, agent) and os.path.exists(os.path.join(place, "spec"))


def only_in_box(agent: str, session: str, text: str) -> str:
    """The first file of /tmp named in a text that only the session's contained calls have; "" for none."""
    place = os.path.join(paths.private_dir("box", "sessions"), _session_name(agent, session))
    if not session or not os.path.isdir(place):
        return ""
    kept = [os.path.join(place, name) for name in ("tmp-upper", "var-tmp")]  # see entering.tmp_steps
    for match in _IN_TMP.finditer(text):
        path = os.path.normpath(match.group())
        inside = path.removeprefix("/tmp")
        if path != inside and not os.path.lexists(path) and any(os.path.lexists(folder + inside) for folder in kept):
            return path
    return ""


def still_waits(session: str, tool_use_id: str) -> bool:
    """Whether the run that was to replace this call has not begun."""
    waiting = (name for name in os.listdir(root()) if os.path.exists(os.path.join(root(), name, "spec")))
    for name in filter(ids.is_id, waiting):
        try:
            plan = load(name).plan
        except StoreError:
            continue
        if (plan.session, plan.tool_use_id) == (session, tool_use_id):
            return True
    return False


def sweep() -> None:
    """Forget runs that nobody can undo any more, and what sessions kept that contain nothing any more."""
    for run in everything():
        if clock.wall() - run.created > KEEP_S:
            _remove(run.place)
    folder = paths.private_dir("box", "sessions")
    for name in os.listdir(folder):
        place = os.path.join(folder, name)
        used = os.stat(os.path.join(place, "used") if os.path.exists(os.path.join(place, "used")) else place).st_mtime
        if clock.wall() - used > KEEP_S and not sessions.named_process(os.path.join(place, "holder")):
            _remove(place)


def _remove(place: str) -> None:
    """What overlayfs leaves has no permissions, and what a command left may be deeper than a path can say: every
    directory is brought to the top before it is emptied."""
    folders, moved = [place], 0
    try:
        for folder in folders:
            with os.scandir(folder) as found:
                entries = list(found)
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                os.chmod(entry.path, 0o700)
                moved += 1
                folders.append(f"{place}/moved-{moved}")
                os.rename(entry.path, folders[-1])
        for folder in reversed(folders):
            os.rmdir(folder)
    except OSError:
        pass  # the next time, or never: it is in nobody's way
