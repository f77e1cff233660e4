"""Actions that failed in a box because of the box, by project: asked for, not contained, the next time.

box/withheld/<hash of project and action>.json
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict

from askfirst.box.plan import Withheld
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.redact import redact
from askfirst.store import atomic, clock, paths

KEEP_S = 30 * 86400.0


def _path(project: str, action: Sequence[str]) -> str:
    name = sha256_hex("\0".join((project, *action)))[:32]
    return os.path.join(paths.private_dir("box", "withheld"), f"{name}.json")


def remember(project: str, action: Sequence[str], what: Withheld) -> None:
    record = {
        **asdict(what),
        "detail": redact(what.detail),
        "project": project,
        "action": list(action),
        "at": clock.wall(),
    }
    atomic.write_atomic(_path(project, action), json.dumps(record).encode())


def of_these(project: str, actions: Sequence[str]) -> dict[str, Withheld]:
    """Which of these actions failed there, together or each by itself, and for want of what."""
    whole = known(project, actions)
    if whole is not None:
        return dict.fromkeys(actions, whole)
    return {action: found for action in actions if (found := known(project, (action,))) is not None}


def known(project: str, action: Sequence[str]) -> Withheld | None:
    """What the box kept from this action in this project; None where nothing is known."""
    try:
        record = json.loads(atomic.read_private(_path(project, action)))
        if clock.wall() - record["at"] > KEEP_S:
            return None
        return Withheld(record["what"], record["detail"])
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return None


def forget(project: str, action: Sequence[str]) -> None:
    atomic.remove(_path(project, action))
