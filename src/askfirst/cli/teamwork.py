"""What the commands share where a team answers. The modules behind it need the extra `team`, so they are loaded by
name, and only when somebody asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from askfirst.approval.manager import ApprovalManager
from askfirst.errors import AskfirstError, UsageError
from askfirst.store import paths
from askfirst.team.joined import Joined, joined
from askfirst.world import World

HELP = "also the team's requests"


def of_team(name: str) -> Any:
    """A module of askfirst.team."""
    try:
        return import_module(f"askfirst.team.{name}")
    except ImportError as error:
        raise UsageError(
            f"the module `{error.name}` is missing; install the extra: pip install 'askfirst[team]'"
        ) from None


def joined_here() -> Joined:
    found = joined()
    if found is None:
        raise AskfirstError("no team was joined here: `askfirst team join DSN`")
    return found


def answers_for_team() -> bool:
    """Whether this user has joined as one who answers."""
    if not paths.is_there(paths.team_file()):
        return False
    found = joined()
    return found is not None and bool(found.approver)


def team_manager(kind: str = "", *, at_terminal: bool = True) -> ApprovalManager:
    """This machine's requests and the team's. With a `kind` it listens for as long as it lives: `watch`, `page`."""
    desk = of_team("desk").Desk(joined_here(), kind=kind or "watch", at_terminal=at_terminal)
    if kind:
        desk.listen()
    made: ApprovalManager = of_team("both").TeamManager(desk, rejudge=World().rejudge)
    return made
