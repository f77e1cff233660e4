"""The tables of syntax: what each construct runs, writes, and what of it cannot be known."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.model import Command, Read, Unknown, Word, Write
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings
from tests import mutants

CASES = Path(__file__).parent.parent / "cases"
HOME = "/nonexistent-home"


def load(name: str) -> list[Any]:
    loaded = yaml.safe_load((CASES / name).read_text(encoding="utf-8"))
    assert isinstance(loaded, list)
    return loaded


def rows(name: str) -> list[Any]:
    return [pytest.param(row, id=f"{k}: {row['run'][:50]!r}") for k, row in enumerate(load(name))]


def around(project: Path) -> Surroundings:
    (project / "d1").mkdir()
    (project / "l1").symlink_to("d1")
    programs = project.parent / "bin"
    programs.mkdir()
    (programs / "p1").touch(mode=0o755)
    return Surroundings(str(project), str(project), HOME, (str(programs),))


@pytest.fixture
def surroundings(project: Path) -> Surroundings:
    return around(project)


def shown(words: tuple[Word, ...]) -> str:
    return " ".join(w.value if w.value is not None else "?" + w.prefix for w in words)


@pytest.mark.parametrize(
    "row", rows("shell_syntax.yaml") + rows("shell_certainty.yaml") + rows("shell_regressions.yaml")
)
def test_row(row: dict[str, Any], surroundings: Surroundings) -> None:
    holds(row, surroundings)


@pytest.mark.parametrize("row", rows("shell_zsh.yaml"))
def test_row_for_zsh(row: dict[str, Any], surroundings: Surroundings) -> None:
    holds(row, replace(surroundings, shell="zsh"))


@pytest.mark.parametrize("row", rows("shell_sh.yaml"))
def test_row_for_sh(row: dict[str, Any], surroundings: Surroundings) -> None:
    holds(row, replace(surroundings, shell="sh"))


# How a text reaches another shell than the agent's own, which then reads it otherwise.
CARRIERS = (
    "sh -c TEXT",
    "/bin/sh -ec TEXT",
    "dash -c TEXT",
    "busybox sh -c TEXT",
    "busybox ash -c TEXT",
    "env sh -c TEXT",
    "bash -c 'sh -c \"$0\"' TEXT",
    "find . -exec sh -c TEXT ';'",
    "echo a | xargs sh -c TEXT",
    "printf '%s' TEXT | sh",
    "sh <<< TEXT",
    "timeout 5 sh -c TEXT",
    "flock f -c TEXT",
    "watch TEXT",
    "hyperfine TEXT",
    "script -c TEXT /dev/null",
    "tar cf a.tar -I TEXT d1",
    "tar xf a.tar --to-command=TEXT",
    "split --filter=TEXT in1",
    "strace -o '|'TEXT ls",
    "ssh host TEXT",
    "ksh -c TEXT",
    "fish -c TEXT",
)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_what_another_shell_reads_otherwise_is_not_known(carrier: str, surroundings: Surroundings) -> None:
    for text in ("echo $'a\\' ; sudo id #'", "[[ a ]]"):
        facts = analyze(carrier.replace("TEXT", shlex.quote(text)), surroundings)
        assert any(isinstance(f, Unknown) for f in facts)


@pytest.mark.parametrize("login, known", [("", True), ("zsh", True), ("mksh", True), ("fish", False), ("tcsh", False)])
def test_the_login_shell_counts(login: str, known: bool, surroundings: Surroundings) -> None:
    facts = analyze("flock f -c 'c1 > \"$x\"'", replace(surroundings, login_shell=login))
    assert known is not any(isinstance(f, Unknown) and f.what == "syntax" for f in facts)


def holds(row: dict[str, Any], surroundings: Surroundings) -> None:
    facts = analyze(row["run"], surroundings)
    unknown = {f.what for f in facts if isinstance(f, Unknown)}
    assert unknown == set(row.get("unknown", [])), facts
    commands = [f for f in facts if isinstance(f, Command)]
    wanted = [c.replace("HOME", HOME).replace("PWD", surroundings.cwd) for c in row.get("commands", [])]
    assert sorted(shown(c.argv) for c in commands) == sorted(wanted)
    written = {f.path for f in facts if isinstance(f, Write)}
    assert written == {p and os.path.normpath(os.path.join(surroundings.project, p)) for p in row.get("writes", [])}
    for name, where in row.get("where", {}).items():
        wanted_place = where and os.path.normpath(os.path.join(surroundings.project, where))
        assert {c.cwd for c in commands if c.name == name} == {wanted_place}
    for name, flags in row.get("many", {}).items():
        assert [w.many for c in commands if c.name == name for w in c.argv[1:]] == flags
    if "functions" in row:
        assert {c.name for c in commands if c.action.rule == "function"} == set(row["functions"])
    for kind, words in row.get("words", {}).items():
        assert [list(f.words) for f in facts if isinstance(f, Unknown) and f.what == kind] == [words]
    if "reads" in row:
        assert {f.text for f in facts if isinstance(f, Read)} == set(row["reads"])
    if "content" in row:
        contents = {f.text: None if f.content is None else f.content.decode() for f in facts if isinstance(f, Write)}
        assert contents == row["content"]
    for fact in facts:
        if isinstance(fact, Unknown) and fact.what in ("syntax", "hidden command") and "sudo" in row["run"]:
            assert "sudo" in fact.words


MANY = [
    '"${x:-$@}"',
    '"${y:-${z-$@}}"',
    '"${x[@]:0}"',
    '"${x[@]#z}"',
    '"${x[@]/a/b}"',
    '"${x[@]@Q}"',
    '"${@:1}"',
    '"a$@b"',
    '"${!x@}"',
    '"${x:+${y[@]}}"',
]
ONE = ['"$*"', '"${*:1}"', '"${x[*]}"', '"${x[*]:1}"', '"${#x[@]}"', '"${x:-a b}"', '"$x"']


@pytest.mark.parametrize("word", MANY + ONE)
def test_many(word: str, surroundings: Surroundings) -> None:
    """Quotes do not make one word of `$@` and its kin, wherever it stands."""
    argv = next(f.argv for f in analyze(f"c1 {word}", surroundings) if isinstance(f, Command))
    assert argv[1].value is None
    assert argv[1].many == (word in MANY)


WHERE = {
    "case x in x) cd d1;;& $(c1)) c2; esac": None,  # a pattern that is tried behind a body with `cd`
    "cd d1; c1": "d1", "cd -- d1; c1": "d1", "cd -P d1; c1": "d1",
    "for x in a; do c1; {cd,d1}; done": None,
    "echo $((1/0)); cd d1\nc1": None, "cd d1; echo $((1/0))\nc1": "d1", "echo $((1/0)) | cat; cd d1\nc1": "d1",
    "cd d1/missing/..; c1": None, "cd d1/../d1; c1": "d1", "cd d1/.; c1": "d1",
    "cd d1 --; c1": None, "cd d1 -P; c1": None, "cd d1 d2; c1": None,  # too many arguments: the directory stays
}  # fmt: skip


@pytest.mark.parametrize("text", WHERE)
def test_where(text: str, surroundings: Surroundings, tmp_path: Path) -> None:
    """The directory of a program behind a `cd`, or None where it is not certain."""
    place = replace(surroundings, cwd=str(tmp_path), project=str(tmp_path))
    (tmp_path / "d1").mkdir()
    wanted = WHERE[text] and str(tmp_path / "d1")
    assert [f.cwd for f in analyze(text, place) if isinstance(f, Command) and f.name == "c1"] == [wanted]


def test_what_agents_write_is_understood(surroundings: Surroundings) -> None:
    scripts = yaml.safe_load((CASES / "shell_agents.yaml").read_text(encoding="utf-8"))
    kinds = ("syntax", "expansion", "function", "too long", "internal")
    odd = {s: f.why for s in scripts for f in analyze(s, surroundings) if isinstance(f, Unknown) and f.what in kinds}
    assert len(scripts) > 180
    assert odd == {}


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("module", mutants.MODULES)
def test_every_mutant_is_noticed(module: str) -> None:
    ran = subprocess.run([sys.executable, "-m", "tests.mutants", module], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
