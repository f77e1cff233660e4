"""Python code in a command: what is allowed does, when it really runs, nothing but print, read and write what it names.

Every allowed row is run by a real Python under an audit hook (PEP 578), which sees each process, socket and file
that the code reaches."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
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
    rows = [f"python3 -c {shlex.quote(code)} notes.txt" for code in (*ROWS["data"], *ROWS["looks"])]
    rows += [f"python3 - notes.txt <<'EOF'\n{code}\nEOF" for code in ROWS["data"]]
    asked = {row: v.reason for row in rows if (v := bench.judge(row)).decision != Decision.ALLOW}
    assert asked == {}


@pytest.mark.parametrize("code", ROWS["data"])
def test_what_is_allowed_reaches_nothing_else(code: str, tmp_path: Path) -> None:
    said = read_python(code, ("notes.txt",))
    assert not said.doubts
    (tmp_path / "notes.txt").write_text("a: 1\n")
    (tmp_path / "data.json").write_text('{"a": [1, 2], "b": {"c": "d"}}')
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
            assert name in {*said.reads, *writes}, name


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
