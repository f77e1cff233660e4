"""Reasons that a person reads name the cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.model import Decision
from askfirst.policy.rules import Layers
from askfirst.report.rejudge import case_of
from askfirst.shell.environment import passed_on
from tests.approval.support import request


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("PGPASSWORD", "is a credential"),
        ("AWS_SECRET_ACCESS_KEY", "is a credential"),
        ("API_KEY", "is a credential"),
        ("SHOP_TOKEN", "is a credential"),
        ("PIP_KEYRING_PROVIDER", "run or load other code"),
        ("GIT_CONFIG_KEY_0", "run or load other code"),
        ("GIT_ASKPASS", "run or load other code"),
        ("NODE_OPTIONS", "run or load other code"),
    ],
)
def test_why_a_variable_is_asked_for(name: str, words: str) -> None:
    assert words in passed_on(name, "x")


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        ("long.txt new.txt", Decision.ALLOW),
        ("long.txt sub", Decision.ALLOW),
        ("sub/conftest.py .", Decision.ASK),
        ("sub/* .", Decision.ASK),
        ("long.txt /etc/x", Decision.ASK),
        ("long.txt .claude/settings.json", Decision.DENY),
        ("settings.json .claude", Decision.DENY),
        (".claude/settings.json x", Decision.DENY),
    ],
)
@pytest.mark.parametrize("program", ["mv", "git mv"])
def test_a_move_is_judged_alike_with_and_without_git(
    program: str, words: str, decision: Decision, project: Path
) -> None:
    (project / "long.txt").write_text("line\n" * 400)
    (project / "sub").mkdir()
    (project / "sub" / "conftest.py").touch()
    case = case_of(request(f"{program} {words}", project), Layers(str(project)))
    assert case.verdict.decision == decision, case.verdict.reason
    assert "lost" not in case.verdict.reason


def test_what_is_written_is_told_before_the_directory_it_goes_to(project: Path, tmp_path: Path) -> None:
    (project / "a.txt").touch()
    out = tmp_path / "out"
    for target, first in ((out, out), (out / "b.txt", out / "b.txt")):
        assert (
            f"writes {first}," in case_of(request(f"mv a.txt {target}", project), Layers(str(project))).verdict.reason
        )
    out.mkdir()
    assert f"writes {out}/a.txt," in case_of(request(f"mv a.txt {out}", project), Layers(str(project))).verdict.reason
