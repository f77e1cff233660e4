"""A directory that is copied, moved or linked brings its files to places where tools obey them."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    assert judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision == wanted
