"""The documents' blocks: finding them, running them, and (`python -m tests.docs --fill`) writing their true output into them.

A console block is run in a scratch project with a scratch home; lines that begin with `$ ` are commands, the rest is what they print.
A line `…` stands for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def documents() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "examples").glob("agents/*.md"))]
    return [p for p in found if p.exists()]


def blocks(text: str, kind: str) -> Iterator[str]:
    return (match[2] for match in BLOCK.finditer(text) if match[1] == kind)


class Scratch:
    """A project and a home in which a document's commands run, in order."""

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.home = self.base / "home"
        self.project = self.home / "app"
        (self.project / "src").mkdir(parents=True)
        (self.project / ".askfirst").mkdir()
        (self.project / "src" / "app.py").write_text("a = 1\n")
        (self.project / "notes.txt").write_text("notes\n")
        (self.project / "package.json").write_text('{"scripts": {"build": "true", "test:unit": "true"}}\n')
        (self.project / ".env").write_text("KEY=1\n")
        rules = 'version: 1\ncommands:\n  - name: npm\n    args: ["run build", "run test*"]\n'
        (self.project / ".askfirst" / "allowed_commands.yaml").write_text(rules)
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "COLUMNS": "400",
            "TERM": "dumb",
            "SHELL": "/bin/bash",
            "XDG_CONFIG_DIRS": str(self.base / "etc"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.run("git init -q -b main && git add -A >/dev/null")
        # The project's file is the reader's own here: it is trusted, as after `askfirst init`.
        self.run("""askfirst trust --accept "$(sha256sum < .askfirst/allowed_commands.yaml | cut -d' ' -f1)" """)

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )
        text = done.stdout + done.stderr
        for place, shown in ((self.project, "~/app"), (self.home, "~"), (self.base / "etc", "/etc/xdg")):
            text = text.replace(str(place), shown)
        return "".join(line.rstrip() + "\n" for line in text.splitlines())


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown."""
    found: list[tuple[str, str]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def fits(shown: str, printed: str) -> bool:
    """Equal, where a line `…` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"\n" for line in shown.splitlines())
    return re.fullmatch(pattern, printed) is not None


def fill(path: Path) -> None:
    text = path.read_text()
    with tempfile.TemporaryDirectory() as base:
        scratch = Scratch(Path(base))

        def filled(match: re.Match[str]) -> str:
            if match[1] != "console":
                return match[0]
            parts = []
            for command, shown in commands(match[2]):
                printed = scratch.run(command)
                parts.append(f"$ {command}\n{shown if shown and fits(shown, printed) else printed}")
            return "```console\n" + "".join(parts) + "```"

        path.write_text(BLOCK.sub(filled, text))


if __name__ == "__main__" and "--fill" in sys.argv:
    os.chdir(ROOT)
    for document in documents():
        fill(document)
