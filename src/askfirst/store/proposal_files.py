"""Proposals: a file's new content that waits for a person, is applied once, and can be undone.

    proposals/<id>.json   the record: what, where, against which content, until when, and how far it got
    proposals/<id>.new    the proposed content, until it is applied or thrown away
    proposals/<id>.old    what an applied proposal replaced, for `undo`

All changes happen under one lock, so two writes to one file are done in order. A record says `applying` before the
first file is touched and `applied` after the last one: whoever comes after a crash in between finishes it or takes it
back (`recover`), and a batch is never half there. What is at the path is the old content or the new one at every
moment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from askfirst import audit, jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.files.bind import CHANGED, UNREADABLE, fingerprint
from askfirst.store import atomic, clock, exchange, ids, paths
from askfirst.store.exchange import ABSENT, Conflict, Directory

TTL_S = 120.0
KEEP_UNDO_S = 7 * 24 * 3600.0
PENDING, APPLYING, APPLIED = "pending", "applying", "applied"
UNDOING, UNDONE, DISCARDED = "undoing", "undone", "discarded"
KEEP_EXPIRED_S = 900
MAX_CONTENT_BYTES = 1 << 30


@dataclass(frozen=True)
class Proposal:
    id: str
    project: str
    path: str  # as people say it: relative to the project
    asked: str  # absolute, links not resolved
    full_path: str  # the real path
    created: bool  # the file is new
    base_hash: str  # SHA-256 of what is there, or "absent"
    new_hash: str
    patch_hash: str
    diff: str  # redacted
    mode: int
    created_at: float
    expires_at: float  # wall clock, for people
    steady_expiry: float  # the one that counts
    boot: str
    ttl_s: float = TTL_S
    tool_call_id: str = ""
    session: str = ""
    batch: str = ""
    state: str = PENDING
    run: str = ""  # proposals that are applied together share it
    made_dirs: tuple[str, ...] = ()  # directories that applying created
    at: float = 0.0  # when it reached its state

    def is_expired(self) -> bool:
        return self.state == PENDING and (self.boot != clock.boot_id() or clock.steady() >= self.steady_expiry)

    @property
    def temporary(self) -> str:
        return f".askfirst-{self.id}.tmp"

    @property
    def directory(self) -> str:
        return os.path.dirname(self.full_path)

    @property
    def name(self) -> str:
        return os.path.basename(self.full_path)


class NotApplied(StoreError):
    """Nothing was written. `problems` says for each proposal why."""

    def __init__(self, problems: Sequence[tuple[Proposal, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(why for _, why in problems))


# The store


def root() -> str:
    return paths.private_dir("proposals")


def _file(id: str, ending: str) -> str:
    return os.path.join(root(), f"{id}.{ending}")


def locked() -> atomic.Lock:
    return atomic.Lock(os.path.join(root(), "lock"))


def _save(proposal: Proposal) -> Proposal:
    atomic.write_atomic(_file(proposal.id, "json"), jsontext.dumps(vars(proposal)).encode())
    return proposal


def load(id: str) -> Proposal | None:
    """The record as it is now."""
    return _load(id)


def _load(id: str) -> Proposal | None:
    try:
        value: Any = jsontext.loads(atomic.read_private(_file(id, "json")).decode())
        proposal = Proposal(**{**value, "made_dirs": tuple(value["made_dirs"])})
        float(proposal.created_at), float(proposal.steady_expiry), float(proposal.at)  # what comparing them needs
        return proposal
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"{_file(id, 'json')}: is not a proposal ({error}); remove it") from error


def everything(odd: list[str] | None = None) -> tuple[Proposal, ...]:
    """All records, oldest first. One that is none is passed over, and named in `odd`: the others still count."""
    found = []
    for name in (n.removesuffix(".json") for n in os.listdir(root()) if n.endswith(".json")):
        try:
            proposal = _load(name) if ids.is_id(name) else None
        except StoreError as error:
            if odd is not None:
                odd.append(str(error))
            continue
        if proposal is not None:
            found.append(proposal)
    return tuple(sorted(found, key=lambda p: (p.created_at, p.id)))


def waiting() -> tuple[Proposal, ...]:
    return tuple(filter(is_waiting, everything()))


def is_waiting(proposal: Proposal) -> bool:
    return proposal.state == PENDING and not proposal.is_expired()


def find(typed: str) -> Proposal:
    """The proposal whose id begins like this."""
    records = {p.id: p for p in everything()}
    try:
        return records[ids.resolve(typed, records)]
    except ids.UnknownId:
        raise ids.UnknownId(f"no proposal with id `{typed}`; see `askfirst proposals`") from None


def new_content(proposal: Proposal) -> bytes:
    data = atomic.read_private(_file(proposal.id, "new"), limit=MAX_CONTENT_BYTES)
    if sha256_hex(data) != proposal.new_hash:
        raise StoreError(f"{proposal.path}: the stored content is not what was proposed; discard it and propose again")
    return data


def create(proposal: Proposal, content: bytes) -> Proposal:
    with locked():
        sweep()
        atomic.write_atomic(_file(proposal.id, "new"), content)
        return _save(proposal)


def discard(proposal: Proposal) -> Proposal:
    with locked():
        recover()
        current = _load(proposal.id)
        if current is None or current.state != PENDING:
            state = current.state if current else "gone"
            raise StoreError(f"{proposal.path}: is {state}, so there is nothing to discard")
        atomic.remove(_file(proposal.id, "new"))
        return _save(replace(current, state=DISCARDED, at=clock.wall()))


def sweep() -> None:
    """Forget what nobody can apply or undo any more. Called under the lock."""
    now = clock.wall()
    for p in everything():
        over = p.is_expired() and now > p.expires_at + KEEP_EXPIRED_S
        if over or (p.state in (APPLIED, UNDONE, DISCARDED) and now > max(p.at, p.created_at) + KEEP_UNDO_S):
            for ending in ("json", "new", "old"):
                atomic.remove(_file(p.id, ending))


# Apply


def problem_with(proposal: Proposal | None, check: Callable[[Proposal], str]) -> str:
    """Why this proposal may not be applied now; "" when it may.

    In order: existence, use, expiry, policy, real path, content.
    """
    if proposal is None:
        return "no such proposal"
    if proposal.state != PENDING:
        return f"{proposal.path}: is already {proposal.state}; a proposal can be applied once"
    if proposal.is_expired():
        return f"{proposal.path}: expired after {proposal.ttl_s:.0f} s; propose again"
    refused = check(proposal)
    if refused:
        return refused
    if os.path.realpath(proposal.asked) != proposal.full_path:
        return f"{proposal.path}: leads to another file now; changed since you approved, propose again"
    base, mode = fingerprint(proposal.full_path)
    if base != proposal.base_hash:
        what = "is gone; " if base == ABSENT else "exists now; " if proposal.created else ""
        return f"{proposal.path}: {what}{CHANGED}"
    return "" if mode == proposal.mode or proposal.created else f"{proposal.path}: its permissions {CHANGED}"


def apply(
    wanted: Sequence[Proposal], *, check: Callable[[Proposal], str], by: str, contents: dict[str, bytes] | None = None
) -> tuple[tuple[Proposal, ...], str]:
    """Write all of them or none. Gives the applied records and the head of the log. `contents`: merged ones, by id."""
    with locked():
        recover()
        current = [_load(p.id) for p in wanted]
        problems = [(p, why) for p, c in zip(wanted, current, strict=True) if (why := problem_with(c, check))]
        if len({p.full_path for p in wanted}) < len(wanted):
            problems.append((wanted[0], f"{wanted[0].path}: is in this batch twice"))
        if problems:
            raise NotApplied(problems)
        return _apply_checked([c for c in current if c is not None], by, contents or {})


def _apply_checked(batch: list[Proposal], by: str, contents: dict[str, bytes]) -> tuple[tuple[Proposal, ...], str]:
    data = {p.id: contents[p.id] if p.id in contents else new_content(p) for p in batch}
    run = ids.new_id()
    try:
        batch = [_begin(p, run, data[p.id]) for p in batch]
        for p in batch:
            _swap(p, data[p.id])
        for p in batch:
            _keep_old(p)
        head = audit.append("apply", _audit_record(batch, by), durable=True)
        done = tuple(_save(replace(p, state=APPLIED, at=clock.wall())) for p in batch)
    except (OSError, StoreError) as error:
        _give_up(run)
        raise NotApplied([(batch[0], _reason(error, batch[0]))]) from error
    for p in done:
        _clean(p)
    return done, head


def _reason(error: OSError | StoreError, proposal: Proposal) -> str:
    if isinstance(error, StoreError):
        return str(error)
    return f"{error.filename or proposal.path}: {error.strerror or error}"


def _give_up(run: str) -> None:
    records = [p for p in everything() if p.run == run]
    if any(p.state == APPLIED for p in records):
        # Everything is written and the log says so; only a record is not complete. The next command completes it.
        incomplete = "was written, but its record is not complete"
        raise StoreError(f"{records[0].path}: {incomplete}; run `askfirst proposals`")
    for p in records:
        if p.state == APPLYING:
            _take_back(p)


def _begin(proposal: Proposal, run: str, data: bytes) -> Proposal:
    """The record says what is about to happen before anything does."""
    missing: list[str] = []
    directory = proposal.directory
    while not os.path.isdir(directory):
        missing.insert(0, directory)
        directory = os.path.dirname(directory)
    started = _save(
        replace(proposal, state=APPLYING, run=run, new_hash=sha256_hex(data), made_dirs=tuple(missing), at=clock.wall())
    )
    for path in missing:
        os.mkdir(path)
    return started


def _swap(proposal: Proposal, data: bytes) -> None:
    with Directory(proposal.directory) as here:
        here.unlink(proposal.temporary)
        exchange.prepare(here, proposal.temporary, data, proposal.mode or 0o666 & ~_umask())
        try:
            exchange.swap_in(here, proposal.temporary, proposal.name, proposal.base_hash)
        except Conflict:
            here.unlink(proposal.temporary)
            raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _keep_old(proposal: Proposal) -> None:
    if proposal.created:
        return
    with Directory(proposal.directory) as here:
        fd = here.open(proposal.temporary, os.O_RDONLY)
        try:
            parts = []
            while part := os.read(fd, 1 << 20):
                parts.append(part)
        finally:
            os.close(fd)
    atomic.write_atomic(_file(proposal.id, "old"), b"".join(parts))


def _clean(proposal: Proposal) -> None:
    """What a finished proposal leaves behind besides its record and what `undo` needs."""
    try:
        with Directory(proposal.directory) as here:
            here.unlink(proposal.temporary)
    except Conflict:
        pass
    atomic.remove(_file(proposal.id, "new"))


def _audit_record(batch: Sequence[Proposal], by: str) -> dict[str, Any]:
    files = [
        {
            "path": p.full_path,
            "created": p.created,
            "before_hash": p.base_hash,
            "after_hash": p.new_hash,
            "hitl_id": p.id,
        }
        for p in batch
    ]
    return {"by": by, "project": batch[0].project, "session": batch[0].session, "files": files}


# After a crash


def recover() -> None:
    """Finish or take back what a killed process left. Called under the lock, before anything else is decided."""
    records = everything()
    for p in records:
        if p.state == APPLYING:
            # One of its batch is `applied` only after all of them had been written.
            if any(o.run == p.run and o.state == APPLIED for o in records):
                _clean(_save(replace(p, state=APPLIED, at=clock.wall())))
            else:
                _take_back(p)
        elif p.state == UNDOING:
            _finish_undo(p)
        elif p.state == APPLIED and os.path.lexists(os.path.join(p.directory, p.temporary)):
            _clean(p)


def _take_back(proposal: Proposal) -> None:
    """As it was before, whatever the point at which applying ended. Somebody else's later save stays."""
    try:
        with Directory(proposal.directory) as here:
            _unswap(here, proposal)
            here.unlink(proposal.temporary)
    except Conflict:
        if _is_still_there(proposal.directory):
            raise  # the record stays as it is, and the next command tries again
    _remove_made(proposal)
    _save(replace(proposal, state=PENDING, run="", made_dirs=(), at=clock.wall()))


