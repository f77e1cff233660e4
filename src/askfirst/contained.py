"""What a contained run has changed meets the write gate: the same judge, the same rules, one fact a file. What passes
reaches the disk, all or none; the rest is kept aside, the agent and the log are told, and a person may apply it."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, replace

from askfirst import audit
from askfirst.box import applying, runs, withheld
from askfirst.box import session as sessions
from askfirst.box.plan import Finished, Kept, Withheld
from askfirst.box.strays import strays
from askfirst.box.upper import FILE, FOLDER, LINK, Difference, TooManyChanges, differences, hash_at, open_below
from askfirst.box.voice import KEPT
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, StoreError
from askfirst.files import look
from askfirst.model import Change, Decision, Request, Write
from askfirst.policy.case import Case
from askfirst.policy.contain import MASS_DELETION, is_loaded
from askfirst.policy.judge import judge
from askfirst.redact import redact
from askfirst.seen import note_written
from askfirst.store import atomic, clock, labels, session_files
from askfirst.store.exchange import ABSENT, Conflict
from askfirst.text import visible
from askfirst.world import World

TOOL = "Contained"
MAX_TOLD = 3
MAX_TEXT = 300
MAX_READ = 32 << 20
MEANWHILE = "it was changed outside while the command ran"


def settle(place: str, spec: dict, code: int, began: int) -> str:  # type: ignore[type-arg]
    """Judge what was changed, apply what passes. Gives what the agent is told after the output; "" for nothing."""
    run = runs.load(os.path.basename(place))
    applying.recover(place)  # whoever began to settle it may have been killed
    try:
        kept = _cleaned(run, spec, began)
        found, odd = differences(run.plan.project, os.path.join(place, "upper"))
        fresh, conflicts = _split(run, [d for d in found if d.path not in {k.path for k in kept}])
        passing, refused = judged(run, fresh, spec.get("shown", ()))
    except TooManyChanges as error:
        return _told(run, _all_kept(run, code, f"{error}: nothing of it reached the disk"))
    except (Conflict, OSError) as error:
        return _told(run, _all_kept(run, code, f"it went on changing while it was looked at ({error})"))
    notes = tuple(f"{name}: is no file, and stays in the box" for name in odd[:MAX_TOLD])
    kept = (*kept, *conflicts, *refused)
    try:
        changed = _apply(run, passing)
    except (Conflict, OSError, StoreError) as error:
        kept = (*kept, *(_kept(d, f"{error}; all or none of it is applied") for d in passing if d.kind != FOLDER))
        changed = ()
    known = run.finished
    done = Finished(code, (*(known.changed if known else ()), *changed), kept, notes)
    _save(run, done)
    if changed or kept:
        _note(run, changed, kept)
    return _told(run, done)


def _note(run: runs.Run, changed: Sequence[str], kept: Sequence[Kept]) -> None:
    if kept and is_loaded(run.plan.cwd, run.plan.project):
        # It is there to change what only a person may change: the next time that person is asked first.
        withheld.remember(run.plan.project, run.plan.action, Withheld(KEPT, kept[0].path))
    record = {
        "run": run.id,
        "agent": run.plan.agent,
        "session": run.plan.session,
        "project": run.plan.project,
        "text": redact(run.plan.command)[:MAX_TEXT],
        "changed": len(changed),
        "files": list(changed[:50]),
        "kept": [asdict(k) for k in kept[:50]],
    }
    audit.append("contained", record, durable=bool(kept))


def _cleaned(run: runs.Run, spec: dict, began: int) -> tuple[Kept, ...]:  # type: ignore[type-arg]
    """Build directories are written directly. What is there now and is no build output (box/strays.py) meets the write
    gate, and what does not pass is taken out of them again."""
    upper = os.path.join(run.place, "upper")
    os.makedirs(upper, mode=0o700, exist_ok=True)
    found = [_stray(path, run.plan.project) for path in strays(spec.get("builds", ()), spec.get("obeyed", ()), began)]
    _, kept = judged(run, [d for d in found if d is not None], spec.get("shown", ()))
    for name in (k.path for k in kept):
        aside = os.path.join(upper, name)
        os.makedirs(os.path.dirname(aside), mode=0o700, exist_ok=True)
        if os.path.lexists(aside):
            os.unlink(aside)
        shutil.move(os.path.join(run.plan.project, name), aside)
    return kept


def _stray(path: str, project: str) -> Difference | None:
    name = os.path.relpath(path, project)
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return Difference(name, LINK, "", ABSENT, new=os.readlink(path))
        if stat.S_ISREG(mode):
            return Difference(name, FILE, "", ABSENT, new=hash_at(path), mode=stat.S_IMODE(mode), source=path)
    except FileNotFoundError:
        pass  # somebody else builds there, too
    return None


def _split(run: runs.Run, found: Sequence[Difference]) -> tuple[list[Difference], tuple[Kept, ...]]:
    """What somebody else changed since the run began is never written over. (What goes on in the background may change
    again what this run has brought to the disk.)"""
    began = os.stat(os.path.join(run.place, "used")).st_ctime_ns
    own = {c.path: c.new for j in applying.journals(run.place) if j.state == applying.APPLIED for c in j.changes}
    meanwhile = {d: d.touched >= began and d.was != FOLDER and d.base != own.get(d.path) for d in found}
    return [d for d in found if not meanwhile[d]], tuple(_kept(d, MEANWHILE) for d in found if meanwhile[d])


def judged(
    run: runs.Run, found: Sequence[Difference], shown: Sequence[str] = ()
) -> tuple[list[Difference], tuple[Kept, ...]]:
    """Which of these changes pass the write gate, and why the others do not."""
    if not found:
        return [], ()
    case = judged_case(run, found)
    strictest: dict[str, tuple[Decision, str]] = {}
    for finding in case.verdict.findings:
        path = getattr(finding.fact, "path", "") or ""
        if path not in strictest or finding.decision > strictest[path][0]:
            strictest[path] = (finding.decision, finding.reason)
    passing, kept = [], []
    for d in found:
        names = (os.path.join(run.plan.project, d.path), *_leads_to(d, run.plan.project))
        decision, why = max((strictest.get(name, (Decision.ALLOW, "")) for name in names), key=lambda pair: pair[0])
        if decision == Decision.ALLOW and d.kind == LINK and not _stays(d, run.plan.project, shown):
            decision, why = Decision.ASK, f"leads out of the project, to {d.new}"
        if decision == Decision.ALLOW:
            passing.append(d)
        else:
            kept.append(_kept(d, why, denied=decision == Decision.DENY))
    return _with_their_directories(found, passing, kept)


def _with_their_directories(
    found: Sequence[Difference], passing: Sequence[Difference], kept: Sequence[Kept]
) -> tuple[list[Difference], tuple[Kept, ...]]:
    """A directory is made for what may lie in it (its notes), and what lies in one that is not made is kept with
    it."""
    holding = _parents(d.path for d in passing if d.kind not in (FOLDER, ""))
    folders = {d.path for d in found if d.kind == FOLDER}
    made = folders & holding - {d.path for d in found if d.kind != FOLDER}
    may = frozenset(passing)
    passing = [d for d in found if d in may or d.path in made]
    kept = [k for k in kept if k.path not in made]
    unmade = {k.path: k for k in kept if k.path in folders}
    kept += _homeless(passing, unmade)
    stuck = _parents(k.path for k in kept)
    return _that_can_be(passing, (folders & stuck - holding) | unmade.keys(), stuck), tuple(kept)


def _homeless(passing: Sequence[Difference], unmade: Mapping[str, Kept]) -> Iterator[Kept]:
    for d in passing:
        at = _above(d.path, unmade)
        if at and d.kind != FOLDER:
            yield _kept(d, unmade[at].why, denied=unmade[at].denied)


def _that_can_be(passing: Sequence[Difference], empty: Set[str], stuck: Set[str]) -> list[Difference]:
    """Without directories that would hold nothing but what is kept aside, and without the removal of those that still
    hold that."""
    left = (d for d in passing if d.path not in empty and not _above(d.path, empty))
    return [d for d in left if d.kind or d.was != FOLDER or d.path not in stuck]


def _parents(paths: Iterable[str]) -> set[str]:
    return {"/".join(parts[:n]) for path in paths if (parts := path.split("/")) for n in range(1, len(parts))}


def _above(path: str, folders: Container[str]) -> str:
    """The directory above a path that is one of these; "" for none."""
    parts = path.split("/")
    return next((at for n in range(1, len(parts)) if (at := "/".join(parts[:n])) in folders), "")


def judged_case(run: runs.Run, found: Sequence[Difference]) -> Case:
    """One case for all of them: the facts are what the file tools' would be."""
    plan = run.plan
    given = {"run": run.id, "changed": [d.path for d in found[:100]]}
    request = Request(plan.agent, plan.session, plan.cwd, plan.project, TOOL, given, tool_use_id=plan.tool_use_id)
    layers = World().layers(request)
    made = session_files.own_files(plan.session)
    looked = look(
        tuple(fact for d in found for fact in _facts(d, plan.project)),
        project=plan.project,
        settings=layers.settings.writes,
        made_here=made.get,
    )
    lost = sum(isinstance(f, Write) and f.how == "delete" and not (f.change and f.change.kept) for f in looked)
    facts = tuple(_recoverable(f, run.id, mass=lost > MASS_DELETION) for f in looked if isinstance(f, Write))
    return Case(request, layers, facts, judge(facts, layers))


