"""What the hook needs of an agent: its words for a tool call, and its words for allow, ask and deny."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from askfirst.agents.event import Event, Reply
from askfirst.model import Verdict

TIMEOUT_S = 3600  # what installers write; an approval takes at most 30 minutes
MIN_TIMEOUT_S = 1860  # the longest approval, and a minute
# A client that gives up on its hook runs the command: the gate answers a minute before.
DEADLINE_S = TIMEOUT_S - 60.0
PROBE_SESSION = "askfirst-doctor"  # of the calls with which `init` and `doctor` try a hook: no agent's
STARTED_SESSIONS = "a5cf1257-0000-4000-8000-"  # what theirs begins with where they start the client itself


def is_probe(session: object) -> bool:
    return session == PROBE_SESSION or str(session).startswith(STARTED_SESSIONS)


class Wire(Protocol):
    """One agent's wire format. Each folder's `wire.py` has one instance, `WIRE`."""

    name: str
    timeout_s: float = TIMEOUT_S  # how long the agent waits for its hook
    deadline_s: float = DEADLINE_S  # when the hook answers at the latest
    changes_commands: bool = False  # its hook may replace the command that is about to run
    changes_before: bool = False  # at a moment of its own (BEFORE_CHANGE), not when the command is judged
    last_word: bytes = b""  # goes to stdout, beside exit code 2, when even `refuse` failed

    @abstractmethod
    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        """The call of the hook. Raises HookInputError."""

    @abstractmethod
    def answer(self, event: Event, verdict: Verdict) -> Reply: ...

    @abstractmethod
    def neutral(self, event: Event, *, message: str = "") -> Reply:
        """Nothing to say: the agent goes on as if the hook were not there.

        `message` is for the person, where the agent shows one.
        """

    @abstractmethod
    def refuse(self, event: Event | None, reason: str) -> Reply:
        """Closes the gate; `event` is None when the input could not be read."""

    @abstractmethod
    def sample(self, project: str, command: str) -> dict[str, Any]:
        """One shell command as the agent sends it: `init`, `doctor` and the tests try the hook with it."""

    @abstractmethod
    def decision_in(self, stdout: str) -> str:
        """allow, ask or deny, as the agent reads an answer.

        Raises ValueError, KeyError or TypeError for what is none.
        """

    # What some agents have besides

    def own_rules(self, texts: tuple[str, ...], project: str, environ: Mapping[str, str] | None) -> str:
        """Why a command is left as it is, by the agent's own rules about commands; "" where they are silent. `texts`:
        the command as written, and its parts without quotes. `environ`: None where no agent runs."""
        return "askfirst does not know the agent's own rules about commands"

    def tampering(self, project: str) -> str:
        """Why nothing may be judged: the repository's own settings reach into the gate. "" when they do not."""
        return ""

    def session_troubles(self, project: str) -> tuple[str, ...]:
        """What a person should know when a session starts: settings that switch the gate off."""
        return ()

    def settings_changed(self, event: Event, environ: Mapping[str, str]) -> str:
        """Why a change of settings in mid-session must not take effect; "" when the gate stands after it."""
        return ""

    def changed_by_person(self, event: Event) -> str:
        """What to tell the model where the person has changed a call in the client, before it ran; "" otherwise."""
        return ""

    masks: bool = False  # whether `after` can change what the model is shown

    def after(self, event: Event, *, message: str = "", context: str = "", output: Any = None) -> Reply:
        """The answer to an event after a tool: a line for the person, one for the model, and what the model is shown
        instead of the tool's result, where the agent takes them."""
        return self.neutral(event, message=message)

    def block_change(self, reason: str) -> Reply:
        """The session goes on with the settings it had."""
        return self.refuse(None, reason)

    def client_pid(self, environ: Mapping[str, str]) -> int:
        """The agent's own process; 0 when it does not say."""
        return 0


def sample_call(event: str, tool: str, project: str, command: str) -> dict[str, Any]:
    """`Wire.sample` of the agents whose events have these names."""
    return {
        "hook_event_name": event,
        "session_id": PROBE_SESSION,
        "cwd": project,
        "tool_name": tool,
        "tool_input": {"command": command, "description": "askfirst checks that the hook answers"},
    }
