"""What people allowed for a while, and what they denied.

    grants/session-<hash>.json    for one session of an agent
    grants/project-<hash>.json    for a time
    grants/permanent-<hash>.json  the record of permanent ones: they count from the rule file, and no hook reads them
    grants/denied-<hash>          digests that were denied in a session, one a line
    grants/uses                   `id seconds`, appended at every use
    grants/once-<hash>            a late approval, kept for one use: whoever unlinks it has used it

`load_grants` stands on the way of every hook; it opens at most two files, and only when somebody asks what is in them.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.model import Duration, Grant, Scope
from askfirst.store import atomic, clock, paths

MAX_USES_BYTES = 256 * 1024
LONGEST_SESSION_S = 14 * 86400.0  # after this long without a new answer, a session is taken for ended
LONGEST_ONCE_S = 3600.0  # a late approval is good for minutes


MAX_READ_BEFORE = 16  # files
SETTLED_S = 2.0  # file systems count time in steps of up to two seconds
_read_before: dict[str, tuple[tuple[int, ...], list[Grant]]] = {}


def _stamp(path: str) -> tuple[int, ...]:
    found = os.lstat(path)
    return (
        found.st_dev,
        found.st_ino,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_size,
        found.st_mode,
        found.st_uid,
    )


class Use:
    """How often a grant was used, and when last."""

    def __init__(self, count: int = 0, last: float = 0.0) -> None:
        self.count, self.last = count, last


@dataclass(frozen=True)
class Denial:
    """A person's no, which counts for the rest of the session."""

    session: str
    digest: str
    reason: str
    id: str = ""  # of the request; "" where an older version stored it
    text: str = ""
    project: str = ""
    by: str = ""
    at: float = 0.0


class LazyGrants:
    """A tuple of grants that is read when it is looked at: most commands are allowed by a stronger layer before."""

    def __init__(
        self, read: Callable[[], tuple[Grant, ...]], stamp: Callable[[], tuple[Any, ...] | None] = lambda: None
    ) -> None:
        self._read, self._stamp = read, stamp
        self._grants: tuple[Grant, ...] | None = None
        self._seen: tuple[Any, ...] | None = None  # the files' stamp from before they were read

    def _all(self) -> tuple[Grant, ...]:
        if self._grants is None:
            self._seen = self._stamp()
            self._grants = self._read()
        return self._grants

    def _as_now(self) -> tuple[Any, ...] | None:
        return self._seen if self._grants is not None else self._stamp()

    def __iter__(self) -> Iterator[Grant]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: int) -> Grant:
        return self._all()[index]

    def __add__(self, more: tuple[Grant, ...]) -> tuple[Grant, ...]:
        return self._all() + tuple(more)

    def __eq__(self, other: object) -> bool:
        """Two looks at the grants are the same when they saw the same grants; files that did not change need no second
        reading. (A grant may have ended between the two: that allows nothing new.)"""
        if isinstance(other, LazyGrants):
            mine = self._as_now()
            if mine is not None and mine == other._as_now():
                return True
        return isinstance(other, (LazyGrants, tuple)) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def load_grants(project: str, session: str, now: float) -> tuple[Grant, ...]:
    """The grants in force for a project and a session, read on first use."""
    return LazyGrants(  # type: ignore[return-value]
        lambda: FileGrants().load(project, session, now), lambda: FileGrants().stamp(project, session)
    )


