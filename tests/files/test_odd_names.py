"""Names that are more than names to whoever is given them: options, files of words, several words, patterns."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.knowledge.programs import RESPONSE_FILES
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers
from tests.tools.rows import every_row

ALLOW, ASK = Decision.ALLOW, Decision.ASK


@pytest.fixture
def tree(project: Path) -> Path:
    for name in ("notes.txt", "src/a.py", "docs/b.md", "-components/c.tsx"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x\n")
    return project


def decision(project: Path, command: str) -> Decision:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    return judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision


def made(project: Path, name: str) -> None:
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text("x\n")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("cd src && file *", ASK),
        ("cd src; git ls-files | xargs file", ASK),
        ("cd src; ls | xargs -n1 wc", ASK),
        ("cd src && rg -l x | xargs file", ASK),
        ("ls src | xargs file", ASK),
        ("ls s* | xargs file", ASK),
        ('cd src && for f in *; do file "$f"; done', ASK),
        ('cd src && for f in $(git ls-files); do file "$f"; done', ASK),
        ('cd src && ls | while read -r f; do file "$f"; done', ASK),
        ("cd src && [ * ]", ASK),
        ("cd src && file -- *", ALLOW),
        ("cd src && file ./*", ALLOW),
        ("cd src && find . -type f | xargs file", ALLOW),
        ("cd src && ls *", ALLOW),
        ("cd src && file *.py", ALLOW),
        ("file src/*", ALLOW),
        ("git ls-files | xargs file", ASK),  # `-components`
        ("git ls-files docs | xargs file", ALLOW),
    ],
)
def test_a_name_may_be_an_option(tree: Path, command: str, wanted: Decision) -> None:
    if wanted == ASK and "-components" not in command and command.startswith(("cd", "ls")):
        assert decision(tree, command) == ALLOW
    made(tree, "src/-f.env")
    assert decision(tree, command) == wanted


def test_a_name_that_the_same_text_makes(tree: Path) -> None:
    assert decision(tree, "cd src && touch ./-f.env && file *") == ASK
    assert decision(tree, "cd src && touch x.env && file *") == ALLOW


def test_a_name_may_be_a_file_of_words(tree: Path) -> None:
    assert decision(tree, "cd docs && strings *") == ALLOW
    made(tree, "docs/@.env")
    assert decision(tree, "cd docs && strings *") == ASK
    assert decision(tree, "cd docs && wc *") == ALLOW
    rows = (row.tool for row in every_row())
    takes = {t.name for t in rows if t.reading.response_files and t.allowed and not t.profile}
    assert takes & set(RESPONSE_FILES) and {"strings", "nm", "objdump", "readelf"} <= takes & RESPONSE_FILES


@pytest.mark.parametrize("name", ["docs/x -o -v a[1]", "docs/x .env", "docs/.?/.aws/c*", "docs/.e*"])
def test_a_name_may_be_others(tree: Path, name: str) -> None:
    commands = ("for f in docs/*; do cat $f; done", "cat $(ls docs)", "head $(git ls-files docs)")
    assert [decision(tree, one) for one in commands] == [ALLOW] * 3
    made(tree, name)
    assert [decision(tree, one) for one in commands] == [ASK] * 3
    assert decision(tree, 'for f in docs/*; do cat "$f"; done') == ALLOW


def test_names_of_pages_are_names(tree: Path) -> None:
    made(tree, "docs/[...slug]/[id].tsx")
    assert decision(tree, "for f in docs/*; do cat $f; done") == ALLOW
    assert decision(tree, "cat $(git ls-files docs)") == ALLOW
