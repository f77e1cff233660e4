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
from askfirst.store.session_files import own_files
from askfirst.world import World

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
    (repository / "new.txt").write_text("made\n")
    git(repository, "stash", "-u", "-m", "with a new one")
    assert files_of_switch(str(repository), "stash@{0}") == (f"{repository}/new.txt",)
    assert files_of_switch(str(repository), "stash@{1}") == (f"{repository}/src/a.txt",)
    assert files_of_switch(str(repository), "stash@{2}") is None
    for words in ("pop", "apply", "pop --index", "pop -q stash@{0}", "apply stash@{1}", "pop 1"):
        assert decision(repository, f"git stash {words}") == Decision.ALLOW
    for words in ("pop stash@{2}", "pop $N", "pop main", "drop", "clear", "branch x", "pop 0 1"):
        assert decision(repository, f"git stash {words}") == Decision.ASK
    for twice in (
        "git stash pop; git stash pop",
        "git stash pop; git st''ash pop",
        "x=stash; git $x pop; git stash pop",
        "for i in 1 2; do git stash pop; done",
        "f() { git stash pop; }; f; f",
        "git stash drop; git stash pop",
        "git fetch; git stash pop",
        "while git stash pop; do :; done",
    ):
        assert decision(repository, twice) == Decision.ASK, twice


@pytest.mark.parametrize("name", ["conftest.py", ".claude/settings.json", ".envrc", "json.py"])
@pytest.mark.parametrize("options", [(), ("-u",)])
def test_what_comes_back_may_be_obeyed(name: str, options: tuple[str, ...], repository: Path) -> None:
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / name).write_text("x\n")
    if not options:
        git(repository, "add", name)
    git(repository, "stash", "push", *options)
    assert decision(repository, "git stash pop") == Decision.ASK
    git(repository, "stash", "pop", "-q")
    assert decision(repository, "git stash" + " -u" * bool(options)) == (
        Decision.ASK if name.startswith((".claude", ".envrc")) else Decision.ALLOW
    )


def test_a_link_that_was_put_aside_asks(repository: Path) -> None:
    os.symlink("/etc", repository / "there")
    assert decision(repository, "git stash -u") == Decision.ASK
    assert decision(repository, "git stash") == Decision.ALLOW
    git(repository, "stash", "-u")
    assert decision(repository, "git stash pop") == Decision.ASK


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git stash", Decision.ALLOW),
        ("git stash push", Decision.ALLOW),
        ("git stash push -m 'before the merge' -- src/a.txt", Decision.ALLOW),
        ("git stash -q -k", Decision.ALLOW),
        ("git stash save 'wip'", Decision.ALLOW),
        ("git stash -u", Decision.ALLOW),
        ("cd src && git stash --include-untracked", Decision.ALLOW),
        ("git stash && git checkout plain", Decision.ALLOW),
        ("git stash; grep -c one src/a.txt; git stash pop", Decision.ALLOW),
        ("git stash 2>&1 | tail -1; git status --short; git stash pop 2>&1 | tail -3", Decision.ALLOW),
        ("git stash -a", Decision.ASK),
        ("git stash --all", Decision.ASK),
        ("git stash push -p", Decision.ASK),
        ("git stash $options", Decision.ASK),
        ("git stash --pathspec-from-file=x", Decision.ASK),
        ("echo > .gitignore; git stash -u", Decision.ASK),
        ("git stash -u | tee .gitignore", Decision.ASK),
        ("git fetch && git stash", Decision.ASK),
        ("git stash create", Decision.ASK),
        ("git stash store HEAD", Decision.ASK),
        ("for i in 1 2; do git stash; git stash pop; done", Decision.ASK),
        ("git stash; git stash; git stash pop", Decision.ASK),
        ("git stash; git stash pop stash@{1}", Decision.ASK),
    ],
)
def test_changes_are_put_aside(command: str, expected: Decision, repository: Path) -> None:
    branch(repository, "plain", {"src/a.txt": "two\n"})
    (repository / "src/a.txt").write_text("changed\n")
    (repository / "new.txt").write_text("made\n")
    assert decision(repository, command) == expected


def test_what_comes_back_to_what_head_holds(repository: Path) -> None:
    """What may not be written is asked for: a person may have changed it for a reason."""
    branch(repository, "settings", {".claude/settings.json": "{}\n", "conftest.py": "x\n"})
    git(repository, "checkout", "-q", "settings")
    assert decision(repository, "git stash") == Decision.ALLOW
    (repository / "conftest.py").write_text("y\n")
    assert decision(repository, "git stash") == Decision.ALLOW  # what ran before
    assert decision(repository, "git stash -k") == Decision.ASK  # the index may hold anything
    assert decision(repository, "git stash; pytest; git stash pop") == Decision.ASK
    git(repository, "checkout", "-q", "conftest.py")
    (repository / ".claude/settings.json").write_text("[]\n")
    assert decision(repository, "git stash") == Decision.ASK


def test_what_would_be_lost_asks(repository: Path) -> None:
    """Tried with git 2.39: neither of these is put aside, and HEAD's content takes its place."""
    path = repository / "src/a.txt"
    git(repository, "update-index", "--assume-unchanged", "src/a.txt")
    path.write_text("mine\n")
    assert decision(repository, "git stash") == Decision.ASK
    git(repository, "update-index", "--no-assume-unchanged", "src/a.txt")
    path.unlink()
    assert decision(repository, "git stash") == Decision.ALLOW
    path.mkdir()
    assert decision(repository, "git stash") == Decision.ASK
    path.rmdir()
    path.parent.rmdir()
    path.parent.write_text("mine\n")
    assert decision(repository, "git stash") == Decision.ASK


def test_a_filter_of_the_repository_does_not_run_while_it_is_judged(repository: Path) -> None:
    (repository / ".gitattributes").write_text("* filter=evil\n")
    git(repository, "config", "filter.evil.clean", "touch ran; cat")
    (repository / "src/a.txt").write_text("changed\n")
    assert decision(repository, "git stash") == Decision.ASK
    assert not (repository / "ran").exists()


def test_what_a_person_had_put_aside_is_not_the_sessions(repository: Path) -> None:
    (repository / "new.txt").write_text("a person's\n")
    git(repository, "stash", "-u")
    command = "git stash pop"
    request = Request("claude", "s-own", str(repository), str(repository), "Bash", {"command": command})
    World().note_made(judged(request, Layers(str(repository), home=os.environ["HOME"])))
    git(repository, "stash", "pop", "-q")
    assert own_files("s-own") == {}


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
