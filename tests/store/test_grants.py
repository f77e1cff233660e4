"""Grants, denials and one-shots: the same in memory and on files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import StoreError
from askfirst.model import Duration, Grant, Scope
from askfirst.store import atomic, ids
from askfirst.store.grants import Denial, FileGrants, MemoryGrants, grant_to, load_grants, note_uses

Grants = FileGrants | MemoryGrants
NOW = 1_000_000.0


@pytest.fixture(params=["memory", "files"])
def grants(request: pytest.FixtureRequest) -> Grants:
    return MemoryGrants() if request.param == "memory" else FileGrants()


def make(
    duration: Duration = Duration.SESSION, *, session: str = "s1", project: str = "/p", until: float = 0.0
) -> Grant:
    scopes = (Scope("command", "npm", action="test", shown="`npm test`"),)
    return Grant(ids.new_id(), scopes, duration, project, session, "claude", NOW, until, "ada", "npm test")


def test_they_count_for_their_session_project_and_time(grants: Grants) -> None:
    session, timed, permanent = (
        make(),
        make(Duration.TIMED, session="", until=NOW + 10),
        make(Duration.PERMANENT, session=""),
    )
    for grant in (session, timed, permanent):
        grants.add(grant)
    assert set(grants.load("/p", "s1", NOW)) == {session, timed}
    assert grants.load("/p", "s2", NOW) == (timed,)
    assert grants.load("/p", "", NOW) == (timed,)
    assert grants.load("/p", "s1", NOW + 11) == (session,)
    assert grants.load("/other", "s1", NOW) == ()
    assert set(grants.all()) == {session, timed, permanent}


def test_they_end_with_the_session(grants: Grants) -> None:
    first, second, timed = make(), make(session="s2"), make(Duration.TIMED, session="", until=NOW + 10)
    for grant in (first, second, timed):
        grants.add(grant)
    grants.deny(Denial("s1", "d1", "no"))
    grants.end_session("s1")
    assert set(grants.all()) == {second, timed}
    assert grants.denied("s1", "d1") is None
    grants.end_session("")
    grants.end_session("never seen")


def test_revoking(grants: Grants) -> None:
    first, second = make(), make(Duration.TIMED, session="", until=NOW + 10)
    grants.add(first)
    grants.add(second)
    assert grants.revoke(first.id) == first
    assert grants.revoke(first.id) is None
    assert grants.all() == (second,)


def test_uses_are_counted(grants: Grants) -> None:
    grant = make()
    grants.add(grant)
    for at in (5.0, 7.0, 6.0):
        grants.note_use(grant.id, at)
    use = grants.uses()[grant.id]
    assert use.count == 3 and use.last >= 6.0


def test_denials(grants: Grants) -> None:
    grants.deny(Denial("s1", "d1", "use make\n"))
    grants.deny(Denial("s1", "d2", ""))
    assert grants.denied("s1", "d1") == "use make\n"
    assert grants.denied("s1", "d2") == ""
    assert grants.denied("s1", "d3") is None and grants.denied("s2", "d1") is None and grants.denied("", "d1") is None
    grants.forget_denial("s1", "d1")
    grants.forget_denial("s9", "d1")
    assert grants.denied("s1", "d1") is None and grants.denied("s1", "d2") == ""


def test_a_one_shot_is_used_once_within_its_time(grants: Grants) -> None:
    grants.keep_once("s1", "d1", NOW + 10, "ada")
    assert grants.take_once("s1", "d2", NOW) is None and grants.take_once("s2", "d1", NOW) is None
    assert grants.take_once("s1", "d1", NOW) == "ada"
    assert grants.take_once("s1", "d1", NOW) is None
    grants.keep_once("s1", "d1", NOW + 10, "ada")
    assert grants.take_once("s1", "d1", NOW + 11) is None


def test_of_many_takers_one_gets_the_one_shot(grants: Grants) -> None:
    for _ in range(20):
        grants.keep_once("s1", "d1", NOW + 10, "ada")
        taken: list[str | None] = []
        threads = [threading.Thread(target=lambda: taken.append(grants.take_once("s1", "d1", NOW))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(t for t in taken if t) == ["ada"]


def test_grants_of_many_processes_are_all_kept() -> None:
    script = (
        "import os; os.fsync = lambda fd: None\n"
        "from tests.store.test_grants import *\n"
        "for _ in range(10): FileGrants().add(make())"
    )
    root = Path(__file__).parents[2]
    started = [subprocess.Popen([sys.executable, "-c", script], cwd=root) for _ in range(4)]
    assert [p.wait() for p in started] == [0] * 4
    assert len(FileGrants().all()) == 40


def test_nothing_is_read_before_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    FileGrants().add(make())
    reads: list[str] = []
    real = FileGrants.load

    def load(self: FileGrants, *args: Any) -> Any:
        reads.append("read")
        return real(self, *args)

    monkeypatch.setattr(FileGrants, "load", load)
    lazy = load_grants("/p", "s1", NOW)
    assert reads == []
    assert len(lazy) == 1 and lazy[0].session == "s1" and list(lazy) and bool(lazy)
    assert reads == ["read"], "and then once"


@pytest.mark.parametrize("content", [b"", b"{", b"null", b"\xff", b'{"id": 1}'])
def test_a_damaged_file_allows_nothing_and_is_not_overwritten(content: bytes) -> None:
    grants = FileGrants()
    grants.add(make())
    (name,) = [n for n in os.listdir(grants.root) if n.startswith("session-")]
    path = Path(grants.root, name)
    path.write_bytes(content)
    assert grants.load("/p", "s1", NOW) == ()
    with pytest.raises(StoreError, match="damaged"):
        grants.add(make())
    assert path.read_bytes() == content


def test_one_odd_record_does_not_void_the_others_and_is_kept() -> None:
    """A field of a newer version may narrow its grant: that one allows nothing, and stays for whoever can read it."""
    grants = FileGrants()
    first, newer, second = make(), make(), make()
    for grant in (first, newer):
        grants.add(grant)
    (name,) = [n for n in os.listdir(grants.root) if n.startswith("session-")]
    path = Path(grants.root, name)
    odd = json.loads(json.dumps([{**grant_to(newer), "only_on": "mondays"}, {}, 7]))
    path.write_text(json.dumps([grant_to(first), *odd]))
    assert grants.load("/p", "s1", NOW) == (first,)
    grants.add(second)
    assert grants.load("/p", "s1", NOW) == (first, second)
    assert all(record in json.loads(path.read_text()) for record in odd)


def test_no_hook_reads_permanent_ones_and_expired_ones_go() -> None:
    grants = FileGrants()
    for _ in range(3):
        grants.add(make(Duration.PERMANENT, session=""))
    assert [n.partition("-")[0] for n in os.listdir(grants.root) if n.endswith(".json")] == ["permanent"]
    grants.add(make(Duration.TIMED, session="", until=NOW + 10))
    live = make(Duration.TIMED, session="", until=4e9)
    grants.add(live)
    (name,) = [n for n in os.listdir(grants.root) if n.startswith("project-")]
    assert [g["id"] for g in json.loads(Path(grants.root, name).read_text())] == [live.id]
    permanent = next(g for g in grants.all() if g.duration == Duration.PERMANENT)
    assert grants.revoke(permanent.id) == permanent and permanent not in grants.all()


def test_a_second_look_reads_only_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question is judged again once it is published: with thousands of grants that must not cost as much again."""
    grants = FileGrants()
    grants.add(make())
    first, second = load_grants("/p", "s1", NOW), load_grants("/p", "s1", NOW)
    assert len(first) == 1
    with monkeypatch.context() as patch:
        patch.setattr(FileGrants, "load", lambda *_: pytest.fail("read again"))
        assert first == second and second == first
    grants.add(make())
    assert first != second and len(second) == 2
    assert load_grants("/p", "s2", NOW) != first


