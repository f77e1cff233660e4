"""Questions to draw."""

from __future__ import annotations

import time
from typing import Any

from askfirst.approval.question import Choice, Line, Question
from askfirst.model import Duration

PROJECT = "/srv/code/shop"
FILE = f"{PROJECT}/.askfirst/allowed_commands.yaml"


def choices(*, refused: str = "", wide: bool = True) -> tuple[Choice, ...]:
    return (
        Choice(Duration.ONCE),
        Choice(Duration.SESSION, scope="exactly these words", wide_scope="`make` with any target" if wide else ""),
        Choice(
            Duration.PERMANENT,
            refused=refused,
            scope="exactly these words",
            entry='- name: make\n  args: ["deploy"]\n',
            file=FILE,
            wide_scope="`make` with any target" if wide else "",
            wide_entry="- name: make\n" if wide else "",
        ),
    )


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
        "said": "Deploy the shop",
    }
    return Question(**{**values, **changes})


def danger(number: int = 1, **changes: Any) -> Question:
    values: dict[str, Any] = {
        "text": "kubectl delete namespace shop",
        "danger": "deletes cluster resources; stops what runs there",
        "confirm": True,
        "choices": choices(refused="dangerous commands are never permanent", wide=False),
    }
    return question(number, **{**values, **changes})
