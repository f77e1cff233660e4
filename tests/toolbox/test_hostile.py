"""The toolbox called by somebody who means harm: siblings, links, options in disguise, files that hold up a reader, and
what changes between a question and its answer."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.model import Decision
from askfirst.policy.rules import Label, LabelledFile
from askfirst.store import labels
from askfirst.toolbox import code_files
from askfirst.toolbox.changing import edit_file, write_file
from askfirst.toolbox.chunks import chunks
from askfirst.toolbox.dependencies import install_dependencies
from askfirst.toolbox.file_views import count_matches, list_files, read_file, search_file
from askfirst.toolbox.git_changing import git_add, git_commit
from askfirst.toolbox.git_pushing import git_push
from askfirst.toolbox.git_reading import git_diff, git_status
from askfirst.toolbox.linting import run_lint
from askfirst.toolbox.relating import get_related_tests
from askfirst.toolbox.reports_of_tests import go, jest, junit
from askfirst.toolbox.searching import index_of, search_knowledge
from askfirst.toolbox.system_map import get_system_map
from askfirst.toolbox.task_context import get_task_context
from askfirst.toolbox.testing import _Target, run_test
from askfirst.toolbox.toolchain import as_word
from askfirst.toolbox.usages import find_usage
from tests.toolbox.support import called, data, error, git, organisation, person, place_of, repository, role

Tool = Callable[..., dict[str, Any]]
OTHER = "services/other/b.py"


@pytest.fixture
def monorepo(project: Path) -> Path:
    work = repository(
        project,
        services__mine__a_dot_py="def mine(): pass\n",
        services__mine__pyproject_dot_toml="[project]\nname = 'mine'\n[tool.pytest.ini_options]\n",
        services__other__b_dot_py="def only_theirs(): pass\n",
        services__other__test_b_dot_py="import b\n",
        services__other__pyproject_dot_toml="[project]\nname = 'other'\n[tool.pytest.ini_options]\n",
        services__other__status_dot_md="- [ ] T-9 Their plan\n",
        shared__c_dot_py="def shared(): pass\n",
    )
    organisation("profiles: [python-dev]\nwrites: {own: [services/mine], read_only: [shared]}")
    return work


SIBLINGS: list[tuple[Tool, tuple[Any, ...], str]] = [
    (list_files, ("services/other",), "Denied"),
    (list_files, ("services/mine/../other",), "Denied"),
    (read_file, (OTHER,), "Denied"),
    (search_file, ("services/other", "def"), "Denied"),
    (count_matches, (OTHER, "def"), "Denied"),
    (write_file, (OTHER, ""), "Denied"),
    (edit_file, (OTHER, [{"spec": "def", "content": "x"}]), "Denied"),
    (get_related_tests, (OTHER,), "Denied"),
    (get_system_map, ("services/other",), "Denied"),
    (get_task_context, ("T-9",), "TaskNotFound"),
    (run_test, ("services/other",), "Denied"),
    (run_test, ("services/other/test_b.py",), "Denied"),
    (run_test, ("services",), "Denied"),
    (run_test, (".",), "Denied"),
    (run_lint, ("services/other",), "Denied"),
    (git_add, ([OTHER],), "Denied"),
]


def test_a_sibling_is_nobodys_business(monorepo: Path) -> None:
    (monorepo / OTHER).write_text("def only_theirs(): return 1\n")
    for tool, given, code in SIBLINGS:
        assert error(called(tool, monorepo, *given))[0] == code, (tool.__name__, given)
    index_of(place_of(monorepo)).refresh(60)
    looks: list[tuple[Tool, tuple[Any, ...]]] = [
        (list_files, (".", True)),
        (search_file, (".", "def", True)),
        (find_usage, ("only_theirs",)),
        (get_system_map, ()),
        (search_knowledge, ("only theirs",)),
        (git_status, ()),
        (git_diff, ()),
    ]
    for tool, given in looks:
        told = data(called(tool, monorepo, *given))
        told.pop("symbol", None)
        told.pop("query", None)
        assert "other" not in json.dumps(told) and "theirs" not in json.dumps(told), tool.__name__
    organisation("toolbox: {isolation: SHARED}\nwrites: {own: [services/mine]}")
    assert "only_theirs" in json.dumps(data(called(read_file, monorepo, OTHER)))


def test_tests_run_in_the_service(monorepo: Path) -> None:
    """Its own manifest says how, and its directory is where they start."""
    (monorepo / "services/mine/pyproject.toml").write_text("[project]\nname = 'mine'\n")
    (monorepo / "services/mine/test_a.py").write_text(
        "import a, unittest\nclass A(unittest.TestCase):\n    def test_a(self): a.mine()\n"
    )
    found = data(called(run_test, monorepo, "services/mine/test_a.py"))
    assert found["counts"]["passed"] == 1 and found["command"].endswith("-m unittest -v test_a")


def test_a_project_that_is_a_part_of_a_repository(monorepo: Path) -> None:
    """The client was started in a service's directory: the rest of the repository is outside."""
    organisation("profiles: [python-dev]")
    mine = monorepo / "services/mine"
    (mine / "a.py").write_text("def mine(): return 1\n")
    (monorepo / OTHER).write_text("x = 1\n")
    assert [row["path"] for row in data(called(git_status, mine))["changed"]] == ["a.py"]
    assert [row["path"] for row in data(called(git_diff, mine))["files"]] == ["a.py"]
    assert data(called(git_add, mine, ["a.py"])) == {"added": ["a.py"], "staged": ["a.py"]}
    git(monorepo, "add", "-A")
    assert error(called(git_commit, mine, "Both"))[0] == "OutsideProject"


