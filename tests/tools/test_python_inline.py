"""Python code in a command: what is allowed does, when it really runs, nothing but print, read and write what it names.

Every allowed row is run by a real Python under an audit hook (PEP 578), which sees each process, socket and file
that the code reaches."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.model import Decision
from askfirst.shell.tools.python.inline import read_python
from tests.scorecard import Bench

ROWS: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "cases/python_inline.yaml").read_text())
WATCH = """
import json, os, sys
seen, on = [], [False]
def hook(event, args):
    if on[0]:
        if event == 'open' and not str(args[0]).startswith((sys.prefix, sys.base_prefix)):
            seen.append([event, str(args[0]), str(args[1]), args[2]])
        elif event.split('.')[0] in ('subprocess', 'socket', 'ctypes', 'shutil', 'urllib', 'webbrowser') or event in (
            'os.system', 'os.exec', 'os.fork', 'os.posix_spawn', 'os.remove', 'os.rename', 'os.rmdir', 'os.mkdir',
            'os.chmod', 'os.link', 'os.symlink', 'os.truncate', 'os.putenv', 'os.kill', 'pty.spawn', 'code.__new__',
        ):
            seen.append([event, repr(args)[:200], '', 0])
text = sys.argv[1]
tree = compile(text, '<code>', 'exec')
sys.argv = ['-c', *sys.argv[2:]]
sys.addaudithook(hook)
on[0] = True
try:
    exec(tree, {'__name__': '__main__'})
except BaseException as error:
    sys.stderr.write(repr(error))