def test_what_dead_sessions_left_is_swept() -> None:
    grants = FileGrants()
    grants.add(make(session="old"))
    grants.deny(Denial("old", "d1", "no"))
    grants.keep_once("old", "d1", 1.0, "ada")
    for name in os.listdir(grants.root):
        os.utime(Path(grants.root, name), (0, 0))
    grants.add(make(session="young"))
    grants.add(make(Duration.TIMED, session="", until=4e9))
    grants.sweep(time.time())
    left = sorted(n.partition("-")[0] for n in os.listdir(grants.root))
    assert left == ["lock", "project", "session"] and {g.session for g in grants.all()} == {"young", ""}


def test_a_lock_that_is_never_released_is_an_error_not_a_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    grants = FileGrants()
    held = atomic.hold(os.path.join(grants.root, "lock"))
    try:
        with pytest.raises(StoreError, match="another process has held this lock"):
            atomic.hold(os.path.join(grants.root, "lock"), wait_s=0.05)
    finally:
        os.close(held)


def test_torn_lines_do_not_hide_the_others() -> None:
    grants = FileGrants()
    grants.deny(Denial("s1", "d1", "first"))
    (name,) = [n for n in os.listdir(grants.root) if n.startswith("denied-")]
    with open(Path(grants.root, name), "ab") as file:
        file.write(b'["d2", "to')
    grants.deny(Denial("s1", "d3", "third"))
    assert (
        grants.denied("s1", "d1") == "first"
        and grants.denied("s1", "d3") == "third"
        and grants.denied("s1", "d2") is None
    )
    with open(Path(grants.root, "uses"), "ab") as file:
        file.write(b"xyz 12\nxyz\nxyz broken\n")
    assert grants.uses()["xyz"].count == 1


def test_the_list_of_uses_does_not_grow_for_ever() -> None:
    from askfirst.store import grants as module

    store = FileGrants()
    Path(store.root, "uses").write_bytes(b"old 1\n" * (module.MAX_USES_BYTES // 6 + 1))
    note_uses(("new", "new"), 5.0)
    note_uses(("new",), 6.0)
    assert os.path.getsize(Path(store.root, "uses")) < 100
    assert store.uses()["new"].count == 2


def test_files_are_private() -> None:
    grants = FileGrants()
    grants.add(make())
    grants.deny(Denial("s1", "d", "r"))
    grants.keep_once("s1", "d", NOW, "ada")
    grants.note_use("x", NOW)
    for name in os.listdir(grants.root):
        assert os.stat(os.path.join(grants.root, name)).st_mode & 0o077 == 0, name