class FileGrants:
    """Grants on files. Every method may be called by any process of this user at any time."""

    def __init__(self) -> None:
        self.root = paths.private_dir("grants")

    # Reading

    def load(self, project: str, session: str, now: float) -> tuple[Grant, ...]:
        found = [*self._read(self._session_file(session)), *self._read(self._project_file(project))]
        return tuple(g for g in found if _counts(g, project, session, now))

    def stamp(self, project: str, session: str) -> tuple[Any, ...] | None:
        """By which a change of the two files is known: each is replaced as a whole. None where that cannot be told."""
        found: list[tuple[int, ...]] = []
        for path in (self._session_file(session), self._project_file(project)):
            try:
                status = os.lstat(path)
                found.append((status.st_ino, status.st_mtime_ns, status.st_size))
            except FileNotFoundError:
                found.append(())
            except OSError:
                return None
        return (project, session, *found)

    def all(self) -> tuple[Grant, ...]:
        found: list[Grant] = []
        for name in sorted(os.listdir(self.root)):
            if name.startswith(("session-", "project-", "permanent-")) and name.endswith(".json"):
                found += self._read(os.path.join(self.root, name))
        return tuple(sorted(found, key=lambda g: (g.created, g.id)))

    def uses(self) -> dict[str, Use]:
        found: dict[str, Use] = {}
        for name in ("uses.old", "uses"):
            try:
                data = atomic.read_private(os.path.join(self.root, name))
            except FileNotFoundError:
                continue
            for line in data.decode("ascii", "replace").splitlines():
                name, _, at = line.partition(" ")
                try:
                    when = float(at)
                except ValueError:
                    continue  # a torn line of a process that died
                use = found.setdefault(name, Use())
                use.count, use.last = use.count + 1, max(use.last, when)
        return found

    # Writing

    def add(self, grant: Grant) -> None:
        self._change(self._file_of(grant), lambda old: [*(g for g in old if g.id != grant.id), grant])

    def revoke(self, id: str) -> Grant | None:
        """Take a grant back, now, for everybody."""
        for grant in self.all():
            if grant.id == id:
                files = [self._file_of(grant)]
                if grant.duration == Duration.PERMANENT:
                    files.append(self._project_file(grant.project))  # where an older version kept them
                for path in files:
                    self._change(path, lambda old: [g for g in old if g.id != id])
                return grant
        return None

    def sweep(self, now: float) -> None:
        """Sessions that ended without a word, and late approvals whose time is over."""
        for name in os.listdir(self.root):
            path = os.path.join(self.root, name)
            longest_s = LONGEST_ONCE_S if name.startswith("once-") else LONGEST_SESSION_S
            if name.startswith(("session-", "denied-", "once-")) and now - os.lstat(path).st_mtime > longest_s:
                atomic.remove(path)

    def end_session(self, session: str) -> None:
        """Everything that was allowed or denied for this session ends with it."""
        if session:
            # The client waits a few seconds for this; what is left is swept later.
            with atomic.Lock(os.path.join(self.root, "lock"), wait_s=2.0):
                atomic.remove(self._session_file(session))
                atomic.remove(self._denied_file(session))

    def note_use(self, id: str, now: float) -> None:
        """One short append, no lock, no sync: losing a count in a crash costs nothing."""
        path = os.path.join(self.root, "uses")
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, f"{id} {now:.0f}\n".encode())
            if os.fstat(fd).st_size > MAX_USES_BYTES:
                os.replace(path, path + ".old")
        finally:
            os.close(fd)

    # Denials and one-shots

    def deny(self, denial: Denial) -> None:
        session = denial.session
        if not session:
            return
        line = jsontext.dumps([denial.digest, denial.reason, vars(denial)]).encode() + b"\n"
        with atomic.Lock(os.path.join(self.root, "lock")):
            fd = os.open(
                self._denied_file(session), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
            try:
                atomic.write_all(fd, b"\n" + line)  # the empty line ends what a dying process may have left
                os.fsync(fd)
            finally:
                os.close(fd)

    def denied(self, session: str, digest: str) -> str | None:
        """The reason with which this very request was denied in this session; None when it was not."""
        found = [d for d in self._denials_in(self._denied_file(session)) if d.digest == digest] if session else []
        return found[-1].reason if found else None

    def denials(self) -> tuple[Denial, ...]:
        """All that people have denied in sessions that have not ended, oldest first."""
        files = [os.path.join(self.root, name) for name in os.listdir(self.root) if name.startswith("denied-")]
        found = {(d.session, d.digest): d for path in files for d in self._denials_in(path)}
        return tuple(sorted(found.values(), key=lambda d: (d.at, d.id)))

    def _denials_in(self, path: str) -> list[Denial]:
        try:
            lines = atomic.read_private(path).splitlines()
        except FileNotFoundError:
            return []
        return [d for d in map(_denial_in, lines) if d is not None]

    def forget_denial(self, session: str, digest: str) -> None:
        """A person allowed it after all."""
        path = self._denied_file(session)
        with atomic.Lock(os.path.join(self.root, "lock")):
            try:
                lines = atomic.read_private(path).splitlines()
            except FileNotFoundError:
                return
            atomic.write_atomic(path, b"".join(line + b"\n" for line in lines if line and digest.encode() not in line))

    def keep_once(self, session: str, digest: str, until: float, by: str) -> None:
        atomic.write_atomic(self._once_file(session, digest), jsontext.dumps([digest, session, until, by]).encode())

    def take_once(self, session: str, digest: str, now: float) -> str | None:
        """Use up a kept approval: who gave it, or None.

        Of several takers one gets it, because unlink has one winner.
        """
        path = self._once_file(session, digest)
        try:
            value = jsontext.loads(atomic.read_private(path))
        except FileNotFoundError:
            return None
        except ValueError:
            value = None
        if not atomic.remove(path) or not (isinstance(value, list) and len(value) == 4):
            return None
        return str(value[3]) if value[:2] == [digest, session] and now < float(value[2]) else None

    # Files

    def _file_of(self, grant: Grant) -> str:
        if grant.duration == Duration.SESSION:
            return self._session_file(grant.session)
        if grant.duration == Duration.PERMANENT:
            return os.path.join(self.root, f"permanent-{sha256_hex(grant.project)[:32]}.json")
        return self._project_file(grant.project)

    def _session_file(self, session: str) -> str:
        return os.path.join(self.root, f"session-{sha256_hex(session)[:32]}.json")

    def _project_file(self, project: str) -> str:
        return os.path.join(self.root, f"project-{sha256_hex(project)[:32]}.json")

    def _denied_file(self, session: str) -> str:
        return os.path.join(self.root, f"denied-{sha256_hex(session)[:32]}")

    def _once_file(self, session: str, digest: str) -> str:
        return os.path.join(self.root, f"once-{sha256_hex(session + chr(0) + digest)[:32]}")

    def _read(self, path: str) -> list[Grant]:
        """A file that cannot be read allows nothing: it counts as empty, and the person is asked again. What a process
        has read before it reads again only when the file is another."""
        try:
            stamp = _stamp(path)
            if path in _read_before and _read_before[path][0] == stamp:
                return _read_before[path][1]
            found = [g for g in map(_grant_or_none, self._records(path)) if g is not None]
        except (OSError, StoreError):
            return []
        if len(_read_before) >= MAX_READ_BEFORE:
            _read_before.clear()
        # A file changed in this moment may change again without another time.
        if clock.wall() - max(stamp[2], stamp[3]) / 1e9 > SETTLED_S:
            _read_before[path] = (stamp, found)
        return found

    def _records(self, path: str) -> list[Any]:
        """As they stand there. One that cannot be read (a newer version's field may narrow it) allows nothing, and is
        kept for whoever can."""
        try:
            found = jsontext.loads(atomic.read_private(path))
        except FileNotFoundError:
            return []
        except ValueError as error:
            raise StoreError(f"{path}: is damaged; remove it, and its grants are asked for again") from error
        if not isinstance(found, list):
            raise StoreError(f"{path}: is damaged; remove it, and its grants are asked for again")
        return found

    def _change(self, path: str, change: Callable[[list[Grant]], list[Grant]]) -> None:
        try:
            with atomic.Lock(os.path.join(self.root, "lock")):
                records, now = self._records(path), clock.wall()
                known = [g for g in map(_grant_or_none, records) if g is not None]
                kept = [g for g in known if g.duration != Duration.TIMED or now < g.until]
                grants = [r for r in records if _grant_or_none(r) is None] + [grant_to(g) for g in change(kept)]
                if grants:
                    atomic.write_atomic(path, jsontext.dumps(grants).encode())
                else:
                    atomic.remove(path)
                    atomic.sync_dir(self.root)
        except OSError as error:
            raise StoreError(f"{path}: cannot store the grant: {error.strerror or error}") from error


def _denial_in(line: bytes) -> Denial | None:
    """What a line says; None for one that a dying process has left half."""
    try:
        value = jsontext.loads(line) if line else None
    except ValueError:
        return None
    if not isinstance(value, list) or len(value) < 2:
        return None
    told: dict[str, Any] = {"session": ""}
    if len(value) > 2 and isinstance(value[2], dict):
        told.update(value[2])
    try:
        return Denial(**{**told, "digest": str(value[0]), "reason": str(value[1])})
    except TypeError:  # a newer version's field: it is a no all the same
        return Denial(str(told["session"]), str(value[0]), str(value[1]))


def _grant_or_none(value: Any) -> Grant | None:
    try:
        return grant_from(value)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _counts(grant: Grant, project: str, session: str, now: float) -> bool:
    if grant.project != project:
        return False
    if grant.duration == Duration.SESSION:
        return bool(session) and grant.session == session
    return grant.duration == Duration.TIMED and now < grant.until


def grant_to(grant: Grant) -> dict[str, Any]:
    return {
        **vars(grant),
        "scopes": [vars(s) for s in grant.scopes],
        "duration": int(grant.duration),
        "entries": [dict(e) for e in grant.entries],
    }


def grant_from(value: dict[str, Any]) -> Grant:
    found = dict(value)
    found["scopes"] = tuple(map(scope_from, value["scopes"]))
    found["duration"] = Duration(value["duration"])
    found["entries"] = tuple(value["entries"])
    return Grant(**found)


def scope_from(value: dict[str, Any]) -> Scope:
    lists: dict[str, Any] = {key: tuple(value[key]) for key in ("args", "deny_args", "env") if key in value}
    return Scope(**{**value, **lists})


class MemoryGrants:
    """The same within one process: for an agent that runs in it."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._grants: dict[str, Grant] = {}
        self._uses: dict[str, Use] = {}
        self._denied: dict[tuple[str, str], Denial] = {}
        self._once: dict[tuple[str, str], tuple[float, str]] = {}

    def load(self, project: str, session: str, now: float) -> tuple[Grant, ...]:
        return tuple(g for g in self.all() if _counts(g, project, session, now))

    def all(self) -> tuple[Grant, ...]:
        with self._lock:
            return tuple(sorted(self._grants.values(), key=lambda g: (g.created, g.id)))

    def uses(self) -> dict[str, Use]:
        with self._lock:
            return dict(self._uses)

    def add(self, grant: Grant) -> None:
        with self._lock:
            self._grants[grant.id] = grant

    def revoke(self, id: str) -> Grant | None:
        with self._lock:
            return self._grants.pop(id, None)

    def end_session(self, session: str) -> None:
        with self._lock:
            self._grants = {
                i: g for i, g in self._grants.items() if not (g.duration == Duration.SESSION and g.session == session)
            }
            self._denied = {k: r for k, r in self._denied.items() if k[0] != session}

    def note_use(self, id: str, now: float) -> None:
        with self._lock:
            use = self._uses.setdefault(id, Use())
            use.count, use.last = use.count + 1, now

    def deny(self, denial: Denial) -> None:
        with self._lock:
            if denial.session:
                self._denied[denial.session, denial.digest] = denial

    def denied(self, session: str, digest: str) -> str | None:
        with self._lock:
            found = self._denied.get((session, digest))
            return found.reason if found is not None else None

    def denials(self) -> tuple[Denial, ...]:
        with self._lock:
            return tuple(self._denied.values())

    def forget_denial(self, session: str, digest: str) -> None:
        with self._lock:
            self._denied.pop((session, digest), None)

    def keep_once(self, session: str, digest: str, until: float, by: str) -> None:
        with self._lock:
            self._once[session, digest] = (until, by)

    def take_once(self, session: str, digest: str, now: float) -> str | None:
        with self._lock:
            until, by = self._once.pop((session, digest), (0.0, ""))
            return by if now < until else None


def note_uses(grant_ids: tuple[str, ...], now: float) -> None:
    """Count uses of grants after a verdict that rests on them.

    Never in the way: a count that cannot be written is lost.
    """
    try:
        grants = FileGrants()
        for grant_id in dict.fromkeys(grant_ids):
            grants.note_use(grant_id, now)
    except (OSError, StoreError):
        pass