# -- names that mean more than a name


def test_names_are_taken_as_names(project: Path) -> None:
    work = repository(project, a_dot_py="a\n")
    organisation("profiles: [python-dev]")
    for name in (".env", "*", "b.py"):
        (work / name).write_text("PASSWORD=x\n")
    assert data(called(git_add, work, ["*"]))["staged"] == ["*"]
    assert error(called(git_add, work, [".env"]))[0] == "Denied"
    git(work, "add", "-f", ".env")
    assert error(called(git_commit, work, "Add it"))[0] == "Denied"
    assert [as_word(p) for p in ("-x", "--pdb", "@args", "a.py", ".x/y", "./-x")] == [
        "./-x", "./--pdb", "./@args", "a.py", ".x/y", "./-x",
    ]  # fmt: skip
    (work / "--collect-only").write_text("")
    place = place_of(work)
    assert _Target(place, place.layers(), str(work)).words("pytest", "./--collect-only") == ("./--collect-only",)


# -- links


def test_a_link_that_takes_a_files_place_is_not_followed(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("swordfish\n")
    (project / "a.md").write_text("# swordfish title\n")
    real = str(project / "a.md")
    assert code_files.data_of(real, 100) == b"# swordfish title\n"
    (project / "a.md").unlink()
    (project / "a.md").symlink_to(secret)
    for path in (real, str(project / "d/secret")):
        with pytest.raises(OSError):
            code_files.data_of(path, 100)
        (project / "d").unlink(missing_ok=True)
        (project / "d").symlink_to(tmp_path)
    assert code_files.text_in(str(project), "a.md") is None
    os.mkfifo(project / "pipe")
    with pytest.raises(OSError):
        code_files.data_of(str(project / "pipe"), 100)


# -- files that hold up a reader

_MB = 1 << 20
SLOW = {
    "open brackets": ("a.c", "a(\n" * (_MB // 3)),
    "blanks behind a bracket": ("a.c", "a()" + "\n" * _MB),
    "a heading of blanks": ("a.md", "# a" + " " * _MB + "b"),
    "receivers": ("a.go", "func (\n" * (_MB // 7)),
    "assignments": ("a.js", "a = (\n" * (_MB // 6)),
    "one long line": ("a.ts", "a " * (_MB // 2)),
    "branches": ("a.py", "if x:\n    pass\n" + "elif x:\n    pass\n" * 3000),
    "brackets in Python": ("b.py", "(" * 100_000),
}


@pytest.mark.parametrize("name, text", SLOW.values(), ids=SLOW)
def test_no_file_holds_up_the_index(name: str, text: str) -> None:
    """Each of these took minutes, or ended the thread: it would run into the limit of every test."""
    assert chunks(name, text)


def test_reports_that_grow(project: Path) -> None:
    laughs = '<!DOCTYPE x [<!ENTITY a "b">]>'
    assert junit(f"<?xml version='1.0'?><!--{'x' * 5000}-->{laughs}<testsuites/>") is None
    assert jest('{"a":\n' * 100_000) is None
    failed = '{"Action":"fail","Package":"p","Test":"T%d"}'
    report = go("\n".join(failed % n for n in range(2000)) + '\n{"Action":"fail","Package":"p"}')
    assert report is not None and report.failed == 2000 and len(report.failures) < 100


# -- what changes while a person thinks


@pytest.fixture
def remotes(project: Path, tmp_path: Path) -> tuple[Path, Path, Path]:
    work = repository(project, a_dot_py="a\n")
    bare = [tmp_path / "one.git", tmp_path / "two.git"]
    for one in bare:
        one.mkdir()
        git(one, "init", "-q", "--bare")
    git(work, "remote", "add", "origin", str(bare[0]))
    role("release_manager")
    return work, bare[0], bare[1]


def test_a_remote_that_moves_gets_nothing(remotes: tuple[Path, Path, Path]) -> None:
    work, one, two = remotes
    with person(Decision.ALLOW, first=lambda: git(work, "remote", "set-url", "origin", str(two))) as asked:
        assert data(called(git_push, work, "origin", "main", dry_run=False))["pushed"]
    assert git(one, "rev-parse", "main") == git(work, "rev-parse", "HEAD") and str(one) in asked[0].text
    assert git(two, "for-each-ref") == ""


def test_settings_that_run_a_program_stop_what_was_approved(remotes: tuple[Path, Path, Path]) -> None:
    work, one, _ = remotes
    with person(Decision.ALLOW, first=lambda: git(work, "config", "core.sshCommand", "evil")):
        code, said = error(called(git_push, work, "origin", "main", dry_run=False))
    assert code == "BaseChanged" and "something else by now" in said and git(one, "for-each-ref") == ""


def test_a_remote_with_two_addresses(remotes: tuple[Path, Path, Path]) -> None:
    """git sends to all of them, and asked would be about the first."""
    work, one, two = remotes
    for address in (one, two):
        git(work, "config", "--add", "remote.origin.pushurl", str(address))
    assert error(called(git_push, work, "origin", "main"))[0] == "AmbiguousRemote"


def test_a_secret_in_what_is_pushed_is_said(remotes: tuple[Path, Path, Path]) -> None:
    """It was taken out again, and is in the history all the same."""
    work, _, _ = remotes
    for text in ("token = 'ghp_" + "a1B2c3D4e5F6" * 3 + "'\n", "token = ''\n"):
        (work / "a.py").write_text(text)
        git(work, "commit", "-qam", "a change")
    with person(Decision.DENY) as asked:
        error(called(git_push, work, "origin", "main", dry_run=False))
    assert any("github-token" in line.reason and "a.py" in line.reason for line in asked[0].lines)


def test_a_lock_file_that_changes_after_the_yes_installs_nothing(project: Path) -> None:
    organisation("profiles: [node-dev]")
    lock = {"name": "a", "lockfileVersion": 3, "packages": {"": {"name": "a"}}}
    (project / "package.json").write_text('{"name": "a"}')
    (project / "package-lock.json").write_text(json.dumps(lock))
    repository(project)
    (project / "package-lock.json").write_text(json.dumps(lock, indent=1))

    def change() -> None:
        (project / ".npmrc").write_text("registry=https://evil.example\n")

    with person(Decision.ALLOW, first=change):
        assert error(called(install_dependencies, project, "npm"))[0] == "BaseChanged"
    assert not (project / "node_modules").exists()


# -- what answers show


def test_secrets_of_the_project_are_in_no_answer(project: Path) -> None:
    """A test that prints what stands in `.env`, a name in a commit, a file in a search."""
    value = "correct-Horse9-battery"
    (project / ".env").write_text(f"DB_PASSWORD={value}\n")
    (project / "setup.py").write_text("")
    code = f"import unittest\nclass A(unittest.TestCase):\n    def test_a(self): self.fail('{value}')\n"
    (project / "test_a.py").write_text(code)
    repository(project)
    (project / "test_a.py").write_text(f"{code}\n# {value}\n")
    organisation("profiles: [python-dev]")
    index_of(place_of(project)).refresh(60)
    looks: list[tuple[Tool, tuple[Any, ...]]] = [
        (run_test, ("test_a.py",)),
        (git_diff, ()),
        (search_knowledge, ("test a",)),
        (search_file, ("test_a.py", "fail")),
        (read_file, ("test_a.py",)),
    ]
    for tool, given in looks:
        told = json.dumps(called(tool, project, *given))
        assert value not in told and "<redacted:" in told, tool.__name__


def test_what_an_answer_shows_the_session_has_seen(project: Path) -> None:
    """A file that was written after a stranger's page was read labels whoever reads it, by whatever tool."""
    repository(project, notes_dot_md="# Strange notes\n\nT-1\n", status_dot_md="- [ ] T-1 strange\n")
    for name in ("notes.md", "status.md"):
        (project / name).write_text((project / name).read_text() + "strange\n")
        path = str(project / name)
        labels.note_files(str(project), (LabelledFile(path, "written after a page was read", 1.0, "other", False),))
    index_of(place_of(project)).refresh(60)
    looks: list[tuple[Tool, tuple[Any, ...]]] = [
        (search_knowledge, ("strange notes",)),
        (get_task_context, ("T-1",)),
        (git_diff, ()),
        (read_file, ("notes.md",)),
    ]
    for number, (tool, given) in enumerate(looks):
        session = f"session-{number}"
        place = place_of(project)
        tool(type(place)(place.project, place.cwd, session), *given)
        seen: tuple[Label, ...] = labels.seen(session)
        assert any(label.kind == "untrusted" for label in seen), tool.__name__


def test_a_flood_of_calls_is_answered(project: Path) -> None:
    """Many at once, of a kind that asks nobody: each gets its own answer."""
    repository(project, a_dot_py="a\n")
    told: list[str] = []
    threads = [threading.Thread(target=lambda: told.append(called(git_status, project)["status"])) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["success"] * 12
