"""What an engine of the box is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from askfirst.errors import AskfirstError

if TYPE_CHECKING:
    from askfirst.box.inside import Inside
    from askfirst.box.plan import Plan

# What not every engine can do.
OVERLAY = "overlay"  # changes of the project are judged before they reach the disk
SESSION_NETWORK = "session network"  # a server of one contained call is reached by the next
HOSTS = "hosts"  # named hosts can be reached, and no others
NEW_TOP_FILES = "new files"  # files of the project may be made and changed, not only those of build directories
LOOPBACK = "loopback"  # a server and its client in one command

# How the project is seen inside.
OVERLAID = "overlay"  # writes go to a layer, and are judged afterwards
COPIED = "copy"  # the same with a copy, where the kernel makes no overlay
READS = "read-only"
LIVE = "live"  # read-only but for build directories, and always as it is now: for servers that watch their files


class BoxError(AskfirstError):
    """The command cannot run contained. It is asked for instead, and never run bare."""


@dataclass(frozen=True)
class Probe:
    """What trying an engine here has shown."""

    works: bool
    why_not: str = ""  # with the way out
    version: str = ""
    abilities: frozenset[str] = frozenset()


class Engine(Protocol):
    """One way to run a command contained."""

    name: str

    def program(self) -> str:
        """The file whose change makes the engine be tried anew; "" where it is not there."""

    def probe(self) -> Probe:
        """Try it. Costs some milliseconds; `engines.probed` remembers the result."""

    def spec(self, plan: Plan, inside: Inside, place: str, probe: Probe) -> Mapping[str, Any]:
        """What `box/start.py` needs to run the plan, as plain values. `place` is the run's private directory. Raises
        BoxError for what this engine cannot hold."""
