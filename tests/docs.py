"""The documents' blocks: finding them, running them, and (`python -m tests.docs --fill`) writing their true output.

A document is played from top to bottom in a scratch project with a scratch home. A yaml block whose first line names
its place is a file, trusted, in force for what follows. In a console block, lines that begin with `$ ` are commands,
the rest is what they print; a line `…` stands for any lines.
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
PROJECT_FILE = ".askfirst/allowed_commands.yaml"
SCORECARD = re.compile(r"(<!-- scorecard -->\n)(.*?)(<!-- /scorecard -->)", re.S)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def documents() -> list[Path]:
    pages = sorted((ROOT / "src/askfirst/agents").glob("*/README.md"))
    return [ROOT / "README.md", *sorted((ROOT / "examples").glob("*.md")), *pages]


def blocks(text: str, kind: str) -> Iterator[str]:
    return (match[2] for match in BLOCK.finditer(text) if match[1] == kind)


class Scratch:
    """A project and a home in which a document's commands run, in order."""

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.home = self.base / "home"
        self.project = self.home / "app"
        (self.project / "src").mkdir(parents=True)
        (self.project / "scripts").mkdir()
        (self.project / "scripts" / "build.sh").write_text("#!/bin/sh\necho build\n")
        (self.project / "src" / "app.py").write_text("a = 1\n")
        (self.project / "notes.txt").write_text("notes\n")
        (self.project / "package.json").write_text('{"scripts": {"build": "true", "test:unit": "true"}}\n')
        (self.project / ".env").write_text("KEY=1\n")
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

    def install(self, block: str) -> str:
        """The file that a yaml block shows; what `askfirst check` says of it, or nothing when it is good."""
        place = block.splitlines()[0].removeprefix("# ")
        if not place.endswith((PROJECT_FILE, "/config.yaml")):
            return ""
        path = self.home / place[2:] if place.startswith("~/") else self.project / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block)
        path.chmod(0o644)
        if place == PROJECT_FILE:  # the reader's own: trusted, as after `askfirst init`
            self.run(f"""askfirst trust --accept "$(sha256sum < {PROJECT_FILE} | cut -d' ' -f1)" """)
        return self.run("askfirst check > said 2>&1 || cat said; rm said")

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
            if match[1] == "yaml":
                scratch.install(match[2])
            if match[1] != "console":
                return match[0]
            parts = []
            for command, shown in commands(match[2]):
                printed = scratch.run(command)
                parts.append(f"$ {command}\n{shown if shown and fits(shown, printed) else printed}")
            return "```console\n" + "".join(parts) + "```"

        path.write_text(BLOCK.sub(filled, text))


def fill_scorecard(path: Path) -> None:
    """The measured table, between its marks."""
    from tests.scorecard import Bench, markdown, measure

    with tempfile.TemporaryDirectory() as base:
        table = markdown(measure(Bench(Path(base).resolve())))
    path.write_text(SCORECARD.sub(lambda m: m[1] + table + m[3], path.read_text()))


if __name__ == "__main__" and "--fill" in sys.argv:
    os.chdir(ROOT)
    for document in documents():
        fill(document)
    fill_scorecard(ROOT / "README.md")
