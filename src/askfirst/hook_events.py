"""The moments at which an agent calls the hook, and what askfirst does at each.

| moment | what happens |
|---|---|
| before a tool | the gate decides |
| the client's dialog is open | the same request waits in askfirst's queue too; the first answer wins |
| after a tool | a yes given in the client's dialog closes the card in the queue |
| settings changed | a change that would switch the gate off does not come into force |
| session starts | says so when the repository tries to switch the gate off |
| session ends | what was allowed for the session ends with it |
"""

from __future__ import annotations

from askfirst.agents.event import (
    AFTER_FAILURE,
    AFTER_TOOL,
    BEFORE_TOOL,
    DIALOG_OPEN,
    SESSION_ENDS,
    SESSION_STARTS,
    SETTINGS_CHANGED,
)
from askfirst.knowledge.tools import PASSING, STARTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from askfirst.agents.event import Event, Reply
    from askfirst.model import Request
    from askfirst.world import World


class Moment:
    """One call of the hook: the agent's adapter, the event, and what the process around it offers."""

    def __init__(
        self,
        agent: ModuleType,
        event: Event,
        environ: Mapping[str, str],
        *,
        gone: Callable[[], bool] | None = None,
        waiting: Callable[[], None] | None = None,
        world: Callable[..., World] | None = None,
    ) -> None:
        self.agent, self.event, self.environ = agent, event, environ
        self.gone, self.waiting = gone, waiting
        self._world = world

    def world(self, **options: bool) -> World:
        """What the gate touches: files and people, or what the program around it handed in."""
        if self._world is not None:
            return self._world(gone=self.gone, waiting=self.waiting, **options)
        from askfirst.world import World

        return World(gone=self.gone, waiting=self.waiting, **options)

    def reply(self) -> Reply:
        actions = {
            BEFORE_TOOL: self.before_tool,
            DIALOG_OPEN: self.dialog_open,
            AFTER_TOOL: self.after_tool,
            AFTER_FAILURE: self.after_tool,
            SETTINGS_CHANGED: self.settings_changed,
            SESSION_STARTS: self.session_starts,
            SESSION_ENDS: self.session_ends,
        }
        action = actions.get(self.event.name)
        return action() if action is not None else self.neutral()

    def neutral(self) -> Reply:
        reply: Reply = self.agent.neutral(self.event)
        return reply

    @property
    def request(self) -> Request:
        assert self.event.request is not None
        return self.event.request

    def passes(self) -> bool:
        """A tool that runs and writes nothing here. A subagent is one, unless it brings skills with blocks of their
        own."""
        if self.request.tool in STARTERS:
            from askfirst.agents.claude.skills import read_agent

            kind = str(self.request.input.get("subagent_type") or "")
            return read_agent(kind, project=self.event.project, cwd=self.request.cwd) is None
        return self.request.tool in PASSING

    def tampering(self) -> str:
        """Some agents let a repository set variables for the hook itself; their adapter knows where to look."""
        look = getattr(self.agent, "tampering", None)
        return str(look(self.event.project)) if look is not None else ""

    def refuse_tampering(self) -> None:
        why = self.tampering()
        if why:
            from askfirst.errors import HookInputError

            raise HookInputError(why)

    def before_tool(self) -> Reply:
        if self.passes():
            return self.neutral()
        self.refuse_tampering()
        from askfirst.gate import decide

        verdict = decide(self.request, self.world(client_asks=self.request.attended))
        reply: Reply = self.agent.answer(self.event, verdict)
        return reply

    def dialog_open(self) -> Reply:
        """The client asks on its own account too (its ask rules, its protected files): only what the gate itself asks
        is answered here."""
        from askfirst.gate import conclude, judged
        from askfirst.model import Decision

        if self.passes():
            return self.neutral()
        self.refuse_tampering()
        world = self.world(dialog_open=True)
        case = judged(self.request, world.layers(self.request))
        if case.verdict.decision == Decision.ALLOW:
            return self.neutral()
        reply: Reply = self.agent.answer(self.event, conclude(case, world))
        return reply

    def after_tool(self) -> Reply:
        self.world().learn(self.request)
        return self.neutral()

    def settings_changed(self) -> Reply:
        from askfirst.agents.claude.settings import switches_off
        from askfirst.errors import HookInputError

        source, file = self.event.data.get("source"), self.event.data.get("file_path")
        if source not in ("user_settings", "project_settings", "local_settings"):
            return self.neutral()
        if not isinstance(file, str) or not file.startswith("/"):
            raise HookInputError("hook input: `file_path` is not an absolute path")
        why = switches_off(
            file,
            self.event.project,
            plugin="CLAUDE_PLUGIN_ROOT" in self.environ,
            flag_settings=self._has_flag_settings(),
        )
        if not why:
            return self.neutral()
        from askfirst import audit

        record = {"session": self.event.session, "project": self.event.project, "text": why, "decision": "deny"}
        audit.append("settings-change", record, durable=True)
        reply: Reply = self.agent.block_change(
            f"askfirst: {why}. This session keeps its settings; to take the gate out: askfirst uninstall"
        )
        return reply

    def _has_flag_settings(self) -> bool:
        """Was the client started with `--settings`? A registration there stands in no file that could be looked at."""
        pid = self.environ.get("CLAUDE_PID", "")
        if not pid.isdigit():
            return False
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return any(word.split(b"=")[0] == b"--settings" for word in file.read().split(b"\0"))
        except OSError:
            return False

    def session_starts(self) -> Reply:
        from askfirst.agents.claude.settings import scopes
        from askfirst.store.sessions import forget_dead, remember_client

        pid = self.environ.get("CLAUDE_PID", "")
        if pid.isdigit():
            forget_dead()
            remember_client(int(pid), self.event.session)  # for the MCP server of this client
        found = []
        for scope in scopes(self.event.project):
            if scope.disables_hooks:
                found.append(f"{scope.path}: `disableAllHooks` switches every hook off, this gate too")
            if scope.disables_plugin:
                found.append(f"{scope.path}: `enabledPlugins` switches the askfirst plugin off")
            if scope.broken and scope.name != "managed":
                found.append(f"{scope.path}: {scope.broken}; the client drops the whole file")
        why = self.tampering()
        found += [why] if why else []
        message = "askfirst: " + "; ".join(found) + ". Run `askfirst doctor`." if found else ""
        reply: Reply = self.agent.neutral(self.event, message=message)
        return reply

    def session_ends(self) -> Reply:
        self.world().end_session(self.event.session)
        return self.neutral()


def reply_to(
    agent: ModuleType,
    event: Event,
    environ: Mapping[str, str],
    *,
    gone: Callable[[], bool] | None = None,
    waiting: Callable[[], None] | None = None,
    world: Callable[..., World] | None = None,
) -> Reply:
    return Moment(agent, event, environ, gone=gone, waiting=waiting, world=world).reply()
