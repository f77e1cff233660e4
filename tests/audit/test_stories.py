"""The log as rows that people read: one a question, and one page a session."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.audit.read import read_backwards, read_records
from askfirst.cli import main
from askfirst.report.session_page import as_json, markdown, page_of, sessions
from askfirst.report.stories import last_stories, stories

PROJECT = "/home/ann/app"


def record(kind: str, **fields: Any) -> str:
    base = {"session": "s-1", "agent": "claude", "project": PROJECT, "tool": "Bash"}
    return audit.append(kind, {**base, **fields}, durable=False)


def question(id: str, text: str, state: str, decision: str, *, reason: str = "") -> str:
    """The four records that a question leaves."""
    record("question", id=id, digest=id, text=text, decision="ask", reason="no rule allows it")
    record("answer", id=id, digest=id, text=text, state=state, by="ann", reason=reason)
    if state == "session":
        record("grant", id=f"g{id}", digest=id, text=text, duration="session", scopes=[f"{text} …"])
    answer = {"state": state, "by": "ann", "reason": reason}
    return record("verdict", digest=id, text=text, decision=decision, reason="allowed by ann", answer=answer)


@pytest.fixture
def log() -> None:
    record("verdict", digest="d0", text="git status", decision="allow", layer="builtin_allow", rule="git status")
    question("abcdef0001", "make deploy", "session", "allow")
    record("verdict", digest="d0", text="git status", decision="allow", layer="builtin_allow", rule="git status")
    question("bcdefa0002", f"rm -rf {PROJECT}/data", "denied", "deny", reason="not the data")
    record("verdict", digest="d5", text="sudo id", decision="deny", layer="hardcoded_block", rule="sudo", reason="no")
    record("verdict", digest="d6", text="frobnicate", decision="contain", layer="nothing")
    record("contained", run="run00001", changed=1, files=["out.txt"], kept=[])
    record("verdict", digest="d7", tool="Write", text=f"{PROJECT}/src/a.py", decision="allow", layer="builtin_allow")


def test_a_question_is_one_row(log: None) -> None:
    rows = [(s.outcome, s.text, s.by) for s in stories(read_records())]
    assert rows[1] == ("allow (session)", "make deploy", "ann")
    assert rows[3] == ("deny (denied)", "rm -rf data", "ann"), "paths as people know them"
    assert len(rows) == 8


def test_the_last_ones_without_reading_everything(log: None) -> None:
    found = last_stories(read_backwards(), 3, lambda story: story.last_word.get("decision") == "deny")
    assert [s.text for s in found] == ["rm -rf data", "sudo id"]


def test_a_question_asked_twice_is_two_stories(log: None) -> None:
    question("cdefab0003", "make deploy", "once", "allow")
    assert [s.id for s in stories(read_records()) if s.text == "make deploy"] == ["abcdef0001", "cdefab0003"]


def test_a_correction_is_the_last_word() -> None:
    question("abcdef0001", "make", "expired", "deny")
    record("correction", id="abcdef0001", digest="abcdef0001", text="make", decision="allow", was="expired")
    (story,) = stories(read_records())
    assert story.outcome == "ran, though expired" and len(story.records) == 4


@pytest.mark.parametrize("typed", ["abcdef", "ABCDEF", "gabcdef", "run0000"])
def test_log_by_what_a_receipt_shows(log: None, typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "--id", typed]) == 0
    out = capsys.readouterr().out
    assert ("out.txt" in out) if typed.startswith("run") else ("make deploy" in out and "├─" in out and "└─" in out)


def test_log_by_the_head_of_a_receipt(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    head = question("defabc0004", "npm publish", "once", "allow")
    assert main(["log", "--id", head[:8]]) == 0 and "npm publish" in capsys.readouterr().out
    assert main(["log", "--id", "zzzz"]) == 1


def test_log_and_json(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "--id", "bcdefa", "--json"]) == 0
    kinds = [json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines()]
    assert kinds == ["question", "answer", "verdict"]


def test_a_session_in_one_page(log: None) -> None:
    page = page_of("s-1", list(read_records()), ["secret: read .env"])
    assert page.ran == (("git status", 2),) and page.contained == (("frobnicate", 1),)
    assert [s.text for s in page.asked] == ["make deploy", "rm -rf data"]
    assert [s.text for s in page.denied] == ["sudo id"] and page.written == ("src/a.py",)
    assert [(c.id, c.files, c.undone) for c in page.changes] == [("run00001", ("out.txt",), False)]
    assert list(sessions(read_records())) == ["s-1"]
    assert as_json(page)["asked"][0]["id"] == "abcdef0001"


def test_markdown_for_a_pull_request(log: None) -> None:
    record("verdict", digest="d9", text="echo `x` | cat", decision="allow", layer="builtin_allow")
    text = markdown(page_of("s-1", list(read_records())))
    assert "### Asked" in text and "- deny (denied) by ann: `rm -rf data`" in text
    assert "``echo `x` | cat``" in text, "a backtick of the agent's does not end the code"
    assert "`askfirst undo run000`" in text


def test_the_command(log: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["session"]) == 0
    out = capsys.readouterr().out
    assert "session s-1 of claude" in out and "Ran contained (1)" in out and "--undo" in out
    assert main(["session", "nothing"]) == 1
    assert main(["session", "--list"]) == 0 and "s-1" in capsys.readouterr().out


def test_an_undone_change_is_marked(log: None) -> None:
    record("undo", run="run00001", files=["out.txt"], by="ann")
    (change,) = page_of("s-1", list(read_records())).changes
    assert change.undone


def test_statusline(capsys: pytest.CaptureFixture[str], project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    assert main(["statusline"]) == 0
    assert capsys.readouterr().out == "askfirst: nothing waits · no one at `watch`\n"


def random_life(seed: int) -> None:
    """Calls as they come: some ask, some in several sessions at once, some still wait, one or the other is corrected.
    A hook that is woken may write its verdict before the grant is written."""
    chance = random.Random(seed)
    steps: list[list[partial[str]]] = []
    for number in range(chance.randint(5, 25)):
        id, session = f"{seed}x{number}", f"s-{chance.randint(1, 3)}"
        told = {"digest": f"d{chance.randint(1, 6)}", "text": f"make part-{number}", "session": session}
        kind = chance.choice(("quiet", "quiet", "asked", "asked", "waits", "gone", "corrected", "probe"))
        state = chance.choice(("once", "session", "timed", "denied", "expired"))
        decision = "deny" if state in ("denied", "expired") else "allow"
        answer = {"state": state, "by": "ann"}
        if kind in ("quiet", "probe"):
            told["session"] = "askfirst-doctor" if kind == "probe" else session
            quiet = {**told, "decision": chance.choice(("allow", "deny", "contain")), "layer": "builtin_allow"}
            steps.append([partial(record, "verdict", **quiet)])
            continue
        life = [partial(record, "question", id=id, decision="ask", layer="nothing", **told)]
        if kind != "waits":
            life.append(partial(record, "answer", id=id, **told, **answer))
        if kind in ("asked", "corrected"):
            after = [partial(record, "verdict", decision=decision, layer="nothing", answer=answer, **told)]
            if decision == "allow":
                after.append(partial(record, "grant", id=f"g{id}", duration=state, scopes=["x"], **told))
                chance.shuffle(after)
            life += after
        if kind == "corrected" and decision == "deny":
            once = {"state": "once", "by": "the client"}
            life.append(partial(record, "correction", id=id, decision="allow", answer=once, was=state, **told))
        steps.append(life)
    while any(steps):
        chance.choice([life for life in steps if life]).pop(0)()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("chosen", [(), ("--session", "s-1"), ("--decision", "deny")])
def test_stats_say_what_the_log_says(
    seed: int, chosen: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "220")
    random_life(seed)
    assert main(["stats", "--json", *chosen]) == 0
    figures = json.loads(capsys.readouterr().out)
    main(["log", "-n", "0", *chosen])
    rows = [line.split("  ") for line in capsys.readouterr().out.splitlines()[1:]]
    outcomes = [row[1].strip() for row in rows]
    words = Counter("ask" if o == "waits" else "allow" if o.startswith("ran,") else o.split()[0] for o in outcomes)
    probes = [s for s in stories(read_records()) if s.last_word.get("session") == "askfirst-doctor"]
    if not chosen:  # the log shows what `doctor` tried, too
        words -= Counter(s.decision for s in probes)
    elif chosen[0] == "--decision":
        words -= Counter(s.decision for s in probes if s.decision == "deny")
    assert figures["decisions"] == dict(words)
    asked = sum("(" in o or o == "waits" or o.startswith("ran,") for o in outcomes)
    assert figures["prompts"] == asked == sum(figures["answers"].values())
