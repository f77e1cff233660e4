"""`init` in a git repository: what holds paths of this machine is not committed, and the root is offered."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from askfirst.commands import init
from askfirst.install.git_ignored import keep_out, repository_of, take_back


def git(where: Path, *words: str) -> str:
    return subprocess.run(("git", "-C", str(where), *words), capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "mono"
    (root / "services" / "api").mkdir(parents=True)
    git(root.parent, "init", "-q", str(root))
    return root


@pytest.mark.parametrize("below", ["", "services/api"])
def test_git_ignores_it_and_the_line_is_taken_back(repository: Path, below: str) -> None:
    file = repository / below / ".claude" / "settings.local.json"
    file.parent.mkdir()
    file.write_text("{}")
    exclude = repository / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    assert "git ignores it here" in keep_out(str(file))
    assert git(repository, "status", "--porcelain") == ""
    assert keep_out(str(file)) == "", "once"
    take_back(str(file))
    assert exclude.read_bytes() == before


def test_what_the_team_ignores_or_tracks_stays_as_it_is(repository: Path) -> None:
    file = repository / "settings.json"
    file.write_text("{}")
    git(repository, "add", "settings.json")
    assert keep_out(str(file)) == "", "tracked by choice"
    (repository / ".gitignore").write_text("*.local.json\n")
    assert keep_out(str(repository / "a.local.json")) == ""
    assert keep_out(str(repository.parent / "no-repository.json")) == ""


def test_in_a_worktree(repository: Path) -> None:
    git(repository, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x")
    tree = repository.parent / "tree"
    git(repository, "worktree", "add", "-q", str(tree))
    (tree / "a.json").write_text("{}")
    assert keep_out(str(tree / "a.json"))
    assert git(tree, "status", "--porcelain") == ""


@pytest.mark.parametrize(("typed", "chosen"), [("root", "root"), ("", "here"), ("n", "here"), (None, "here")])
def test_a_sub_directory_says_so_and_offers_the_root(
    repository: Path,
    typed: str | None,
    chosen: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here, root = str(repository / "services" / "api"), str(repository)
    monkeypatch.setattr(init, "is_person_here", lambda: True)
    monkeypatch.setattr(init, "drop_typed_ahead", lambda: None)
    monkeypatch.setattr(init, "typed_line", lambda _prompt: typed)
    assert init._place(here, "local", named=False) == {"root": root, "here": here}[chosen]
    assert f"a sub-directory of the repository {root}" in capsys.readouterr().out
    assert init._place(here, "local", named=True) == here, "named is meant"
    assert init._place(here, "user", named=False) == here
    assert init._place(root, "local", named=False) == root
    assert capsys.readouterr().out == ""


def test_nobody_there_is_told_how(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = str(repository / "services")
    assert repository_of(here) == str(repository)
    assert init._place(here, "local", named=False) == here
    assert f"askfirst init --dir {repository}" in capsys.readouterr().out
