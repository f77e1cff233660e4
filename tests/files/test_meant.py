"""A pattern, or a whole directory, stands for what lies there: files that tools obey, and links that lead elsewhere."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from askfirst.files.head import tracked_links, tracked_odd
from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK = Decision.ALLOW, Decision.ASK


@pytest.fixture
def tree(project: Path, tmp_path: Path) -> Path:
    for name in ("src/conftest.py", "src/a.py", "lib/b.py", "lib/c.py", "docs/a.txt", "pages/p.txt", "web/x.config.js"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x = 1\n")
    (project / "docs/e.txt").symlink_to("/proc/self/environ")
    (project / "docs/deep").mkdir()
    (project / "docs/deep/k").symlink_to(Path.home() / ".ssh")
    (project / "pages/q.txt").symlink_to("p.txt")
    (project / "pages/out.txt").symlink_to(tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    return project


def decision(project: Path, command: str) -> Decision:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    return judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("true; cp lib/b.py src/*.py", ASK),
        ("tee src/*.py < lib/b.py", ASK),
        ('for f in src/*.py; do cp lib/b.py "$f"; done', ASK),
        ('for f in src/*; do sed -i s/a/b/ "$f"; done', ASK),
        ("true; cp lib/b.py s*/*.py", ASK),
        ("true; tee web/*.js", ASK),
        ("true; tee */*.{js,ts}", ASK),
        ('for d in src/*; do cp lib/b.py "$d/conftest.py"; done', ASK),
        ('for d in lib/*; do cp lib/b.py "${d}/package.json"; done', ASK),
        ("for f in lib/*; do cp a.txt $f.md; done", ALLOW),
        ('for f in lib/*.py; do sed -i s/a/b/ "$f"; done', ALLOW),
        ("true; tee lib/*.py", ALLOW),
    ],
)
def test_what_a_pattern_writes_counts(tree: Path, command: str, wanted: Decision) -> None:
    assert decision(tree, command) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("true; cat docs/*.txt", ASK),
        ("cat docs/*/*", ASK),
        ('for f in docs/*.txt; do cat "$f"; done', ASK),
        ("find docs -name '*.txt' -exec cat {} +", ASK),
        ("git ls-files | xargs cat", ASK),
        ("grep -R x docs", ASK),
        ("rg -L x docs", ASK),
        ("rg --follow x", ASK),
        ("tar chf - docs", ASK),
        ("zip -r x.zip docs", ASK),
        ("cp -rL docs pages/d", ASK),
        ("diff -r docs pages", ASK),
        ("true; cat pages/*.txt", ALLOW),
        ("grep -R x pages", ALLOW),
        ("find docs -name '*.md' -exec cat {} +", ALLOW),
        ("true; cat lib/*.py", ALLOW),
        ("ls docs/*", ALLOW),
        ("wc -l docs/a.txt", ALLOW),
    ],
)
def test_what_a_link_leads_to_is_read(tree: Path, command: str, wanted: Decision) -> None:
    assert decision(tree, command) == wanted


def test_links_are_found_in_the_index(tree: Path) -> None:
    wanted = {tree / name for name in ("docs/e.txt", "docs/deep/k", "pages/q.txt", "pages/out.txt")}
    assert set(map(Path, tracked_links(str(tree)))) == wanted
    subprocess.run(["git", "add", "--intent-to-add", "-f", "."], cwd=tree, check=True)
    (tree / "pages/late.txt").symlink_to("p.txt")
    subprocess.run(
        ["git", "add", "--intent-to-add", "pages/late.txt"], cwd=tree, check=True
    )  # an entry with more flags
    assert str(tree / "pages/late.txt") in tracked_links(str(tree))
    (tree / ".git/index").write_bytes(b"\0\0\xa0\0")
    assert tracked_links(str(tree)) == []
    assert tracked_links("/") == []


@pytest.mark.parametrize(
    "name", ["a -f .env b.md", "x /etc/shadow y.md", "a .env b.md", "a\nid_rsa\nb.md", "a .e* b.md"]
)
def test_a_name_may_be_several_in_a_list(tree: Path, name: str) -> None:
    listing = "find . -name '*.md' | xargs cat"
    assert decision(tree, listing) == ALLOW
    if "\n" not in name:
        assert decision(tree, f'touch "{name}"') == ASK
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("x")
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    assert tracked_odd(str(tree)) == [name]
    assert decision(tree, listing) == ASK
    assert decision(tree, "head -3 $(git ls-files '*.md')") == ASK
    assert decision(tree, "git ls-files '*.md' | xargs wc -l") == ASK
    assert decision(tree, "cat docs/a.txt") == ALLOW


def test_a_name_with_blanks_is_a_name(tree: Path) -> None:
    for name in ("My Notes.md", "a - b.md", "2024 -- plan.md", "a & b.txt"):
        assert decision(tree, f'touch "{name}"') == ALLOW
        (tree / name).write_text("x")
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    assert decision(tree, "find . -name '*.md' | xargs cat") == ALLOW
