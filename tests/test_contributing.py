"""The recipes of CONTRIBUTING.md work: each is followed word for word in a copy of the project.

A block's first line says where the rest goes: `# FILE, after: TEXT` inserts it behind the one line that begins with
TEXT, or within that line where TEXT does not end it. A bash block is run. A console block shows how output begins.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.docs import ROOT

RECIPES = re.compile(r"^## (Add an? \w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COPIED = ("src", "tests", "pyproject.toml")


def recipes() -> dict[str, str]:
    return dict(RECIPES.findall((ROOT / "CONTRIBUTING.md").read_text()))


def blocks(recipe: str) -> list[tuple[str, str]]:
    return [(kind, textwrap.dedent(body)) for _, kind, body in BLOCK.findall(recipe)]


class Copy:
    """A copy of the project, in which a recipe is followed."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "askfirst"
        self.root.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, self.root / name)
        self.project = directory / "project"
        self.project.mkdir()

    def insert(self, block: str) -> None:
        where, _, body = block.partition("\n")
        told = re.fullmatch(r"# (\S+), after: (.*)", where)
        assert told, f"a recipe's block must say where it goes: {where}"
        file, anchor = self.root / told[1], told[2]
        lines = file.read_text().split("\n")
        (number,) = [n for n, line in enumerate(lines) if line.lstrip().startswith(anchor)]
        if lines[number].endswith(anchor):
            lines.insert(number + 1, body.rstrip("\n"))
        else:
            lines[number] = lines[number].replace(anchor, f"{anchor}{body.strip()} ", 1)
        file.write_text("\n".join(lines))

    def run(self, command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        python = f"{sys.executable} -m "
        command = re.sub(r"^python -m ", python, re.sub(r"^askfirst ", f"{python}askfirst ", command))
        # The copy's own modules, not those of the installed package.
        environment = {**os.environ, "PYTHONPATH": str(self.root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        return subprocess.run(
            ["bash", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )

    def follow(self, kind: str, block: str) -> None:
        if kind == "bash":
            done = self.run(f"{block.strip()} -n 0", self.root)
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr
        elif kind == "console":
            shown, *printed = block.strip().split("\n")
            done = self.run(shown.removeprefix("$ "), self.project)
            assert done.stdout.split("\n")[: len(printed)] == printed, done.stdout + done.stderr
        else:
            self.insert(block)


@pytest.mark.parametrize("title", ["Add a program", "Add a block"])
def test_a_recipe_works(title: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    steps = blocks(recipes()[title])
    assert {kind for kind, _ in steps} >= {"python", "yaml", "bash", "console"}
    for kind, block in steps:
        copy.follow(kind, block)


@pytest.mark.parametrize(
    "title, step, spoiled",
    [
        ("Add a program", "writes  -o", "flag    -o"),
        ("Add a block", '"flashfirm": ', '"flashform": '),
    ],
)
def test_the_tests_that_a_recipe_names_see_a_mistake(title: str, step: str, spoiled: str, tmp_path: Path) -> None:
    """One wrong word in what the recipe adds, and the tests that it names fail."""
    copy = Copy(tmp_path)
    text = recipes()[title]
    assert step in text
    steps = blocks(text.replace(step, spoiled))
    for kind, block in steps:
        if kind == "bash":
            assert copy.run(f"{block.strip()} -n 0 -x", copy.root).returncode == 1
        elif kind != "console":
            copy.follow(kind, block)


def test_the_first_command_is_the_readmes() -> None:
    command = next(body for _, kind, body in BLOCK.findall((ROOT / "README.md").read_text()) if "pytest" in body)
    assert command in (ROOT / "CONTRIBUTING.md").read_text()
