"""log, audit, alerts, stats, suggest and replay, over a log made by real verdicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS
from askfirst.agents.wire import PROBE_SESSION, STARTED_SESSIONS
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter, moment
from askfirst.cli import main
from askfirst.errors import UsageError
from askfirst.model import Answer, Decision, Duration, Request, Verdict
from askfirst.report.export import as_cef, as_otel
from askfirst.store import alerts
from askfirst.store.grants import FileGrants
from tests.config.test_commands import at_a_terminal
from tests.hook.process import run_bash


def note(
    project: Path,
    command: str,
    decision: str,
    *,
    layer: str = "builtin_allow",
    rule: str = "x",
    state: str = "",
    at: str = "session-1",
) -> None:
    """A verdict of the past, as the gate writes it."""
    request = Request("claude", at, str(project), str(project), "Bash", {"command": command})
    record = audit.verdict_record(request, Verdict(Decision[decision.upper()], f"{command}: why"), digest="d", ms=12.5)
    record |= {"layer": layer, "rule": rule}
    if state:
        record["answer"] = {"state": state, "by": "ann", "reason": ""}
    audit.append("verdict", record, durable=False)


@pytest.fixture
def past(project: Path) -> Path:
    note(project, "git status", "allow")
    note(project, "sudo id", "deny", layer="hardcoded_block", rule="privilege")
    for n in range(3):
        note(project, f"frobnicate build --fast {n}", "allow", layer="nothing", rule="", state="once")
    note(project, "frobnicate build --wipe", "deny", layer="nothing", rule="", state="denied")
    note(
        project,
        "curl -H 'Authorization: Bearer abcdefgh12345678' https://x.example",
        "deny",
        layer="nothing",
        rule="",
        state="expired",
        at="session-2",
    )
    return project


def lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


FILTERS: list[tuple[list[str], int]] = [
    ([], 7),
    (["--decision", "deny"], 3),
    (["--layer", "hardcoded-block"], 1),
    (["--text", "FROBNICATE"], 4),
    (["--agent", "codex"], 0),
    (["--session", "session-2"], 1),
    (["--kind", "alert"], 0),
    (["--since", "1h"], 7),
    (["--until", "2020-01-01"], 0),
    (["-n", "2"], 2),
]


@pytest.mark.parametrize(("arguments", "count"), FILTERS, ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_log_filters(past: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], count: int) -> None:
    assert main(["log", "--json", *arguments]) == (0 if count else 1)
    assert len(lines(capsys)) == count


def test_log_by_project_and_as_a_table(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "--project", str(past)]) == 0
    shown = capsys.readouterr().out
    assert "git status" in shown and "abcdefgh12345678" not in shown and "redacted" in shown
    assert main(["log", "--project", "/elsewhere"]) == 1
    assert "nothing matches" in capsys.readouterr().out
    assert main(["log", "--layer", "harcoded"]) == 2
    assert "hardcoded_block" in capsys.readouterr().err


def test_the_original_text_is_never_in_the_log(past: Path) -> None:
    assert b"abcdefgh12345678" not in (Path(audit.directory()) / audit.CURRENT).read_bytes()


def test_follow_shows_what_comes(past: Path) -> None:
    words = [sys.executable, "-I", "-m", "askfirst", "log", "--follow", "--json", "--text", "newcomer"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        writer = threading.Timer(0.5, lambda: note(past, "newcomer run", "allow"))
        writer.start()
        assert json.loads(process.stdout.readline())["text"] == "newcomer run"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_audit_verify_head_and_export(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "head", "--json"]) == 0
    (head,) = lines(capsys)
    assert main(["audit", "verify", "--expect-head", head["head"][:16]]) == 0
    assert "good" in capsys.readouterr().out
    assert main(["audit", "verify", "--json", "--expect-head", "0" * 64]) == 1
    (report,) = lines(capsys)
    assert report["records"] == 7 and not report["good"] and report["problems"]
    for form in ("jsonl", "cef", "otel"):
        assert main(["audit", "export", "--format", form]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 7
    path = Path(audit.directory()) / audit.CURRENT
    path.write_bytes(path.read_bytes().replace(b"sudo id", b"sudo ls"))
    assert main(["audit", "verify"]) == 1
    shown = capsys.readouterr().out
    assert "current.jsonl:2: record 2 was changed" in shown and "6 records (1 to 7)" in shown and "1, 3 to 7" in shown
    assert main(["audit", "verify", "--expect-head", "abc"]) == 2


def test_a_person_repairs_the_log_and_the_gate_goes_on(past: Path) -> None:
    with Path(audit.directory(), audit.CURRENT).open("ab") as file:
        file.write(b"hello\n")
    closed = run_bash("ls", cwd=past)
    assert closed.is_closed and "askfirst audit repair" in closed.reason
    code, screen = at_a_terminal(["audit", "repair"], "", past)
    assert code == 0 and "6 damaged bytes behind record 7 are sealed" in screen
    assert run_bash("ls", cwd=past).decision == "allow"
    code, screen = at_a_terminal(["audit", "verify"], "", past)
    assert code == 0 and "1 damaged end sealed by `audit repair`" in " ".join(screen.split())
    code, screen = at_a_terminal(["audit", "repair", "--json"], "", past)
    assert code == 0 and json.loads(screen) == {"repaired": False}
    assert run_bash("askfirst audit repair", cwd=past).decision == "deny", "not for agents"


def test_cef_and_otel_are_escaped() -> None:
    record = {
        "kind": "ver|dict",
        "decision": "deny",
        "time": 1.5,
        "text": "a=b\n\\|c",
        "seq": 3,
        "severity": "critical",
        "facts": ["x"],
        "answer": {"state": "once"},
    }
    cef = as_cef(record)
    assert (
        cef.startswith("CEF:0|askfirst|askfirst|")
        and "ver\\|dict" in cef
        and "a\\=b\\n\\\\|c" in cef
        and "\n" not in cef
    )
    log = json.loads(as_otel(record))["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]
    assert (
        log["severityText"] == "ERROR"
        and log["body"]["stringValue"] == "a=b\n\\|c"
        and log["timeUnixNano"] == "1500000000"
    )


# Every kind of record in words: what is never empty, and says what a person would ask.
WORDS: list[tuple[dict[str, Any], str, str, str]] = [
    (
        {"kind": "verdict", "decision": "allow", "text": "ls", "layer": "builtin_allow", "rule": "ls"},
        "allow",
        "ls",
        "built-in rules: ls",
    ),
    (
        {"kind": "verdict", "decision": "deny", "text": "x", "layer": "nothing", "rule": ""},
        "deny",
        "x",
        "no rule",
    ),
    (
        {"kind": "verdict", "decision": "allow", "text": "x", "answer": {"state": "once", "by": "ann"}},
        "allow (once)",
        "x",
        "ann",
    ),
    (
        {"kind": "question", "decision": "ask", "text": "npm publish", "layer": "nothing"},
        "question",
        "npm publish",
        "no rule",
    ),
    (
        {"kind": "answer", "state": "session", "by": "ann at the page", "text": "make"},
        "answer (session)",
        "make",
        "ann at the page",
    ),
    (
        {"kind": "grant", "duration": "session", "scopes": ["make", "make test"], "by": "ann"},
        "grant",
        "session: make; make test",
        "ann",
    ),
    ({"kind": "revoke", "text": "make", "by": "ann"}, "revoke", "make", "ann"),
    ({"kind": "apply", "files": [{"path": "/p/a"}, {"path": "/p/b"}], "by": "ann"}, "apply", "/p/a, /p/b", "ann"),
    ({"kind": "write", "path": "/p/a", "text": "deleted a"}, "write", "deleted a", ""),
    ({"kind": "config", "what": "trust", "file": "/p/x.yaml"}, "config", "trust /p/x.yaml", ""),
    ({"kind": "config", "what": "trust-git", "files": ["/p/.git/config"]}, "config", "trust-git /p/.git/config", ""),
    (
        {"kind": "settings-change", "decision": "deny", "text": "switches off"},
        "settings-change",
        "refused: switches off",
        "",
    ),
    (
        {"kind": "pause", "by": "ann", "reason": "lunch"},
        "pause",
        "everything is denied until `askfirst resume`: lunch",
        "ann",
    ),
    ({"kind": "resume", "by": "ann"}, "resume", "the pause ended", "ann"),
    ({"kind": "alert", "text": "flagged", "last": "`sudo` (block)"}, "alert", "flagged; the last: `sudo`", ""),
    (
        {"kind": "alert-cleared", "session": "s1", "by": "ann"},
        "alert-cleared",
        "the alert for session s1 was cleared",
        "ann",
    ),
    (
        {"kind": "violation", "what": "askfirst approve", "why": "below an agent"},
        "violation",
        "askfirst approve: below an agent",
        "",
    ),
    ({"kind": "sealed", "torn_bytes": 17}, "sealed", "a torn line of 17 bytes: its writer died", ""),
    ({"kind": "sealed", "torn_bytes": 9, "repaired": True, "by": "ada"}, "sealed", "a damaged end of 9 bytes", "ada"),
    (
        {"kind": "removed", "first": 1, "last": 40, "keep_days": 400},
        "removed",
        "records 1 to 40, older than 400 days",
        "",
    ),
]


@pytest.mark.parametrize(
    ("record", "decision", "said", "whom"), WORDS, ids=lambda v: v["kind"] if isinstance(v, dict) else ""
)
def test_every_kind_of_record_in_words(record: dict[str, Any], decision: str, said: str, whom: str) -> None:
    assert (outcome_of(record), subject_of(record), author_of(record)) == (decision, said, whom)


def test_stats(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json"]) == 0
    (figures,) = lines(capsys)
    assert (figures["verdicts"], figures["sessions"], figures["prompts"], figures["prompts_per_session"]) == (
        7,
        2,
        5,
        2.5,
    )
    assert figures["answers"] == {"once": 3, "denied": 1, "expired": 1}
    assert main(["stats"]) == 0
    assert "█" in capsys.readouterr().out


def test_stats_do_not_count_the_calls_by_which_a_hook_is_tried(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note(project, "git status", "allow", at=PROBE_SESSION)
    note(project, "true", "allow", at=f"{STARTED_SESSIONS}0123456789ab")
    assert main(["stats", "--json"]) == 0
    (figures,) = lines(capsys)
    assert figures["verdicts"] == 0
    for name in AGENTS:
        assert PROBE_SESSION in json.dumps(wire_of(name).sample(str(project), "git status"))


def test_suggest_counts_what_was_denied_because_no_one_was_there(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n in range(2):
        note(project, f"frobnicate build --fast {n}", "deny", layer="nothing", rule="")
    note(project, "frobnicate build --wipe", "deny", layer="nothing", rule="", state="denied")
    assert main(["suggest", "--project", str(project), "--json"]) == 0
    ((action, *exact),) = lines(capsys)
    assert action["prompts_saved"] == 2 and action["also"] == ["frobnicate build --wipe"]
    assert [one["prompts_saved"] for one in exact] == [1, 1]


def test_suggest_says_the_same_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note(project, "git push origin dev", "deny", layer="nothing", rule="")
    assert main(["suggest", "--project", str(project), "--json"]) == 0
    ((only,),) = lines(capsys)
    assert "action: push" in only["entry"]


def test_suggest_is_narrow_and_says_what_else_it_would_allow(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--project", str(past), "--json"]) == 0
    ((action, *exact),) = lines(capsys)
    assert action["entry"] == '- {name: frobnicate, args: ["build ..."], paths: project}'
    assert action["prompts_saved"] == 3 and action["also"] == ["frobnicate build --wipe"]
    assert all("..." not in one["entry"] and one["also"] == [] for one in exact) and exact
    assert main(["suggest", "--project", str(past)]) == 0
    assert "would also have allowed: frobnicate build --wipe" in capsys.readouterr().out


def test_suggest_adds_one_by_one_what_a_person_says_yes_to(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = past / ".askfirst" / "allowed_commands.yaml"
    code, screen = at_a_terminal(["suggest", "--apply"], "no", past)
    assert code == 0 and "0 entries added" in screen and not rules.exists()
    code, screen = at_a_terminal(["suggest", "--apply"], "yes", past)
    assert code == 0 and "1 entry added" in screen, "the first covers what the others would"
    assert 'args: ["build ..."]' in rules.read_text()
    assert main(["explain", "--project", str(past), "frobnicate build --fast 7"]) == 0
    (grant,) = FileGrants().all()
    code, screen = at_a_terminal(["revoke", grant.id], "", past)
    assert code == 0 and "frobnicate" not in rules.read_text()
    capsys.readouterr()
    assert main(["suggest", "--project", str(past), "--json"]) == 0
    entries = [one["entry"] for one in lines(capsys)[0]]
    assert entries and not any("..." in e or "--fast 0" in e for e in entries), "nothing that covers what was revoked"


def test_suggest_applies_nothing_without_a_person(past: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--project", str(past), "--apply"]) != 0
    assert not (past / ".askfirst").exists()


def test_replay_shows_the_effect_of_a_rule(past: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["log", "--json", "-n", "0"])
    log = tmp_path / "log.jsonl"
    log.write_text(capsys.readouterr().out)
    assert main(["replay", str(log), "--project", str(past), "--json"]) == 0
    before = lines(capsys)
    assert [r["now"] for r in before] == ["allow", "deny", "ask", "ask", "ask", "ask"]
    rules = past / ".askfirst" / "allowed_commands.yaml"
    rules.parent.mkdir()
    rules.write_text('version: 1\ncommands:\n  - name: frobnicate\n    args: ["build --fast ..."]\n')
    from askfirst.digest import sha256_hex

    assert main(["trust", str(past), "--accept", sha256_hex(rules.read_bytes())]) == 0
    capsys.readouterr()
    assert main(["replay", str(log), "--project", str(past)]) == 0
    shown = capsys.readouterr().out
    assert "3 changed since then" in shown and "4 allowed, 1 asked, 1 denied" in shown


def test_replay_reads_a_clients_transcript(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    use = {"type": "tool_use", "name": "Bash", "input": {"command": "git status && sudo id"}}
    line = {
        "type": "assistant",
        "cwd": str(project),
        "sessionId": "s",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "x"}, use]},
    }
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"type": "summary"}) + "\n" + json.dumps(line) + "\n")
    assert main(["replay", str(path), "--project", str(project), "--json"]) == 0
    (row,) = lines(capsys)
    assert row["now"] == "deny" and row["text"] == "git status && sudo id"
    path.write_text("not json\n")
    assert main(["replay", str(path)]) == 2
    assert ":1: not JSON" in capsys.readouterr().err


def test_alerts_are_listed_and_flagging_is_logged(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["alerts"]) == 0 and "no session is flagged" in capsys.readouterr().out
    flags = [
        alerts.count_violation("session-7", "claude", f"sudo {n}", project=str(project), now=1000.0 + n)
        for n in range(7)
    ]
    assert (
        flags == [False] * 5 + [True, False] and alerts.is_flagged("session-7") and not alerts.is_flagged("session-8")
    )
    assert main(["alerts", "--json"]) == 0
    ((alert,),) = lines(capsys)
    assert alert["session"] == "session-7" and alert["violations"] == 6
    assert main(["alerts"]) == 0 and "askfirst alerts clear SESSION" in capsys.readouterr().out
    assert main(["log", "--kind", "alert", "--json"]) == 0 and len(lines(capsys)) == 1
    assert (
        alerts.clear("session-7", "ann") and not alerts.clear("session-7", "ann") and not alerts.is_flagged("session-7")
    )


def test_violations_must_come_within_the_window() -> None:
    assert not any(alerts.count_violation("slow", "claude", "x", now=1000.0 + 30 * n) for n in range(20))


def test_many_processes_flag_a_session_once() -> None:
    code = (
        "from askfirst.store import alerts\nprint(sum(alerts.count_violation('s', 'claude', 'x') for _ in range(10)))"
    )
    running = [
        subprocess.Popen([sys.executable, "-I", "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(6)
    ]
    assert sum(int(p.communicate()[0]) for p in running) == 1


def test_clearing_is_for_people(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    for n in range(6):
        alerts.count_violation("session-7", "claude", f"sudo {n}")
    assert main(["alerts", "clear", "--all"]) != 0
    assert alerts.is_flagged("session-7")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, "askfirst alerts: clear: name a session, or use --all; see `askfirst alerts`"),
        (["session-7", "--all"], 2, "name a session, or use --all"),
        (["other"], 1, "no flagged session begins with `other`"),
        (["session-"], 1, "2 flagged sessions begin with `session-`; type more of the id"),
        (["session-7"], 0, ""),
        (["--all"], 0, ""),
    ],
)
def test_clearing_names_what_is_meant(
    words: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())
    monkeypatch.setattr("askfirst.approval.person.has_terminal", lambda: True)
    for session in ("session-7", "session-8"):
        for n in range(6):
            alerts.count_violation(session, "claude", f"sudo {n}")
    assert main(["alerts", "clear", *words]) == code
    assert says in capsys.readouterr().err
    left = [s for s in ("session-7", "session-8") if alerts.is_flagged(s)]
    assert len(left) == (2 if code else 1 if words == ["session-7"] else 0)


MOMENTS = [("2h", 1000.0 - 7200), ("90s", 910.0), ("1.5d", 1000.0 - 129600)]


@pytest.mark.parametrize(("text", "expected"), MOMENTS)
def test_moments(text: str, expected: float) -> None:
    assert moment(text, now=1000.0) == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2h30", "-1h", "2026-13-01"])
def test_what_is_not_a_moment_says_what_is(text: str) -> None:
    with pytest.raises(UsageError, match="write `2h`"):
        moment(text)


def test_a_filter_takes_a_project_by_path_or_name() -> None:
    record = {"project": "/home/ann/app", "time": 1}
    for project, taken in (
        ("/home/ann/app", True),
        ("/home/ann", True),
        ("app", True),
        ("/home/ann/ap", False),
        ("other", False),
    ):
        assert Filter(project=project).takes(record) is taken


def test_an_answer_is_in_the_record(project: Path) -> None:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": "x --password hunter22"})
    verdict = Verdict(
        Decision.ALLOW, "allowed", answer=Answer(Decision.ALLOW, Duration.SESSION, "fine", "ann at watch", "session")
    )
    record = audit.verdict_record(request, verdict, digest="d", ms=1)
    assert record["answer"] == {"state": "session", "by": "ann at watch", "reason": "fine"} and "hunter22" not in str(
        record
    )
    assert os.path.isabs(record["project"])
