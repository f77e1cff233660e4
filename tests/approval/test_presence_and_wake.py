"""Who can be asked, and how a waiting hook is woken."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from askfirst.approval import wake as wake_module
from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce, approver_alive, approvers
from askfirst.approval.wake import Wake
from askfirst.store import paths
from askfirst.store.pending import FilePending
from tests.approval.support import Waiter, publish, say
from tests.waiting import until

ROOT = Path(__file__).parents[2]


def test_an_approver_is_known_while_it_lives() -> None:
    assert not approver_alive()
    with announce("watch"), announce("page"):
        assert sorted(a.kind for a in approvers()) == ["page", "watch"]
        assert {a.pid for a in approvers()} == {os.getpid()}
    assert not approver_alive()
    assert os.listdir(paths.private_dir("approvers")) == []


def test_a_killed_approver_is_gone_at_once() -> None:
    script = (
        "import sys; from askfirst.approval.presence import announce\n"
        "with announce('watch'): print('here', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "here\n"
    assert [a.pid for a in approvers()] == [child.pid]
    child.kill()
    child.communicate()
    assert not approver_alive()
    assert os.listdir(paths.private_dir("approvers")) == [], "and what it left is cleared"


def test_a_file_without_its_lock_is_nobody() -> None:
    folder = Path(paths.private_dir("approvers"))
    (folder / "at-1").write_text('{"kind":"watch","pid":1,"since":0}')
    (folder / ".new-2").write_text("half")
    assert not approver_alive()


@pytest.mark.parametrize("inotify", [True, False])
def test_a_change_is_noticed(tmp_path: Path, inotify: bool) -> None:
    """The waiting side looks after every return, so what matters is that the change is seen, whatever woke it."""
    with Wake(str(tmp_path), inotify=inotify) as wake:
        assert (wake.fileno() >= 0) == (inotify and sys.platform.startswith("linux"))
        writer = threading.Timer(0.05, lambda: (tmp_path / "decision.json").touch())
        writer.start()
        deadline = time.monotonic() + 60
        while not (tmp_path / "decision.json").exists() and time.monotonic() < deadline:
            wake.wait(30)
        writer.join()
        assert (tmp_path / "decision.json").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's")
def test_a_change_between_two_waits_is_not_slept_through(tmp_path: Path) -> None:
    import select

    with Wake(str(tmp_path)) as wake:
        (tmp_path / "x").touch()
        assert until(lambda: select.select([wake.fileno()], [], [], 0)[0])
        wake.wait(30)  # returns at once: the event waits in the queue
        assert select.select([wake.fileno()], [], [], 0)[0] == [], "and is forgotten then"


def test_where_inotify_is_used_up_there_is_a_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_module, "_open_inotify", lambda directories: -1)
    with Wake(str(tmp_path)) as wake:
        assert wake.fileno() == -1
        wake.wait(0.01)
        wake.drain()


def test_a_waiting_hook_is_rung_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_module, "SAFETY_S", 3600.0)  # nothing but the bell wakes it
    asking, answering = file_manager(), file_manager()
    asked = publish(asking, "mytool build", project)
    waiter = Waiter(asking, asked)
    bell = Path(FilePending().bell(asked))
    until(bell.is_fifo, "the bell")
    with open(bell, "wb", buffering=0) as ringer:
        ringer.write(b".")  # rung for nothing: it looks, and waits on
    (question,) = answering.pending()
    answering.respond(question.id, say(question))
    assert waiter.answer().state == "once"


def test_a_bell_that_somebody_planted_holds_nobody(project: Path, tmp_path: Path) -> None:
    manager = file_manager()
    plants: list[Callable[[str], None]] = [os.mkfifo, lambda path: os.symlink(tmp_path / "x", path), os.mkdir]
    for number, plant in enumerate(plants):
        asked = publish(manager, f"mytool {number}", project)
        plant(FilePending().bell(asked))  # a FIFO that nobody reads, a link, a directory
        (question,) = manager.pending()
        manager.respond(question.id, say(question))
        assert manager.wait_for_response(asked).state == "once"
    assert not (tmp_path / "x").exists()


def test_a_directory_that_is_not_there_is_polled(tmp_path: Path) -> None:
    with Wake(str(tmp_path / "none")) as wake:
        assert wake.fileno() == -1
