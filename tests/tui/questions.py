"""Questions to draw."""

from __future__ import annotations

import time
from typing import Any

from askfirst.approval.question import Choice, Line, Question
from askfirst.model import Duration

PROJECT = "/srv/code/shop"
FILE = f"{PROJECT}/.askfirst/allowed_commands.yaml"


NARROW = ("exactly these words", '- name: make\n  args: ["deploy"]\n')
WIDE = ("`make` with any target", "- name: make\n")


def choices(
    *, refused: str = "", scope: str = "exactly these words", entry: str = '- name: make\n  args: ["deploy"]\n'
) -> tuple[Choice, ...]:
    return (
        Choice(Duration.ONCE),
        Choice(Duration.SESSION, scope=scope),
        Choice(Duration.TIMED, scope=scope),
        Choice(Duration.PERMANENT, refused=refused, scope=scope, entry=entry, file=FILE),
    )


def steps(refused: str = "") -> tuple[tuple[Choice, ...], ...]:
    """The same in two scopes, narrowest first."""
    return tuple(choices(refused=refused, scope=scope, entry=entry) for scope, entry in (NARROW, WIDE))


def question(number: int = 1, **changes: Any) -> Question:
    now = time.time()
    ident = f"k{number:03d}".translate(str.maketrans("01", "xy")) + "mwqrtvzbdfhjnpmwqrtvzb"
    values: dict[str, Any] = {
        "id": ident,
        "digest": f"{number:064x}",
        "tool": "Bash",
        "text": "make deploy",
        "why": "no rule allows `make deploy`",
        "agent": "claude",
        "session": "5e55101c-aaaa",
        "project": PROJECT,
        "cwd": f"{PROJECT}/api",
        "created": now - 12,
        "deadline": now + 3600,
        "lines": (Line("run", "make deploy", "ask", "no rule knows it", "nothing matched"),),
        "choices": choices(),
        "steps": steps(),
        "said": "Deploy the shop",
    }
    return Question(**{**values, **changes})


def danger(number: int = 1, **changes: Any) -> Question:
    values: dict[str, Any] = {
        "text": "kubectl delete namespace shop",
        "danger": "deletes cluster resources; stops what runs there",
        "confirm": True,
        "choices": choices(refused="dangerous commands are never permanent"),
        "steps": (),
    }
    return question(number, **{**values, **changes})
