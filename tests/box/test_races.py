"""What goes on in a box while its changes are judged and applied takes nobody in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from askfirst.box import runs, session
from askfirst.box.supervisor import descendants, stands_still
from askfirst.box.upper import differences, open_below
from tests.box.conftest import Box
from tests.waiting import until

SECRET = "the content of a key outside"
# A directory and a link to a directory of the home, one in the place of the other as fast as it goes.
FLIPS = """
import os
os.mkdir("real"); open("real/key", "w").write("harmless")
os.symlink({outside!r}, "link")
print("ready", flush=True)
if os.fork(): os._exit(0)
os.setsid(); null = os.open("/dev/null", os.O_RDWR)
for fd in range(3): os.dup2(null, fd)
while True:
    os.rename("real", "d"); os.rename("d", "real")
    os.rename("link", "d"); os.rename("d", "link")
"""

SERVES = """
import os, time
open("made.txt", "w").write("x\\n")
if os.fork(): os._exit(0)
os.setsid(); null = os.open("/dev/null", os.O_RDWR)
for fd in range(3): os.dup2(null, fd)
while True: time.sleep(0.01)
"""


def test_a_directory_that_becomes_a_link_is_not_followed(box: Box) -> None:
    outside = box.home / "keys"
    outside.mkdir()
    (outside / "key").write_text(SECRET)
    (box.project / "flip.py").write_text(FLIPS.format(outside=str(outside)))
    for number in range(3):
        done = box.run("rm -rf real d link; python3 flip.py", session=f"s{number}")
        place = runs.session_place(done.run.plan)
        pid = session.active(place)[0][1]
        until(lambda pid=pid: any(not stands_still(p) for p in descendants(pid)), "it to go on")  # type: ignore[misc]
        session.end(place)
    found = [p.read_text() for p in box.project.rglob("key") if not p.parent.is_symlink()]
    assert SECRET not in found, "a file of the home was brought into the project"


def test_no_link_below_the_upper_layer_is_followed(tmp_path: Path) -> None:
    outside, upper, project = tmp_path / "outside", tmp_path / "upper", tmp_path / "project"
    for folder in (outside, upper / "real", project):
        folder.mkdir(parents=True)
    (outside / "key").write_text(SECRET)
    (upper / "link").symlink_to(outside)
    with pytest.raises(OSError):
        open_below(str(upper), "link/key")
    with pytest.raises(OSError):
        open_below(str(upper), "link", os.O_RDONLY | os.O_DIRECTORY)
    found, _ = differences(str(project), str(upper))
    assert [(d.path, d.kind) for d in found] == [("link", "link"), ("real", "folder")]


def test_a_server_in_the_background_goes_on_after_its_changes_were_judged(box: Box) -> None:
    (box.project / "serve.py").write_text(SERVES)
    done = box.run("python3 serve.py")
    assert (box.project / "made.txt").read_text() == "x\n"
    ((_, pid),) = session.active(runs.session_place(done.run.plan))
    until(lambda: any(not stands_still(p) for p in descendants(pid)), "it to go on")
