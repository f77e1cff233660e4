"""A repository brings its configuration along: whatever real git obeys in it, the model has seen.

Every row builds a repository below the project in some odd way, lets real git run `status` there, and looks whether the
payload ran. Rows that ran it must not be allowed; plain repositories must be.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from askfirst.shell.tools.git.config import dangerous_keys
from tests.tools.dev_support import PlainAnalyst, doubts, outcome_of

PAYLOAD = '[core]\n\tfsmonitor = "touch PWNED;:"\n'
PLAIN = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = A B\n[color]\n\tui = auto\n"


def _git_dir(place: Path, config: str = PLAIN + PAYLOAD, head: str | None = "ref: refs/heads/main\n") -> None:
    for folder in ("objects", "refs", "hooks"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    (place / "config").write_text(config, newline="")
    if head is not None:
        (place / "HEAD").write_text(head)


def _linked_head(top: Path) -> None:
    _git_dir(top / ".git", head=None)
    (top / ".git" / "HEAD").symlink_to("refs/heads/main")


def _pointer(text: str, place: str) -> Callable[[Path], None]:
    def build(top: Path) -> None:
        _git_dir(top / place)
        if place.strip() != place:
            _git_dir(top / place.strip(), PLAIN)
        (top / ".git").write_text(text)

    return build


def _common(text: str) -> Callable[[Path], None]:
    def build(top: Path) -> None:
        _git_dir(top / ".git", PLAIN)
        _git_dir(top / "other ")
        _git_dir(top / "other", PLAIN)
        (top / ".git" / "commondir").write_text(text)

    return build


def _worktree_config(padding: int) -> Callable[[Path], None]:
    def build(top: Path) -> None:
        _git_dir(top / ".git", PLAIN.replace("version = 0", "version = 1") + "[extensions]\n\tworktreeConfig = true\n")
        (top / ".git" / "config.worktree").write_text("#\n" * padding + PAYLOAD)

    return build


def _hook(padding: int, mode: int) -> Callable[[Path], None]:
    def build(top: Path) -> None:
        _git_dir(top / ".git", PLAIN)
        (top / "a").write_text("a")
        subprocess.run(("git", "add", "a"), cwd=top, check=True)
        (top / "a").touch()
        hook = top / ".git" / "hooks" / "post-index-change"
        hook.write_text("#!/bin/sh\ntouch PWNED\n" + "#\n" * padding)
        hook.chmod(mode)

    return build


def _included(top: Path) -> None:
    _git_dir(top / ".git", "[include]\n\tpath = more\n")
    (top / ".git" / "more").write_text(PAYLOAD)


def _config(text: str) -> Callable[[Path], None]:
    return lambda top: _git_dir(top / ".git", text)


ARMED: dict[str, Callable[[Path], None]] = {
    "plain": lambda top: _git_dir(top / ".git"),
    "HEAD is a link that leads nowhere": _linked_head,
    "HEAD is long": lambda top: _git_dir(top / ".git", head="ref: refs/heads/main\n" + "\n" * 9000),
    "HEAD has something behind its hash": lambda top: _git_dir(top / ".git", head="a" * 40 + " and more"),
    "a pointer": _pointer("gitdir: kept\n", "kept"),
    "a pointer to a name that ends in a blank": _pointer("gitdir: kept \n", "kept "),
    "a pointer to a name that begins with a blank": _pointer("gitdir:  kept\n", " kept"),
    "a long pointer": _pointer("gitdir: kept" + "\n" * 9000, "kept"),
    "a common directory that ends in a blank": _common("../other \n"),
    "a common directory in a long file": _common("../other " + "\n" * 9000),
    "the work tree's own configuration": _worktree_config(0),
    "the work tree's own configuration, too long to be looked at": _worktree_config(50_000),
    "a configuration that is too long": _config("#\n" * 50_000 + PAYLOAD),
    "a hook": _hook(0, 0o755),
    "a hook that is too long": _hook(50_000, 0o755),
    "behind an escaped backslash": _config('[branch "x"]\n\tdescription = a\\\\\n' + PAYLOAD),
    "behind a comment that ends in a backslash": _config("[color]\n\tui = auto # \\\n" + PAYLOAD),
    "behind a quoted comment sign": _config('[branch "x"]\n\tdescription = "#"\\\n x\n' + PAYLOAD),
    "on the line of its section": _config('[color] ui = auto\n[core] fsmonitor = "touch PWNED;:"\n'),
    "in capitals": _config('[CORE]\n\tFSMONITOR = "touch PWNED;:"\n'),
    "with carriage returns": _config((PLAIN + PAYLOAD).replace("\n", "\r\n")),
    "behind a byte order mark": _config("\ufeff" + PAYLOAD),
    "through an include": _included,
}


@pytest.mark.needs("git")
@pytest.mark.parametrize("how", ARMED)
def test_what_real_git_runs_is_seen(how: str, project: Path) -> None:
    top = project / "sub"
    top.mkdir()
    ARMED[how](top)
    verdict = doubts(outcome_of("git -C sub status", PlainAnalyst(project)), PlainAnalyst(project))
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(("git", "status"), cwd=top, env=clean, capture_output=True, check=False)
    assert list(project.rglob("PWNED")), "the row is armed, or it proves nothing"
    assert verdict != []


@pytest.mark.needs("git")
@pytest.mark.parametrize("command", ["git -C sub help log", "git -C sub log --help"])
def test_the_program_that_shows_a_page_may_be_the_repositorys(command: str, project: Path) -> None:
    shows = '[man]\n\tviewer = x\n[man "x"]\n\tcmd = "touch PWNED #"\n'
    _git_dir(project / "sub" / ".git", PLAIN + shows)
    verdict = doubts(outcome_of(command, PlainAnalyst(project)), PlainAnalyst(project))
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(command.split(), cwd=project, env=clean, capture_output=True, check=False)
    assert list(project.rglob("PWNED")), "the row is armed, or it proves nothing"
    assert verdict != []


def test_a_plain_repository_is_nothing_to_ask_about(project: Path) -> None:
    more = '[remote "origin"]\n\turl = https://example.com/a.git # \\\n[branch "main"]\n\tremote = origin\n'
    _git_dir(project / "sub" / ".git", PLAIN + more)
    analyst = PlainAnalyst(project)
    assert doubts(outcome_of("git -C sub status", analyst), analyst) == []


def test_a_bare_repository_is_looked_at_too(project: Path) -> None:
    _git_dir(project / "sub", PAYLOAD)
    (project / "sub" / "tree").mkdir()
    analyst = PlainAnalyst(project)
    assert doubts(outcome_of("git -C sub/tree log", analyst), analyst) != []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[core]\n\tpager = cat", []),
        ("[core]\n\tpager = less", ["core.pager"]),
        ("[alias]\n\tst = status", ["alias.st"]),
        ('[remote "x"]\n\turl = ext::sh -c x', ["remote.x.url"]),
        ('[remote "x"]\n\tuploadpack = x', ["remote.x.uploadpack"]),
        ('[diff "x"]\n\ttextconv = x', ["diff.x.textconv"]),
        ('[filter "lfs"]\n\tclean = git-lfs clean -- %f', []),
        ('[filter "lfs"]\n\tclean = x', ["filter.lfs.clean"]),
        ('[includeIf "gitdir:x"]\n\tpath = x', ["includeif.gitdir:x.path"]),
        ('[branch "x"]\n\tmergeOptions = -s x', ["branch.x.mergeoptions"]),
        ("[core", ["?.?"]),
        ("[core]\n\thooksPath = .husky", ["core.hookspath"]),
        ("[credential]\n\thelper = x", ["credential.helper"]),
        ('[url "x"]\n\tinsteadOf = y', ["url.x.insteadof"]),
    ],
)
def test_keys(line: str, found: list[str]) -> None:
    assert dangerous_keys(line) == found
