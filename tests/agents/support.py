"""What the tests of agents share: the cases, settings files of every layout, and `askfirst` as a person types it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

import askfirst as package
from askfirst.agents.table import AGENTS

CASES: dict[str, dict[str, Any]] = {
    path.stem: yaml.safe_load(path.read_text())
    for path in sorted((Path(__file__).parents[1] / "cases/agents").glob("*.yaml"))
}
NAMES = sorted(AGENTS)

FILES = {
    "empty object": "{}",
    "empty object, pretty": "{\n}\n",
    "empty file": "",
    "two spaces": '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n',
    "tabs": '{\n\t"model": "opus"\n}\n',
    "four spaces, no newline at the end": '{\n    "model": "opus"\n}',
    "one line": '{"model":"opus","env":{"A":"b"}}',
    "windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "hooks of others": """{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]}
    ],
    "Stop": []
  },
  "z": 1
}
""",
    "empty hooks": '{\n  "hooks": {},\n  "a": 1\n}\n',
    "empty list of hooks": '{"hooks": {"PreToolUse": []}}',
    "strange layout": '{ "a" : [ 1,\n2 ]\n,  "hooks" :{ "PostToolUse" :[ ] } }   ',
    "not ASCII": '{\n  "note": "für Änne \\u2028 \U0001f600"\n}\n',
    "a byte order of keys that matters": '{"b":1,"a":2,"hooks":{"Stop":[{"hooks":[]}]}}',
}
REFUSED = {
    "not JSON": "{",
    "a comment": '{\n  // mine\n  "a": 1\n}',
    "a trailing comma": '{"a": 1,}',
    "an array": "[]",
    "a key twice": '{"a": 1, "a": 2}',
    "hooks is a list": '{"hooks": []}',
    "an event is an object": '{"hooks": {"PreToolUse": {}}}',
}


def install_program(home: Path, source: Path = Path(package.__file__).parents[1]) -> Path:
    """A program `askfirst` in a home, that runs this source."""
    program = home / ".local/bin/askfirst"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m askfirst "$@"\n')
    program.chmod(0o755)
    return program


def askfirst(project: Path, *words: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askfirst", *words],
        cwd=project,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": path, "SHELL": "/bin/bash"},
        timeout=120,
    )
