"""macOS, by simulation: its names for places, its forms of everyday tools, and what its programs make of other words.

Nothing here runs on macOS; what was run where stands in README.md.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
import yaml

from askfirst.gate import judged
from askfirst.knowledge.globs import fold, unaliased
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

NAMES = {
    "/private/etc/sudoers": "/etc/sudoers",
    "/private/tmp": "/tmp",
    "/private/tmp/x": "/tmp/x",
    "/private/var/root/.ssh": "/var/root/.ssh",
    "/System/Volumes/Data/private/etc/hosts": "/etc/hosts",
    "/System/Volumes/Data/Users/a/.ssh": "/users/a/.ssh",
    "/private/etcetera": "/private/etcetera",
    "/private": "/private",
    "/privately/etc": "/privately/etc",
    "/System/Volumes/Database": "/system/volumes/database",
}


def test_one_name_for_one_place() -> None:
    assert {path: unaliased(fold(path)) for path in NAMES} == NAMES


COMMANDS = {
    # Places
    "echo x > /private/etc/sudoers": DENY,
    "echo x > /private/etc/pam.d/login": DENY,
    "echo x > /System/Volumes/Data/private/etc/sudoers": DENY,
    "cat /private/etc/sudoers": ASK,
    "cat /private/var/root/.ssh/id_rsa": ASK,
    "rm -rf /private/etc": DENY,
    "rm -rf /System/Volumes/Data/private/var": DENY,
    "echo x > ~/Library/LaunchAgents/x.plist": DENY,
    "echo x > /Library/LaunchDaemons/x.plist": DENY,
    "cat ~/Library/Keychains/login.keychain-db": ASK,
    "cp ~/Library/Keychains/login.keychain-db .": ASK,
    "security find-generic-password -w -s x": ASK,
    "security dump-keychain": ASK,
    # Everyday forms
    "sed -i '' -e s/a/b/ a.txt": ALLOW,
    "sed -i '' s/a/b/ a.txt": ALLOW,
    "sed -E -i '' 's/(a)/b/' a.txt": ALLOW,
    "stat -f %z a.txt": ALLOW,
    "date -v+1d": ALLOW,
    "date -j -f %Y-%m-%d 2024-01-01 +%s": ALLOW,
    "ls -lG": ALLOW,
    "find -E . -regex '.*py'": ALLOW,
    "find . -name '*.py' -print0 | xargs -0 -J % echo % x": ALLOW,
    "base64 -D -i a.txt": ALLOW,
    "sw_vers -productVersion": ALLOW,
    "tail -r a.txt": ALLOW,
    "ps aux": ALLOW,
    "ps -E": ASK,
    "open -a Terminal x.command": ASK,
    "osascript -e 'do shell script \"id\"'": ASK,
    "pbpaste": ASK,
}


def decision(project: Path, command: str) -> Decision:
    request = Request(
        agent="claude", session="s", cwd=str(project), project=str(project), tool="Bash", input={"command": command}
    )
    return judged(request, load_layers(str(project), session="s", agent="claude", now=time.time())).verdict.decision


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_its_places_and_its_forms(system: str, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.txt", "b.txt"):
        (project / name).write_text("a\n")
    found = {command: decision(project, command) for command in COMMANDS}
    monkeypatch.setattr(sys.modules["askfirst.shell.tools.unix.sed"].sys, "platform", system)
    found |= {command: decision(project, command) for command in COMMANDS if "sed" in command}
    assert found == COMMANDS


FORMS = yaml.safe_load((Path(__file__).parents[1] / "cases" / "macos.yaml").read_text())


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_what_people_type_there(system: str, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("src/app.py", "a", "list", "a.png", "Info.plist", "log.txt"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("a\n")
    decision(project, "sed p src/app.py")  # loads the module
    monkeypatch.setattr(sys.modules["askfirst.shell.tools.unix.sed"].sys, "platform", system)
    monkeypatch.setattr("askfirst.kills.PROCESSES", str(project / "proc"))  # there is no such thing there
    assert [c for c in FORMS["allowed"] if decision(project, c) != ALLOW] == []
    assert [c for c in FORMS["not_allowed"] if decision(project, c) == ALLOW] == []


# What BSD's sed makes of words that GNU's takes for a program and a file.
AS_BSD = {
    "sed -i s/a/b/ w/etc/hosts a.txt": ("w", ALLOW, ASK),
    "sed -i s/a/b/ 'wHOME/.bashrc' a.txt": ("a copy of a file", ALLOW, ASK),
    "sed -i /x/ s/.*/id/e a.txt": ("runs what it has put together", ASK, ASK),
    "sed -Ei .json s/a/b/ .mcp": ("the ending of the copy", ASK, DENY),
    "sed -i -e s/a/b/ a.txt": ("only another copy", ALLOW, ALLOW),
    "sed -i s/a/b/ a.txt": ("an error", ALLOW, ALLOW),
}


@pytest.mark.parametrize("command", AS_BSD)
def test_on_macos_both_readings_count(command: str, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, elsewhere, there = AS_BSD[command]
    for name in ("a.txt", "w/etc/hosts", f"w{home}/.bashrc"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("a\n")
    line = command.replace("HOME", str(home))
    assert decision(project, line) == elsewhere
    monkeypatch.setattr(sys.modules["askfirst.shell.tools.unix.sed"].sys, "platform", "darwin")
    assert decision(project, line) >= there
