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
