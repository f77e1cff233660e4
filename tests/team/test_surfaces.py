"""Two machines, as two homes: an agent's real hook asks on one, and a person answers on the other, in a real terminal
and in a real browser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.team.conftest import PEOPLE
from tests.team.server import Server
from tests.tui.test_tmux import ASKFIRST, Tmux, decision, hook
from tests.waiting import until
from tests.web.conftest import start_browser
from tests.web.test_browser import click, press, text_of


class Machine:
    """A home of its own: what is stored, and what the organisation has put there."""

    def __init__(self, directory: Path, keys: Path, config: str = "") -> None:
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(directory), "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "SHELL": "/bin/sh", "PS1": "$ ", "PYTHONPATH": str(Path(__file__).parents[2]),
            **{v: str(directory / v.lower()) for v in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")},
        }  # fmt: skip
        site = directory / "xdg_config_dirs" / "askfirst"
        site.mkdir(parents=True)
        signers = "".join(f"{person} {(keys / f'{person}.pub').read_text()}" for person in PEOPLE)
        (site / "allowed_signers").write_text(signers)
        if config:
            (site / "config.yaml").write_text(config)

    def joins(self, dsn: str, side: str, key: str = "") -> None:
        code = f"from askfirst.team.joined import join; join({side!r}, {dsn!r}, key={key!r})"
        subprocess.run([sys.executable, "-c", code], env=self.environment, check=True)

    def says(self, *words: str) -> str:
        command = [sys.executable, "-m", "askfirst", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout


@pytest.fixture
def asking(tmp_path: Path, db: Server, keys: Path) -> Machine:
    directory = tmp_path / "asking"
    directory.mkdir()
    machine = Machine(directory, keys, "version: 2\nteam: {self_approval: false}\n")
    machine.joins(db.dsn("ada_hook"), "hook")
    return machine


@pytest.fixture
def answering(tmp_path: Path, db: Server, keys: Path) -> Machine:
    directory = tmp_path / "answering"
    directory.mkdir()
    machine = Machine(directory, keys)
    machine.joins(db.dsn("bob"), "approver", str(keys / "bob"))
    return machine


@pytest.fixture
def relay(asking: Machine) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay"], env=asking.environment)
    until(lambda: json.loads(asking.says("team", "status", "--json"))["relay"], "the relay")
    yield
    process.terminate()
    process.wait()


@pytest.mark.needs("tmux")
@pytest.mark.usefixtures("relay")
def test_a_person_elsewhere_answers_in_a_terminal(
    asking: Machine, answering: Machine, project: Path, tmp_path: Path
) -> None:
    short = tmp_path / "t"
    short.mkdir()
    tmux = Tmux(short, answering.environment)
    try:
        tmux.type(f"{ASKFIRST} watch --team\n")
        tmux.sees("no requests")
        waiting = hook(asking.environment, project, "hugo deploy")
        tmux.sees("hugo deploy")
        tmux.sees("asked by ada (ada_hook)")
        tmux.press("s", lambda: "✓ allowed for this session" in tmux.screen())
        assert decision(waiting) == "allow"
        assert "bob via team" in asking.says("grants", "--all", "--json")
        denied = hook(asking.environment, project, "hugo drop")
        tmux.sees("hugo drop")
        tmux.press("d", lambda: "denying" in tmux.frame() or "✗ denied" in tmux.screen())
        assert decision(denied) == "deny"
        tmux.keys("C-c")
    finally:
        tmux.run("kill-server")


@pytest.mark.needs("chromium", "chromedriver")
@pytest.mark.usefixtures("relay")
def test_a_person_elsewhere_answers_on_the_page(asking: Machine, answering: Machine, project: Path, db: Server) -> None:
    """`askfirst serve --team` as a process; its link is read from its terminal."""
    code = (
        "from askfirst.approval import person; person.ancestors = lambda: (); person.has_terminal = lambda: True\n"
        "import sys; from askfirst.cli import main; sys.exit(main(['serve', '--team', '--no-open']))"
    )
    served = subprocess.Popen(
        [sys.executable, "-c", code],
        env=answering.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    browser = start_browser()
    try:
        assert served.stdout is not None
        browser.get(served.stdout.readline().strip())
        until(lambda: text_of(browser, "#connection") == "Live", "a live page")
        waiting = hook(asking.environment, project, "hugo deploy")
        found = until(lambda: _cards(browser), "the card")
        name = str(found[0].get_attribute("id")).removeprefix("card-")
        assert "hugo deploy" in found[0].text and "asked by ada (ada_hook)" in found[0].text
        press(browser, name, "once")
        assert decision(waiting) == "allow"
        until(lambda: not _cards(browser), "the card to go")
        click(browser, "[data-view=team]")
        until(lambda: "1 requests in 30 days: 1 allowed" in text_of(browser, "main"), "the team's figures")
        assert browser.execute_script("return document.querySelectorAll('main svg rect.bar-allowed').length") == 3
    finally:
        browser.quit()
        served.terminate()
        served.wait()


def _cards(browser: Any) -> Any:
    return browser.find_elements("css selector", "[id^=card-]")
