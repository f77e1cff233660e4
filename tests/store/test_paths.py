"""Where files are kept: store/paths.py computes what platformdirs names; the hook cannot pay for importing it."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import platformdirs.macos
import platformdirs.unix
import pytest

from askfirst.errors import StoreError
from askfirst.store import paths
from tests.hook.process import run_bash

XDG = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "unset": {},
    "empty": dict.fromkeys(XDG, ""),
    "set": {"XDG_STATE_HOME": "/x/state", "XDG_CONFIG_HOME": "/x/config", "XDG_CONFIG_DIRS": "/x/site"},
    "several": {"XDG_CONFIG_DIRS": "/x/first:/x/second"},
    "relative first": {"XDG_CONFIG_DIRS": "etc:/x/second"},
    "relative": dict.fromkeys(XDG, "some/where"),
}


@pytest.fixture
def surroundings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in XDG:
        monkeypatch.delenv(name, raising=False)
    for name, value in ENVIRONMENTS[request.param].items():
        monkeypatch.setenv(name, value)


def places() -> tuple[str, str, str]:
    return paths.state_dir(), paths.user_config_dir(), paths.site_config_dir()


@pytest.mark.parametrize("surroundings", ENVIRONMENTS, indirect=True)
@pytest.mark.usefixtures("surroundings")
def test_on_linux_they_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    there = platformdirs.unix.Unix("askfirst", appauthor=False)
    assert places() == (there.user_state_dir, there.user_config_dir, there.site_config_dir)


@pytest.mark.parametrize("surroundings", ["unset"], indirect=True)
@pytest.mark.usefixtures("surroundings")
def test_on_macos_they_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("sys.prefix", "/usr/local")
    there = platformdirs.macos.MacOS("askfirst", appauthor=False)
    assert places() == (there.user_state_dir, there.user_config_dir, there.site_config_dir)


@pytest.mark.parametrize("surroundings", ENVIRONMENTS, indirect=True)
@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("prefix", ["/usr/local", "/opt/homebrew/opt/python"])
def test_on_macos_no_variable_and_no_package_manager_moves_the_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("sys.prefix", prefix)
    own = f"{tmp_path}/Library/Application Support/askfirst"
    assert places() == (own, own, "/Library/Application Support/askfirst")


@pytest.mark.parametrize("given", [None, ""])
def test_without_home_the_system_knows_it(monkeypatch: pytest.MonkeyPatch, given: str | None) -> None:
    monkeypatch.setenv("HOME", given) if given is not None else monkeypatch.delenv("HOME")
    assert paths.home() == pwd.getpwuid(os.getuid()).pw_dir


@pytest.mark.parametrize("given", ["home", "./home", "~", None])
def test_a_home_that_is_no_absolute_path_is_refused(monkeypatch: pytest.MonkeyPatch, given: str | None) -> None:
    monkeypatch.setenv("HOME", given) if given is not None else monkeypatch.delenv("HOME")
    monkeypatch.setattr(paths, "_home_on_record", lambda: "")
    for variable in XDG:
        monkeypatch.delenv(variable, raising=False)
    for place in (paths.home, paths.state_dir, paths.user_config_dir, paths.org_files):
        with pytest.raises(StoreError, match="not an absolute path"):
            place()


def test_a_repository_cannot_be_its_users_home(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    """With HOME=. its own rules would be the organisation's, and the state would land in it."""
    config = project / ".config" / "askfirst" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("version: 1\nallowed_commands: [./evil.sh]\n")
    (project / "evil.sh").write_text("x\n")
    monkeypatch.setenv("HOME", ".")
    for variable in XDG:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(project)
    found = run_bash("./evil.sh", cwd=project)
    assert found.is_closed and "not an absolute path" in found.reason
    assert sorted(os.listdir(project)) == [".config", "evil.sh"]


def test_what_cannot_be_looked_at_is_not_absent(tmp_path: Path) -> None:
    assert not paths.is_there(str(tmp_path / "none")) and not paths.is_there(str(tmp_path / "none" / "x"))
    (tmp_path / "file").touch()
    assert paths.is_there(str(tmp_path / "file")) and not paths.is_there(str(tmp_path / "file" / "x"))
    with pytest.raises(StoreError, match="cannot be looked at"):
        paths.is_there(str(tmp_path / ("n" * 300)))
