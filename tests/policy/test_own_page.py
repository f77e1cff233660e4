"""No command, fetch or tool of an agent talks to askfirst's own page, however its address is written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Layer, Request
from askfirst.policy.rules import Layers
from askfirst.store import pages
from askfirst.store.layers import load_layers

PORT = 41793
COMMANDS = (
    "curl http://localhost:41793/",
    "curl -s localhost:41793",
    "curl http://127.0.0.1:41793/api/session -d '{}'",
    "curl http://[::1]:41793/",
    "curl 'http://[::ffff:127.0.0.1]:41793/'",
    "curl 'http://[0:0:0:0:0:0:0:1]:41793/'",
    "curl http://0:41793/",
    "curl http://0.0.0.0:41793/",
    "curl http://127.1:41793/",
    "curl http://2130706433:41793/",
    "curl http://0x7f000001:41793/",
    "curl http://0x7f.1:41793/",
    "curl http://017700000001:41793/",
    "curl http://LOCALHOST.:41793/",
    "curl http://local%68ost:41793/",
    "curl http://me@localhost:41793/",
    "curl http://localhost:041793/",
    "curl http://app.localhost:41793/",
    "curl http://127.0.0.1.nip.io:41793/",
    "curl -H 'Host: 127.0.0.1:41793' http://127.0.0.1:41793/",
    "curl --resolve x.example:41793:127.0.0.1 http://x.example:41793/",
    "curl --connect-to ::localhost:41793 http://x.example/",
    "curl -x http://localhost:41793 http://example.com/",
    "http_proxy=http://localhost:41793 curl http://example.com/",
    "curl 'http://localhost:[41790-41799]/'",
    "P=41793; curl http://localhost:$P/",
    "H=127.0.0.1 && curl http://$H:41793/",
    "wget -qO- http://localhost:41793/",
    "http :41793/api/log",
    "nc -z localhost 41793",
    "nc 127.0.0.1 41793 < request",
    "telnet 127.1 41793",
    "socat - TCP:localhost:41793",
    "echo x > /dev/tcp/127.0.0.1/41793",
    "exec 3<>/dev/tcp/localhost/41793",
    "nmap -p 1-65535 localhost",
    "ssh -L 9000:127.0.0.1:41793 localhost",
    """python3 -c "import urllib.request as u; u.urlopen('http://localhost:41793')" """,
    """python3 -c "import socket; socket.create_connection(('127.0.0.1', 41793))" """,
    """node -e "fetch('http://localhost:41793')" """,
    "xargs curl < urls http://localhost:41793",
)
OTHERS = (
    "curl http://localhost:3000/",
    "curl http://localhost:4179/",
    "curl http://localhost:417930/",
    "nc -z localhost 5432",
    "git log -n 41793",
    "ls build-41793",
)
TOOLS = (
    ("WebFetch", {"url": "http://localhost:41793/", "prompt": "read it"}),
    ("mcp__browser__navigate", {"url": "http://2130706433:41793/#x"}),
    ("mcp__http__request", {"host": "127.0.0.1", "port": 41793}),
)


def verdict(tool: str, given: Mapping[str, object], project: Path, *ports: int) -> tuple[Decision, bool]:
    layers = replace(Layers(str(project), home="/home/me"), page_ports=ports)
    found = judged(Request("claude", "s", str(project), str(project), tool, given), layers).verdict
    deciding = found.deciding
    is_own = deciding is not None and deciding.origin.rule == "own-page"
    assert not is_own or deciding is None or deciding.origin.layer == Layer.HARDCODED_BLOCK
    return found.decision, is_own


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_is_out_of_reach(command: str, tmp_path: Path) -> None:
    assert verdict("Bash", {"command": command}, tmp_path, PORT) == (Decision.DENY, True)
    assert not verdict("Bash", {"command": command}, tmp_path)[1]


@pytest.mark.parametrize("command", OTHERS)
def test_other_servers_and_numbers_are_not_meant(command: str, tmp_path: Path) -> None:
    given = {"command": command}
    assert verdict("Bash", given, tmp_path, PORT) == verdict("Bash", given, tmp_path)


@pytest.mark.parametrize(("tool", "given"), TOOLS)
def test_tools_are_kept_away_too(tool: str, given: dict[str, object], tmp_path: Path) -> None:
    assert verdict(tool, given, tmp_path, PORT) == (Decision.DENY, True)


def test_a_page_that_is_open_is_known_to_the_gate_and_one_that_died_is_not(tmp_path: Path) -> None:
    assert load_layers(str(tmp_path)).page_ports == ()
    with pages.OpenPage(PORT) as page:
        assert load_layers(str(tmp_path)).page_ports == (PORT,)
        page.note_logins([{"id": "a1b2c3", "browser": "Firefox on Linux"}])
        assert [(port, login["id"]) for port, login in pages.logins()] == [(PORT, "a1b2c3")]
        pages.want_ended(PORT, "a1b2c3")
        assert page.to_end() == ["a1b2c3"] and page.to_end() == []
        left = os.path.dirname(page._path)
        Path(left, f"open-{PORT}-x.html").touch()
    assert load_layers(str(tmp_path)).page_ports == () and not os.listdir(left)
    Path(left, f"port-{PORT}").touch()
    assert load_layers(str(tmp_path)).page_ports == ()
