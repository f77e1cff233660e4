"""What goes on in a box while its changes are judged and applied takes nobody in."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst import contained
from askfirst.box import runs, session
from askfirst.box.alongside import with_live
from askfirst.box.supervisor import descendants, stands_still
from askfirst.box.upper import differences, open_below
from askfirst.containing import foreseen
from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.policy.rules import BOXES
from askfirst.store.exchange import Conflict
from askfirst.store.layers import load_layers
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


GOES_ON = (
    "(echo 1 > log; until [ -e dist/go ]; do sleep 0.01; done; echo 2 >> log; touch dist/done; sleep 300) & "
    "until [ -s log ]; do sleep 0.01; done"
)


def test_what_goes_on_may_change_again_what_its_run_has_changed(box: Box) -> None:
    """Not what a person has changed meanwhile; and all of it can be taken back."""
    box.ignores("dist")
    for by_person in (False, True):
        done = box.run(GOES_ON)
        assert (box.project / "log").read_text() == "1\n"
        if by_person:
            (box.project / "log").write_text("mine\n")
        (box.project / "dist/go").touch()
        until((box.project / "dist/done").exists, "it to write once more")
        session.stop_active(runs.session_place(done.run.plan))
        until(lambda: not session.active(runs.session_place(done.run.plan)), "its end to be judged")
        run = done.run
        until(lambda: run.finished is not None and bool(run.finished.kept or run.finished.changed[1:]), "the report")
        if by_person:
            assert [k.path for k in done.finished.kept] == ["log"] and "outside" in done.finished.kept[0].why
            assert (box.project / "log").read_text() == "mine\n"
        else:
            assert (box.project / "log").read_text() == "1\n2\n"
            assert "log" in contained.undo_by_person(done.run, "ada")
            assert not (box.project / "log").exists()
        for name in ("go", "done"):
            (box.project / "dist" / name).unlink()


# What is kept aside, and everything that reaches the disk.
DIRECTORIES = [
    ("git init -q nest; echo x > good; mkdir -p e/m e2", "nest/.git/config", {"good", "e", "e/m", "e2"}),
    (
        "mkdir -p .claude/plans sub/.claude; for f in .claude/plans/x.md sub/ok sub/.claude/settings.json good; "
        "do echo x > $f; done",
        "sub/.claude/settings.json",
        {".claude", ".claude/plans", ".claude/plans/x.md", "sub", "sub/ok", "good"},
    ),
    ("mkdir -p .idea/rules .idea/empty; echo x > .idea/rules/x; echo x > good", ".idea/rules/x", {"good"}),
    ("mkdir a; echo x > a/.envrc; echo x > good", "a/.envrc", {"good"}),
    ("mkdir a; mkdir a/b; echo x > a/.envrc; echo x > a/b/good", "a/.envrc", {"a", "a/b", "a/b/good"}),
]


@pytest.mark.parametrize(("command", "kept", "made"), DIRECTORIES)
def test_what_is_kept_aside_does_not_hold_up_the_rest(box: Box, command: str, kept: str, made: set[str]) -> None:
    done = box.run(command)
    assert kept in {k.path for k in done.finished.kept}
    assert not any("all or none" in k.why for k in done.finished.kept), done.err
    assert {str(p.relative_to(box.project)) for p in box.project.rglob("*")} == made


# Calls that a rule allows, and whose place a contained process could exchange for a link between judging and run.
ALONGSIDE = [
    ("mkdir -p dist/d && sleep 1 && cp x.json dist/d/settings.json", True),
    ("cp x.json dist/d/settings.json", True),
    ("cd dist && cp ../x.json d/settings.json", True),
    ("sleep 1; cat dist/notes.txt", True),
    ("grep -R key .", True),
    ("cat x.json > ./dist/../dist/a", True),
    ("cat x.json", False),
    ("git commit -m 'new dist'", False),
    ("cp x.json y.json", False),
]


@pytest.mark.parametrize("background", ["", "(python3 plants.py >/dev/null 2>&1 &); sleep 0.2"])
def test_what_a_contained_command_may_change_meanwhile_is_not_allowed(box: Box, background: str) -> None:
    box.ignores("dist")
    (box.project / "x.json").write_text("{}\n")
    (box.project / "plants.py").write_text("import time\nwhile True: time.sleep(0.05)\n")
    layers = load_layers(str(box.project))

    def verdicts() -> list[Decision]:
        texts = (text for text, _ in ALONGSIDE)
        requests = (Request("claude", "s", str(box.project), str(box.project), "Bash", {"command": t}) for t in texts)
        return [with_live(judged(request, layers)).verdict.decision for request in requests]

    assert set(verdicts()) == {Decision.ALLOW}
    if background:
        box.run(background)
    else:
        runs.prepare(box.plan("true"))  # it may begin at any time
    assert verdicts() == [Decision.ASK if live else Decision.ALLOW for _, live in ALONGSIDE]
    for place in (box.base / "state/askfirst/box/sessions").glob("*"):
        session.end(str(place))
        for name in (place / "active").iterdir():
            name.unlink() if not name.stat().st_size else until(lambda n=name: not n.exists(), "its end")  # type: ignore[misc]
    assert set(verdicts()) == {Decision.ALLOW}


def test_what_a_contained_command_may_change_meanwhile_is_contained(box: Box) -> None:
    box.ignores("dist")
    runs.prepare(box.plan("true"))
    layers = load_layers(str(box.project))
    layers = replace(layers, settings=replace(layers.settings, box=BOXES["unknown"]))
    given = {"command": "mkdir -p dist/d && cp x.json dist/d/settings.json"}
    request = Request("claude", "s", str(box.project), str(box.project), "Bash", given)
    assert foreseen(with_live(judged(request, layers)), lambda texts: "").verdict.decision == Decision.CONTAIN


WRITES_AGAIN = """
import os, time
open("package.json", "w").write('{"scripts": {"test": "fine"}}')
if os.fork(): os._exit(0)
os.setsid(); null = os.open("/dev/null", os.O_RDWR)
for fd in range(3): os.dup2(null, fd)
while not os.path.exists("/tmp/now"): time.sleep(0.01)
open("package.json", "w").write('{"scripts": {"test": "evil"}}')
open("/tmp/done", "w").close()
while True: time.sleep(0.01)
"""


def test_what_a_person_applies_is_what_they_were_shown(box: Box) -> None:
    """A process of the run goes on, and writes again while they read."""
    (box.project / "again.py").write_text(WRITES_AGAIN)
    run = box.run("python3 again.py").run
    shown = contained.waiting(run)
    assert [d.path for d in shown] == ["package.json"] and contained.goes_on(run)
    with pytest.raises(Conflict, match="goes on and may write again"):
        contained.apply_by_person(run, "test")
    box.run("touch /tmp/now; while [ ! -e /tmp/done ]; do sleep 0.01; done")
    with pytest.raises(Conflict, match="written again after it was shown"):
        contained.apply_by_person(run, "test", shown)
    assert not (box.project / "package.json").exists()
    contained.apply_by_person(run, "test", contained.waiting(run))
    assert "evil" in (box.project / "package.json").read_text()
