"""git_*: real repositories, a real remote, secrets in what is staged, and branches that move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.gate import surroundings_of
from askfirst.model import Decision, Unknown
from askfirst.shell import analyze
from askfirst.store.trust import trust_git
from askfirst.toolbox.git_changing import git_add, git_checkout, git_commit
from askfirst.toolbox.git_pushing import git_push
from askfirst.toolbox.git_reading import diff_files, git_diff, git_status, unquoted
from askfirst.toolbox.running import ToolCommand, request_for, run
from tests.toolbox.support import called, data, error, git, organisation, person, place_of, repository, role

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def work(project: Path) -> Path:
    return repository(project, a_dot_py="one\ntwo\n", src__b_dot_py="b\n")


def test_status_as_data(work: Path) -> None:
    (work / "a.py").write_text("one\nthree\n")
    (work / "staged.py").write_text("x\n")
    git(work, "add", "staged.py")
    git(work, "mv", "src/b.py", "src/c.py")
    (work / "odd name\n.txt").write_text("")
    found = data(called(git_status, work))
    assert found["branch"]["name"] == "main" and not found["clean"]
    assert found["changed"] == [{"path": "a.py", "state": "modified"}]
    assert {(s["path"], s["state"]) for s in found["staged"]} == {("staged.py", "added"), ("src/c.py", "renamed")}
    assert found["untracked"] == [{"path": "odd name\n.txt"}]


def test_outside_a_repository(project: Path) -> None:
    assert error(called(git_status, project))[0] == "NotARepository"


def test_diff_is_masked_and_structured(work: Path) -> None:
    (work / "a.py").write_text(f"one\ntoken = '{TOKEN}'\n")
    (found,) = data(called(git_diff, work))["files"]
    assert found["path"] == "a.py" and (found["added"], found["removed"]) == (1, 1)
    assert TOKEN not in found["diff"] and "<redacted:" in found["diff"]
    assert data(called(git_diff, work, True))["files"] == []


@pytest.mark.parametrize(
    "name, plain",
    [("a/b.py", "a/b.py"), ('"a\\303\\244.txt"', "aä.txt"), ('"a\\tb"', "a\tb"), ('"q\\"q"', 'q"q')],
)
def test_names_as_git_writes_them(name: str, plain: str) -> None:
    assert unquoted(name) == plain


def test_a_diff_of_git_in_parts() -> None:
    text = (
        "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
        "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n"
    )
    files = list(diff_files(text))
    assert [(f.path, f.added, f.removed, f.binary) for f in files] == [
        ("x.py", ((2, "c"),), ("b",), False),
        ("gone", (), ("x",), False),
        ("bin", (), (), True),
    ]


# -- add, commit, checkout


def test_add_and_commit(work: Path) -> None:
    (work / "a.py").write_text("new\n")
    assert data(called(git_add, work, ["a.py"])) == {"added": ["a.py"], "staged": ["a.py"]}
    done = data(called(git_commit, work, "Say it anew\n\nBecause."))
    assert done["files"] == ["a.py"] and git(work, "rev-parse", "HEAD") == done["commit"]
    assert git(work, "log", "-1", "--format=%B") == "Say it anew\n\nBecause."


@pytest.mark.parametrize(
    "files, code",
    [
        ([], "InvalidArgument"),
        (["src"], "InvalidPath"),
        ([":/"], "InvalidPath"),
        (["../x"], "OutsideProject"),
        ([".claude/settings.json"], "Denied"),
        ([".git/config"], "Denied"),
    ],
)
def test_what_is_not_staged(work: Path, files: list[str], code: str) -> None:
    (work / ".claude").mkdir()
    (work / ".claude/settings.json").write_text("{}")
    assert error(called(git_add, work, files))[0] == code
    assert git(work, "diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize(
    "message, code",
    [
        ("", "MessagePolicy"),
        ("x" * 101, "MessagePolicy"),
        ("one\ntwo", "MessagePolicy"),
        ("a \x1b[31m", "MessagePolicy"),
        ("fine", "NothingStaged"),
    ],
)
def test_messages(work: Path, message: str, code: str) -> None:
    assert error(called(git_commit, work, message))[0] == code


def test_a_pattern_of_the_organisation(work: Path) -> None:
    organisation('toolbox: {commit_pattern: "(feat|fix): ", branch_names: ["feature/*"]}')
    assert error(called(git_commit, work, "whatever"))[0] == "MessagePolicy"
    assert error(called(git_checkout, work, "hack", True))[0] == "BranchPolicy"
    assert data(called(git_checkout, work, "feature/x", True))["created"]


def test_a_secret_is_not_committed(work: Path) -> None:
    (work / "a.py").write_text(f"one\ntwo\ntoken = '{TOKEN}'\n")
    git(work, "add", "a.py")
    code, said = error(called(git_commit, work, "Add the token"))
    assert code == "SecretFound" and "a.py line 3: github-token" in said and TOKEN not in said
    assert git(work, "rev-list", "--count", "HEAD") == "1"


def test_a_protected_file_is_not_committed(work: Path) -> None:
    (work / ".claude").mkdir()
    (work / ".claude/settings.json").write_text("{}")
    git(work, "add", "-f", ".claude/settings.json")
    assert error(called(git_commit, work, "Settings"))[0] == "Denied"


def hook(work: Path, name: str) -> Path:
    ran = work.parent / "ran"
    path = work / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {ran}\n")
    path.chmod(0o755)
    return ran


@pytest.mark.parametrize("trusted", [False, True])
def test_hooks_of_the_repository_run_only_where_they_are_trusted(work: Path, trusted: bool) -> None:
    ran = hook(work, "post-commit")
    if trusted:
        facts = analyze(
            "git commit -m x", surroundings_of(request_for(place_of(work), ToolCommand(("git", "commit"), "")))
        )
        trust_git(tuple(f.text for f in facts if isinstance(f, Unknown) and f.what == "git hook"))
    (work / "a.py").write_text("new\n")
    git(work, "add", "a.py")
    done = data(called(git_commit, work, "Change it"))
    assert ran.exists() is trusted and done["hooks"] == ("run" if trusted else "not run")


def test_what_was_looked_at_is_what_is_committed(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that is staged between the look and the commit has not been looked at."""

    def sneaking(place: Any, step: ToolCommand, **more: Any) -> Any:
        if "commit" in step.argv:
            (work / "a.py").write_text(f"token = '{TOKEN}'\n")
            git(work, "add", "a.py")
        return run(place, step, **more)

    (work / "a.py").write_text("fine\n")
    git(work, "add", "a.py")
    monkeypatch.setattr("askfirst.toolbox.git_changing.run", sneaking)
    assert error(called(git_commit, work, "Change it"))[0] == "IndexChanged"
    assert git(work, "rev-list", "--count", "HEAD") == "1" and TOKEN in git(work, "diff", "--cached")


