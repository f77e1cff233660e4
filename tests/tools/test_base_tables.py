"""Every row of the basic tools proves itself: its examples pass, its counter-examples do not, and the registry knows it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from askfirst.model import Command, Unknown, Write
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings
from askfirst.shell.tools import REGISTRY, tool_for
from tests.tools.rows import rows_of

MODULES = (
    "unix.basics",
    "unix.text_filters",
    "unix.file_writers",
    "unix.search",
    "unix.find",
    "unix.sed",
    "unix.awk",
    "shells.wrappers",
    "shells.shells",
    "shells.builtins",
    "data.formats",
    "unix.archives",
    "remote.network",
    "shells.interpreters",
    "unix.editors",
    "system.linux",
    "system.crypto",
    "system.macos",
    "system.administration",
    "builds.linters",
)
EXAMPLES = sorted({e for tool in rows_of(MODULES) for e in tool.examples})
COUNTER_EXAMPLES = sorted({e for tool in rows_of(MODULES) for e in tool.counter_examples})


def problems(command: str, project: Path) -> list[str]:
    """Why a command would not be allowed, from its facts alone."""
    home = str(project.parent)
    found: list[str] = []
    for fact in analyze(command, Surroundings(cwd=str(project), project=str(project), home=home, path=())):
        if isinstance(fact, Unknown):
            found.append(f"{fact.what}: {fact.why}")
        elif isinstance(fact, Command) and not fact.action.allowed:
            found.append(f"{fact.name} is not allowed")
        elif isinstance(fact, Write) and not (fact.path or "").startswith(str(project)):
            found.append(f"writes {fact.path}")
    return found


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_is_allowed(command: str, project: Path) -> None:
    assert problems(command, project) == []


@pytest.mark.parametrize("command", COUNTER_EXAMPLES)
def test_a_counter_example_is_not(command: str, project: Path) -> None:
    assert problems(command, project) != []


def test_every_row_says_what_it_does() -> None:
    assert [tool.name for tool in rows_of(MODULES) if not tool.description] == []


def test_the_registry_and_the_modules_say_the_same() -> None:
    named = {(name, topic) for name, topic in REGISTRY.items() if topic in MODULES}
    held = {(name, module) for module in MODULES for name in import_module(f"askfirst.shell.tools.{module}").TOOLS}
    assert named == held
    assert all(tool_for(name) is not None for name in REGISTRY)
