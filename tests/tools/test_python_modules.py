"""`python -m json.tool` runs no code of the project, unless a file there has the name of one of Python's modules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.policy.rules import Layers

pytestmark = pytest.mark.usefixtures("project")


def decision(folder: Path, command: str) -> Decision:
    request = Request("claude", "s", str(folder), str(folder), "Bash", {"command": command})
    return judged(request, Layers(str(folder), home=os.environ["HOME"])).verdict.decision


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python3 -m json.tool x.json", Decision.ALLOW),
        ("cat x.json | python3 -m json.tool | head -20", Decision.ALLOW),
        ("python3 -m json.tool < x.json > pretty.json", Decision.ALLOW),
        ("cd src && python3 -m json.tool ../x.json", Decision.ALLOW),
        ("python3 -m ast src/a.py", Decision.ALLOW),
        ("python -m calendar", Decision.ALLOW),
        ("cd src && cp ../x.json re.py; python3 -m json.tool ../x.json", Decision.ASK),
        ("cd $d && python3 -m json.tool x.json", Decision.ASK),
        ("PYTHONPATH=src python3 -m json.tool x.json", Decision.ASK),
        ("python3 -X presite=x -m json.tool x.json", Decision.ASK),
        ("python3 -m json.tool x.json /etc/x", Decision.ASK),
        ("ssh host 'python3 -m json.tool x.json'", Decision.ASK),
        ("python3 -m http.server", Decision.ASK),
        ("python3 -m unittest", Decision.ASK),
        ("python3 -m compileall src", Decision.ASK),
        ("python3 -m pdb x.py", Decision.ASK),
    ],
)
def test_modules_of_python(command: str, expected: Decision, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "x.json").write_text("{}")
    assert decision(tmp_path, command) == expected


@pytest.mark.parametrize("name", ["json.py", "re.py", "argparse", "json.cpython-311-x86_64-linux-gnu.so", "JSON.py"])
def test_a_module_of_the_same_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("x")
    (tmp_path / "x.json").write_text("{}")
    expected = Decision.ALLOW if name == "JSON.py" else Decision.ASK
    assert decision(tmp_path, "python3 -m json.tool x.json") == expected
