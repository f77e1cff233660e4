"""A terminal that draws ASCII only: every command that draws prints something, and none fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from askfirst.plain_signs import SIGNS

COMMANDS = (
    "explain 'git log | head'",
    "explain --box unknown './x.sh'",
    "check",
    "log",
    "log --tree",
    "stats",
    "grants",
    "pending",
    "allowed",
    "session",
    "session --markdown",
    "suggest",
    "schema project",
    "statusline",
    "flow",
    "proposals",
    "status",
)
SCRIPT = f"""
import shlex
from askfirst.cli import main
for words in {COMMANDS!r}:
    print("==", words, main(shlex.split(words)))
"""


def test_no_command_fails_where_only_ascii_can_be_written(project: Path) -> None:
    main_log = [sys.executable, "-m", "askfirst", "hook"]
    event = (
        f'{{"session_id": "s-1", "cwd": "{project}", "hook_event_name": "PreToolUse", "tool_name": "Bash", '
        f'"tool_use_id": "t", "permission_mode": "default", "tool_input": {{"command": "echo \\u00fc; rm -rf /"}}}}'
    )
    subprocess.run(main_log, input=event, text=True, capture_output=True, check=False, cwd=project)
    plain = {**os.environ, "LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "TERM": "dumb", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=plain, cwd=project, stdin=subprocess.DEVNULL, capture_output=True
    )
    shown = (done.stdout + done.stderr).decode("ascii")
    assert done.returncode == 0 and "Traceback" not in shown, shown
    assert [line.split()[1] for line in shown.splitlines() if line.startswith("== ")] == [
        words.split()[0] for words in COMMANDS
    ]
    assert "ok allowed  git log" in shown and "<U+00FC>" in shown


def test_a_sign_stands_for_nothing_else() -> None:
    assert all(len(sign) == 1 and not sign.isascii() and plain.isascii() for sign, plain in SIGNS.items())
