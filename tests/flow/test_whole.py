"""What was masked, whole: for the person, for a day, and for nobody else. What doctor and status say of masking."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from askfirst.approval import person
from askfirst.audit.read import read_backwards
from askfirst.cli import main
from askfirst.install import doctor
from askfirst.install.check import FAIL, NOTE, OK, WARN
from askfirst.store import paths, whole_results
from tests.flow.session import ALLOWING, Session, organisation
from tests.flow.test_notices import Heard

KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c"


@pytest.fixture
def repo(project: Path) -> Path:
    (project / ".env").write_text(f"API_KEY={KEY}\n")
    organisation(ALLOWING)
    return project


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setattr(person, "ancestors", lambda: ())


@pytest.mark.usefixtures("at_terminal")
def test_a_person_sees_the_whole(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow", "show"]) == 0
    assert "no result of the last day" in capsys.readouterr().out
    session = Session(repo)
    session.bash("git log", stdout=f"FAILED\n\x1b[31mused {KEY}\n")
    masked = session.after["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    mark = masked.partition("<")[2].partition(">")[0]
    assert main(["flow", "show"]) == 0
    listed = capsys.readouterr().out
    assert KEY not in listed and "git log" in listed
    for typed in (f"<{mark}>", mark.partition("#")[2], whole_results.everything()[0].id[:6]):
        assert main(["flow", "show", typed]) == 0
        out = capsys.readouterr().out
        assert f"used {KEY}" in out and "\x1b" not in out
    assert [r["kind"] for r in read_backwards()][:3] == ["flow-shown"] * 3
    assert main(["flow", "show", "aaaa"]) == 1
    assert main(["flow", "show", mark, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["text"].startswith("FAILED")


def test_an_agent_does_not(repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(repo)
    session.bash("git log", stdout=f"used {KEY}\n")
    (whole,) = whole_results.everything()
    monkeypatch.setenv(person.AGENT_VARIABLES[0], "1")
    assert main(["flow", "show", whole.id]) != 0
    assert KEY not in capsys.readouterr().out
    folder = paths.private_dir("flow", "whole")
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    state, file = paths.state_dir(), f"{folder}/{whole.id}"
    looks = (f"cat {file}", f"cat {folder}/*", f"grep -r sk- {folder}", f"grep -r sk- {state}", f"rg sk- {state}/..")
    takes = (
        f"cp {file} .",
        f"cp -r {state} x",
        f"ln {file} x",
        f"ln -s {file} x",
        f"tar cf x.tar {state}",
        f"mv {file} x",
    )
    for command in (*looks, *takes, f"find {state} -type f -exec cat {{}} +", f"cd {folder} && cat {whole.id}"):
        assert session.bash(command)[0] != "allow", command
    assert session.call("Read", file_path=f"{folder}/{whole.id}")[0] != "allow"
    assert session.call("Grep", pattern="sk-", path=folder)[0] != "allow"


@pytest.mark.parametrize(
    ("rules", "tool", "count"),
    [("", "Bash", 1), ("", "WebFetch", 1), ("", "Read", 0), ("redact: {keep: off}\n", "Bash", 0)],
)
def test_what_lies_nowhere_else_is_kept(rules: str, tool: str, count: int, repo: Path) -> None:
    organisation(ALLOWING + rules)
    given = {"Bash": {"command": "git log"}, "WebFetch": {"url": "https://a.example"}, "Read": {"file_path": "run.log"}}
    Session(repo).call(tool, response={"stdout": f"used {KEY}"}, **given[tool])
    assert len(whole_results.everything()) == count


def test_it_is_forgotten_after_a_day_and_beyond_a_number(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_results, "MAX_COUNT", 3)
    for number in range(5):
        whole_results.keep(("s1", str(repo), "Bash", f"call {number}"), ["<redacted:A#aaaaaaaa>"], "text")
    assert [w.call for w in whole_results.everything()] == ["call 4", "call 3", "call 2"]
    Session(repo).event("SessionStart", source="startup")
    assert len(whole_results.everything()) == 3
    whole_results.sweep(time.time() + whole_results.KEPT_S + 1)
    assert whole_results.everything() == []


@pytest.mark.parametrize(("rules", "levels"), [("", [OK, NOTE]), ("redact: {output: off}\n", [WARN])])
def test_doctor_tries_the_masking(rules: str, levels: list[str], repo: Path) -> None:
    organisation(ALLOWING + rules)
    assert [c.level for c in doctor.masking(str(repo))] == levels


def test_doctor_says_that_nothing_can_be_looked_through(repo: Path) -> None:
    (Path(paths.private_dir("flow")) / "key").mkdir()
    assert [c.level for c in doctor.masking(str(repo))] == [FAIL]


def test_doctor_tells_a_trial(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Heard() as server, Heard(fails=9) as broken:
        urls = f'{{kind: webhook, url: "{server.url}/x?token=abc"}}, {{kind: ntfy, url: "{broken.url}/t"}}'
        organisation(ALLOWING + f"notify: [{urls}, {{kind: webhook, url: 'http://h.example/x'}}]\n")
        assert [(c.level, "abc" in c.text) for c in doctor.notify(str(repo))][:2] == [(OK, False), (OK, False)]
        assert [c.level for c in doctor.notify(str(repo))][2] == WARN
        organisation(ALLOWING + f"notify: [{urls}]\n")
        assert [c.level for c in doctor.told(str(repo))] == [OK, FAIL]
    assert len(server.posts) == 1 and b"a trial" in server.posts[0][2]


def test_status_says_what_is_masked(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["status"])
    assert "masking    on, but for commands that fail\n" in capsys.readouterr().out
    organisation(ALLOWING + "redact: {output: off}\n")
    main(["status"])
    assert "masking    off" in capsys.readouterr().out
