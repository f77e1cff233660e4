"""Every test has a home, a state directory and a configuration of its own."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from askfirst.approval.person import AGENT_VARIABLES
from tests.disks import mounted
from tests.needs import may_skip, needs

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def pytest_configure(config: pytest.Config) -> None:
    # Started under `nohup`, SIGHUP is ignored and stays so in children: the tests of dying terminals need the default.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        needs(*mark.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _skips_fail_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _skips_fail_in_ci((yield))


def _skips_fail_in_ci(report: Report) -> Report:
    """A skipped test looks like a passed one in the end; in CI only the listed reasons may skip."""
    if report.skipped and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not may_skip(reason):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI, where that is a failure (tests/needs.py): {reason}"
    return report


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private home: nothing of the person who runs the tests is read or written."""
    base = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(base))
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(base / variable.lower()))
    for variable in [*AGENT_VARIABLES, *(v for v in os.environ if v.startswith(("CLAUDE", "ASKFIRST_")))]:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # The shims of a version manager look for it below the home, which is another one here.
    manager, shims, _ = (shutil.which("python3") or "").partition("/shims/")
    if shims:
        monkeypatch.setenv("PYENV_ROOT", manager)
    # Which shell the agent's commands meet is read from here; a runner without one must get the same answers.
    monkeypatch.setenv("SHELL", "/bin/bash")
    # Tests of the warm process start their own; every other one is about the cold hook.
    monkeypatch.setenv("ASKFIRST_RESIDENT", "off")
    return base


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MiB, to be filled."""
    with mounted(tmp_path / "disk") as place:
        yield place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project directory."""
    path = tmp_path / "project"
    path.mkdir()
    return path.resolve()
