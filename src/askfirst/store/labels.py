"""What sessions have seen (labels), and the files into which strangers' text may have gone.

flow/seen-<hash>     of one session, a line each: a label, and what became of a call (`ran`, `unseen`), of a label
                     (`cleared`), of the session (`project`, `ended`, `began`, `from`); what it has told its own network
                     (`said`, as hashes)
flow/files-<hash>    of one project, a line each: a file that was written while its session was untrusted, `cleared`

A label is noted before the call runs. Where the client's own dialog decides, it counts once the call has run; a secret
that was masked in the result is taken back (`unseen`). What cannot be read counts as seen: a lost record must not open
anything. A session that ends may be resumed, so its labels stay for as long as clients keep a conversation.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any

from askfirst import audit, jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.policy.rules import Label, LabelledFile
from askfirst.store import atomic, paths

FOLDER = "flow"
MAX_LABELS = 200  # of a session; what comes later is told by those that are there
MAX_SAID = 400
MAX_FILES = 1000  # of a project; beyond that the whole of it counts
MAX_BYTES = 4 << 20
KEPT_S = 90 * 86400.0
LOST = "the record of what this session has seen cannot be read"


class Seen:
    """One session's record."""

    def __init__(self, session: str) -> None:
        self.session, self.project = session, ""
        self.labels: dict[str, Label] = {}
        self.maybe: dict[str, Label] = {}  # where the client's own dialog decides whether the call runs
        self.origin = ""  # `fork`: its labels are still to be taken from the session it came from
        self.ended = 0.0
        self.said: dict[str, int] = {}  # hash -> the line that had it first
        self.at_line: dict[str, int] = {}  # id of a label -> its line
        self.lines = 0

    def told_before(self) -> frozenset[str]:
        """What the session had told its network before it saw any secret that it still has. By the order of lines: a
        clock can be set back."""
        first = min((self.at_line[m.id] for m in self.labels.values() if m.kind != "untrusted"), default=self.lines + 1)
        return frozenset(one for one, line in self.said.items() if line < first)

    def apply(self, line: dict[str, Any]) -> None:
        self.lines += 1
        if "kind" in line:
            label = Label(*(line[k] for k in ("kind", "reason", "at", "call", "by", "id")))
            label = replace(label, on=line.get("on", ""))
            self.at_line[label.id] = self.lines
            (self.maybe if line.get("maybe") else self.labels)[label.id] = label
        elif "ran" in line:
            for label in [m for m in self.maybe.values() if m.call == line["ran"]]:
                self.labels[label.id] = self.maybe.pop(label.id)
        elif "unseen" in line:
            self.take_back(line["unseen"])
        elif "cleared" in line:
            self.labels.pop(line["cleared"], None)
        elif "said" in line:
            self.said = {**{str(one): self.lines for one in line["said"]}, **self.said}
        else:
            self.project = line.get("project", self.project)
            self.origin = line.get("from", self.origin)
            self.ended = line.get("ended", self.ended)

    def take_back(self, call: str) -> None:
        """The secrets that were masked in the call's result."""
        for place in (self.labels, self.maybe):
            for label in [m for m in place.values() if (m.kind, m.call) == ("secret", call)]:
                del place[label.id]

    def lacks(self, label: Label) -> bool:
        """Whether the label says anything new. A secret does for every call: one that was masked there may be seen
        here."""
        if label.kind == "secret" and label.call:
            return True
        of_kind = [known for known in self.labels.values() if known.kind == label.kind]
        full = of_kind and len(self.labels) >= MAX_LABELS
        return not full and (label.reason, label.on) not in {(known.reason, known.on) for known in of_kind}


# -- sessions


def _path(session: str) -> str:
    return os.path.join(paths.private_dir(FOLDER), f"seen-{sha256_hex(session)[:32]}")


def seen(session: str) -> tuple[Label, ...]:
    """What a session has seen, in order."""
    return seen_and_said(session)[0]


def seen_and_said(session: str) -> tuple[tuple[Label, ...], frozenset[str]]:
    """What a session has seen, in order, and what it had told its network before. Never raises: what cannot be read
    counts as everything seen and nothing said."""
    if not session:
        return (), frozenset()
    try:
        record = _load(_path(session), session)
        return tuple(record.labels.values()), record.told_before()
    except FileNotFoundError:
        return (), frozenset()
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return tuple(Label(kind, LOST, id=f"lost-{kind}") for kind in ("untrusted", "secret")), frozenset()


