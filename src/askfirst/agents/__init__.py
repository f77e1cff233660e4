"""One adapter per agent: bytes in, Event out; Verdict in, Reply out. The table is explicit; `askfirst hook --agent NAME` picks a row.

An adapter is a module with:
    DEADLINE_S: float                                  the hook's own deadline, inside the timeout the installer writes
    read(raw: bytes, environ: Mapping[str, str]) -> Event     raises HookInputError
    answer(event: Event, verdict: Verdict) -> Reply    the agent's words for allow, ask and deny
    neutral(event: Event) -> Reply                     "nothing to say": the agent goes on as if the hook were not there
    refuse(event: Event | None, reason: str) -> Reply  closes the gate; event is None when the input could not be read
"""

from __future__ import annotations

from askfirst.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

ADAPTERS = {
    "claude": "askfirst.agents.claude.wire",
    "cline": "askfirst.agents.cline.wire",
    "codex": "askfirst.agents.codex.wire",
    "copilot": "askfirst.agents.copilot.wire",
    "cursor": "askfirst.agents.cursor.wire",
    "gemini": "askfirst.agents.gemini.wire",
    "opencode": "askfirst.agents.opencode.wire",
    "qwen": "askfirst.agents.qwen.wire",
}


def adapter(name: str) -> ModuleType:
    if name not in ADAPTERS:
        raise UsageError(f"--agent: no agent `{name}`; known: {', '.join(sorted(ADAPTERS))}")
    # `import_module` lives in a package that the interpreter has not loaded at this point; __import__ is built in.
    __import__(ADAPTERS[name])
    from sys import modules

    return modules[ADAPTERS[name]]
