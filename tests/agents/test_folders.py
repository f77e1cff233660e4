"""An agent is one folder, one row, one file of cases; nothing else names it, but for the places listed here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import askfirst
from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.gate import facts_of
from askfirst.install.installer import installer_of
from askfirst.model import Decision, Request
from askfirst.policy.judge import judge
from askfirst.store.layers import load_layers
from tests.agents.support import CASES, NAMES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(askfirst.__file__).parent
SUFFIXES = (".py", ".js", ".sh", ".yaml", ".html")
# Words that mean other things too: only where they look like the agent.
# (`acme` is the agent of the recipe in CONTRIBUTING.md, and a directory of certificates' keys in /etc and /var/lib.)
AMBIGUOUS = {"cursor": r"""["'./]cursor["'./]|\bCursor\b""", "acme": r"(?<!/lib/)(?<!/etc/)\bacme\b|acme_"}

# (agent or "*", where, why). A place ends in "/" or is a file; an entry that is no longer needed fails.
MAY_NAME = [
    ("*", "tests/cases/", "commands and files, as agents write them"),
    ("*", "tests/agents/test_folders.py", "this table"),
    ("*", "src/askfirst/shell/tools/", "agents and other programs of that name are programs that a command may start"),
    ("*", "tests/approval/test_person.py", "processes by which an agent is recognised"),
    ("copilot", "src/askfirst/knowledge/programs.py", "another program of that name"),
    ("copilot", "src/askfirst/knowledge/definitions.py", "another program of that name"),
    ("*", "tests/policy/test_tools_of_agents.py", "what agents call the tools of a server"),
    ("copilot", "src/askfirst/agents/claude/wire.py", "Copilot CLI runs Claude Code's hooks"),
    ("codex", "src/askfirst/files/patch.py", "its patch format has no other name"),
    ("codex", "tests/test_ci.py", "a test that CI may skip"),
    ("codex", "tests/approval/test_ask.py", "an agent that is not the default one"),
    ("codex", "tests/audit/test_reports.py", "an agent that is not the default one"),
    ("codex", "tests/files/test_patch.py", "an agent that sends patches"),
    ("gemini", "tests/e2e/agents/fake_models.py", "a model's protocol"),
    ("codex", "tests/web/pictures.py", "requests of several agents"),
    ("gemini", "tests/web/pictures.py", "requests of several agents"),
    # Claude Code's names for tools and events are the gate's own; it is the agent of the SDK, and the default.
    ("claude", "src/askfirst/agents/event.py", "events have its names"),
    ("claude", "src/askfirst/knowledge/", "tools have its names; variables and notes of its own"),
    ("claude", "src/askfirst/model.py", "tools have its names"),
    ("claude", "src/askfirst/box/", "its shell, its variables and its process, as they are in the box"),
    ("claude", "src/askfirst/gate.py", "it names the shell that it uses"),
    ("claude", "src/askfirst/tool_facts.py", "its skills are judged when they are called"),
    ("claude", "src/askfirst/world.py", "it draws a dialog of its own"),
    ("claude", "src/askfirst/policy/", "its worktrees lie below its own directory"),
    ("claude", "src/askfirst/proposals.py", "the session of its MCP server"),
    ("claude", "src/askfirst/cli/proposing.py", "the project of its session"),
    ("claude", "src/askfirst/toolbox/place.py", "it starts the server, and says in which project and session"),
    ("claude", "src/askfirst/report/rejudge.py", "its transcripts are replayed"),
    ("claude", "src/askfirst/processes.py", "how it starts a command"),
    ("claude", "src/askfirst/report/imports.py", "its permissions are imported"),
    ("claude", "src/askfirst/cli/registry.py", "the help of that import"),
    ("claude", "src/askfirst/mcp/server.py", "the same import, as a tool"),
    ("claude", "src/askfirst/toolbox/config_migration.py", "the same import, as a tool"),
    ("claude", "src/askfirst/for_programs.py", "tools have its names"),
    ("claude", "src/askfirst/__init__.py", "points to its SDK"),
    ("claude", "src/askfirst/sdk/", "the gate for its SDK"),
    ("claude", "src/askfirst/agents/launcher.sh", "it says where the project is, to the plugin's copy too"),
    ("claude", "src/askfirst/commands/", "examples in help texts"),
    ("claude", "tests/", "most tests speak its JSON, as the default agent's"),
]


def files() -> Iterator[tuple[str, str]]:
    """(path below the root, text) of the sources and tests."""
    for top, shown in ((PACKAGE, "src/askfirst"), (ROOT / "tests", "tests")):
        for path in sorted(top.rglob("*")):
            if path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield f"{shown}/{path.relative_to(top)}", path.read_text(encoding="utf-8")


def own(name: str) -> tuple[str, ...]:
    folders = (f"src/askfirst/agents/{name}/", f"tests/agents/{name}/")
    return (*folders, f"tests/cases/agents/{name}.yaml", "src/askfirst/agents/table.py")


def strangers(name: str) -> set[str]:
    """Files that name an agent and are not its own."""
    pattern = re.compile(AMBIGUOUS[name]) if name in AMBIGUOUS else re.compile(rf"\b{name}\b|{name}_", re.IGNORECASE)
    return {path for path, text in files() if not path.startswith(own(name)) and pattern.search(text)}


@pytest.mark.parametrize("name", NAMES)
def test_only_its_own_files_name_an_agent(name: str) -> None:
    listed = tuple(place for agent, place, _ in MAY_NAME if agent in ("*", name))
    assert sorted(path for path in strangers(name) if not path.startswith(listed)) == []


def test_no_exception_is_left_over() -> None:
    found = {name: strangers(name) for name in NAMES}
    for agent, place, why in MAY_NAME:
        names = NAMES if agent == "*" else [agent]
        assert any(path.startswith(place) for name in names for path in found[name]), (agent, place, why)


def test_every_row_has_a_folder_and_cases_and_the_other_way_round() -> None:
    folders = {path.parent.name for path in (PACKAGE / "agents").glob("*/__init__.py")}
    assert folders == set(AGENTS) == set(CASES) and DEFAULT in AGENTS


@pytest.mark.parametrize("name", NAMES)
def test_the_folder_is_complete(name: str) -> None:
    assert wire_of(name).name == installer_of(name).name == name == AGENTS[name].name
    page = (PACKAGE / "agents" / name / "README.md").read_text()
    assert page.startswith(f"# {AGENTS[name].title}\n")
    assert "askfirst init" in page and "askfirst uninstall" in page


@pytest.mark.parametrize("name", NAMES)
def test_the_agent_may_not_write_where_its_gate_is_registered(
    name: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    for scope in installer_of(name).scopes:
        path = installer_of(name).settings_path(scope, str(project))
        request = Request(name, "s", str(project), str(project), "Write", {"file_path": path, "content": "{}"})
        layers = load_layers(str(project), session="s", agent=name, now=1.0)
        verdict = judge(facts_of(request, layers.settings), layers)
        assert verdict.decision == Decision.DENY and verdict.findings[0].origin.rule == "agent-settings", path


def test_readme_links_every_page() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [name for name in NAMES if f"(src/askfirst/agents/{name}/README.md)" not in readme] == []