def _remove_made(proposal: Proposal) -> None:
    """What applying made beside the file: directories, if nothing else is in them, and the copy of the old content."""
    for path in reversed(proposal.made_dirs):
        try:
            os.rmdir(path)
        except OSError:
            break
    atomic.remove(_file(proposal.id, "old"))


def _is_still_there(directory: str) -> bool:
    """Where the directory is gone or another one, nothing of ours can be in it."""
    return os.path.isdir(directory) and os.path.realpath(directory) == directory


def _unswap(here: Directory, proposal: Proposal) -> None:
    out, there = here.fingerprint(proposal.temporary), here.fingerprint(proposal.name)
    if proposal.created:
        if out == ABSENT and there == proposal.new_hash:
            exchange.take_out(here, proposal.name, proposal.temporary, proposal.new_hash)
    elif out not in (ABSENT, proposal.new_hash) and there == proposal.new_hash:
        # What came out is still here: the approved content, or somebody's save that was not looked at before the end
        # came.
        exchange.swap_in(here, proposal.temporary, proposal.name, proposal.new_hash)


# Undo


def undo(proposal: Proposal, *, check: Callable[[Proposal], str], by: str) -> tuple[Proposal, str]:
    """Restore what an applied proposal replaced, if nothing changed since. Gives the record and the head of the log."""
    with locked():
        recover()
        current = _load(proposal.id)
        why = _undo_problem(current, check)
        if why or current is None:
            raise NotApplied([(proposal, why)])
        old = b"" if current.created else atomic.read_private(_file(current.id, "old"), limit=MAX_CONTENT_BYTES)
        if not current.created and sha256_hex(old) != current.base_hash:
            raise NotApplied([(current, f"{current.path}: the copy kept for undo is not what was replaced")])
        current = _save(replace(current, state=UNDOING))
        try:
            _put_back(current, old)
            head = audit.append("undo", _audit_record([current], by), durable=True)
        except (OSError, StoreError) as error:
            done = _finish_undo(current)
            if done.state != UNDONE:
                raise NotApplied([(current, str(error))]) from error
            raise
        return _finish_undo(current), head


