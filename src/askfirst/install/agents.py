"""The agents that `askfirst init --agent NAME` knows. An explicit table: one row an agent, one module each.

An installer is a module with:
    NAME: str                                               for people
    SCOPES: tuple[str, ...]                                 which of user, project, local it has
    settings_path(scope: str, project: str) -> str
    install(scope: str, project: str) -> Change             idempotent; raises ConfigError and then has changed nothing
    uninstall(scope: str, project: str) -> Change           byte for byte as before, unless somebody else changed the file since
    gate_command() -> str                                   the registered command line, without `|| exit 2`; `init` and `doctor` try it
    install_mcp(scope: str, project: str) -> str            registers `askfirst mcp`; a line that says what was done
    uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]
    warnings() -> tuple[str, ...]                           what to know about the agent found here (its version)
and, but for Claude Code, which has claude_check.py:
    look(scope: str, project: str) -> Found                 what stands in the file now, for `doctor`
    registered_commands(scope: str, project: str) -> list[str]   the command lines that stand there; `doctor` tries them
    troubles(scope: str, project: str) -> tuple[str, ...]   what keeps a registered hook from running; WAY_OUT: str says how to mend it
"""

from __future__ import annotations

from askfirst.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

INSTALLERS = {
    "claude": "askfirst.agents.claude.install",
    "cline": "askfirst.agents.cline.install",
    "codex": "askfirst.agents.codex.install",
    "copilot": "askfirst.agents.copilot.install",
    "cursor": "askfirst.agents.cursor.install",
    "gemini": "askfirst.agents.gemini.install",
    "opencode": "askfirst.agents.opencode.install",
    "qwen": "askfirst.agents.qwen.install",
}


def installer(name: str) -> ModuleType:
    from importlib import import_module

    if name not in INSTALLERS:
        raise UsageError(f"no installer for the agent `{name}`; known: {', '.join(sorted(INSTALLERS))}")
    return import_module(INSTALLERS[name])