def _load(path: str, session: str = "") -> Seen:
    record = Seen(session)
    for line in _lines(path):
        record.session = record.session or line.get("session", "")
        record.apply(line)
    return record


def _lines(path: str) -> list[dict[str, Any]]:
    """Raises ValueError for what is no record: a torn last line is what a dying process leaves, and not one."""
    data = atomic.read_private(path, MAX_BYTES)
    whole, _, _ = data.rpartition(b"\n")
    found = [jsontext.loads(line) for line in whole.split(b"\n") if line]
    if not all(isinstance(line, dict) for line in found):
        raise ValueError("not a record")
    return found


def _append(path: str, lines: list[dict[str, Any]]) -> None:
    """Raises StoreError: what a session has seen must not be lost."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(fd).st_size
            # A line that a dying process left unfinished is ended, and taken out, so that the next one stands alone.
            torn = size and os.pread(fd, 1, size - 1) != b"\n"
            if torn:
                os.ftruncate(fd, os.pread(fd, size, 0).rfind(b"\n") + 1)
            atomic.write_all(fd, "".join(jsontext.dumps(line) + "\n" for line in lines).encode())
        finally:
            os.close(fd)
    except OSError as error:
        raise StoreError(f"{path}: cannot keep what the session has seen: {error.strerror or error}") from error


def _record(path: str, session: str) -> Seen:
    """What a session's file says; nothing seen where there is none yet."""
    try:
        return _load(path, session)
    except FileNotFoundError:
        return Seen(session)


def _heading(record: Seen, project: str) -> list[dict[str, Any]]:
    """The first line of a new file."""
    return [] if record.project else [{"session": record.session, "project": project}]


def note(session: str, project: str, labels: tuple[Label, ...], *, maybe: bool = False) -> None:
    """Keep what a call shows to its session. `maybe`: it runs only if the client's own dialog says so."""
    if not session or not labels:
        return
    path = _path(session)
    with atomic.Lock(f"{path}.lock"):
        record = _record(path, session)
        new = [dict(vars(replace(label, id=os.urandom(4).hex()))) for label in labels if record.lacks(label)]
        if new:
            lines = ({**label, "maybe": True} if maybe else label for label in new)
            _append(path, [*_heading(record, project), *lines])


def note_said(session: str, project: str, said: tuple[str, ...]) -> None:
    """Keep what a call tells to machines of this network."""
    if not session or not said:
        return
    path = _path(session)
    with atomic.Lock(f"{path}.lock"):
        record = _record(path, session)
        new = [one for one in dict.fromkeys(said) if one not in record.said]
        if new and len(record.said) + len(new) <= MAX_SAID:
            _append(path, [*_heading(record, project), {"said": new}])


def note_ran(session: str, call: str, *, masked: bool) -> None:
    """A call has run, and whether all secrets in its result were masked."""
    if not session or not call or not os.path.exists(_path(session)):
        return
    record = _load(_path(session), session)
    if not any(label.call == call for label in (*record.labels.values(), *record.maybe.values())):
        return
    _append(_path(session), [{"unseen": call}, {"ran": call}] if masked else [{"ran": call}])


def note_began(session: str, project: str, source: str) -> None:
    """A session that was forked goes on with what the other one has seen; one that is resumed is no longer ended."""
    path = _path(session)
    known = os.path.exists(path)
    if source == "fork" or (source == "resume" and not known):
        _append(path, [{"session": session, "project": project, "from": "fork"}])
    elif known:
        _append(path, [{"ended": 0.0}])


def note_ended(session: str, *, for_good: bool) -> None:
    """A cleared conversation is over; every other one may be resumed, and then goes on with what it had seen."""
    path = _path(session) if session else ""
    if path and os.path.exists(path):
        _append(path, [{"ended": time.time()}])
        if for_good:
            atomic.remove(path)
            atomic.remove(f"{path}.lock")


def is_forked(session: str) -> bool:
    try:
        return bool(session) and _load(_path(session), session).origin == "fork"
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return False


