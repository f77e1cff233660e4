"""An editor that takes its names from a lister: they are those that lie below the directory in the command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request, Write
from askfirst.policy.case import Case
from askfirst.policy.rules import Layers

pytestmark = pytest.mark.usefixtures("project")

LOOP = "while read -r f; do sed -i 's/a/b/' \"$f\"; done"


def case(folder: Path, command: str) -> Case:
    request = Request("claude", "s", str(folder), str(folder), "Bash", {"command": command})
    return judged(request, Layers(str(folder), home=os.environ["HOME"]))


def decision(folder: Path, command: str) -> Decision:
    return case(folder, command).verdict.decision


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("src/a.ts", "src/deep/b.ts", "src/c.md", "app/[slug]/page.tsx", "lib/x.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "rg -l X src | xargs sed -i 's/a/b/g'",
        "grep -rl X src lib | xargs -r sed -i 's/a/b/g' && git status",
        "grep -rl --include='*.ts' X src/ | sort | xargs sed -i -e 's|a|b|' 2>/dev/null",
        "find src -name '*.ts' -type f | xargs sed -i 's/a/b/'",
        "cd src && find deep -name '*.ts' | xargs sed -i 's/a/b/'",
        f"find src -name '*.ts' | {LOOP}",
        f"find src -name '*.ts' | xargs grep -l X | grep -v old | {LOOP}",
        f"rg --files -g '*.ts' src | rg -v old | xargs -r rg -l X | {LOOP}; npm --version",
        'rg -l X src | while read file; do\n  echo "Updating: $file"\n  sed -i \'s|a|b|g\' "$file"\ndone',
        f"rg -l X src | {LOOP} 2>&1 | head -5",
        "for f in $(grep -rl X src); do sed -i 's/a/b/' $f; done",
        "for f in $(find src -name '*.ts'); do echo $f; sed -i 's/a/b/' \"$f\"; done",
        "rg -l X app | xargs sed -i 's/a/b/g'",
        "rg -l X nowhere | xargs sed -i 's/a/b/g'",
        "git ls-files src | xargs sed -i.bak 's/a/b/'",
        "rg -l X src | xargs -I{} sed -i 's/a/b/' {}",
        "rg -l X src | xargs sed -i '' -e 's/a/b/;s/c/d/g'",
    ],
)
def test_an_edit_inside_the_project(command: str, root: Path) -> None:
    assert decision(root, command) == Decision.ALLOW


def test_the_names_are_those_that_fit(root: Path) -> None:
    facts = case(root, "find src -name '*.ts' | xargs sed -i 's/a/b/'").facts
    paths = {fact.path for fact in facts if isinstance(fact, Write)}
    assert paths == {f"{root}/src/a.ts", f"{root}/src/deep/b.ts"}


@pytest.mark.parametrize("name", ["conftest.py", ".env", ".envrc", ".claude/settings.json", "package.json"])
def test_what_is_obeyed_lies_there(name: str, root: Path) -> None:
    (root / "src" / name).parent.mkdir(exist_ok=True)
    (root / "src" / name).write_text("a\n")
    assert decision(root, "rg -l X src | xargs sed -i 's/a/b/g'") != Decision.ALLOW
    assert decision(root, f"grep -rl X src | {LOOP}") != Decision.ALLOW
    assert decision(root, "find src -name '*.ts' | xargs sed -i 's/a/b/g'") == Decision.ALLOW


@pytest.mark.parametrize("name", ["a b.ts", "a\n.env", "it's.ts", 'q".ts', "back\\slash", "-rf", "s*r.ts", ".[.]/x.ts"])
def test_a_name_that_is_taken_apart(name: str, root: Path) -> None:
    (root / "src" / name).parent.mkdir(exist_ok=True)
    (root / "src" / name).write_text("a\n")
    for command in ("rg -l X src | xargs sed -i 's/a/b/g'", f"grep -rl X src | {LOOP}"):
        assert decision(root, command) == Decision.ASK


def test_a_link_below_asks(root: Path) -> None:
    os.symlink("/etc", root / "src/there")
    assert decision(root, "rg -l X src | xargs sed -i 's/a/b/g'") == Decision.ASK


@pytest.mark.parametrize(
    "command",
    [
        "rg -l X | xargs sed -i 's/a/b/g'",
        "find . -name '*.ts' | xargs sed -i 's/a/b/g'",
        "find .. -name '*.ts' | xargs sed -i 's/a/b/g'",
        "find /etc -name '*.ts' | xargs sed -i 's/a/b/g'",
        "rg -l X $dir | xargs sed -i 's/a/b/g'",
        "cat names | xargs sed -i 's/a/b/g'",
        "touch 'src/a b'; rg -l X src | xargs sed -i 's/a/b/g'",
        "npm test; rg -l X src | xargs sed -i 's/a/b/g'",
        "rg -l X src | tee 'src/a b' | xargs sed -i 's/a/b/g'",
        "rg -l X src | xargs sed -i 's/a/b/w out'",
        "rg -l X src | xargs sed -i 's/a/b/wout'",
        "rg -l X src | xargs sed -i'/etc/*' 's/a/b/'",
        "rg -l X src | xargs sed -i 's/a/b/e'",
        "rg -l X src | while read f; do touch 'src/a b'; sed -i 's/a/b/' \"$f\"; done",
        "rg -l X src | while read f; do sed -i 's/a/b/' \"$f\"; echo x > 'src/a b'; done",
        "rg -l X src | while read f; do sed -i 's/a/b/' \"../$f\"; done",
        f"rg -l X src | {LOOP} | tee 'src/a b'",
        f"rg -l X src | {LOOP} & touch 'src/a b'",
        f"find src | xargs rg -l X | {LOOP}",
        f"find src | xargs grep -rl X | {LOOP}",
        f"find src | xargs cat | {LOOP}",
        'rg -l X src | xargs sed -i "$(cat x)"',
        "bash -c \"touch x; rg -l X src | xargs sed -i 's/a/b/g'\"",
        "rg -l X src | xargs rm",
        'for f in $(rg -l X src); do sed -i "$f" x; done',
        'for f in $(rg -l X src); do sed -i "s/a/$f" x; done',
        'for f in $(rg -l X src); do sed -i "s/a/$f"; done',
        'for f in $(rg -l X src); do sed -i -e "$f" x; done',
        'for f in $(rg -l X src); do sed -i -l 5 "$f"; done',
        "rg -l X src | xargs -I{} sed -i s/a/{}",
        "rg -l X src | xargs -I{} sed -i {} x",
        "rg -l X src | xargs sed -i",
        "rg -l X src | xargs sed -i -f",
        "rg -l X src | xargs sed -i -e",
        "rg -l X src | xargs -I{} cp {} /etc",
        "rg -l X src | xargs -n1 python",
    ],
)
def test_what_is_not_known_asks(command: str, root: Path) -> None:
    assert decision(root, command) != Decision.ALLOW


def test_too_many_ask(root: Path) -> None:
    for number in range(101):
        (root / f"src/{number}.ts").write_text("a\n")
    assert decision(root, "rg -l X src | xargs sed -i 's/a/b/g'") == Decision.ASK