def _undo_problem(current: Proposal | None, check: Callable[[Proposal], str]) -> str:
    if current is None:
        return "no such proposal"
    if current.state != APPLIED:
        return f"{current.path}: is {current.state}; only an applied proposal can be undone"
    refused = check(current)
    if refused:
        return refused
    if os.path.realpath(current.asked) != current.full_path or fingerprint(current.full_path)[0] != current.new_hash:
        return f"{current.path}: changed since it was applied; nothing was undone"
    return ""


def _put_back(proposal: Proposal, old: bytes) -> None:
    with Directory(proposal.directory) as here:
        here.unlink(proposal.temporary)
        if proposal.created:
            exchange.take_out(here, proposal.name, proposal.temporary, proposal.new_hash)
        else:
            exchange.prepare(here, proposal.temporary, old, proposal.mode)
            exchange.swap_in(here, proposal.temporary, proposal.name, proposal.new_hash)


def _finish_undo(proposal: Proposal) -> Proposal:
    """After the swap or a crash: what is at the path says how far it got."""
    try:
        with Directory(proposal.directory) as here:
            if here.fingerprint(proposal.temporary) not in (ABSENT, proposal.base_hash, proposal.new_hash):
                _return_save(here, proposal)
            here.unlink(proposal.temporary)
    except Conflict:
        if _is_still_there(proposal.directory):
            raise
    there = fingerprint(proposal.full_path)[0]
    if there == UNREADABLE and os.path.isfile(proposal.full_path):
        raise StoreError(
            f"{proposal.full_path}: cannot be read, so askfirst cannot tell how far the undo got; try again"
        )
    undone = there == proposal.base_hash
    if undone:
        _remove_made(proposal)
    return _save(replace(proposal, state=UNDONE if undone else APPLIED, at=clock.wall()))


def _return_save(here: Directory, proposal: Proposal) -> None:
    """Give back a save that was taken out and not looked at before the end came, unless the name has a newer one.

    What lies aside is neither the old nor the new content: such a save, or half of what was being prepared.
    """
    there = here.fingerprint(proposal.name)
    if proposal.created and there == ABSENT:
        exchange.move_to_free_name(here, proposal.temporary, proposal.name)
    elif not proposal.created and there == proposal.base_hash:
        exchange.swap_in(here, proposal.temporary, proposal.name, proposal.base_hash)