on[0] = False
open('seen.json', 'w').write(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(Path(tmp_path_factory.mktemp("bench")))


def test_what_has_an_effect_is_not_allowed(bench: Bench) -> None:
    rows = [f"python3 -c {shlex.quote(code)}" for code in ROWS["asks"]]
    assert [row for row in rows if bench.judge(row).decision == Decision.ALLOW] == []


def test_work_on_data_is_allowed(bench: Bench) -> None:
    found = (*ROWS["data"], *ROWS["looks"], *ROWS["starts"], *ROWS["finds"])
    rows = [f"python3 -c {shlex.quote(code)} notes.txt" for code in found]
    rows += [f"python3 - notes.txt <<'EOF'\n{code}\nEOF" for code in ROWS["data"]]
    asked = {row: v.reason for row in rows if (v := bench.judge(row)).decision != Decision.ALLOW}
    assert asked == {}


@pytest.mark.parametrize("code", [*ROWS["data"], *ROWS["finds"]])
def test_what_is_allowed_reaches_nothing_else(code: str, tmp_path: Path) -> None:
    said = read_python(code, ("notes.txt",))
    assert not said.doubts
    (tmp_path / "notes.txt").write_text("a: 1\n")
    (tmp_path / "data.json").write_text('{"a": [1, 2], "b": {"c": "d"}}')
    for name in ("src/app.py", "docs/a.md", "elsewhere/b.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x = 1\n")
    subprocess.run(
        [sys.executable, "-c", WATCH, code, "notes.txt"], cwd=tmp_path, input=b'{"a": 1}', check=True, timeout=60
    )
    seen: list[list[Any]] = json.loads((tmp_path / "seen.json").read_text())
    writes = {name for name, _ in said.writes}
    for event, name, mode, flags in seen:
        assert event == "open", (event, name)
        changes = (isinstance(flags, int) and flags & 0o3 != 0) or any(letter in mode for letter in "wax+")
        if changes:
            assert name in writes, name
        elif Path(tmp_path / name).is_file() and not name.endswith((".pyc", ".py")):
            found = any(fnmatch(name.removeprefix("./"), place.replace("**/", "")) for place in said.looks_in)
            assert found or name in {*said.reads, *writes} or "./**/*" in said.looks_in, name


def test_a_module_that_stands_in_the_directory_is_another_one(bench: Bench) -> None:
    row = "python3 -c 'import json, sys; print(json.load(sys.stdin))'"
    assert bench.judge(row).decision == Decision.ALLOW
    for name in ("re.py", "json.py", "enum.cpython-311-x86_64-linux-gnu.so"):
        (bench.project / name).write_text("")
        assert bench.judge(row).decision == Decision.ASK
        (bench.project / name).unlink()
    (bench.project / "sub").mkdir()
    assert bench.judge(f"cd sub && {row}").decision == Decision.ALLOW
    assert bench.judge(f"cd sub && cp ../notes.txt re.py && {row}").decision == Decision.ASK
    assert bench.judge(f"echo x > json.py; {row}").decision == Decision.ASK


def test_a_name_without_its_directory_lies_in_the_present_one(bench: Bench) -> None:
    row = "python3 -c \"import os\nfor f in os.listdir('docs'): print(open(f).read())\""
    assert bench.judge(row).decision == Decision.ALLOW
    assert bench.judge(f"cd ~ && {row.replace('docs', 'project/docs')}").decision == Decision.ASK


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A project with modules of its own; in the environment lies another that has the name of a directory in `src`."""
    return _with_modules(Bench(Path(tmp_path_factory.mktemp("shop"))))


def _with_modules(bench: Bench) -> Bench:
    for name, text in ROWS["project"].items():
        (bench.project / name).parent.mkdir(parents=True, exist_ok=True)
        (bench.project / name).write_text(text)
    return bench


def test_calls_that_look_or_compute_are_allowed(shop: Bench) -> None:
    rows = [
        f"{run} python3 -c {shlex.quote(code)}"
        for code in ROWS["calls"]
        for run in ("", "SECRET_KEY=x ENVIRONMENT=testing uv run")
    ]
    asked = {row: v.reason for row in rows if (v := shop.judge(row)).decision != Decision.ALLOW}
    assert asked == {}


def test_calls_that_do_more_ask(shop: Bench) -> None:
    rows = [f"python3 -c {shlex.quote(code)}" for code in ROWS["does_more"]]
    assert [row for row in rows if shop.judge(row).decision == Decision.ALLOW] == []


def test_calls_need_the_profile_and_the_project(shop: Bench, tmp_path: Path) -> None:
    rows = [f"python3 -c {shlex.quote(code)}" for code in ROWS["calls"]]
    without = _with_modules(Bench(tmp_path, profiles=()))
    assert [row for row in rows if without.judge(row).decision == Decision.ALLOW] == []
    call = "-c 'from shop.models import get_users; get_users()'"
    judged = {
        row: shop.judge(row).decision == Decision.ALLOW
        for row in (f"python3 {call}", f"cd docs && python3 {call}", f"cd /tmp && python3 {call}", f"python3 -I {call}")
        + (f"PYTHONPATH=src python3 {call}", f"PYTHONPATH=/tmp/x python3 {call}", f"PYTHONPATH=../x python3 {call}")
    }
    assert [row for row in judged if judged[row]] == [f"python3 {call}", f"PYTHONPATH=src python3 {call}"]


FILE = "import json, sys\nprint(json.load(open('data.json')), sys.argv[1:])\n"
IN_COMMAND = f"cat > /tmp/askfirst-x.py <<'EOF'\n{FILE}EOF\n"


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("python3 look.py", True),
        ("python3 look.py a b 2>&1 | head -5", True),
        ("cd tools && python3 ../look.py", True),
        ("uv run python look.py", True),
        ("python3 -u look.py", True),
        ("python3 calls.py", True),
        (f"{IN_COMMAND}python3 /tmp/askfirst-x.py", True),
        (f"cat <<EOF > check.py\n{FILE}EOF\npython3 check.py | tail -3", True),
        (f"cat > check.py <<EOF\n{FILE}print('$x')\nEOF\npython3 check.py", False),
        (f"cat > check.py <<'EOF'\n{FILE}EOF\ncp bad.py check.py && python3 check.py", False),
        (f"cp bad.py x.py; cat > check.py <<'EOF'\n{FILE}EOF\npython3 check.py", False),
        (f"cat >> check.py <<'EOF'\n{FILE}EOF\npython3 check.py", False),
        (f"cat > check.py <<'EOF'\n{FILE}EOF\npython3 bad.py", False),
        (f"cat > a/check.py <<'EOF'\n{FILE}EOF\ncd tools && python3 a/check.py", False),
        ("cat > check.py <<'EOF'\nimport os\nos.abort()\nEOF\npython3 check.py", False),
        ("python3 bad.py", False),
        ("python3 empty.py", False),
        ("python3 -x look.py", False),
        ("python3 -i look.py", False),
        ("python3 look.py > look.py", False),
        ("cp bad.py look.py && python3 look.py", False),
        ("git checkout x && python3 look.py", False),
        ("sleep 1; python3 look.py", False),
        ("cat x | python3 look.py", False),
        ("xargs python3 look.py", False),
        ("python3 link.py", False),
        ("python3 tools/shadowed.py", False),
        ("python3 tools", False),
        ("python3 cookie.py", False),
        ("python3 $x.py", False),
    ],
)
def test_a_file_that_does_no_more_than_code_in_a_command_may(command: str, allowed: bool, tmp_path: Path) -> None:
    """With the profile: without it an agent could exchange the file between judging and running."""
    benches = [
        _with_modules(Bench(tmp_path / name, profiles)) for name, profiles in (("a", ("python-dev",)), ("b", ()))
    ]
    for bench in benches:
        for name, text in {
            "look.py": FILE,
            "calls.py": "from shop.models import get_users\nprint(get_users())\n",
            "bad.py": "import os\nos.abort()\n",
            "cookie.py": f"# coding: utf-7\n{FILE}",
            "tools/shadowed.py": FILE,
            "tools/json.py": "",
            "empty.py": "",
        }.items():
            (bench.project / name).parent.mkdir(exist_ok=True)
            (bench.project / name).write_text(text)
        (bench.project / "link.py").symlink_to("bad.py")
    assert [bench.judge(command).decision == Decision.ALLOW for bench in benches] == [allowed, False]