@pytest.mark.parametrize(
    "branch, code",
    [
        ("missing", "BranchNotFound"),
        ("-f", "InvalidBranch"),
        ("a..b", "InvalidBranch"),
        ("@{-1}", "InvalidBranch"),
        ("", "InvalidBranch"),
        ("a b", "InvalidBranch"),
    ],
)
def test_odd_branches(work: Path, branch: str, code: str) -> None:
    assert error(called(git_checkout, work, branch))[0] == code


def test_services_of_a_repository_are_kept_apart(project: Path) -> None:
    work = repository(project, services__mine__a_dot_py="a\n", services__other__b_dot_py="b\n")
    organisation("writes: {own: [services/mine]}")
    (work / "services/mine/a.py").write_text("x\n")
    (work / "services/other/b.py").write_text("x\n")
    assert [f["path"] for f in data(called(git_status, work))["changed"]] == ["services/mine/a.py"]
    assert [f["path"] for f in data(called(git_diff, work))["files"]] == ["services/mine/a.py"]
    assert error(called(git_add, work, ["services/other/b.py"]))[0] == "Denied"
    git(work, "add", "-A")
    assert error(called(git_commit, work, "Both"))[0] == "Denied"


# -- push


@pytest.fixture
def remote(work: Path, tmp_path: Path) -> Path:
    bare = tmp_path / "remote.git"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")
    git(work, "remote", "add", "origin", str(bare))
    git(work, "push", "-q", "origin", "main")
    (work / "a.py").write_text("to push\n")
    git(work, "commit", "-q", "-am", "To be pushed")
    return bare


