"""The gate inside a program: its hooks, and the world in which it decides. Same rules, same pipeline, same log as the
hook process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.agents.claude.wire import WIRE
from askfirst.agents.event import AFTER_FAILURE, AFTER_TOOL, BEFORE_TOOL, DIALOG_OPEN, Event
from askfirst.agents.project import project_of
from askfirst.agents.wire import TIMEOUT_S
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.memory import MemoryPending
from askfirst.approval.presence import approver_alive
from askfirst.errors import HookInputError
from askfirst.hook import THINKING_S, Around, OutOfTime, refusal
from askfirst.hook_events import reply_to
from askfirst.model import Answer, Request, Verdict
from askfirst.sdk.terminal import ask_at_terminal, person_at_terminal
from askfirst.world import World

NEEDED = "askfirst.sdk needs the extra `sdk`: pip install 'askfirst[sdk]'"

try:
    import anyio
    import anyio.from_thread
    import anyio.to_thread
except ImportError as error:
    raise ImportError(NEEDED, name=error.name) from None

NO_ONE = (
    "No one is available to approve this: the program that runs this agent has no terminal and does not share its "
    "questions"
)

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookEvent, HookJSONOutput, HookMatcher

    from askfirst.containing import OwnRules
    from askfirst.model import Answer, Request, Verdict
    from askfirst.policy.rules import Layers


class Gate:
    """Decides about the tool calls of the agents in this program; one for all of them is enough. Thread-safe.

    | who is asked | |
    |---|---|
    | `Gate()` | the person at the program's own terminal; with no terminal, what no rule allows is denied |
    | `Gate(manager)` | the same, and whoever in the program answers `manager.pending()` with `manager.respond(…)` |
    | `Gate(shared=True)` | the same, and `askfirst watch`, the page and `askfirst approve`; the first answer wins |

    `terminal=False` draws nothing, for a program that uses its terminal itself. `project` is the directory whose rules
    count; left out, it is the one in which a session makes its first call.
    """

    def __init__(
        self, manager: ApprovalManager | None = None, *, shared: bool = False, terminal: bool = True, project: str = ""
    ) -> None:
        if manager is not None and shared:
            raise ValueError("a manager, or shared=True: not both")
        self._answered_here = manager is not None and isinstance(manager.store, MemoryPending)
        self.manager = manager or (file_manager(self._rejudge) if shared else ApprovalManager(rejudge=self._rejudge))
        self._terminal = terminal
        self._project = os.path.realpath(project) if project else ""
        self._projects: dict[str, str] = {}  # session -> where it began; its directory moves on with every `cd`
        self._lock = threading.Lock()

    # The callables

    async def pre_tool_use(
        self, input_data: Mapping[str, Any], tool_use_id: str | None = None, context: Mapping[str, Any] | None = None
    ) -> HookJSONOutput:
        """Allow or deny; a person is asked where no rule decides."""
        return await self._answer(BEFORE_TOOL, input_data, context)

    async def permission_request(
        self, input_data: Mapping[str, Any], tool_use_id: str | None = None, context: Mapping[str, Any] | None = None
    ) -> HookJSONOutput:
        """The client would ask on its own account: answered where the gate has something to say."""
        return await self._answer(DIALOG_OPEN, input_data, context)

    async def post_tool_use(
        self, input_data: Mapping[str, Any], tool_use_id: str | None = None, context: Mapping[str, Any] | None = None
    ) -> HookJSONOutput:
        """The tool has run: a question about it that is still open was answered elsewhere (`can_use_tool`)."""
        return await self._answer(AFTER_TOOL, input_data, context)

    def hooks(self) -> dict[HookEvent, list[HookMatcher]]:
        """For `ClaudeAgentOptions(hooks=…)`: all tools, timeouts above the longest approval, closed on every
        failure."""
        try:
            from claude_agent_sdk import HookMatcher
        except ImportError as error:
            raise ImportError(NEEDED, name=error.name) from None

        # An SDK that does not know `on_failure` has no way to close on a timeout; the gate answers before that.
        closed: Any = {"on_failure": "block"} if "on_failure" in {f.name for f in fields(HookMatcher)} else {}
        after = [HookMatcher(hooks=[self.post_tool_use], timeout=60)]
        return {
            "PreToolUse": [HookMatcher(hooks=[self.pre_tool_use], timeout=TIMEOUT_S, **closed)],
            "PermissionRequest": [HookMatcher(hooks=[self.permission_request], timeout=TIMEOUT_S, **closed)],
            "PostToolUse": after,
            "PostToolUseFailure": after,
        }

    # From the event loop to a thread and back

    async def _answer(
        self, name: str, input_data: Mapping[str, Any], context: Mapping[str, Any] | None
    ) -> HookJSONOutput:
        withdrawn = threading.Event()
        try:
            with anyio.move_on_after(THINKING_S) as limit:
                work = partial(self._reply, name, input_data, context, withdrawn.is_set, partial(_give_time, limit))
                # A limiter of its own: many waiting questions must not use up the threads that the program has for
                # other things.
                return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1))
            return _refused(name, OutOfTime())
        except Exception as error:
            return _refused(name, error)
        finally:
            withdrawn.set()  # cancelled or out of time: the thread takes its question back

    def _reply(
        self,
        name: str,
        input_data: Mapping[str, Any],
        context: Mapping[str, Any] | None,
        gone: Callable[[], bool],
        waiting: Callable[[], None],
    ) -> HookJSONOutput:
        """Blocks. Never raises: an error is a deny in the words of the event it happened in."""
        try:
            data, environ = self._told(name, input_data, context)
            event = WIRE.read(jsontext.dumps(data).encode(), environ)
            reply = reply_to(WIRE, event, environ, Around(gone, waiting, world=partial(ProgramWorld, self)))
        except BaseException as error:
            return _refused(name, error)
        return _value(reply.stdout)

    def _told(
        self, name: str, input_data: Mapping[str, Any], context: Mapping[str, Any] | None
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """The event, with what a caller outside the SDK may leave out, and the environment in which the hook process
        would see it."""
        told = context.get("project_dir") if context else None
        place = os.path.abspath(str(told)) if told else os.getcwd()
        data: dict[str, Any] = {"hook_event_name": name, "session_id": f"sdk-{os.getpid()}", "cwd": place, **input_data}
        if data["hook_event_name"] != name and (name, data["hook_event_name"]) != (AFTER_TOOL, AFTER_FAILURE):
            raise HookInputError(
                f"hook input: this is the callable for {name}, and it was called for {data['hook_event_name']}"
            )
        project = self._project_of(data, str(told or ""))
        return data, {"CLAUDE_PROJECT_DIR": project, "CLAUDE_PID": client_below(os.getpid())}

    def _project_of(self, data: Mapping[str, Any], told: str) -> str:
        if self._project or told:
            return self._project or os.path.realpath(told)
        with self._lock:
            return self._projects.setdefault(str(data["session_id"]), project_of(str(data["cwd"])))

    # Asking

    def somebody_there(self) -> bool:
        if self._answered_here or (self._terminal and person_at_terminal()):
            return True
        if isinstance(self.manager.store, MemoryPending):
            return False
        return approver_alive()

    def wait(self, asked: str, gone: Callable[[], bool]) -> Answer:
        if self._terminal and person_at_terminal():
            ask_at_terminal(self.manager, asked, gone)
        return self.manager.wait_for_response(asked, gone=gone)

    def layers_with_grants(self, request: Request, layers: Layers) -> Layers:
        """What was allowed in memory stands in no file that `load_layers` reads."""
        if not isinstance(self.manager.store, MemoryPending):
            return layers
        return replace(layers, grants=(*layers.grants, *self.manager.grants_for(request)))

    def _rejudge(self, request: Request) -> Verdict:
        return ProgramWorld(self).rejudge(request)


class ProgramWorld(World):
    """The gate's world inside a program: the manager is the program's, and no client draws a dialog of its own."""

    def __init__(
        self,
        gate: Gate,
        *,
        client_asks: bool = False,
        dialog_open: bool = False,
        client: int = 0,
        own_rules: OwnRules | None = None,
        gone: Callable[[], bool] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(own_rules=own_rules, gone=gone, waiting=waiting)
        if isinstance(gate.manager.store, MemoryPending):
            self.no_one = NO_ONE
        self._gate = gate
        self._asked = ""

    def layers(self, request: Request) -> Layers:
        return self._gate.layers_with_grants(request, super().layers(request))

    def manager(self) -> ApprovalManager:
        return self._gate.manager

    def somebody_there(self) -> bool:
        return self._gate.somebody_there()

    def wait(self, manager: ApprovalManager, asked: str, request: Request) -> Answer:
        self._asked = asked
        return self._gate.wait(asked, self.gone or (lambda: False))

    def withdraw(self, manager: ApprovalManager) -> None:
        """Only what was asked here: other calls of this program wait in the same manager."""
        if self._asked:
            manager.cancel(self._asked, "the program ended this call")

    def note_uses(self, grants: tuple[str, ...]) -> None:
        for grant in dict.fromkeys(grants):
            self._gate.manager.grants.note_use(grant, time.time())

    def learn(self, request: Request) -> None:
        for item in self._gate.manager.store.items():
            asked = item.body.get("request", {})
            same = (asked.get("session"), asked.get("tool"), asked.get("input")) == (
                request.session,
                request.tool,
                dict(request.input),
            )
            if same and asked.get("tool_use_id") in ("", request.tool_use_id):
                self._gate.manager.cancel(item.id, "the tool has run: it was allowed elsewhere")

    def start_session(self) -> None:
        """What lies on the disk belongs to others."""

    def end_session(self, session: str, agent: str = "") -> None:
        self._gate.manager.grants.end_session(session)


def client_below(program: int) -> str:
    """The one client that this program has started, whose command line may hold rules of its own; "" where there is
    none, or several, or where nothing can be seen: then nothing runs contained."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc/self") else ()):
        try:
            with open(f"/proc/{pid}/stat", "rb") as stat, open(f"/proc/{pid}/cmdline", "rb") as line:
                parent = int(stat.read().rpartition(b")")[2].split()[1])
                if parent == program and b"stream-json" in line.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            continue
    return found[0] if len(found) == 1 else ""


def _give_time(limit: anyio.CancelScope) -> None:
    """Called in the thread when a person is about to be asked: thinking is over, and the hook's own deadline counts."""
    anyio.from_thread.run_sync(_extend, limit)


def _extend(limit: anyio.CancelScope) -> None:
    limit.deadline = anyio.current_time() + WIRE.deadline_s


def _refused(name: str, error: BaseException) -> HookJSONOutput:
    return _value(refusal(WIRE, Event(name, "", ""), error).stdout)


def _value(answer: bytes) -> HookJSONOutput:
    value: HookJSONOutput = jsontext.loads(answer)
    return value