def _facts(d: Difference, project: str) -> Iterator[Write]:
    """A link is another name for what it leads to, as it is for `ln -s`: whoever writes there later writes that."""
    yield _fact(d, project)
    yield from (Write(path, d.new, "link", "ln", below=True) for path in _leads_to(d, project))


def _leads_to(d: Difference, project: str) -> tuple[str, ...]:
    """What a new link leads to in the project, as it says and by its real name."""
    if d.kind != LINK:
        return ()
    said = os.path.join(project, os.path.dirname(d.path), d.new)
    names = dict.fromkeys((os.path.normpath(said), os.path.realpath(said)))
    return tuple(name for name in names if name.startswith(project.rstrip("/") + "/"))


def _fact(d: Difference, project: str) -> Write:
    path = os.path.join(project, d.path)
    if not d.kind:
        return Write(path, d.path, "delete", "rm")
    if d.kind == FOLDER:
        return Write(path, d.path, "create", "mkdir")
    if d.kind == LINK:
        return Write(path, d.path, "link", "ln")
    if d.only_mode:
        return Write(path, d.path, "mode", "chmod")
    return Write(path, d.path, "overwrite", TOOL, _content(d, path))


def _content(d: Difference, path: str) -> bytes | None:
    """What would be written, where that says more than the name: what is no text is not looked into."""
    if d.was == FILE and _is_binary(path):
        return None
    with os.fdopen(open_below(d.source.removesuffix(d.path), d.path), "rb") as file:
        data = file.read(MAX_READ + 1)
    if len(data) <= MAX_READ and sha256_hex(data) != d.new:
        raise Conflict(f"{d.path}: was written again after the command had ended")
    return data if len(data) <= MAX_READ and b"\0" not in data[:8192] else None


