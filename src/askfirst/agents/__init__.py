"""The agents whose tool calls askfirst judges: one folder each, one row each in table.py, one file of cases each in
tests/cases/agents.

An agent's `wire.py` (bytes in, Event out; Verdict in, Reply out; see `agents.wire.Wire`) is all that the hook imports
of it. What `askfirst init`, `uninstall` and `doctor` need is its `install.py` (see `install.installer.Installer`).
"""

from __future__ import annotations

from sys import modules
from typing import TYPE_CHECKING

from askfirst.agents.table import AGENTS
from askfirst.errors import UsageError

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire


def wire_of(name: str) -> Wire:
    """The agent's own words. Raises UsageError for an agent that has no row."""
    if name not in AGENTS:
        raise UsageError(f"--agent: unknown agent `{name}`; known: {', '.join(AGENTS)}")
    # `import_module` lives in a package that the interpreter has not loaded at this point; __import__ is built in.
    module = f"askfirst.agents.{name}.wire"
    __import__(module)
    wire: Wire = modules[module].WIRE
    return wire