def inherit(session: str, project: str, parents: tuple[str, ...]) -> None:
    """Take over what the sessions have seen that this one was forked from; where nobody can say which: what every
    session of the project has."""
    known = sessions()
    wanted = [s for s in known if s.session in parents] or [s for s in known if s.project == project]
    labels = tuple(label for s in wanted if s.session != session for label in s.labels.values())
    plain = [{**vars(label), "id": os.urandom(4).hex()} for label in labels[-MAX_LABELS:]]
    _append(_path(session), [*plain, {"from": ""}])


def sessions() -> tuple[Seen, ...]:
    """Every session that has seen something."""
    found = []
    folder = paths.private_dir(FOLDER)
    for name in sorted(os.listdir(folder)):
        if name.startswith("seen-") and not name.endswith(".lock"):
            try:
                found.append(_load(os.path.join(folder, name)))
            except (OSError, StoreError, ValueError, KeyError, TypeError):
                lost = Seen(name)
                lost.labels["lost"] = Label("untrusted", LOST, id="lost")
                found.append(lost)
    return tuple(found)


def clear_label(session: str, id: str, by: str) -> None:
    record = {"session": session, "by": by, "text": f"what the session had seen was cleared: {id}"}
    audit.append("flow-cleared", record, durable=True)
    _append(_path(session), [{"cleared": id, "by": by}])


def sweep(now: float) -> None:
    folder = paths.private_dir(FOLDER)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.startswith("seen-") and now - os.lstat(path).st_mtime > KEPT_S:
            atomic.remove(path)


# -- files


def _files_path(project: str) -> str:
    return os.path.join(paths.private_dir(FOLDER), f"files-{sha256_hex(project)[:32]}")


def labelled(project: str) -> tuple[LabelledFile, ...]:
    """The project's files that strangers' text may have gone into. What cannot be read counts as all of them."""
    try:
        return tuple(_load_files(_files_path(project)).values())
    except FileNotFoundError:
        return ()
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return (LabelledFile(project, "whose record cannot be read", below=True, id="lost"),)


def _load_files(path: str) -> dict[str, LabelledFile]:
    found: dict[str, LabelledFile] = {}
    for line in _lines(path):
        if "cleared" in line:
            found = {p: f for p, f in found.items() if f.id not in line["cleared"]}
        elif "committed" in line:
            found = {p: replace(f, committed=f.committed or f.id in line["committed"]) for p, f in found.items()}
        elif "path" in line:
            file = LabelledFile(*(line[k] for k in ("path", "reason", "at", "session", "below", "id")))
            found[file.path] = file
    return found


def note_files(project: str, files: tuple[LabelledFile, ...]) -> None:
    if not files:
        return
    path = _files_path(project)
    with atomic.Lock(f"{path}.lock"):
        try:
            known = _load_files(path)
        except FileNotFoundError:
            known = {}
        new = [f for f in files if (old := known.get(f.path)) is None or old.session != f.session or old.committed]
        if new and len(known) + len(new) > MAX_FILES:
            new = [replace(new[0], path=project, below=True)] if project not in known else []
        names = ("path", "reason", "at", "session", "below")
        lines = [{**{k: getattr(f, k) for k in names}, "id": os.urandom(4).hex()} for f in new]
        start = [] if known else [{"project": project}]
        if lines:
            _append(path, [*start, *lines])


def note_commit(project: str, ids: list[str]) -> None:
    """An agent has committed these, and nobody has looked: that git's HEAD has them says nothing about them."""
    if ids and "lost" not in ids:
        _append(_files_path(project), [{"committed": ids}])


def clear_files(project: str, ids: tuple[str, ...], by: str) -> None:
    """By a person, or because git's HEAD has them after one has looked."""
    record = {"project": project, "by": by, "text": f"labels of files were cleared: {', '.join(ids)[:200]}"}
    audit.append("flow-cleared", record, durable=True)
    _append(_files_path(project), [{"cleared": list(ids), "by": by}])


def projects() -> tuple[str, ...]:
    """Every project that has labelled files."""
    found = []
    folder = paths.private_dir(FOLDER)
    for name in sorted(os.listdir(folder)):
        if name.startswith("files-") and not name.endswith(".lock"):
            try:
                found += [line["project"] for line in _lines(os.path.join(folder, name))[:1] if "project" in line]
            except (OSError, StoreError, ValueError):
                continue
    return tuple(found)
