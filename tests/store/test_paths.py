"""Where files are kept: store/paths.py computes what platformdirs names; the hook cannot pay for importing it."""

from __future__ import annotations

from pathlib import Path

import platformdirs.macos
import platformdirs.unix
import pytest

from askfirst.store import paths

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