@pytest.mark.parametrize("roles", ["", "dev", "sre", "product_owner"])
def test_only_a_release_manager_pushes(work: Path, remote: Path, roles: str) -> None:
    if roles:
        role(roles)
    code, said = error(called(git_push, work))
    assert code == "PermissionDenied" and "release_manager" in said


def test_a_dry_run_sends_nothing(work: Path, remote: Path) -> None:
    role("release_manager")
    found = data(called(git_push, work, "origin", "main"))
    assert [c["subject"] for c in found["commits"]] == ["To be pushed"] and found["files"] == ["a.py"]
    assert found["fast_forward"] and not found["pushed"] and found["dry_run"]
    assert git(remote, "rev-parse", "main") == found["replaces"] == git(work, "rev-parse", "HEAD~1")


def test_the_question_shows_what_leaves_and_that_is_what_leaves(work: Path, remote: Path) -> None:
    """The branch moves on between the question and the answer."""
    role("release_manager")
    seen = git(work, "rev-parse", "HEAD")

    def move_on() -> None:
        (work / "a.py").write_text("not seen\n")
        git(work, "commit", "-q", "-am", "Nobody has seen this")

    with person(Decision.ALLOW, first=move_on) as asked:
        found = data(called(git_push, work, "origin", "main", dry_run=False))
    assert found["pushed"] and git(remote, "rev-parse", "main") == seen
    notes = "\n".join(asked[0].notes)
    assert "To be pushed" in notes and "a.py" in notes and str(remote) in notes and "Nobody" not in notes
    assert f"{seen}:refs/heads/main" in asked[0].text


def test_a_no_pushes_nothing(work: Path, remote: Path) -> None:
    role("release_manager")
    with person(Decision.DENY):
        assert error(called(git_push, work, "origin", "main", dry_run=False))[0] == "Denied"
    assert git(remote, "rev-parse", "main") == git(work, "rev-parse", "HEAD~1")


def test_no_rule_and_no_other_answer_pushes(work: Path, remote: Path) -> None:
    role("release_manager", "allowed_commands: [{name: git}]")
    code, said = error(called(git_push, work, "origin", "main", dry_run=False))
    assert code == "Denied" and "askfirst watch" in said


def test_commits_of_others_are_not_overwritten(work: Path, remote: Path, tmp_path: Path) -> None:
    role("release_manager")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(remote), str(other))
    (other / "z").write_text("z")
    git(other, "add", "z")
    git(other, "commit", "-q", "-m", "theirs")
    git(other, "push", "-q", "origin", "HEAD:main")
    assert error(called(git_push, work, "origin", "main"))[0] == "NotFastForward"


@pytest.mark.parametrize("remote_name", ["https://evil.example/x", "../x", "--all", ""])
def test_a_remote_is_a_name(work: Path, remote: Path, remote_name: str) -> None:
    role("release_manager")
    assert error(called(git_push, work, remote_name, "main"))[0] == "InvalidArgument"


@pytest.mark.parametrize("tool", [git_add, git_commit, git_checkout])
def test_who_only_reads_changes_nothing(work: Path, tool: Callable[..., dict[str, Any]]) -> None:
    role("product_owner")
    given: Any = ["a.py"] if tool is git_add else "x"
    assert error(called(tool, work, given))[0] == "PermissionDenied"
