"""From a verdict to a run in the box: which calls run contained, and the line that the client then runs instead.

policy/contain.py says what a box would make harmless. Here is added what only this machine knows: whether the agent's
hook may change a command, whether the agent's own rules speak of it, and whether there is an engine. Where one of them
says no, the call is asked about, or allowed, as if there were no box.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from askfirst.box import dropped, engines, voice, withheld, worktree
from askfirst.box.engine import BoxError
from askfirst.box.plan import READ_ONLY, READ_WRITE, Plan
from askfirst.gate import shell_path
from askfirst.knowledge.tools import RUNNERS
from askfirst.model import Command, Decision, Verdict, Write
from askfirst.policy import contain
from askfirst.policy.case import Case
from askfirst.policy.rules import Layers

__all__ = ["ON_DISK", "OwnRules", "can_undo", "contained", "foreseen", "hidden_in", "texts_of"]

MAX_HIDDEN = 5
MAX_DELETED_BYTES = 32 << 20
NO_ENGINE = "nothing on this machine can run a command contained (see `askfirst doctor`)"
DROPPED = "the client ran a command as it is that was to run contained (see `askfirst doctor`)"
NOT_SHOWN = "the client has not shown yet that it runs what its hook gives it; the next allowed command shows it"
# What the agent's own rules say about a call that would run contained: "" where they are silent.
OwnRules = Callable[[tuple[str, ...]], str]


def contained(case: Case, own_rules: OwnRules, line_for: Callable[[Plan], str], *, shown: bool = True) -> Case:
    """The case with the line that runs it in the box as its input; the same case where it is not contained. `line_for`
    prepares the run, and raises BoxError where that cannot be. `shown`: False where the client has still to show that
    it runs what it is given (box/dropped.py)."""
    found = foreseen(case, own_rules, shown=shown)
    if found.verdict.decision != Decision.CONTAIN:
        return found
    try:
        line = line_for(_plan(case))
    except BoxError as error:
        return case if _is_trial(case, shown) else _without_engine(case, str(error))
    changed = {**case.request.input, "command": line}
    return replace(found, verdict=replace(found.verdict, updated_input=changed))


def foreseen(case: Case, own_rules: OwnRules, *, shown: bool = True) -> Case:
    """What would become of the call, without preparing anything."""
    box = case.layers.settings.box
    if case.request.tool not in RUNNERS or not (box.unknown or box.allowed):
        return case
    failed = withheld.of_these(case.request.project, contain.actions_of(case))
    case = replace(case, layers=replace(case.layers, outside=frozenset(failed)))
    found = contain.contained(_with_allowed(case) if _is_trial(case, shown) else case, ON_DISK)
    found = replace(found, layers=case.layers)
    if found.verdict.decision != Decision.CONTAIN:
        said = next(map(voice.for_person, failed.values()), "")
        return replace(case, verdict=_noted(case.verdict, f"not contained: {said}")) if said else case
    why = own_rules(texts_of(case)) or _why_not_given(case, shown=shown)
    if why:
        return replace(case, verdict=_noted(case.verdict, f"not contained: {why}"))
    engine = engines.available(_hosts(case))
    if engine is None:
        return case if _is_trial(case, shown) else _without_engine(case, NO_ENGINE)
    words = contain.in_words(case, only_builds=engines.writes_only_builds(engine))
    return replace(found, verdict=replace(found.verdict, reason=words))


def _why_not_given(case: Case, *, shown: bool) -> str:
    """Why the client is not given another command; "" where it is. What is allowed anyhow may be lost."""
    if dropped.known(case.request.agent):
        return DROPPED
    may_be_lost = case.verdict.decision == Decision.ALLOW and dropped.may_try(case.request.agent)
    return "" if shown or may_be_lost else NOT_SHOWN


def _is_trial(case: Case, shown: bool) -> bool:
    """Whether it is allowed anyhow, and runs contained only so that the client shows that it runs what it is given."""
    allowed = case.verdict.decision == Decision.ALLOW and not case.layers.settings.box.allowed
    return not shown and allowed and dropped.may_try(case.request.agent)


def _with_allowed(case: Case) -> Case:
    settings = case.layers.settings
    return replace(
        case, layers=replace(case.layers, settings=replace(settings, box=replace(settings.box, allowed=True)))
    )


def hidden_in(layers: Layers, verdict: Verdict) -> tuple[str, ...]:
    """What a contained command does not see in the box, in words."""
    found = worktree.look_at(layers.project, layers.settings.box.show)
    secrets = found.secrets if contain.is_unjudged(verdict) else ()
    shown = tuple(os.path.relpath(path, layers.project) for path in secrets)
    more = (f"{len(shown) - MAX_HIDDEN} more secrets of the project",) if len(shown) > MAX_HIDDEN else ()
    return (*shown[:MAX_HIDDEN], *more, "your home but for toolchains", "other processes and their sockets")


def texts_of(case: Case) -> tuple[str, ...]:
    """The command as written, and each of its programs with its words, quotes removed: rules may mean either."""
    commands = (f for f in case.facts if isinstance(f, Command))
    bare = (" ".join(w.shown for w in c.argv) for c in commands)
    return tuple(dict.fromkeys((str(case.request.input.get("command", "")), *bare)))


def _noted(verdict: Verdict, note: str) -> Verdict:
    """A note for the person who is asked; what is allowed has nobody to tell."""
    return replace(verdict, notes=(*verdict.notes, note)) if verdict.decision == Decision.ASK else verdict


def _without_engine(case: Case, why: str) -> Case:
    """It was to run contained and cannot: a person is asked, and nothing runs bare for want of a box."""
    verdict = case.verdict
    if verdict.decision == Decision.ASK:
        return replace(case, verdict=_noted(verdict, f"not contained: {why}"))
    reason = f"`box: all` wants it contained, and the box is not available: {why}"
    asked = tuple(
        replace(f, decision=Decision.ASK, reason=reason) if isinstance(f.fact, Command) else f for f in verdict.findings
    )
    return replace(case, verdict=replace(verdict, decision=Decision.ASK, reason=reason, findings=asked))


def _plan(case: Case) -> Plan:
    request, box, flow = case.request, case.layers.settings.box, case.layers.settings.flow
    return Plan(
        command=str(request.input["command"]),
        shell=shell_path(os.environ),
        cwd=request.cwd,
        project=request.project,
        session=request.session,
        agent=request.agent,
        tool_use_id=request.tool_use_id,
        digest=case.digest,
        access=READ_ONLY if contain.is_read_only(case) else READ_WRITE,
        show=box.show,
        hide_secrets=case.verdict.decision == Decision.ASK,
        background=bool(request.input.get("run_in_background")),
        action=contain.actions_of(case),
        input=dict(request.input),
        hosts=_hosts(case),
        masks=flow.redact_output,
        mask_patterns=flow.redact_patterns,
        keep_whole=flow.keep_whole,
    )


def _hosts(case: Case) -> tuple[str, ...]:
    """Only what has to reach the hosts may."""
    return case.layers.settings.box.hosts if contain.needs_hosts(case) else ()


def is_installed(command: Command) -> bool:
    """Whether the package that `npx` and its kin would run lies in the project already, at any version: then nothing is
    fetched."""
    name = next((w.value for w in command.argv[1:] if w.value and not w.value.startswith("-")), "")
    folder = command.cwd or ""
    if not name or "@" in name[1:] or name.startswith(("/", ".")) or not folder.startswith("/"):
        return False
    while True:
        modules = os.path.join(folder, "node_modules")
        if os.path.exists(os.path.join(modules, ".bin", name)) or os.path.isdir(os.path.join(modules, name)):
            return True
        if folder == "/":
            return False
        folder = os.path.dirname(folder)


def can_undo(writes: Sequence[Write], project: str) -> bool:
    """Whether a run could give back what these delete: it is in the project's layer, and a few files at most."""
    if len(writes) > contain.MASS_DELETION or not all(_is_in_layer(write.path or "", project) for write in writes):
        return False
    try:
        sizes = list(itertools.islice(_sizes(w.path or "" for w in writes), contain.MASS_DELETION + 1))
    except OSError:
        return False
    return len(sizes) <= contain.MASS_DELETION and sum(sizes) <= MAX_DELETED_BYTES


def _is_in_layer(path: str, project: str) -> bool:
    """Below the project by its true name, and not where the box binds a directory as it is."""
    folder = os.path.dirname(path)
    if not path.startswith(project.rstrip("/") + "/") or os.path.realpath(folder) != folder:
        return False
    return not any(f"{path}/".startswith(f"{b}/") or b.startswith(f"{path}/") for b in worktree.ignored_builds(project))


def _sizes(paths: Iterable[str]) -> Iterator[int]:
    """Of everything that goes with these paths. Raises OSError for what no run gives back."""
    for path in paths:
        if not os.path.lexists(path):
            continue
        status = os.lstat(path)
        yield status.st_size
        for folder, folders, files in os.walk(path, onerror=_raise) if stat.S_ISDIR(status.st_mode) else ():
            if ".git" in (*folders, *files) or os.path.ismount(folder):
                raise OSError(f"{folder} is a repository or a file system of its own")
            yield from (os.lstat(os.path.join(folder, name)).st_size for name in (*folders, *files))


def _raise(error: OSError) -> None:
    raise error


ON_DISK = contain.OnDisk(is_installed, can_undo)
