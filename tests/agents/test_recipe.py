"""CONTRIBUTING.md's recipe "Add an agent", followed word for word in a copy of the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.support import install_program

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w+\n(?:# |<!-- )(in )?(src/\S+|tests/\S+?)(?:, ROWS)?(?: -->)?\n(.*?)^```$", re.M | re.S)
TESTS = [f"tests/agents/test_{name}.py" for name in ("folders", "wire", "install", "fail_closed")]


def recipe() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text().partition("\n## Add an agent\n")[2].partition("\n## ")[0]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The repository with the recipe's agent in it."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("tests/agents", "tests/cases/agents"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", Path(__file__).name))
    for name in (
        "pyproject.toml",
        "tests/__init__.py",
        "tests/conftest.py",
        "tests/needs.py",
        "tests/waiting.py",
        "tests/disks.py",
    ):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy / name)
    for inside, name, text in BLOCK.findall(recipe()):
        file = copy / name
        if inside:
            table = file.read_text()
            assert table.count("ROWS = (\n") == 1
            file.write_text(table.replace("ROWS = (\n", "ROWS = (\n" + text))
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return copy


def run(copy: Path, *words: str, cwd: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(copy / "src"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=cwd, env=env, input=given, capture_output=True, text=True, timeout=280
    )


def test_the_hook_speaks_the_new_agents_words(copy: Path, project: Path) -> None:
    def answer(command: str) -> dict[str, str]:
        call = {"run": "r", "folder": str(project), "tool": "shell", "input": {"script": command}}
        done = run(copy, "askfirst", "hook", "--agent", "acme", cwd=project, given=json.dumps(call))
        assert done.returncode == 0, done.stderr
        value: dict[str, str] = json.loads(done.stdout)
        return value

    assert answer("ls") == {"verdict": "go"}
    denied = answer("sudo ls")
    assert denied["verdict"] == "stop" and "sudo" in denied["because"]
    denied = answer("echo '{}' > .acme/settings.json")
    assert denied["verdict"] == "stop" and ".acme/settings.json" in denied["because"]


def test_install_doctor_and_uninstall(copy: Path, project: Path) -> None:
    file = project / ".acme/settings.json"
    file.parent.mkdir()
    file.write_text('{ "theme":"dark",\n "hooks": {"beforeTool": [{"command": "theirs"}]} }')
    before = file.read_bytes()
    install_program(Path(os.environ["HOME"]), copy / "src")
    done = run(copy, "askfirst", "init", "--agent", "acme", "--no-project-file", cwd=project)
    assert done.returncode == 0 and "start Acme Agent," in done.stdout, done.stdout + done.stderr
    assert "askfirst hook --agent acme" in file.read_text() and "theirs" in file.read_text()
    done = run(copy, "askfirst", "doctor", cwd=project)
    assert f"ok    acme: {file}: registered, and the registered command answers" in done.stdout, done.stdout
    assert run(copy, "askfirst", "uninstall", "--agent", "acme", cwd=project).returncode == 0
    assert file.read_bytes() == before


def test_the_tests_that_the_recipe_names(copy: Path) -> None:
    assert "python -m pytest tests/agents -k acme" in recipe()
    done = run(copy, "pytest", "-n", "0", "-p", "no:cacheprovider", "-k", "acme", *TESTS, cwd=copy)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert "[100%]" in done.stdout


@pytest.mark.parametrize(("file", "method"), [("wire", "refuse"), ("wire", "sample"), ("install", "hooks")])
def test_a_method_that_is_missing_is_an_error(copy: Path, file: str, method: str, project: Path) -> None:
    module = copy / f"src/askfirst/agents/acme/{file}.py"
    text = module.read_text()
    assert f"    def {method}(" in text
    module.write_text(text.replace(f"    def {method}(", f"    def not_{method}("))
    done = run(copy, "askfirst", "init", "--agent", "acme", cwd=project)
    assert done.returncode != 0 and method in done.stdout + done.stderr
    done = run(copy, "askfirst", "hook", "--agent", "acme", cwd=project, given="{}")
    assert file != "wire" or (done.returncode == 2 and method in done.stderr)
