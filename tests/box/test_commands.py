"""What a person does about contained runs at their own terminal: list, forward, stop, apply, undo, and its log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from askfirst.approval import person
from askfirst.audit.describe import subject_of
from askfirst.audit.read import read_records
from askfirst.box import runs
from askfirst.cli import main
from tests.box.conftest import Box
from tests.waiting import until

SERVER = "exec python3 -m http.server 8321 --bind 127.0.0.1 2>/dev/null"


@pytest.fixture
def at_terminal(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(box.project)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setattr(person, "ancestors", lambda: ())


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main([*words]) == 0
    return capsys.readouterr().out


def subjects(kind: str) -> list[str]:
    return [subject_of(r) for r in read_records() if r["kind"] == kind]


@pytest.mark.usefixtures("at_terminal")
def test_what_became_of_each_run_is_listed(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    box.run("exit 7")
    box.run("echo x > made.txt; mkdir .claude; echo '{}' > .claude/settings.json; echo y > conftest.py")
    second, first = [line.split() for line in said(capsys, "box", "list").splitlines()[1:3]]
    assert first[-1] == "7", "how it ended, though it has changed nothing"
    assert second[-1] == "conftest.py"
    rows = json.loads(said(capsys, "box", "list", "--json"))
    assert [row["report"]["exit_code"] for row in rows] == [0, 7] and not any(row["running"] for row in rows)
    assert rows[0]["report"]["changed"] == ["made.txt"]
    (told,) = subjects("contained")
    assert told.startswith("changed made.txt; kept aside: ") and told.endswith(".claude/settings.json, conftest.py")
    wanted = rows[0]["id"][:6]
    assert "conftest.py" in json.dumps(json.loads(said(capsys, "apply", wanted, "--yes", "--json")))
    assert (box.project / "conftest.py").exists() and not (box.project / ".claude/settings.json").exists()
    said(capsys, "undo", wanted)
    assert not (box.project / "made.txt").exists() and not (box.project / "conftest.py").exists()
    assert subjects("apply") == ["conftest.py"] and subjects("undo") == ["conftest.py, made.txt"]


@pytest.mark.usefixtures("at_terminal")
def test_a_person_reaches_a_server_in_the_box_and_ends_it(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    (box.project / "page.txt").write_text("served\n")
    run = runs.prepare(box.plan(SERVER, background=True))
    process = box.start(run)
    words = "listens on port 8321: `askfirst box forward 8321` reaches it"
    until(lambda: words in said(capsys, "box", "list"), "the server")
    assert json.loads(said(capsys, "box", "status", "--json"))["sessions"][0]["active"] == [run.id]
    line = "import sys; from askfirst.box.forwarding import Forwarder; f = Forwarder(sys.argv[1], 8321, 0);"
    line += "print(f.port, flush=True); f.run()"
    given = [sys.executable, "-c", line, runs.session_place(run.plan)]
    with subprocess.Popen(given, stdout=subprocess.PIPE, text=True) as forwarder:
        assert forwarder.stdout is not None
        port = int(forwarder.stdout.readline())
        try:
            for _ in range(3):
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/page.txt", timeout=60) as answer:
                    assert answer.read() == b"served\n"
        finally:
            forwarder.kill()
    assert run.id[:6] in said(capsys, "box", "stop")
    process.communicate(timeout=60)
    assert "nothing runs contained" in said(capsys, "box", "stop")
    assert "0 contained commands run now" in said(capsys, "box", "status")


def test_an_agent_neither_forwards_nor_applies(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    done = box.run("echo y > conftest.py")
    for words in (("box", "forward", "8321"), ("apply", done.run.id, "--yes"), ("undo", done.run.id)):
        assert main([*words]) != 0
        assert "Run `askfirst" in capsys.readouterr().err
    assert not Path(box.project, "conftest.py").exists() and os.path.exists(done.run.place)
