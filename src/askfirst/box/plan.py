"""What is to run contained, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

READ_WRITE, READ_ONLY = "read-write", "read-only"


@dataclass(frozen=True)
class Plan:
    """One command that runs contained instead of being asked for."""

    command: str  # as the agent wrote it
    shell: str  # the client's own shell: the path of a bash or zsh
    cwd: str
    project: str
    session: str
    agent: str
    tool_use_id: str = ""
    digest: str = ""  # of the request
    access: str = READ_WRITE  # to the project
    show: tuple[str, ...] = ()  # secrets of the project that are visible all the same, relative to it
    hide_secrets: bool = True  # True: nobody judged this code; False: a rule or profile allows it
    hosts: tuple[str, ...] = ()  # reachable by name; only `srt` can do that
    background: bool = False
    masks: bool = True  # secrets in its output become placeholders
    mask_patterns: tuple[str, ...] = ()  # regular expressions of the organisation's own
    keep_whole: bool = True  # where something was masked, the person can see the whole
    action: tuple[str, ...] = ()  # what to remember it by when the box withheld something it needed
    input: Mapping[str, Any] = field(default_factory=dict)  # the tool's input as the agent sent it


@dataclass(frozen=True)
class Kept:
    """A change that did not reach the disk."""

    path: str  # relative to the project
    how: str  # "create", "overwrite", "delete", "mode", "link"
    why: str
    denied: bool = False  # a person may not apply it either


@dataclass(frozen=True)
class Withheld:
    """What the box kept from a command that then failed."""

    what: str  # "network", "read-only", "hidden"
    detail: str  # the words of the output that say so


@dataclass(frozen=True)
class Finished:
    """What became of a run."""

    exit_code: int
    changed: tuple[str, ...] = ()  # reached the disk; relative to the project
    kept: tuple[Kept, ...] = ()
    notes: tuple[str, ...] = ()  # what else a person should know: what could not be kept for `undo`
