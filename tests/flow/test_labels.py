"""What a session has seen: noted, kept, handed on, taken back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval import person
from askfirst.cli import main
from askfirst.store import labels
from tests.flow.session import ALLOWING, Session, organisation

ASKING = "version: 2\nallowed_commands: [{name: git, args: ['commit ...'], decision: ask}]\n"


@pytest.fixture
def repo(project: Path) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True)
    (project / ".env").write_text("API_KEY=sk-live-4f9a8b7c6d5e4f3a2b1c\n")
    (project / "notes.md").write_text("hello\n")
    organisation(ALLOWING)
    return project


def kinds(session: str) -> set[str]:
    return {label.kind for label in labels.seen(session)}


@pytest.mark.parametrize(
    ("tool", "given", "label"),
    [
        ("WebFetch", {"url": "https://pages.example/a", "prompt": "x"}, "untrusted"),
        ("WebSearch", {"query": "x"}, "untrusted"),
        ("Bash", {"command": "curl -s https://pages.example/"}, "untrusted"),
        ("Bash", {"command": "gh issue view 12 --comments"}, "untrusted"),
        ("Bash", {"command": "gh api repos/a/b/issues/1"}, "untrusted"),
        ("Bash", {"command": "npm view left-pad readme"}, "untrusted"),
        ("Bash", {"command": "git clone https://github.com/a/b"}, "untrusted"),
        ("mcp__tracker__get_issue", {"id": "1"}, "untrusted"),
        ("Bash", {"command": "cat .env | base64"}, "secret"),
        ("Bash", {"command": "xxd .env"}, "secret"),
        ("Bash", {"command": "git status"}, ""),
        ("Bash", {"command": "gh issue create --title a --body b"}, ""),
        ("Bash", {"command": "git push origin main"}, ""),
        ("Read", {"file_path": "{project}/notes.md"}, ""),
    ],
)
def test_what_a_call_shows(tool: str, given: dict[str, str], label: str, repo: Path) -> None:
    session = Session(repo)
    session.call(tool, **{k: v.replace("{project}", str(repo)) for k, v in given.items()})
    assert kinds("s1") == ({label} if label else set())


def test_a_label_says_when_from_what_and_by_which_call(repo: Path) -> None:
    Session(repo).bash("gh issue view 12")
    (label,) = labels.seen("s1")
    assert (label.call, label.kind) == ("toolu_1", "untrusted")
    assert "gh issue view 12" in label.reason and label.at > 0


def test_what_the_person_refuses_is_not_seen(repo: Path) -> None:
    session = Session(repo, says="no")
    assert session.bash("base64 .env")[0] == "ask"
    assert kinds("s1") == set()


def test_a_second_session_has_seen_nothing(repo: Path) -> None:
    Session(repo).call("WebSearch", query="x")
    Session(repo, "s2").bash("git status")
    assert kinds("s2") == set()


def test_it_survives_the_end_and_a_resume_but_not_a_cleared_conversation(repo: Path) -> None:
    session = Session(repo)
    session.call("WebSearch", query="x")
    session.event("SessionEnd", reason="other")
    assert [s.session for s in labels.sessions() if not s.ended] == []
    session.event("SessionStart", source="resume")
    assert kinds("s1") == {"untrusted"}
    assert [s.session for s in labels.sessions() if not s.ended] == ["s1"]
    session.event("SessionEnd", reason="clear")
    assert kinds("s1") == set()


def conversation(folder: Path, name: str, first: str) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps({"type": "mode"}) + "\n" + json.dumps({"type": "user", "uuid": first}) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("first", "label"), [("u1", {"untrusted"}), ("u2", {"secret"}), ("u3", {"untrusted", "secret"})]
)
def test_a_fork_goes_on_with_what_its_parent_has_seen(first: str, label: set[str], repo: Path, tmp_path: Path) -> None:
    """`u3`: nobody can tell which session it comes from, so what every session of the project has seen counts."""
    Session(repo, "s1").call("WebSearch", query="x")
    Session(repo, "s2").bash("base64 .env")
    talks = tmp_path / "talks"
    conversation(talks, "s1", "u1")
    conversation(talks, "s2", "u2")
    fork = Session(repo, "f")
    fork.event("SessionStart", source="fork")
    about: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "t"}
    fork.event("PreToolUse", transcript_path=conversation(talks, "f", first), **about)
    assert kinds("f") == label


def test_a_subagent_shares_what_its_session_has_seen(repo: Path) -> None:
    session = Session(repo)
    about = {"tool_name": "WebSearch", "tool_input": {"query": "x"}, "tool_use_id": "t"}
    session.event("PreToolUse", agent_id="a1", agent_type="general", **about)
    assert kinds("s1") == {"untrusted"}


def test_a_record_that_cannot_be_read_counts_as_everything(repo: Path) -> None:
    Session(repo).call("WebSearch", query="x")
    path = Path(labels._path("s1"))
    path.write_text("{broken\n")
    assert kinds("s1") == {"untrusted", "secret"}
    assert Session(repo).bash("git push origin main")[0] == "ask"


def test_a_torn_last_line_is_left_out(repo: Path) -> None:
    Session(repo).call("WebSearch", query="x")
    path = Path(labels._path("s1"))
    path.write_text(path.read_text() + '{"kind": "sec')
    assert kinds("s1") == {"untrusted"}
    Session(repo).bash("base64 .env")
    assert kinds("s1") == {"untrusted", "secret"}


# -- files


def labelled(project: Path) -> list[str]:
    return [Path(f.path).name for f in labels.labelled(str(project))]


def write(session: Session, name: str, text: str = "x\n") -> None:
    path = session.project / name
    session.call("Write", file_path=str(path), content=text, response={"type": "create", "filePath": str(path)})
    path.write_text(text)


def git(project: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", "-C", str(project), *who, *words], check=True, capture_output=True)


def test_a_file_written_while_untrusted_keeps_the_label_for_later_sessions(repo: Path) -> None:
    session = Session(repo)
    write(session, "before.md")
    session.call("WebSearch", query="x")
    write(session, "after.md")
    assert labelled(repo) == ["after.md"]
    later = Session(repo, "s2")
    later.call("Read", file_path=str(repo / "before.md"))
    assert kinds("s2") == set()
    later.bash("cat after.md")
    assert kinds("s2") == {"untrusted"}


def test_a_commit_of_a_person_clears_it(repo: Path) -> None:
    session = Session(repo)
    session.call("WebSearch", query="x")
    write(session, "after.md")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "by hand")
    Session(repo, "s2").event("SessionStart", source="startup")
    assert labelled(repo) == []


@pytest.mark.parametrize(("rules", "left"), [(ALLOWING, ["after.md"]), (ASKING, [])], ids=["allowed", "asked"])
def test_a_commit_of_the_agent_clears_it_only_where_a_person_was_asked(rules: str, left: list[str], repo: Path) -> None:
    session = Session(repo)
    session.call("WebSearch", query="x")
    write(session, "after.md")
    organisation(rules)
    about = {"tool_name": "Bash", "tool_input": {"command": "git commit -qam x"}, "tool_use_id": "c"}
    said = session.event("PreToolUse", **about)
    assert said["hookSpecificOutput"]["permissionDecision"] == ("ask" if not left else "allow")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "x")
    session.event("PostToolUse", tool_response={"stdout": ""}, **about)
    Session(repo, "s2").event("SessionStart", source="startup")
    assert labelled(repo) == left


def test_a_commit_hidden_in_a_script_does_not_clear_it(repo: Path) -> None:
    session = Session(repo)
    session.call("WebSearch", query="x")
    write(session, "after.md")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "from a script")
    session.event("SessionEnd", reason="other")
    Session(repo, "s2").event("SessionStart", source="startup")
    assert labelled(repo) == ["after.md"]


# -- what people see


def test_status_explain_and_flow_show_it(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow"]) == 0
    assert "no session has seen" in capsys.readouterr().out
    session = Session(repo, "7f3a-session")
    session.bash("gh issue view 12")
    write(session, "after.md")
    assert main(["status"]) == 0
    assert "seen       7f3a-session (untrusted)" in capsys.readouterr().out
    assert main(["flow"]) == 0
    out = capsys.readouterr().out
    assert "gh issue view 12" in " ".join(out.split()) and "after.md" in out.replace("\n", "").replace(" ", "")
    assert main(["explain", "--project", str(repo), "--session", "7f3a", "git status"]) == 0
    assert "seen: " in capsys.readouterr().out
    assert main(["explain", "--project", str(repo), "--session", "7f3a", "--json", "git status"]) == 0
    assert json.loads(capsys.readouterr().out)["seen"][0]["kind"] == "untrusted"


def test_a_person_clears_a_label_and_a_file(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(repo)
    session.bash("gh issue view 12")
    write(session, "after.md")
    main(["flow", "--json"])
    state = json.loads(capsys.readouterr().out)
    monkeypatch.setenv(person.AGENT_VARIABLES[0], "1")
    assert main(["flow", "clear", state["labels"][0]["id"]]) != 0  # an agent
    monkeypatch.delenv(person.AGENT_VARIABLES[0])
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setattr(person, "ancestors", lambda: ())
    assert main(["flow", "clear", state["labels"][0]["id"]]) == 0
    assert kinds("s1") == set()
    assert main(["flow", "clear", state["files"][0]["id"]]) == 0
    assert labelled(repo) == []
    assert main(["flow", "clear", "nothing"]) == 1
    assert main(["flow", "clear"]) == 2
    write(session, "other.md")
    session.call("WebSearch", query="x")
    write(session, "after.md")
    assert main(["flow", "clear", "--files", str(repo)]) == 0
    assert labelled(repo) == []
