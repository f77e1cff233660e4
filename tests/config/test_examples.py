"""The files in examples/ are good, and every block of examples/README.md shows what really happens."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.store import rulefiles
from tests.scorecard import FILES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_the_project_file_is_good_and_proves_itself(project: Path) -> None:
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir()
    shutil.copy(EXAMPLES / "project_allowed_commands.yaml", path)
    file = rulefiles.project_rules(str(path), path.read_bytes(), str(project), most=100)
    assert len(file.rules) == 9 and file.profiles == ("python-dev",)
    assert sum(len(r.match) + len(r.not_match) for r in file.rules) == 20


@pytest.mark.parametrize("name", ["org_config.yaml", "org_roles.yaml"])
def test_the_organisation_files_are_good(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    shutil.copy(EXAMPLES / name, path)
    path.chmod(0o644)
    file = rulefiles.org_file(str(path))
    assert file is not None and file.allowed and file.settings


def blocks(text: str) -> Iterator[tuple[str, str, int]]:
    """(language, content, line) of every fenced block."""
    lines: list[str] = []
    language, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```") and not language:
            language, lines, start = line[3:].strip() or "text", [], number
        elif line.startswith("```"):
            yield language, "\n".join(lines) + "\n", start
            language = ""
        elif language:
            lines.append(line)


def test_every_block_of_the_readme(project: Path, home: Path, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1",
                   "XDG_CONFIG_DIRS": str(home / "etc"), "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    ran = 0
    for language, content, line in blocks((EXAMPLES / "README.md").read_text(encoding="utf-8")):
        if language == "yaml":
            _install(content, project, home, environment)
        elif language == "console":
            for command, wanted in _sessions(content):
                found = _run(command, project, environment)
                assert found == wanted, f"README.md, block at line {line}: $ {command}\n{found}\ninstead of\n{wanted}"
                ran += 1
    assert ran >= 6


def _install(content: str, project: Path, home: Path, environment: dict[str, str]) -> None:
    place = content.splitlines()[0].removeprefix("# ")
    path = home / place[2:] if place.startswith("~/") else project / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o644)
    if not place.startswith("~/"):
        code = "import sys; from askfirst.store.trust import trust; trust(sys.argv[1], open(sys.argv[1], 'rb').read())"
        subprocess.run([sys.executable, "-c", code, str(path)], env=environment, check=True)


def _sessions(content: str) -> Iterator[tuple[str, str]]:
    command = ""
    lines: list[str] = []
    for line in content.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, "\n".join(lines) + "\n"
            command, lines = line[2:], []
        else:
            lines.append(line)
    if command:
        yield command, "\n".join(lines) + "\n"


def _run(command: str, project: Path, environment: dict[str, str]) -> str:
    askfirst = shlex.join([sys.executable, "-m", "askfirst"])
    text = command.replace("askfirst ", f"{askfirst} ", 1)
    ran = subprocess.run(["bash", "-c", text], cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert not ran.stderr, ran.stderr
    # The project lies somewhere else on every machine; a reader thinks of it as "here".
    return ran.stdout.replace(f"{project}/", "")
