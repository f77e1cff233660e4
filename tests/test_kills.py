"""A kill by name, pattern or port needs no question where it hits something, and all that it hits is the session's."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.kills import stops_in
from askfirst.model import Decision, Request
from askfirst.policy.offers import offers
from askfirst.policy.rules import Layers

pytestmark = [
    pytest.mark.usefixtures("project"),
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc"),
]
SESSION = "s-kills"
NAME = f"zz-server-{os.getpid()}-zz"  # other workers have theirs
CODE = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname()) if "both" in sys.argv else None
print(server.getsockname()[1], flush=True)
sys.stdin.read()
"""


class Server:
    def __init__(self, name: str, *, own: bool, options: tuple[str, ...] = ()) -> None:
        environ = {k: v for k, v in os.environ.items() if not k.startswith("CLAUDE")}
        environ |= {"CLAUDE_CODE_SESSION_ID": SESSION} if own else {}
        self.process = subprocess.Popen(
            (sys.executable, "-c", CODE, name, "dev", *options),
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


Start = Callable[..., Server]


@pytest.fixture
def start() -> Iterator[Start]:
    servers: list[Server] = []

    def starts(name: str, *, own: bool, options: tuple[str, ...] = ()) -> Server:
        servers.append(Server(name, own=own, options=options))
        return servers[-1]

    yield starts
    for server in servers:
        server.end()


def decision(command: str, folder: Path, session: str = SESSION) -> Decision:
    request = Request("claude", session, str(folder), str(folder), "Bash", {"command": command})
    return judged(request, Layers(str(folder), home=os.environ["HOME"])).verdict.decision


FORMS = (
    'pkill -f "{name} dev"',
    "pkill -9 -f '{name}' 2>/dev/null || true",
    "pkill -KILL -f {name}; sleep 1; echo done",
    "cd src && pkill -f {name} 2>/dev/null; sleep 2 && ls",
    "pkill -f '[{first}]{rest}'",
    "pkill -f '{name}.*dev'",
    "kill -9 $(pgrep -f {name})",
    "kill `pgrep -f {name}` 2>/dev/null",
    "pgrep -f {name} | xargs kill -9 2>/dev/null; ls",
    "pgrep -f {name} | xargs -r kill",
    "ps aux | grep {name} | grep -v grep | awk '{{print $2}}' | xargs kill -9 2>/dev/null; sleep 1",
    "ps -ef | grep -i '{name}' | grep -v grep | awk '{{ print $2 }}' | xargs kill",
    "lsof -ti:{port} | xargs kill -9",
    "lsof -ti :{port} | xargs -r kill -9 2>/dev/null || true",
    "lsof -t -i:{port} -sTCP:LISTEN | xargs kill",
    "lsof -tiTCP:{port} -sTCP:LISTEN | xargs kill",
    "lsof -nP -ti tcp:{port} | xargs kill",
    "kill -9 $(lsof -t -i:{port}) 2>/dev/null; ls",
    'kill "$(lsof -ti:{port})"',
    "fuser -k {port}/tcp",
    "fuser -k -n tcp {port} 2>/dev/null; true",
    "pkill -f {name}; echo next; lsof -ti:{port} | xargs kill",
)


@pytest.mark.parametrize("form", FORMS)
def test_what_the_session_started(form: str, start: Start, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    server = start(NAME, own=True)
    command = form.format(name=NAME, port=server.port, first=NAME[0], rest=NAME[1:])
    assert decision(command, tmp_path) == Decision.ALLOW
    assert decision(command, tmp_path, "another") == Decision.ASK
    assert decision(command, tmp_path, "") == Decision.ASK
    foreign = start(NAME, own=False)
    if str(server.port) in command:
        command = command.replace(str(server.port), str(foreign.port))
    assert decision(command, tmp_path) == Decision.ASK


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_there_to_hit(form: str, start: Start, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    server = start("zz-other-zz", own=False)
    server.end()
    command = form.format(name=NAME, port=server.port, first="z", rest=NAME[1:])
    assert decision(command, tmp_path) == Decision.ASK


@pytest.mark.parametrize(
    "form",
    [
        "sleep 1; pkill -f {name}",
        "npm start & pkill -f {name}",
        "pkill -f {name} & ls",
        "pkill -f $NAME",
        'pkill -f "$NAME"',
        "pkill -f '{name}+'",
        "pkill -f '({name})'",
        "pkill -v -f {name}",
        "pkill -f {name} -u root",
        "pkill -t pts/0",
        "killall -r {name}",
        "killall -g {name}",
        "killall -u root {name}",
        "pkill -f {name}; npm start & sleep 3; pkill -f {name}",
        "pkill -f {name}; ls & p''kill -f {name}",
        "trap 'pkill -f {name}' EXIT; pkill -f {name}",
        "for i in 1 2; do pkill -f {name}; sleep 9; done",
        "lsof -ti:{port} | xargs kill; lsof -ti:{port},1 | xargs kill",
        "lsof -ti:{port} -u root | xargs kill",
        "lsof -i:{port} | xargs kill",
        "lsof -ti:{port} | tee x | xargs kill",
        "lsof -ti:{port} | xargs -I{{}} kill {{}} 1",
        "lsof -ti:{port} | xargs kill -9 1",
        "kill -9 $(lsof -ti:{port}) 1",
        "kill -9 -$(lsof -ti:{port})",
        "fuser -k {port}/udp",
        "fuser -k -m {port}/tcp",
        "fuser -km / {port}/tcp",
        "ps aux | grep ps | awk '{{print $2}}' | xargs kill",
        "ps aux | grep root | grep -v grep | awk '{{print $2}}' | xargs kill",
        "ps aux | grep {name} | grep -v grep | awk '{{print $3}}' | xargs kill",
        "ps aux | grep -v {name} | awk '{{print $2}}' | xargs kill",
        "ps aux | awk '{{print $2}}' | xargs kill",
        "X=1 pkill -f {name}",
        "xargs pkill -f {name}",
        "pkill -f ''",
        "pkill -f .",
        "pkill -f 'zz|'",
    ],
)
def test_what_is_not_certain_asks(form: str, start: Start, tmp_path: Path) -> None:
    server = start(NAME, own=True)
    command = form.format(name=NAME, port=server.port)
    assert decision(command, tmp_path) != Decision.ALLOW


def test_names(tmp_path: Path) -> None:
    """A name is what the kernel keeps of it, and what the process was called by."""
    link = tmp_path / f"zz{os.getpid()}namedprogram"
    part = link.name[:14]
    link.symlink_to(sys.executable)
    for own, expected in ((True, Decision.ALLOW), (False, Decision.ASK)):
        environ = dict(os.environ) | ({"CLAUDE_CODE_SESSION_ID": SESSION} if own else {})
        command = (str(link), "-c", "import sys; print(1, flush=True); sys.stdin.read()")
        with subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            for text in (
                "killall {}",
                "killall -9 {}",
                "pkill -x {}",
                "pkill {}",
                f"pkill {part}",
                "killall -q {}",
            ):
                assert decision(text.format(link.name), tmp_path) == expected, text
            assert decision(f"pkill -x {part}", tmp_path) == Decision.ASK, "part of a name hits nothing"
            process.communicate()


def test_whoever_talks_to_a_port_is_hit_too(start: Start, tmp_path: Path) -> None:
    """`lsof -ti:3000` lists the browser that has a page of it open."""
    server = start(NAME, own=True, options=("both",))
    assert decision(f"lsof -ti:{server.port} | xargs kill", tmp_path) == Decision.ALLOW
    code = f"import socket, sys; s = socket.create_connection(('127.0.0.1', {server.port})); print(1, flush=True)"
    command = (sys.executable, "-c", f"{code}; sys.stdin.read()")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as browser:
        assert browser.stdout is not None
        browser.stdout.readline()
        assert decision(f"lsof -ti:{server.port} | xargs kill", tmp_path) == Decision.ASK
        assert decision(f"lsof -ti:{server.port} -sTCP:LISTEN | xargs kill", tmp_path) == Decision.ALLOW
        browser.communicate()


def test_what_cannot_be_looked_at_asks(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(NAME, own=True)
    assert decision(f"pkill -f {NAME}", tmp_path) == Decision.ALLOW

    def refuse(path: str) -> list[str]:
        raise PermissionError(path)

    monkeypatch.setattr("askfirst.kills.os.listdir", refuse)
    assert decision(f"pkill -f {NAME}", tmp_path) == Decision.ASK


def test_only_what_a_script_begins_with_is_understood() -> None:
    found = stops_in("cd a && pkill -f x; echo b; killall -9 y\nsleep 1; pkill -f z")
    assert [stop.words for stop in found] == [("pkill", "-f", "x"), ("killall", "-9", "y")]


def test_a_yes_to_a_port_is_for_what_uses_it_then(tmp_path: Path) -> None:
    """Whoever frees a port does it again; what else has it then is in the words of the question."""
    whatever = "`kill` of what has port 3000 open then, by any signal"
    assert words("lsof -ti:3000 | xargs kill -9", tmp_path) == words("kill $(lsof -t -i:3000)", tmp_path) == [whatever]
    for text in ("lsof -ti:3000 | xargs -n1 kill -9", "kill $(pgrep -f vite)", "kill $(lsof -t -i:3000) 1"):
        assert words(text, tmp_path) == ["exactly this text, in this directory"]


def words(text: str, project: Path) -> list[str]:
    """What there is to say yes to."""
    request = Request("claude", SESSION, str(project), str(project), "Bash", {"command": text})
    return [offer.words for offer in offers(judged(request, Layers(str(project))))]
