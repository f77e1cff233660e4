"""A `.env` that an agent loads into itself reaches its hooks and every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.agents import wire_of
from askfirst.agents.dotenv import tampering_by_dotenv
from tests.agents.support import CASES, NAMES

# text -> the variable that closes the gate in a file of the person's own; "" none.
OWN = {
    "BASH_ENV=./evil.sh\n": "BASH_ENV",
    "export XDG_CONFIG_HOME=cfg\n": "XDG_CONFIG_HOME",
    "  export\tXDG_STATE_HOME = 'x'\n": "XDG_STATE_HOME",
    "ASKFIRST_X: y\n": "ASKFIRST_X",
    "A=1\rLD_PRELOAD=./x.so\r": "LD_PRELOAD",
    "BASH_ENV\n=./evil.sh\n": "BASH_ENV",
    "PATH=/x\nHOME=/x\n": "",
    "# BASH_ENV=x\nDATABASE_URL=postgres://localhost/x?BASH_ENV=1\n": "",
}


@pytest.mark.parametrize("text", OWN, ids=repr)
@pytest.mark.parametrize("place", [".env", ".theirs/.env"])
def test_what_reaches_the_gate_closes_it(place: str, text: str, project: Path) -> None:
    path = project / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, newline="")
    why = tampering_by_dotenv(str(project), ".theirs")
    assert (str(path) in why and OWN[text] in why) if OWN[text] else why == ""


def test_the_agents_own_file_must_not_load_code(project: Path) -> None:
    text = "NODE_OPTIONS=--require=./x\nGIT_EXTERNAL_DIFF=./x\nPAGER=cat\nJAVA_HOME=/usr/lib/jvm/java-17\n"
    (project / ".env").write_text(text)
    assert tampering_by_dotenv(str(project), ".theirs") == ""
    (project / ".theirs").mkdir()
    (project / ".theirs" / ".env").write_text(text)
    assert "sets GIT_EXTERNAL_DIFF, NODE_OPTIONS, which" in tampering_by_dotenv(str(project), ".theirs")


def test_a_directory_below_the_root(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "web").mkdir()
    (project / "web" / ".env").write_text("BASH_ENV=./evil.sh\n")
    assert tampering_by_dotenv(str(project), ".theirs") == ""
    monkeypatch.chdir(project / "web")
    assert "web/.env" in tampering_by_dotenv(str(project), ".theirs")


@pytest.mark.parametrize("agent", [name for name in NAMES if CASES[name].get("dotenv")])
def test_agents_that_load_one_are_closed_by_it(agent: str, project: Path) -> None:
    (project / ".env").write_text("XDG_CONFIG_HOME=cfg\n")
    assert "XDG_CONFIG_HOME" in wire_of(agent).tampering(str(project))
