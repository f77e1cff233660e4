"""The gate for programs built on the Claude Agent SDK (`pip install 'askfirst[sdk]'`).

    from claude_agent_sdk import ClaudeAgentOptions, query
    from askfirst import sdk

    options = ClaudeAgentOptions(hooks=sdk.hooks())

`hooks()` gates every tool of the agent by the same rules as everywhere, and asks on the program's own terminal. `Gate`
is the same with choices: who is asked, and whether `askfirst watch` and the page see the requests too.
`bash_security_hook` is the one callable for those who put their own `HookMatcher` together.

Promised: the event loop never waits, whatever goes wrong is a deny, and a call that is cancelled takes its question
with it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from askfirst.approval.manager import ApprovalManager
from askfirst.model import Answer, Decision, Duration
from askfirst.sdk.gate import Gate

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookEvent, HookJSONOutput, HookMatcher

__all__ = [
    "Answer",
    "ApprovalManager",
    "Decision",
    "Duration",
    "Gate",
    "bash_security_hook",
    "get_approval_manager",
    "hooks",
    "mcp_server",
]

_lock = threading.Lock()
_gates: list[Gate] = []


def hooks() -> dict[HookEvent, list[HookMatcher]]:
    """For `ClaudeAgentOptions(hooks=…)`: the gate of this program."""
    return _gate().hooks()


async def bash_security_hook(
    input_data: Mapping[str, Any], tool_use_id: str | None = None, context: Mapping[str, Any] | None = None
) -> HookJSONOutput:
    """A PreToolUse callable. Judges whatever tool it is given, not Bash alone: a write by another tool is a write."""
    return await _gate().pre_tool_use(input_data, tool_use_id, context)


def get_approval_manager() -> ApprovalManager:
    """Who waits for an answer in this program: `pending()`, `respond(id, answer)`; from any thread."""
    return _gate().manager


def mcp_server() -> dict[str, object]:
    """For `ClaudeAgentOptions(mcp_servers={"askfirst": …})`: the agent can ask what is allowed (needs the extra
    `mcp`)."""
    from askfirst.install.command import mcp_words

    program, *args = mcp_words()
    return {"type": "stdio", "command": program, "args": args}


def _gate() -> Gate:
    """One for the whole program, made when it is first needed."""
    with _lock:
        if not _gates:
            _gates.append(Gate())
        return _gates[0]
