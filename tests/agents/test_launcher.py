"""The portable launcher: it finds askfirst where tools put it, takes nothing that the agent or others could change, and
says one sentence where there is none. Real shells run it; it finds a stand-in that prints how it was called.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from askfirst.agents import wire_of
from askfirst.agents.registered import PORTABLE, is_known, lies_in, portable_words
from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.install.command import gate_command, gate_words, mcp_words

PLUGIN = Path(__file__).parents[2] / "hooks"
OTHER = next(agent for agent in AGENTS if agent != DEFAULT)
SHELLS = [shell for shell in ("dash", "bash", "busybox") if shutil.which(shell)]


def stand_in(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('#!/bin/sh\necho "ran $0 $*"\n')
    path.chmod(0o755)
    return path


def environment_of_its_own(place: Path, *, editable: bool = False) -> Path:
    """What pipx, uv and venv make; the first line of `askfirst` may hold options (`-E`), which do not matter here."""
    stand_in(place / "bin/python")
    (place / "pyvenv.cfg").write_text("")
    script = stand_in(place / "bin/askfirst")
    script.write_text(f"#!{place}/bin/python -E\n")
    if not editable:
        package = place / "lib/python3.11/site-packages/askfirst"
        package.mkdir(parents=True)
        (package / "launch.py").write_text("")
    return script


class Machine:
    def __init__(self, place: Path, shell: str) -> None:
        self.home, self.project, self.shell = place / "home", place / "home/work/repo", shell
        (self.project / ".git").mkdir(parents=True)
        self.path = "/usr/bin:/bin"

    def run(self, *arguments: str, project: Path | None = None) -> subprocess.CompletedProcess[str]:
        shell = ["busybox", "sh"] if self.shell == "busybox" else [self.shell]
        return subprocess.run(
            [*(shutil.which(shell[0]) or "", *shell[1:]), *portable_words(*(arguments or ("hook",)))[1:]],
            env={"HOME": str(self.home), "PATH": self.path, "CLAUDE_PROJECT_DIR": str(project or self.project)},
            cwd=self.project,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def denied(self, **more: Path) -> str:
        done = self.run(**more)
        answer = json.loads(done.stdout)
        assert done.returncode == 0 and answer["decision"] == "block" and answer["reason"] == answer["systemMessage"]
        return str(answer["reason"])


@pytest.fixture(params=SHELLS)
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    return Machine(tmp_path.resolve(), request.param)


def test_pipx_and_uv_link_into_an_environment_of_their_own(machine: Machine) -> None:
    for tool in ("pipx/venvs/askfirst", "uv/tools/askfirst"):
        place = machine.home / ".local/share" / tool
        script = environment_of_its_own(place)
        link = machine.home / ".local/bin/askfirst"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(script, link.parent) if "uv" in tool else script)
        launch = place / "lib/python3.11/site-packages/askfirst/launch.py"
        assert machine.run().stdout == f"ran {place}/bin/python -I -S {launch} hook\n"
        assert machine.run("mcp").stdout == f"ran {place}/bin/python -I -m askfirst mcp\n"


def test_an_environment_on_the_path_and_an_editable_one(machine: Machine, tmp_path: Path) -> None:
    place = tmp_path.resolve() / "an env"
    environment_of_its_own(place, editable=True)
    machine.path = f"relative/bin::{place}/bin:/usr/bin:/bin"
    assert machine.run().stdout == f"ran {place}/bin/python -I -m askfirst hook\n"


def test_a_plain_program_is_run_as_it_is(machine: Machine, tmp_path: Path) -> None:
    program = stand_in(tmp_path.resolve() / "opt/bin/askfirst")
    machine.path = f"{program.parent}:/usr/bin"
    assert machine.run("hook", "--agent", OTHER).stdout == f"ran {program} hook --agent {OTHER}\n"


def test_without_askfirst_everything_is_denied_with_one_sentence(machine: Machine) -> None:
    assert "is not installed for this user" in machine.denied()
    other = machine.run("hook", "--agent", OTHER)
    assert (other.returncode, other.stdout) == (2, "") and "is not installed" in other.stderr


def test_what_the_agent_or_others_could_change_is_not_taken(machine: Machine, tmp_path: Path) -> None:
    inside = environment_of_its_own(machine.project / ".venv")
    machine.path = f"{inside.parent}:/usr/bin:/bin"
    assert "only inside this repository" in machine.denied()
    (machine.project / "sub").mkdir()
    assert "only inside this repository" in machine.denied(project=machine.project / "sub")
    link = machine.home / ".local/bin/askfirst"
    link.parent.mkdir(parents=True)
    link.symlink_to(inside)
    assert "only inside this repository" in machine.denied()
    (tmp_path / "alias").symlink_to(machine.project)
    machine.path = f"{tmp_path}/alias/.venv/bin:/usr/bin"
    assert "only inside this repository" in machine.denied()
    shared = stand_in(tmp_path / "shared/askfirst")
    machine.path = f"{shared.parent}:/usr/bin"
    shared.parent.chmod(0o777)
    assert "other users can write" in machine.denied()
    shared.parent.chmod(0o755)
    shared.chmod(0o757)
    assert "other users can write" in machine.denied()
    # A later place that is good is taken all the same.
    good = stand_in(tmp_path.resolve() / "good/askfirst")
    machine.path += f":{good.parent}"
    assert machine.run().stdout == f"ran {good} hook\n"


def test_a_home_directory_is_no_repository(machine: Machine) -> None:
    (machine.home / ".git").mkdir()
    program = stand_in(machine.home / ".local/bin/askfirst")
    for project in (machine.home, machine.home / "work", machine.home.parent):
        assert machine.run(project=project).stdout == f"ran {program} hook\n"


@pytest.mark.parametrize("agent", AGENTS)
def test_lines_that_init_writes_are_known_and_others_are_not(agent: str, project: Path) -> None:
    for scope in ("project", "user"):
        assert is_known(gate_command(agent, scope), agent, DEFAULT)
    assert str(Path.home()) not in gate_command(agent, "project")
    line = gate_command(agent)
    for evil in (
        f"touch x; {line}",
        f"{line} && true",
        f"$(id)/{line}",
        line.replace("-I -S", "-I"),
        gate_command(agent, "project").replace("set -f", "set -f; id"),
        "askfirst hook",
    ):
        assert not is_known(evil, agent, DEFAULT)
    assert lies_in(f"{project}/.venv/bin/python -I -S /x/askfirst/launch.py hook", str(project))
    assert not lies_in(line, str(project)) and not lies_in(gate_command(agent, "project"), str(project))


def test_team_files_hold_nothing_of_this_machine() -> None:
    for words in (gate_words("claude", "project"), mcp_words("project")):
        assert not [word for word in words if os.path.dirname(PORTABLE) in word or os.path.expanduser("~") in word]


def test_the_plugin_has_the_same_launcher() -> None:
    assert (PLUGIN / "scripts/askfirst-hook.sh").read_bytes() == Path(PORTABLE).read_bytes()


def test_the_sentence_is_a_deny_in_the_words_of_the_client(machine: Machine) -> None:
    """`decision: block` is the form that both versions of the client take at every event (tests/e2e)."""
    assert wire_of("claude").block_change("x").stdout.startswith(b'{"decision":"block"')
    assert "'" not in portable_words()[2]  # quoted once, it stays readable
