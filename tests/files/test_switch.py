"""Going to another branch needs no question where git says that it changes plain files that nothing obeys."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from askfirst.files.head import files_of_switch
from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.policy.rules import Layers

pytestmark = pytest.mark.usefixtures("project")


def git(repository: Path, *words: str) -> None:
    subprocess.run(
        ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words), cwd=repository, check=True, capture_output=True
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "src/a.txt").write_text("one\n")
    (root / ".gitignore").write_text("*.log\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def branch(root: Path, name: str, files: dict[str, str], *, link: str = "") -> None:
    git(root, "checkout", "-qb", name)
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    if link:
        os.symlink("/etc", root / link)
    git(root, "add", "-Af")
    git(root, "commit", "-qm", name, "--allow-empty")
    git(root, "checkout", "-q", "main")


def decision(root: Path, command: str) -> Decision:
    request = Request("claude", "s", str(root), str(root), "Bash", {"command": command})
    return judged(request, Layers(str(root), home=os.environ["HOME"])).verdict.decision


def test_the_files_that_differ_are_known(repository: Path) -> None:
    branch(repository, "plain", {"src/a.txt": "two\n", "src/deep/b.txt": "x\n"})
    git(repository, "gc", "-q")  # packed objects and references, too
    found = files_of_switch(str(repository / "src"), "plain")
    assert found == (f"{repository}/src/a.txt", f"{repository}/src/deep/b.txt")
    assert files_of_switch(str(repository), "main") == ()
    assert files_of_switch(str(repository), "nowhere") is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git branch -M trunk", Decision.ALLOW),
        ("git branch -m trunk", Decision.ALLOW),
        ("git branch -M main", Decision.ALLOW),
        ("git init && git branch -M trunk", Decision.ALLOW),
        ("git branch -M loose", Decision.ASK),
        ("git branch -M packed", Decision.ASK),
        ("git branch -M PACKED", Decision.ASK),  # one name, where the disk knows no capital letters
        ("git branch -M main trunk", Decision.ASK),
        ("git branch -M $name", Decision.ASK),
    ],
)
def test_a_branch_gets_a_name_that_no_other_has(command: str, expected: Decision, repository: Path) -> None:
    git(repository, "branch", "packed")
    git(repository, "pack-refs", "--all")
    git(repository, "branch", "loose")
    assert decision(repository, command) == expected


@pytest.mark.parametrize(
    ("name", "files", "command", "expected"),
    [
        ("plain", {"src/a.txt": "two\n"}, "git checkout plain", Decision.ALLOW),
        ("plain", {"src/a.txt": "two\n"}, "git switch -q plain && git status && git log main..HEAD", Decision.ALLOW),
        ("plain", {"src/a.txt": "two\n"}, "git checkout plain && git commit -m x && git checkout main", Decision.ALLOW),
        ("f/x-1", {"n.md": "two\n"}, "git checkout f/x-1 2>&1 | tail -1", Decision.ALLOW),
        ("plain", {"src/a.txt": "two\n"}, "git checkout -f plain", Decision.ASK),
        ("plain", {"src/a.txt": "two\n"}, "git checkout plain -- src/a.txt", Decision.ASK),
        ("plain", {"src/a.txt": "two\n"}, "git checkout --detach plain", Decision.ASK),
        ("plain", {"src/a.txt": "two\n"}, "git fetch && git checkout plain", Decision.ASK),
        ("plain", {"src/a.txt": "two\n"}, "git -C . fetch && git checkout plain", Decision.ASK),
        ("src", {"src/a.txt": "two\n"}, "git checkout src", Decision.ASK),
        ("conf", {"conftest.py": "x\n"}, "git checkout conf", Decision.ASK),
        ("envrc", {".envrc": "x\n"}, "git checkout envrc", Decision.ASK),
        ("agent", {".claude/settings.json": "{}\n"}, "git checkout agent", Decision.ASK),
        ("shadow", {"json.py": "x\n"}, "git checkout shadow", Decision.ASK),
        ("ignored", {"kept.log": "theirs\n"}, "git checkout ignored", Decision.ASK),
    ],
)
def test_what_a_branch_brings(
    name: str, files: dict[str, str], command: str, expected: Decision, repository: Path
) -> None:
    branch(repository, name, files)
    (repository / "kept.log").write_text("mine, and git would replace it silently\n")
    assert decision(repository, command) == expected


def test_a_link_in_the_branch_asks(repository: Path) -> None:
    branch(repository, "link", {}, link="there")
    assert decision(repository, "git checkout link") == Decision.ASK
    assert decision(repository, "git checkout link && echo x > there/y") == Decision.ASK


def test_a_hook_of_the_repository_asks(repository: Path) -> None:
    branch(repository, "plain", {"src/a.txt": "two\n"})
    hook = repository / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nid\n")
    hook.chmod(0o755)
    assert decision(repository, "git checkout plain") == Decision.ASK


def test_what_was_put_aside_comes_back(repository: Path) -> None:
    assert decision(repository, "git stash pop") == Decision.ASK  # nothing is there, or not yet
    (repository / "src/a.txt").write_text("changed\n")
    git(repository, "stash")
    assert decision(repository, "git stash pop") == Decision.ALLOW
    assert decision(repository, "git stash; git stash pop") == Decision.ASK
    assert decision(repository, "git stash drop") == Decision.ASK
    git(repository, "stash", "drop", "-q")
    (repository / "conftest.py").write_text("x\n")
    git(repository, "add", "conftest.py")
    git(repository, "stash")
    assert decision(repository, "git stash pop") == Decision.ASK


def test_a_name_that_looks_like_a_pattern(repository: Path) -> None:
    page = repository / "app/[slug]/page.tsx"
    page.parent.mkdir(parents=True)
    page.write_text("x\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "page")
    assert decision(repository, "rm app/[slug]/page.tsx") == Decision.ALLOW
    (repository / "app/s").mkdir()
    (repository / "app/s/page.tsx").write_text("not in git\n")
    assert decision(repository, "rm app/[slug]/page.tsx") == Decision.ASK
    assert decision(repository, "rm app/[a-z]/page.tsx") == Decision.ASK
