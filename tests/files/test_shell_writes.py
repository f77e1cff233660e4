"""Writes made by shell commands meet the rules of the file tools: no mode, no redirection and no detour replaces a file
silently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from askfirst.gate import facts_of
from askfirst.model import Decision, Request, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings

if TYPE_CHECKING:
    from askfirst.model import Fact

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
BIG = "".join(f"def f{i}():\n    return {i}\n\n" for i in range(90))


@pytest.fixture
def here(project: Path) -> Path:
    (project / "src").mkdir()
    (project / "build").mkdir()
    for name in ("big.py", "app.log", "build/out.js"):
        (project / name).write_text(BIG)
    (project / "small.py").write_text("x = 1\n")
    return project


def facts(project: Path, command: str) -> tuple[Fact, ...]:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command}, mode="bypassPermissions")
    return facts_of(request, Settings())


def rule_of(project: Path, command: str) -> str:
    """The rule that asked for a file, "" when the command is allowed, "other" when something else decided."""
    verdict = judge(facts(project, command), Layers(str(project), home="/home/u"))
    if verdict.decision == Decision.ALLOW:
        return ""
    return next(
        (f.origin.rule for f in verdict.findings if f.decision == Decision.ASK and isinstance(f.fact, Write)), "other"
    )


def test_a_small_patch_keeps_the_rest_of_a_file(here: Path) -> None:
    few = [f"-def f{i}():\n-    return {i}\n-\n" for i in range(5)]
    many = [f"-def f{i}():\n-    return {i}\n-\n" for i in range(60)]
    for name, lines in (("few", few), ("many", many)):
        (here / name).write_text(f"--- a/big.py\n+++ b/big.py\n@@ -1,{3 * len(lines)} +0,0 @@\n{''.join(lines)}")
    for tool in ("git apply", "git am", "patch -p1 -i"):
        assert rule_of(here, f"{tool} few") == "other", "the program is asked about, its file is not"
        assert rule_of(here, f"{tool} many") == "replace"
    assert rule_of(here, "git apply -R few") == rule_of(here, "patch -p1 -Ri few") == "replace"


REPLACES = [
    "cat > big.py <<'EOF'\nx = 1\nEOF",
    "cat > big.py <<EOF\nx = $(date)\nEOF",
    "cat <<'EOF' > big.py\nx\nEOF",
    "echo hi > big.py",
    "echo hi >| big.py",
    "printf 'x\\n' > big.py",
    "> big.py",
    ": > big.py",
    "true > big.py",
    "cp small.py big.py",
    "cp /dev/null big.py",
    "mv -f small.py big.py",
    "install -m 644 small.py big.py",
    "ln -sf small.py big.py",
    "echo x | tee big.py",
    "tee big.py < small.py",
    "tee big.py <<< x",
    "sort small.py -o big.py",
    "awk '{print > \"big.py\"}' small.py",
    "{ echo a; echo b; } > big.py",
    "exec > big.py",
    "bash -c 'echo a > big.py'",
    "cd src && echo a > ../big.py",
    "for f in big.py; do echo > $f; done",
    "grep f1 big.py > big.py",
    "head -5 big.py > new.txt && mv new.txt big.py",
    "truncate -s 0 big.py",
    "if true; then echo a > big.py; fi",
    "echo a &> big.py",
]


@pytest.mark.parametrize("command", REPLACES)
def test_a_large_file_is_not_replaced_silently(here: Path, command: str) -> None:
    assert rule_of(here, command) == "replace"


@pytest.mark.parametrize(
    "command",
    [
        "ln -s big.py x; echo hi > x",
        "mv big.py x && echo hi > x",
        "mv big.py src/; echo hi > src/big.py",
        "mv src d; echo hi > d/a",
        "ln -s .. src/up; echo hi > src/up/big.py",
    ],
)
def test_a_detour_in_one_command(here: Path, command: str) -> None:
    """When it is judged, what would be lost does not stand at the path that is written."""
    assert rule_of(here, command) == "odd-target"


@pytest.mark.parametrize(
    "program",
    [
        "d",
        "1,$d",
        "2,200d",
        "/./d",
        "/x/!d",
        "/x/,$d",
        "5q",
        "s/.*//",
        "s/./ /g",
        "1~2d",
        "{d}",
        "z",
        "$!d",
        "1,+99d",
        "/a/{p};d",
    ],
)
def test_sed_that_empties_asks(here: Path, program: str) -> None:
    assert rule_of(here, f"sed -i '{program}' big.py") == "other"


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/a/b/g' big.py",
        "sed -i '/import os/d' big.py",
        "sed -i '5,9d' big.py",
        "sed -i '/a/,/b/d' big.py",
        "sed -i '/^$/d' big.py",
        "sed -i '/a/{d}' big.py",
        "sed -i 's/.*/# &/' big.py",
        "sed -i '$d' big.py",
        "sed -i '3c\\new' big.py",
        "sed -i 's/ *$//' big.py",
        "echo more >> big.py",
        "tee -a big.py <<< x",
        "touch big.py",
        "cp big.py copied.py",
        "cp big.py src/",
        "mv big.py other.py",
        "echo x > small.py",
        "cp big.py small.py",
        "echo x > new.txt",
        "> new.txt",
        "echo x > app.log",
        ": > app.log",
        "ls > build/out.js",
        "cat > src/new.py <<'EOF'\nx = 1\nEOF",
        "echo x > /dev/null",
        f"cat > big.py <<'EOF'\n{BIG}x = 1\nEOF",
        "echo 'DB=postgres://user:password@localhost/app' > .env.example",
        "echo 'DB=postgres://user:your_password@localhost/app' > docs.md",
    ],
)
def test_everyday_writes_need_no_prompt(here: Path, command: str) -> None:
    assert rule_of(here, command) == ""


@pytest.mark.parametrize(
    "command",
    [
        f"echo 'T = \"{TOKEN}\"' > src/new.py",
        f"echo {TOKEN} >> small.py",
        f"cat > src/a.py <<'EOF'\nt = '{TOKEN}'\nEOF",
        f"printf '%s\\n' {TOKEN} > src/t.txt",
        f"tee src/t.txt <<< {TOKEN}",
        f"echo {TOKEN} > app.log",
        "echo 'DB=postgres://user:h7Kq-92xPd@localhost/app' > .env.example",
    ],
)
def test_a_secret_in_a_commands_text(here: Path, command: str) -> None:
    assert rule_of(here, command) == "secret-content"


def test_a_large_content(here: Path) -> None:
    request = Request("claude", "s", str(here), str(here), "Bash", {"command": f"echo {'x ' * 2000} > src/a.txt"})
    limits = Settings(writes=replace(Settings().writes, max_kib=1))
    verdict = judge(facts_of(request, limits), Layers(str(here), settings=limits))
    assert verdict.decision == Decision.DENY and "limit of 1 KiB" in verdict.reason


@pytest.mark.parametrize(
    ("command", "content"),
    [
        ("cat > f <<'EOF'\na $x \\ b\nEOF", b"a $x \\ b\n"),
        ("cat > f <<EOF\na\\$x\nEOF", b"a$x\n"),
        ("cat - > f <<< 'a b'", b"a b\n"),
        ("cat <<-EOF > f\n\ta\n\tEOF", b"a\n"),
        ("echo a  b > f", b"a b\n"),
        ("echo -n 'a  b' > f", b"a  b"),
        ("printf 'a\\nb' > f", b"a\nb"),
        ("printf '%s\\n' a 'b c' > f", b"a\nb c\n"),
        ("> f", b""),
        (": > f", b""),
        ("echo a >> f", b"a\n"),
        ("x=1 > f", b""),
        # What is not certain is not said: options, backslashes that shells read differently, two targets, more input, a
        # function.
        ("echo -e a > f", None),
        ("echo 'a\\nb' > f", None),
        ("printf '%d' 1 > f", None),
        ("printf 'a\\tb' > f", None),
        ("echo $x > f", None),
        ("echo a > f > g", None),
        ("cat g > f", None),
        ("cat - g > f <<< a", None),
        ("echo a > f 2>&1", b"a\n"),
        ("echo a 2> f", None),
        ("echo *.py > f", None),
        ("ls | cat > f", None),
        ("ls > f", None),
        ("echo() { :; }; echo a > f", None),
        ("printf -v x a > f", None),
    ],
)
def test_the_content_that_stands_in_the_command(here: Path, command: str, content: bytes | None) -> None:
    found = [f for f in facts(here, command) if isinstance(f, Write) and f.text == "f"]
    assert found and all(f.content == content for f in found)
