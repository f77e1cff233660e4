"""What a push carries: secrets in its commits ask, and the question says what goes out."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

import pytest

from askfirst.files import pushed as pushed_module
from askfirst.files.pushed import pushed
from askfirst.gate import facts_of, judged
from askfirst.model import Command, Decision, Request
from askfirst.policy.rules import Settings
from askfirst.world import World
from tests.flow.session import ALLOWING, Session, organisation

KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c"
GITHUB = "ghp_" + "a1B2c3D4e5F6" * 3
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgSign=false")


def git(repo: Path, *words: str) -> str:
    return subprocess.run((*GIT, *words), cwd=repo, check=True, capture_output=True, text=True).stdout


def commit(repo: Path, name: str, text: str, message: str = "More") -> None:
    (repo / name).parent.mkdir(parents=True, exist_ok=True)
    (repo / name).write_text(text)
    git(repo, "add", "-f", name)
    git(repo, "commit", "-q", "-m", message)


@pytest.fixture
def repo(project: Path) -> Path:
    """One commit is at the remote already, with a secret that was always there."""
    git(project, "init", "-q", "-b", "main", ".")
    (project / ".env").write_text(f"API_KEY={KEY}\n")
    (project / ".gitignore").write_text(".env\n")
    git(project, "add", ".gitignore")
    commit(project, "old.py", f"TOKEN = '{GITHUB}'\n", "The first")
    git(project, "update-ref", "refs/remotes/origin/main", "HEAD")
    organisation(ALLOWING)
    return project


CARRIES: list[tuple[str, str, str, str]] = [
    ("a value", "config.py", f"key = '{KEY}'\n", "API_KEY of .env, in config.py in "),
    ("its base64", "a.txt", base64.b64encode(f"x={KEY}".encode()).decode() + "\n", "(encoded or in pieces), in a.txt"),
    ("its hex, in pieces", "a.txt", "\n".join(KEY.encode().hex()[n : n + 8] for n in range(0, 56, 8)), "a.txt"),
    ("a format", "b.py", f"T = '{GITHUB.replace('a1', 'z9')}'\n", "what looks like a github-token, in b.py"),
    ("a secret's file", "deploy/id_rsa", "not a real one\n", "the file deploy/id_rsa in "),
]


@pytest.mark.parametrize(("name", "text", "says"), [r[1:] for r in CARRIES], ids=[r[0] for r in CARRIES])
def test_a_secret_in_a_commit_asks(name: str, text: str, says: str, repo: Path) -> None:
    commit(repo, name, text)
    commit(repo, name, "taken out again\n")
    decision, why = Session(repo).bash("git push origin main")
    assert decision == "ask" and says in why, why
    assert KEY not in why and GITHUB not in why


def test_a_secret_in_a_message_asks(repo: Path) -> None:
    commit(repo, "a.txt", "x\n", f"Use {KEY}\n\n+++ b/innocent.py\n-x")
    decision, why = Session(repo).bash("git push")
    assert decision == "ask" and "API_KEY of .env, in the message of " in why


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push origin main",
        "git push -u origin HEAD:refs/heads/x",
        "git push --all origin",
        "git push --tags",
        "git -C . push origin +main",
        "git -c a.b=c push -o ci.skip origin side:main",
        "git push https://git.example/x.git main",
        "cd . && git push",
    ],
)
def test_however_it_is_pushed(command: str, repo: Path) -> None:
    git(repo, "branch", "side")
    commit(repo, "config.py", f"key = '{KEY}'\n")
    git(repo, "tag", "v1")
    git(repo, "branch", "-f", "side")
    decision, why = Session(repo).bash(command)
    assert decision == "ask" and "API_KEY of .env" in why, why


def test_a_commit_in_the_same_call_is_looked_at(repo: Path) -> None:
    (repo / "new.py").write_text(f"key = '{KEY}'\n")
    decision, why = Session(repo).bash("git add -A && git commit -qm x && git push origin main")
    assert decision == "ask" and "API_KEY of .env, in new.py (not committed yet)" in why, why


def test_a_commit_alone_takes_no_new_file(repo: Path) -> None:
    (repo / "new.py").write_text(f"key = '{KEY}'\n")
    message = "git commit -qm \"$(cat <<'EOF'\nwhat it is\nEOF\n)\""
    os.utime(repo / "old.py", (0, 0))  # not touched since its commit
    assert Session(repo).bash(f"{message} && git push origin main")[0] == "allow"
    for before in ("git stash pop", "git apply x.patch", "git add new.py", "g=add; git $g new.py"):
        assert Session(repo).bash(f"{before} && {message} && git push origin main")[0] == "ask", before
    git(repo, "add", "new.py")
    decision, why = Session(repo).bash(f"{message} && git push origin main")
    assert decision == "ask" and "API_KEY of .env, in new.py (not committed yet)" in why, why


def test_what_the_remote_has_and_ordinary_commits_pass(repo: Path) -> None:
    assert Session(repo).bash("git push origin main")[0] == "allow"
    commit(repo, "app.py", "def main() -> int:\n    return 0\n")
    commit(repo, "old.py", f"import os\nTOKEN = '{GITHUB}'\n")  # a line beside it is new
    assert Session(repo).bash("git push origin main")[0] == "allow"


def test_the_question_says_what_goes_out(repo: Path) -> None:
    organisation("version: 2\n")
    commit(repo, "app.py", "x = 1\n", "Add app")
    request = Request("claude", "s1", str(repo), str(repo), "Bash", {"command": "git push origin main"})
    verdict = judged(request, World().layers(request)).verdict
    assert verdict.decision == Decision.ASK
    (note,) = verdict.notes
    head = git(repo, "rev-parse", "HEAD")[:8]
    assert note == f"it pushes 1 new commit, the last one {head} Add app; files: app.py"


@pytest.mark.parametrize("limit", ["MAX_COMMITS", "outside"])
def test_what_cannot_be_looked_through_is_said(limit: str, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    organisation("version: 2\n")
    monkeypatch.setattr(pushed_module, "MAX_COMMITS", 0)
    commit(repo, "app.py", "x = 1\n")
    command = "git push origin main" if limit == "MAX_COMMITS" else "git -C /nowhere push"
    request = Request("claude", "s1", str(repo), str(repo), "Bash", {"command": command})
    assert judged(request, World().layers(request)).verdict.notes == ("what it pushes could not be looked through",)


def test_git_runs_nothing_of_the_repository(repo: Path) -> None:
    """Whatever its configuration and attributes say."""
    script = f"touch {repo}/ran"
    for key in ("diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean", "filter.x.smudge"):
        git(repo, "config", key, script)
    for key in ("core.pager", "pager.log", "gpg.program", "core.fsmonitor", "core.sshCommand", "core.hooksPath"):
        git(repo, "config", key, script)
    git(repo, "config", "log.showSignature", "true")
    (repo / ".gitattributes").write_text("* diff=x filter=x\n")
    (repo / "new.txt").write_text("x\n")
    request = Request("claude", "s1", str(repo), str(repo), "Bash", {"command": "git commit -am x; git push"})
    facts = facts_of(request, Settings())
    (push,) = (f for f in facts if isinstance(f, Command) and f.action.key == ("git", "push"))
    (repo / "ran").unlink(missing_ok=True)
    found = pushed(push, facts)
    assert found is not None and "new.txt" in found.files
    assert not (repo / "ran").exists()
