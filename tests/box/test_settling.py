"""Who judges and applies what a run has changed, the warm process or the run's own, makes no difference."""

from __future__ import annotations

import marshal
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.audit.read import read_records
from askfirst.box import applying, runs
from askfirst.contained import settle
from askfirst.resident import socket_place as places
from tests.box.conftest import Box, Done
from tests.resident.warm import Warm, stopped_at_the_end, without_times

CHANGES = "echo new > made.txt; echo more >> there.txt; rm gone.txt; mkdir -p .claude; echo {} > .claude/settings.json"
NOBODY = "/nowhere"


@pytest.fixture
def warm(box: Box, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warm]:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    with stopped_at_the_end(Warm(tempfile.mkdtemp(prefix="af-", dir="/tmp"), "")) as found:
        yield found


def settled_by(place: str, box: Box, command: str) -> Done:
    run = runs.prepare(box.plan(command))
    path = Path(run.place, "spec")
    path.write_bytes(marshal.dumps({**marshal.loads(path.read_bytes()), "resident": place}))
    return box.finish(run, box.start(run).communicate(b""))


def fill(box: Box) -> None:
    (box.project / "there.txt").write_text("old\n")
    (box.project / "gone.txt").write_text("old\n")
    (box.project / "made.txt").unlink(missing_ok=True)


def outcome(done: Done, box: Box) -> list[Any]:
    (record,) = [r for r in read_records() if r["kind"] == "contained" and r["run"] == done.run.id]
    told = done.err.replace(done.run.id[:6], "ID")
    files = {str(p.relative_to(box.project)): p.read_text() for p in box.project.rglob("*") if p.is_file()}
    return [done.code, done.finished, told, files, {**without_times(record), "run": "", "seq": 0}]


def test_both_say_and_do_the_same(box: Box, warm: Warm) -> None:
    found = []
    for place in (NOBODY, warm.place):
        fill(box)
        done = settled_by(place, box, CHANGES)
        found.append(outcome(done, box))
        applying.undo(done.run.place)
    assert found[0] == found[1]
    assert set(found[0][1].changed) == {"made.txt", "there.txt", "gone.txt"} and len(found[0][1].kept) == 2
    assert warm.status["settled"] == 1


def test_a_run_that_changed_nothing_asks_nobody(box: Box, warm: Warm) -> None:
    assert settled_by(warm.place, box, "cat /etc/hostname").code == 0
    assert warm.status["settled"] == 0


def test_what_the_warm_process_may_not_do_is_done_without_it(box: Box, warm: Warm) -> None:
    Path(places.differs_path(warm.place)).touch()
    fill(box)
    assert "made.txt" in settled_by(warm.place, box, CHANGES).finished.changed
    assert (box.project / "made.txt").read_text() == "new\n"


@pytest.mark.parametrize("takes", [True, False], ids=["after it took the call", "before"])
def test_a_warm_process_that_dies(takes: bool, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    place = tempfile.mkdtemp(prefix="af-", dir="/tmp")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(places.socket_path(place))
        listener.listen(1)

        def die() -> None:
            line, _ = listener.accept()
            _, fds, _, _ = socket.recv_fds(line, 1 << 20, 1)
            assert os.read(fds[0], 1) if takes else True
            os.close(fds[0])
            line.close()

        dying = threading.Thread(target=die)
        dying.start()
        fill(box)
        done = settled_by(place, box, CHANGES)
        dying.join()
    assert set(done.finished.changed) == {"made.txt", "there.txt", "gone.txt"}
    assert (box.project / "there.txt").read_text() == "old\nmore\n"


def test_what_was_half_applied_is_taken_back_and_judged_anew(box: Box) -> None:
    fill(box)
    done = settled_by(NOBODY, box, CHANGES)
    (journal,) = applying.journals(done.run.place)
    journal.saved(applying.APPLYING)
    assert "made.txt" in done.finished.changed
    told = settle(done.run.place, {}, 0, os.stat(os.path.join(done.run.place, "used")).st_ctime_ns)
    # What was taken back is newer than the run, so it is not written over.
    assert (box.project / "there.txt").read_text() == "old\n" and "there.txt" in told
    assert (box.project / "made.txt").read_text() == "new\n"