def _is_binary(path: str) -> bool:
    with open(path, "rb") as file:
        return b"\0" in file.read(8192)


def _recoverable(write: Write, run_id: str, *, mass: bool) -> Write:
    """A few deleted files come back with `askfirst undo`; how large a file is does not matter here."""
    if write.how == "delete" and not mass and not (write.change and write.change.kept):
        return replace(write, change=Change("DELETE", kept=f"`askfirst undo {run_id[:6]}` brings it back"))
    return replace(write, content=None) if write.change is not None else write


def _stays(d: Difference, project: str, shown: Sequence[str]) -> bool:
    """Whether a link leads to something of the project, or of the system and the toolchains that the box showed."""
    target = os.path.normpath(os.path.join(project, os.path.dirname(d.path), d.new)) + "/"
    return target.startswith(tuple(p.rstrip("/") + "/" for p in (project, *shown)))


def _apply(run: runs.Run, passing: Sequence[Difference]) -> tuple[str, ...]:
    if not passing:
        return ()
    if any(label.kind == "untrusted" for label in labels.seen(run.plan.session)):
        note_written(judged_case(run, passing), (), clock.wall())  # first: what cannot be noted is not applied
    journal = applying.apply(run.place, run.plan.project, passing)
    made = [os.path.join(run.plan.project, d.path) for d in passing if d.kind in (FILE, LINK) and not d.was]
    gone = [os.path.join(run.plan.project, d.path) for d in passing if not d.kind]
    session_files.note_made(run.plan.session, made, gone)
    return tuple(applying.changed_paths(journal))


