"""A directory that is copied, moved or linked brings its files to places where tools obey them."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.files import carried
from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK = Decision.ALLOW, Decision.ASK


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("mv drafts .github", ASK),
        ("cp -r drafts .github", ASK),
        ("cp -r dra* .github", ASK),
        ("cp -rT drafts venv", ASK),
        ("rsync -a drafts/ gradle/", ASK),
        ("ln -s drafts alembic", ASK),
        ("git mv drafts venv", ASK),
        ("mv -t .github drafts/workflows", ASK),
        ("cp -r drafts docs", ASK),  # docs/conf.py, or docs/drafts/conf.py
        ("mv drafts lib2 && mv lib2 .github", ASK),
        ("mkdir -p new/workflows && echo x > new/workflows/a.yml && mv new .github", ASK),
        ("mv drafts other", ALLOW),
        ("cp -r drafts backup", ALLOW),
        ("mv src lib", ALLOW),
        ("cp -r src docs", ALLOW),
        ("cp -r .github copied", ALLOW),
    ],
)
def test_what_a_directory_brings_counts(project: Path, command: str, wanted: Decision) -> None:
    for name in ("workflows/ci.yml", "bin/python", "wrapper/gradle-wrapper.jar", "env.py", "conf.py"):
        (project / "drafts" / name).parent.mkdir(parents=True, exist_ok=True)
        (project / "drafts" / name).write_text("x\n")
    for name in ("src/a.py", ".github/workflows/b.yml"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x\n")
    assert _decision(project, command) == wanted


def _decision(project: Path, command: str) -> Decision:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    return judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision


@pytest.mark.parametrize("command", ["cp -r {} vendor", "cp -r {}/. src", "rsync -a {}/ src/", "gcp -r {} vendor"])
@pytest.mark.parametrize(
    "brought", ["conftest.py", ".claude/settings.json", "lib/.git/config", ".mcp.json", "package.json"]
)
def test_what_comes_from_outside_was_not_obeyed_before(
    project: Path, tmp_path: Path, command: str, brought: str
) -> None:
    (tmp_path / "outside" / brought).parent.mkdir(parents=True)
    (tmp_path / "outside/notes.txt").write_text("x\n")
    assert _decision(project, command.format(tmp_path / "outside")) == ALLOW
    (tmp_path / "outside" / brought).write_text("x\n")
    assert _decision(project, command.format(tmp_path / "outside")) == ASK
    assert _decision(project, f"tar -czf out.tgz {tmp_path}/outside") == ALLOW  # stays an archive


def test_too_many_files_to_look_at_are_asked_about(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (project / "drafts", tmp_path / "outside"):
        for number in range(4):
            (folder / str(number)).mkdir(parents=True)
            (folder / str(number) / "a.txt").write_text("x\n")
    asked = ("mv drafts .github", f"cp -r {tmp_path}/outside vendor")
    passes = ("mv drafts other", "cp -r drafts backup")
    assert [_decision(project, c) for c in (*asked, *passes)] == [ALLOW] * 4
    monkeypatch.setattr(carried, "MAX_FILES", 2)
    assert [_decision(project, c) for c in (*asked, *passes)] == [ASK, ASK, ALLOW, ALLOW]
