"""`askfirst init` offers the box: the engine is tried, the box explained in two lines, and a person says yes or no."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval import person
from askfirst.box import engines
from askfirst.cli import main
from askfirst.commands import init
from askfirst.errors import ConfigError
from askfirst.install import box_mode
from askfirst.install.box_mode import EXPLAINED, is_decided, switch
from askfirst.store import paths
from askfirst.store.layers import org_files, settings_of


@pytest.fixture
def config() -> Path:
    return Path(paths.org_files()[-1])


def in_force() -> tuple[bool, bool]:
    box = settings_of(org_files()).box
    return box.unknown, box.allowed


def test_the_mode_is_one_line_of_the_users_file(config: Path) -> None:
    assert not is_decided()
    assert switch("unknown") == f"{config}: `box: unknown`" and in_force() == (True, False) and is_decided()
    config.write_text("# mine\nversion: 2\nbox: unknown\nallowed_commands: [jq]  # yes\n")
    switch("all")
    assert config.read_text() == "# mine\nversion: 2\nbox: all\nallowed_commands: [jq]  # yes\n"
    assert in_force() == (True, True)
    switch("off")
    assert in_force() == (False, False) and is_decided()


def test_more_than_a_mode_is_the_persons_to_change(config: Path) -> None:
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("version: 2\nbox:\n  mode: off\n  show: [.env.test]\n")
    with pytest.raises(ConfigError, match="more than a mode"):
        switch("unknown")


def test_the_organisations_word_stands(config: Path) -> None:
    organisation = Path(paths.org_files()[0])
    organisation.parent.mkdir(parents=True, exist_ok=True)
    organisation.write_text("version: 2\nbox: off\n")
    assert "the organisation's file says otherwise, and counts" in switch("unknown")
    assert in_force() == (False, False)


@pytest.fixture
def at_terminal(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setattr(init, "is_person_here", lambda: True)
    monkeypatch.setattr(init, "drop_typed_ahead", lambda: None)
    monkeypatch.setattr(init, "why_no_engine", lambda: "")


def offered(monkeypatch: pytest.MonkeyPatch, answer: str) -> list[str]:
    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return answer

    monkeypatch.setattr(init, "typed_line", typed)
    main(["init", "--no-project-file"])
    return asked


@pytest.mark.usefixtures("at_terminal")
@pytest.mark.parametrize(("answer", "mode"), [("y", (True, False)), ("no", (False, False))])
def test_a_person_says_yes_or_no_once(
    answer: str, mode: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (question,) = offered(monkeypatch, answer)
    assert "Switch it on for all your projects?" in question
    assert "\n".join(EXPLAINED) in capsys.readouterr().out and len(EXPLAINED) == 2
    assert in_force() == mode
    assert not offered(monkeypatch, answer), "it is decided"


@pytest.mark.usefixtures("at_terminal")
def test_without_an_answer_nothing_is_decided(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(monkeypatch, "") and not config.exists()
    assert "The box stays off: `askfirst init --box unknown` switches it on" in capsys.readouterr().out


@pytest.mark.usefixtures("at_terminal")
def test_without_an_engine_it_is_not_offered(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(init, "why_no_engine", lambda: "bubblewrap: not installed")
    assert not offered(monkeypatch, "y") and not config.exists()
    assert "so everything asks: `askfirst doctor` says what to install" in capsys.readouterr().out


def test_an_agent_switches_nothing_on(
    project: Path, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setattr(engines, "available", lambda *_: None)
    monkeypatch.setattr(person, "has_terminal", lambda: False)
    assert main(["init", "--no-project-file", "--box", "unknown"]) != 0
    assert not config.exists() and "there is no terminal" in capsys.readouterr().err
    assert "bubblewrap" in box_mode.why_no_engine()
