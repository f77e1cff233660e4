"""One table of secrets: whatever way a file is read, its name and its place decide the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.files import look
from askfirst.knowledge import secrets
from askfirst.knowledge.globs import Location, matches
from askfirst.knowledge.variables import REACHES_GATE, REACHES_GATE_PREFIXES, loads_code
from askfirst.model import Decision, Read
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings
from askfirst.toolbox.place import Place, readable
from askfirst.toolbox.tool_result import Failure

ROWS = [name for names in secrets.NAMES.values() for name in names]
HARMLESS = [name.replace("*", "") for name in secrets.HARMLESS_NAMES if name.startswith("*.")]
HOME = "/home/u"


def instances(pattern: str) -> set[str]:
    """Names that a row stands for: its wildcards as a word, and as nothing."""
    filled, bare = pattern.replace("*", "a1"), pattern.replace("*", "")
    return {filled} if pattern.startswith("*.") or bare.startswith("-") or bare.endswith(".") else {filled, bare}


def ways(name: str) -> dict[str, str]:
    """The same file, or files whose names end like it, shown by commands."""
    return {
        "cat": f"cat {name}",
        "below": f"cat deploy/{name}",
        "redirection": f"cat < {name}",
        "glob": f"cat *{name}",
        "loop": f'for f in *{name}; do cat "$f"; done',
        "grep": f"ls | grep {name} | xargs cat",
        "find": f"find . -name '{name}' -exec cat {{}} \\;",
        "find ending": f"find . -name '*{name}' -exec cat {{}} +",
        "find and xargs": f"find . -name '{name}' | xargs cat",
        "tar": f"tar cf - {name}",
        "list": f"xargs -a {name}",
        "patterns": f"grep -f {name} README.md",
        "variable": f'f={name}; cat "$f"',
        "read in a loop": f"find . -name '{name}' | while read -r f; do cat \"$f\"; done",
        "substitution": f"cat $(echo {name})",
        "git grep": f"git ls-files | grep {name} | xargs cat",
        "compared": f"diff {name} README.md",
        "copied": f"cp {name} notes.txt",
        "packed": f"zip notes.zip {name}",
        "of the index": f"git show :{name}",
        "of a commit": f"git show HEAD:{name}",
    }


class Gate:
    """The analysis and the policy in a scratch project, with no rule but the built-in ones."""

    def __init__(self, project: Path) -> None:
        self.project = str(project)
        self.layers = Layers(self.project, home=HOME)

    def of_command(self, command: str) -> Decision:
        surroundings = Surroundings(
            cwd=self.project,
            project=self.project,
            home=HOME,
            path=("/usr/bin", "/bin"),
            variables={"HOME": HOME, "PWD": self.project},
        )
        facts = analyze(command, surroundings)
        return judge(look(facts, project=self.project, settings=self.layers.settings.writes), self.layers).decision

    def of_tool(self, name: str) -> Decision:
        return judge((Read(f"{self.project}/{name}", name, "Read"),), self.layers).decision

    def of_mcp(self, name: str) -> Decision:
        try:
            readable(Place(self.project, self.project, "s"), name)
        except Failure:
            return Decision.ASK
        return Decision.ALLOW

    def differing(self, name: str, wanted: Decision) -> dict[str, str]:
        found = {way: self.of_command(command) for way, command in ways(name).items()}
        found |= {"Read": self.of_tool(name), "MCP": self.of_mcp(name)}
        allowed = wanted == Decision.ALLOW
        return {way: decision.name for way, decision in found.items() if (decision == Decision.ALLOW) != allowed}


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    project = tmp_path / "project"
    project.mkdir()
    return Gate(project.resolve())


@pytest.mark.parametrize("pattern", ROWS)
def test_a_secret_asks_whatever_way_it_is_read(pattern: str, gate: Gate) -> None:
    wrong = {name: gate.differing(name, Decision.ASK) for name in instances(pattern)}
    assert not {name: ways for name, ways in wrong.items() if ways}


@pytest.mark.parametrize("ending", HARMLESS)
def test_a_template_or_public_key_is_allowed_whatever_way_it_is_read(ending: str, gate: Gate) -> None:
    stems = ("server.pem", "id_rsa", "credentials.json", *((".env",) if ending != ".env.d.ts" else ()))
    wrong = {stem: gate.differing(stem + ending, Decision.ALLOW) for stem in stems}
    assert not {name: ways for name, ways in wrong.items() if ways}


@pytest.mark.parametrize("end", secrets.COPIES)
def test_a_copy_of_a_secret_is_one(end: str, gate: Gate) -> None:
    names = ("server.pem", ".netrc", "credentials")
    wrong = {name: gate.differing(name + end, Decision.ASK) for name in names}
    assert not {name: ways for name, ways in wrong.items() if ways}


def place_of(pattern: str) -> str:
    """A file at a place of the table, written as a command would name it."""
    plain = pattern.replace("/**", "/x1").replace("**/", "backup/").replace("[0-9]*", "1").replace("*", "a1")
    return plain.replace(" ", "\\ ")


@pytest.mark.parametrize("pattern", [p for p, _ in secrets.PLACES if "self/root" not in p])
def test_a_secret_place_asks_whatever_way_it_is_read(pattern: str, gate: Gate) -> None:
    file = place_of(pattern)
    folder = file.rpartition("/")[0]
    commands = [f"cat {file}", f"head -c9 < {file}", f"tar cf - {file}", f"cp {file} x"]
    if pattern.endswith("/**"):
        commands += [f"grep -r x {folder}", f"cat {folder}/*", f"find {folder} -type f -exec cat {{}} +"]
        commands += [f"cd {folder} && rg x", f"find {folder} -type f | xargs cat", f"tar cf - -C {folder} . -C /tmp a"]
    assert [c for c in commands if gate.of_command(c) == Decision.ALLOW] == []


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        # in a place, above one, and a pattern over one
        ("cat ~/.config/gh/hosts.yml", "ask"),
        ("cat ~/.config/*/hosts.yml", "ask"),
        ("cat ~/.conf*/gh/hosts.yml", "ask"),
        ("grep -r token ~/.config", "ask"),
        ("grep -r token /home", "ask"),
        ("grep -r x /etc", "ask"),
        ("cat /etc/*", "ask"),
        ("cat /etc/*-release", "allow"),
        ("cat /etc/hosts /etc/passwd", "allow"),
        ("cat /proc/cpuinfo /proc/meminfo", "allow"),
        ("cat /proc/self/environ", "ask"),
        ("cat /proc/*/environ", "ask"),
        ("cat /proc/*/status", "allow"),
        ("cat ~/.config/nvim/init.lua", "allow"),
        ("grep -r x ~/.config/nvim", "allow"),
        ("cat ~/.ssh/*.pub", "allow"),
        ("cat ~/.ssh/*", "ask"),
        ("cat backup/.ssh/config", "ask"),
        # browsers, by package
        ("cat ~/.mozilla/firefox/a.default/cookies.sqlite", "ask"),
        ("cat ~/snap/firefox/common/.mozilla/firefox/a/cookies.sqlite", "ask"),
        ("cat ~/snap/chromium/common/chromium/Default/Cookies", "ask"),
        ("cat ~/.var/app/org.mozilla.firefox/.mozilla/firefox/a/key4.db", "ask"),
        ("cat ~/.var/app/com.brave.Browser/config/Default/Cookies", "ask"),
        ("cat ~/.config/microsoft-edge/Default/Cookies", "ask"),
        ("cat ~/.config/vivaldi/Default/Cookies", "ask"),
        ("cat ~/.config/opera/Cookies", "ask"),
        ("cat ~/.zen/a.default/cookies.sqlite", "ask"),
        ("cat ~/snap/code/current/readme.txt", "ask"),
        ("cat ~/.config/yandex-browser-beta/Default/Cookies", "ask"),
        ("cat '/Users/u/Library/Application Support/Comet/Default/Cookies'", "ask"),
        ("cat '/System/Volumes/Data/Users/u/.npmrc'", "ask"),
        ("cat '/mnt/c/Users/u/AppData/Local/Google/Chrome/User Data/Default/Network/Cookies'", "ask"),
        ("cat 'copy/Login Data'", "ask"),
        ("cat backup/cookies.sqlite backup/key4.db", "ask"),
        ("cat /private/etc/master.passwd", "ask"),
        ("cat /etc/master.passwd", "ask"),
        ("cat /private/etc/hosts", "allow"),
        ("grep -r x ~/.claude", "ask"),
        ("grep -r x ~/.claude/projects", "allow"),
        ("grep -r x /tmp/build", "allow"),
        ("grep -r x /usr/include", "allow"),
        ("cat *.db", "allow"),
        # words that only look like a secret
        ('for f in *.css; do grep -n box-shadow "$f"; done', "allow"),
        ('for f in *.py; do grep -n "import boto" "$f"; done', "allow"),
        ("ls | grep README | xargs cat", "allow"),
        ("cat *.json", "allow"),
        ("cat *", "allow"),
        ("cat s*.md", "allow"),
    ],
)
def test_places_and_patterns(command: str, wanted: str, gate: Gate) -> None:
    assert gate.of_command(command).name.lower() == wanted


def test_agents_do_not_write_what_is_denied_by_default() -> None:
    """Every default of `writes: deny` is a secret by the table."""
    for pattern in secrets.WRITE_DENIED:
        path = "/" + pattern.replace("**", "a").replace("*", "b")
        assert secrets.is_secret(Location(path)) and matches(pattern, Location(path)), pattern


def test_what_reaches_the_gate_loads_code() -> None:
    assert not [name for name in (*REACHES_GATE, *REACHES_GATE_PREFIXES) if not loads_code(name)]
