"""The store of waiting requests: one decision each, complete files, nobody else's."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.errors import StoreError
from askfirst.store import atomic, clock, ids, paths
from askfirst.store.pending import FilePending, Item

ROOT = Path(__file__).parents[2]


def make_item(*, left_s: float = 300, boot: str | None = None) -> Item:
    now = clock.wall()
    boot = clock.boot_id() if boot is None else boot
    return Item(ids.new_id(), "d" * 64, now, now + left_s, clock.steady() + left_s, boot, {"text": "é\ud83d"})


def test_a_request_is_there_complete_private_and_locked() -> None:
    store, item = FilePending(), make_item()
    store.create(item)
    assert FilePending().items() == (item,)
    assert FilePending().is_waited_for(item.id)
    for path in (store.root, store.directory(item.id), os.path.join(store.directory(item.id), "request.json")):
        assert os.stat(path).st_mode & 0o077 == 0
    assert os.listdir(store.root) == [item.id], "no temporary names are left"


def race(deciders: int, requests: int) -> list[tuple[str, str, str]]:
    store = FilePending()
    for _ in range(requests):
        store.create(make_item())
    command = [sys.executable, "-m", "tests.store.deciders"]
    started = [
        subprocess.Popen([*command, str(n)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for n in range(deciders)
    ]
    for process in started:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    rows: list[tuple[str, str, str]] = []

    def collect(process: subprocess.Popen[str]) -> None:
        for line in process.communicate("go\n")[0].splitlines():
            name, result, by = line.split()
            rows.append((name, result, by))

    readers = [threading.Thread(target=collect, args=(p,)) for p in started]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    for name in store.pending_ids():
        store.settle(name)  # gives its lock back: fifty such races run in one process
    return rows


def check_one_winner(deciders: int, requests: int) -> None:
    rows = race(deciders, requests)
    assert len(rows) == deciders * requests
    winners = Counter(name for name, result, _ in rows if result == "won")
    assert len(winners) == requests and set(winners.values()) == {1}, "exactly one decision each"
    assert len({(name, by) for name, _, by in rows}) == requests, "all see the same winner, complete"


def test_one_winner_of_eight_deciders_and_expiry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    check_one_winner(8, 500)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(50))
def test_one_winner_of_thirty_two_deciders(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    check_one_winner(32, 1000)


def test_a_settled_request_still_tells_who_decided() -> None:
    store, item = FilePending(), make_item()
    store.create(item)
    assert store.decide(item.id, {"state": "once"}) is None
    store.settle(item.id)
    late = FilePending()
    assert late.pending_ids() == () and late.settled_ids() == (item.id,)
    assert late.find(item.id) == item
    assert late.decide(item.id, {"state": "denied"}) == {"state": "once"}


def test_a_waiter_may_settle_before_the_decider_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision counts from the moment it is linked.

    A waiter that is quicker than the rest of `decide` must not turn the winner into somebody who came too late: what
    the answer means would not be remembered.
    """
    store, item = FilePending(), make_item()
    store.create(item)
    link = os.link

    def link_and_settle(*words: object, **options: object) -> None:
        link(*words, **options)  # type: ignore[arg-type]
        store.settle(item.id)

    monkeypatch.setattr(os, "link", link_and_settle)
    assert FilePending().decide(item.id, {"state": "session"}) is None
    assert store.decision(item.id) == {"state": "session"} and store.settled_ids() == (item.id,)
    assert {p.name for p in Path(store.settled_root, item.id).iterdir()} == {"request.json", "decision.json"}


def test_what_nobody_can_use_any_more_is_named() -> None:
    store = FilePending()
    over, rebooted, fine = make_item(left_s=-1), make_item(boot="another boot"), make_item()
    for item in (over, rebooted, fine):
        store.create(item)
    assert sorted(store.unfinished()) == sorted([(over.id, "expired"), (rebooted.id, "expired")])


def test_a_dead_waiter_is_known_by_its_lock() -> None:
    script = (
        "import os, sys; from tests.store.test_pending import *\n"
        "store, item = FilePending(), make_item(); store.create(item); print(item.id, flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    name = child.stdout.readline().strip()
    store = FilePending()
    assert store.is_waited_for(name) and store.unfinished() == ()
    child.kill()
    child.communicate()
    assert store.unfinished() == ((name, "cancelled"),)
    store.decide(name, {"state": "cancelled"})
    store.sweep()
    assert store.pending_ids() == () and store.settled_ids() == (name,)


def test_the_sweep_clears_what_dying_processes_left() -> None:
    store = FilePending()
    old = clock.wall() - 3600
    for name in (".new-" + ids.new_id(), "junk"):
        folder = Path(store.root) / name
        folder.mkdir()
        (folder / ".tmp-1").write_text("half")
        os.utime(folder, (old, old))
    young = Path(store.root) / (".new-" + ids.new_id())
    young.mkdir()
    kept, gone = make_item(), make_item()
    for item in (kept, gone):
        store.create(item)
        store.decide(item.id, {"state": "once"})
        store.settle(item.id)
    os.utime(Path(store.settled_root) / gone.id, (old - 8 * 3600, old - 8 * 3600))
    store.sweep()
    assert os.listdir(store.root) == [young.name], "somebody may still be writing it"
    assert os.listdir(store.settled_root) == [kept.id]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"id": "x"}', b"\xff\xfe", b'{"id":"a","id":"b"}'])
def test_a_request_that_cannot_be_read_does_not_exist_for_people(content: bytes) -> None:
    store, item = FilePending(), make_item()
    store.create(item)
    Path(store.directory(item.id), "request.json").write_bytes(content)
    assert store.items() == () and store.find(item.id) is None


def test_links_and_foreign_things_are_refused(tmp_path: Path) -> None:
    store, item = FilePending(), make_item()
    store.create(item)
    target = tmp_path / "elsewhere.json"
    target.write_text('{"state": "once"}')
    Path(store.directory(item.id), "decision.json").symlink_to(target)
    with pytest.raises(StoreError):
        store.decision(item.id)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(StoreError):
        atomic.read_private(str(fifo))


def test_a_state_directory_that_is_a_link_is_refused(tmp_path: Path) -> None:
    state = Path(paths.state_dir())
    state.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "other").mkdir()
    state.symlink_to(tmp_path / "other")
    with pytest.raises(StoreError, match="symbolic link"):
        FilePending()


def test_a_state_directory_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    FilePending()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    with pytest.raises(StoreError, match="another user"):
        FilePending()


def test_others_are_locked_out_of_an_open_directory() -> None:
    root = Path(FilePending().root)
    root.chmod(0o755)
    assert stat.S_IMODE(Path(FilePending().root).stat().st_mode) == 0o700


def test_the_clock_of_deadlines_does_not_follow_the_wall() -> None:
    first = clock.steady()
    assert clock.steady() >= first
    item = make_item(left_s=1000)
    assert not replace(item, deadline=0.0).is_over(), "setting the wall clock does not expire a request"


def test_what_nobody_can_read_or_wait_for_is_cleared_in_time() -> None:
    store = FilePending()
    folder = Path(store.root, ids.new_id())
    folder.mkdir()
    (folder / "request.json").write_text("half a requ")
    store.sweep()
    assert folder.exists(), "it may be somebody's who is still writing"
    os.utime(folder, (0, 0))
    store.sweep()
    assert not folder.exists() and store.items() == ()
