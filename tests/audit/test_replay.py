"""`askfirst replay --simulate`: sessions replayed with a person's answers, and the friction that may only fall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.cli import main
from askfirst.policy.rules import BOXES
from askfirst.report.history import sessions_of
from askfirst.report.simulate import MODES, Tally, simulate
from tests.scorecard import CORPUS

SESSIONS = CORPUS / "sessions.jsonl"
# answer -> (commands that ask, those of a shape that was answered before): at most, of 989 in 61 sessions. Above it, a
# change has made the gate ask more on real sessions; lower it when something got better.
CEILINGS = {
    "once": (307, 118),
    "session": (152, 16),
    "permanent": (147, 16),
    "widest": (143, 12),
}


# Sessions in which a rule of flow asks, at most: one of the 61 clones a stranger's repository and reads the `.env` of a
# server before it deploys. Every other one would be a false alarm.
FLOW_SESSIONS = 1


@pytest.mark.parametrize("mode", MODES)
def test_real_sessions_ask_no_more_than_before(mode: str) -> None:
    tally = simulate(sessions_of(str(SESSIONS), project="/"), mode, tools=("Bash",))
    asked, again = CEILINGS[mode]
    assert len(tally.prompts) <= asked
    assert sum(p.repeats for p in tally.prompts) <= again
    assert len({p.session for p in tally.prompts if p.flow}) <= FLOW_SESSIONS
    assert tally.calls == 989 and len(tally.sessions) == 61


# Of all tools: two write what agents and package managers obey, after a search of the web.
FLOW_SESSIONS_OF_ALL_TOOLS = 3


@pytest.mark.soak
def test_flow_asks_in_few_real_sessions_of_all_tools() -> None:
    tally = simulate(sessions_of(str(SESSIONS), project="/"), "session")
    assert len(tally.sessions) == 61
    assert len({p.session for p in tally.prompts if p.flow}) <= FLOW_SESSIONS_OF_ALL_TOOLS


# With `box: unknown` and Session answers: (commands that ask, a session, per cent of calls) at most; then the same
# without the largest session, and with one vote for each repository.
BOX_CEILINGS = ((128, 2.1, 12.95), (10.6, 1.47), (17.2, 2.66))
BY_HAND = yaml.safe_load((CORPUS.parent / "boxed_by_hand.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def contained() -> Tally:
    return simulate(sessions_of(str(SESSIONS), project="/"), "session", tools=("Bash",), box=BOXES["unknown"])


def test_the_box_asks_no_more_than_before(contained: Tally) -> None:
    (asked, a_session, percent), rest, repositories = BOX_CEILINGS
    smaller = contained.without_largest()
    assert (len(contained.prompts), contained.per_session()[0], contained.asked_percent) <= (asked, a_session, percent)
    assert smaller.asked_percent <= rest[0] and smaller.per_session()[0] <= rest[1]
    assert contained.by_repository()[0] <= repositories[0] and contained.by_repository()[1] <= repositories[1]
    assert contained.calls == 989 and smaller.calls < 989


def test_the_rule_of_what_fails_in_a_box_was_checked_by_hand() -> None:
    """The rule says what it said when it was checked, and was right then for all but a few."""
    boxed = simulate(sessions_of(str(SESSIONS), project="/"), "once", tools=("Bash",), box=BOXES["all"])
    works = {" ".join(text.split())[:110] for text in boxed.contained}
    needs = {" ".join(text.split())[:110] for text, _ in boxed.failed}
    assert len(BY_HAND) == 102
    moved = [row["call"] for row in BY_HAND if row["call"] in (needs if row["rule"] == "works" else works)]
    assert not moved, moved
    asked = {" ".join(prompt.text.split())[:110] for prompt in boxed.prompts}
    there = sum(row["call"] in works | needs or row["call"] not in asked for row in BY_HAND)  # or the rules allow it
    assert there >= 92, "rules have changed so much that other calls are contained: check them by hand"
    assert sum(row["rule"] == row["hand"] for row in BY_HAND) >= 97


def recorded(*commands: str, name: str = "s", repo: str = "r", **about: Any) -> str:
    calls = [{"tool": "Bash", "cwd": "/home/dev/app", "input": {"command": c}} for c in commands]
    return json.dumps({"session": name, "repo": repo, "project": "/home/dev/app", "calls": calls, **about})


def replayed(tmp_path: Path, mode: str, *sessions: str) -> Tally:
    path = tmp_path / "sessions.jsonl"
    path.write_text("\n".join(sessions) + "\n")
    return simulate(sessions_of(str(path), project=str(tmp_path)), mode)


@pytest.mark.parametrize(
    ("mode", "prompts"), [("once", 6), ("session", 4), ("permanent", 2), ("widest", 2)], ids=lambda v: str(v)
)
def test_each_answer_remembers_what_it_offers(mode: str, prompts: int, tmp_path: Path) -> None:
    twice = ("frobnicate build", "frobnicate build", "frobnicate test")
    tally = replayed(tmp_path, mode, recorded(*twice, name="a"), recorded(*twice, name="b"))
    assert (tally.calls, len(tally.prompts)) == (6, prompts)


def test_what_nine_of_ten_sessions_stay_within(tmp_path: Path) -> None:
    prompts = [4, 4, 6]
    tally = replayed(tmp_path, "once", *(recorded(*["frob"] * n, name=f"s{k}") for k, n in enumerate(prompts)))
    assert tally.per_session()[1:] == (4, 6.0)


def test_what_a_session_adds_is_there_afterwards(tmp_path: Path) -> None:
    """A package that it installs, and a line behind those that a file had."""
    calls = ("npm install prisma", "npx prisma init", "echo x >> .gitignore", "rm -rf node_modules", "npx other init")
    path = tmp_path / "sessions.jsonl"
    path.write_text(recorded(*calls, manifests=["package.json"]) + "\n")
    tally = simulate(sessions_of(str(path), project=str(tmp_path)), "session", box=BOXES["unknown"])
    assert [p.text for p in tally.prompts] == ["npm install prisma", "npx other init"]


def test_a_recorded_environment_is_there_and_its_programs_have_one_name(tmp_path: Path) -> None:
    calls = (".venv/bin/frob build", "source .venv/bin/activate && frob build", "env/bin/frob build")
    tally = replayed(tmp_path, "session", recorded(*calls, manifests=["pyproject.toml"]))
    assert [p.text for p in tally.prompts] == [".venv/bin/frob build", "env/bin/frob build"]


def test_what_a_repository_remembers_ends_at_its_border(tmp_path: Path) -> None:
    a, b = recorded("frobnicate build", name="a", repo="one"), recorded("frobnicate build", name="b", repo="two")
    assert len(replayed(tmp_path, "permanent", a, b).prompts) == 2


def test_a_recorded_project_has_its_files_and_what_the_session_writes(tmp_path: Path) -> None:
    calls = ("npm test", "cat > notes.py <<'EOF'\nprint(1)\nEOF\n", "python notes.py", "python notes.py")
    about: dict[str, Any] = {"manifests": ["package.json"], "npm_scripts": {"package.json": ["test"]}}
    tally = replayed(tmp_path, "session", recorded(*calls, **about))
    assert [p.text for p in tally.prompts] == ["python notes.py"]  # the profile of package.json; one hash, one question


def test_a_recorded_project_has_what_is_edited_and_the_directories_that_are_made(tmp_path: Path) -> None:
    edit = {"tool": "Edit", "cwd": "/home/dev/app", "input": {"file_path": "/home/dev/app/deep/down/a.ts"}}
    write = {"tool": "Write", "cwd": "/home/dev/app", "input": {"file_path": "/home/dev/app/made/here/b.ts"}}
    manifest = {"tool": "Edit", "cwd": "/home/dev/app", "input": {"file_path": "package.json"}}
    fetch = {"tool": "WebFetch", "cwd": "/home/dev/app", "input": {}}
    session = json.loads(recorded("mkdir -p made/here", manifests=["package.json"]))
    tally = replayed(
        tmp_path, "session", json.dumps({**session, "calls": [*session["calls"], edit, write, manifest, fetch]})
    )
    assert not tally.prompts and (tally.calls, tally.left_out) == (4, 1)


HOOK_INPUT = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{**HOOK_INPUT, "tool_input": {"command": c}} for c in ("ls", "frobnicate")]),
        "".join(json.dumps({**HOOK_INPUT, "tool_input": {"command": c}}) + "\n" for c in ("ls", "frobnicate")),
        '{"command": "ls"}\n{"command": "frobnicate"}\n',
    ],
    ids=["a hook's array", "a hook's lines", "plain lines"],
)
def test_formats_of_history(text: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "history"
    path.write_text(text)
    assert main(["replay", "--simulate", "session", str(path), "--project", str(project), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["calls"], said["prompts"], said["by_cause"][0]["cause"]) == (2, 1, "unknown tool")


def test_the_table(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "commands.jsonl"
    path.write_text('{"command": "frobnicate"}\n{"command": "sudo id"}\n')
    assert main(["replay", "--simulate", "once", str(path), "--project", str(project), "--all"]) == 0
    out = capsys.readouterr().out
    assert "asked        1 (50.0 %), denied 1" in out and "frobnicate" in out
    assert main(["replay", "--tool", "Bash", str(path)]) == 2
    path.write_text("[1, 2")
    assert main(["replay", "--simulate", "once", str(path)]) == 2
    assert "not JSON" in capsys.readouterr().err
