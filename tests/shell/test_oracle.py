"""Real bash, zsh, dash and ash agree: whatever ran or was written is in the facts, or the analysis said Unknown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.shell import common, environment, evaluate, syntax
from askfirst.shell.reading import script
from askfirst.shell.survey import naming
from askfirst.shell.survey.variables import Variables
from askfirst.shell.walk import Walk, calls, redirections
from askfirst.shell.walk.state import State
from tests.shell import oracle
from tests.shell.oracle import Result, check

SCRIPTS = 5000
PARTS = 10
ZSH_SCRIPTS = 500
SH_SCRIPTS = 2000


def judged(first: int, last: int, directory: Path, shell: str = "bash") -> Result:
    result = check((first, last), str(directory.resolve()), shell)
    assert not result.violations, "\n".join(f"seed {s}: {why}\n    {text!r}" for s, text, why in result.violations)
    return result


@pytest.mark.parametrize("part", range(PARTS))
def test_bash_agrees(part: int, tmp_path: Path) -> None:
    size = SCRIPTS // PARTS
    result = judged(part * size, (part + 1) * size, tmp_path)
    # An analysis that always says Unknown would agree with bash, too.
    assert result.accepted > 0.45 * result.run
    assert result.allowed > 0.12 * result.run
    assert result.plain > 0.08 * result.run


@pytest.mark.needs("zsh")
def test_zsh_agrees(tmp_path: Path) -> None:
    result = judged(0, ZSH_SCRIPTS, tmp_path, "zsh")
    assert result.accepted > 0.35 * result.run


EVERY_SH = pytest.mark.parametrize(
    "shell",
    [
        "sh",
        pytest.param("dash", marks=pytest.mark.needs("dash")),
        pytest.param("ash", marks=pytest.mark.needs("busybox")),
    ],
)


@pytest.mark.parametrize("part", range(4))
@EVERY_SH
def test_every_sh_agrees(shell: str, part: int, tmp_path: Path) -> None:
    size = SH_SCRIPTS // 4
    result = judged(part * size, (part + 1) * size, tmp_path, shell)
    assert result.accepted > 0.4 * result.run
    assert result.allowed > 0.15 * result.run


# What dash or ash would run if the analysis took bash's word for it.
@pytest.mark.parametrize(
    "shell, weak, script",
    [
        pytest.param("dash", "difference", "c1 $'a\\'; c6 #'", marks=pytest.mark.needs("dash")),
        pytest.param("dash", "difference", "[[ a || c6 ]]", marks=pytest.mark.needs("dash")),
        pytest.param("dash", "of_builtin", "cd -e d1; c1 > f5", marks=pytest.mark.needs("dash")),
        pytest.param("ash", "difference", "c1 >&1-", marks=pytest.mark.needs("busybox")),
        pytest.param("ash", "of_builtin", "cd -e d1; c1 > f5", marks=pytest.mark.needs("busybox")),
    ],
)
def test_a_hole_for_sh_is_seen(
    shell: str, weak: str, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "scripts", lambda first, last, sh: [(0, script)])
    assert not check((0, 1), str(tmp_path.resolve() / "sound"), shell).violations
    monkeypatch.setattr(common, weak, lambda *_: "")
    assert check((0, 1), str(tmp_path.resolve() / "weak"), shell).violations


# Holes that the oracle must see: what is weakened, by what, and a script that shows it.
HOLES: dict[str, tuple[Any, str, Callable[[Any], Any], str]] = {
    "hazards are dropped": (Walk, "hazards", lambda old: lambda self, hazards: None, "x='a[$(c6)]'; (( x ))"),
    "variables hold numbers": (
        Variables,
        "is_number",
        lambda old: lambda self, name: True,
        "x='a[$(c6)]'; c1 $((x))",
    ),
    "names are set once": (
        Variables,
        "is_constant",
        lambda old: lambda self, name: name in self.times,
        "x=5; (( x++ )); c1 f$x",
    ),
    "writes by >> are dropped": (redirections, "write", lambda old: lambda *_: None, "c1 >> f1"),
    "cd is not followed": (calls, "move", lambda old: lambda *_: False, "cd d1; c1"),
    "branches always run": (State, "join", lambda old: lambda self, *_: None, "x=5; c1 && cd d1; c2"),
    "patterns stand for themselves": (evaluate, "has_pattern", lambda old: lambda *_: False, "c1 in*"),
    "braces stand for themselves": (evaluate, "brace_words", lambda old: lambda word, certain: None, "c1 {a,b}"),
    "braces name no builtin": (
        naming,
        "plain_text",
        lambda old: syntax.literal_text,
        "x=f2; read {x,y} <<< 'f9 a'; c1 > $x",
    ),
    "nothing is closed": (
        redirections,
        "may_fail",
        lambda old: lambda walk, redirect: False,
        "{ cd d1 2>&1; c1 > f; } >&-",
    ),
    "heredocs go on in a substitution": (
        script,
        "is_one_command",
        lambda old: lambda script: True,
        "c5 a$(c5 <<E\ntext\nE\nc6; c4 42)b",
    ),
    "the environment is ignored": (environment, "kept", lambda old: lambda *_: "", "PATH=a; c1"),
}


@pytest.mark.parametrize("hole", HOLES)
def test_a_planted_hole_is_seen(hole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, weaken, script = HOLES[hole]
    monkeypatch.setattr(oracle, "scripts", lambda first, last: [(0, script)])
    assert not check((0, 1), str(tmp_path.resolve() / "sound")).violations
    monkeypatch.setattr(where, name, weaken(getattr(where, name)))
    assert check((0, 1), str(tmp_path.resolve() / "weak")).violations


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(100))
def test_bash_agrees_on_a_million(part: int, tmp_path: Path) -> None:
    judged(10_800 * part, 10_800 * (part + 1), tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(10))
@EVERY_SH
def test_every_sh_agrees_on_a_hundred_thousand(shell: str, part: int, tmp_path: Path) -> None:
    judged(10_800 * part, 10_800 * (part + 1), tmp_path, shell)