def _kept(d: Difference, why: str, *, denied: bool = False) -> Kept:
    how = "delete" if not d.kind else "create" if not d.was else "mode" if d.only_mode else "overwrite"
    return Kept(d.path, "link" if d.kind == LINK else how, why, denied)


def _all_kept(run: runs.Run, code: int, why: str) -> Finished:
    done = Finished(code, kept=(Kept(".", "overwrite", why, denied=True),))  # nobody can apply it
    _save(run, done)
    return done


def _save(run: runs.Run, done: Finished) -> None:
    atomic.write_atomic(os.path.join(run.place, "report.json"), json.dumps(asdict(done)).encode())


def _told(run: runs.Run, done: Finished) -> str:
    """For the agent, after the output: what did not reach the disk, and who can change that."""
    if not done.kept:
        return ""
    count = len(done.kept)
    lines = [f"askfirst: {count} change{'s' * (count > 1)} did not reach the disk:"]
    lines += [f"  {visible(k.path)}: {visible(k.why)}" for k in done.kept[:MAX_TOLD]]
    if count > MAX_TOLD:
        lines.append(f"  and {count - MAX_TOLD} more")
    if any(not k.denied for k in done.kept):
        lines.append(f"The user can look at them and apply them: askfirst apply {run.id[:6]}")
    return "\n".join(lines) + "\n"


# --- by a person ------------------------------------------------------------------------------------------------------


def waiting(run: runs.Run) -> list[Difference]:
    """What of a run is kept aside, may be applied, and still differs from the disk."""
    upper = os.path.join(run.place, "upper")
    if not os.path.isdir(upper):
        return []
    found, _ = differences(run.plan.project, upper)
    names = {k.path for k in run.finished.kept if not k.denied} if run.finished else set()
    return [
        d for d in found if d.path in names or (d.kind == FOLDER and any(n.startswith(d.path + "/") for n in names))
    ]


def apply_by_person(run: runs.Run, by: str, shown: Sequence[Difference] | None = None) -> tuple[str, ...]:
    """Apply what was kept aside, all or none. Raises AskfirstError with the reason where the rules forbid it, or where
    somebody has changed a file since. `shown`: what the person has seen of it; a process of the run that goes on in the
    background may have written again."""
    applying.recover(run.place)
    found = waiting(run)
    if not found:
        raise AskfirstError(f"{run.id[:6]}: nothing of this run waits")
    if shown is None and goes_on(run):
        raise Conflict(f"{run.id[:6]}: it goes on and may write again; look at it first, or `askfirst box stop`")
    if shown is not None and list(map(_as_seen, found)) != list(map(_as_seen, shown)):
        raise Conflict(f"{run.id[:6]}: it was written again after it was shown; look at it once more")
    _, conflicts = _split(run, found)
    case = judged_case(run, found)
    if case.verdict.decision == Decision.DENY:
        raise AskfirstError(case.verdict.reason)
    if conflicts:
        raise Conflict(f"{conflicts[0].path}: {MEANWHILE}; look at it and copy what you want from {run.place}/upper")
    changed = _apply(run, found)
    known = run.finished or Finished(0)
    denied = tuple(k for k in known.kept if k.denied)
    _save(run, Finished(known.exit_code, (*known.changed, *changed), denied, known.notes))
    audit.append("apply", {"by": by, "run": run.id, "project": run.plan.project, "files": list(changed)}, durable=True)
    return changed


def goes_on(run: runs.Run) -> bool:
    """Whether a process of it is still there."""
    return bool(sessions.named_process(os.path.join(runs.session_place(run.plan), "active", run.id)))


def _as_seen(d: Difference) -> tuple[str, str, str, int]:
    return d.path, d.kind, d.new, d.mode


def undo_by_person(run: runs.Run, by: str) -> tuple[str, ...]:
    """Take back everything that the run brought to the disk."""
    done = applying.undo(run.place)
    if not done:
        raise AskfirstError(f"{run.id[:6]}: this run has changed nothing that could be taken back")
    changed = tuple(path for journal in done for path in applying.changed_paths(journal))
    fields = {"by": by, "run": run.id, "project": run.plan.project, "files": list(changed[:200]), "at": clock.wall()}
    audit.append("undo", fields, durable=True)
    return changed
