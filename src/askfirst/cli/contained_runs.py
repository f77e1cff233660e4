"""What `apply` and `undo` do with the id of a contained run."""

from __future__ import annotations

import json
import os
import sys

from askfirst import contained
from askfirst.approval.person import who
from askfirst.box import runs
from askfirst.box.upper import FILE, Difference
from askfirst.cli import proposing
from askfirst.cli.printing import counted
from askfirst.cli.prompt import drop_typed_ahead, typed_line
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.files.change import unified_diff
from askfirst.files.content import look_at
from askfirst.redact import redact
from askfirst.store.exchange import Conflict
from askfirst.text import one_line


def apply(typed: str, *, yes: bool, as_json: bool) -> int:
    run = runs.find(typed)
    found = contained.waiting(run)
    if not found:
        raise AskfirstError(f"{typed}: nothing of this run waits; see `askfirst box list`")
    ask = not yes and not as_json
    if ask:
        for difference in found:
            _show(run, difference)
        if sys.stdin.isatty():
            drop_typed_ahead()
        if (typed_line("write this? [y/N] ") or "").strip().lower() not in ("y", "yes"):
            print("nothing was written")
            return 1
    changed = contained.apply_by_person(run, who("apply"), found if ask else None)
    _say(run, changed, as_json, f"applied {counted(len(changed), 'change')}; to undo it: askfirst undo {run.id[:6]}")
    return 0


def undo(typed: str, *, as_json: bool) -> int:
    run = runs.find(typed)
    changed = contained.undo_by_person(run, who("undo"))
    _say(run, changed, as_json, f"undone: {counted(len(changed), 'file')} as before `{one_line(run.plan.command, 60)}`")
    return 0


def _say(run: runs.Run, changed: tuple[str, ...], as_json: bool, text: str) -> None:
    print(json.dumps({"status": "allowed", "run": run.id, "files": changed}) if as_json else redact(text))


def _show(run: runs.Run, difference: Difference) -> None:
    path = os.path.join(run.plan.project, difference.path)
    what = "DELETE" if not difference.kind else "CREATE" if not difference.was else "MODIFY"
    reason = next((k.why for k in run.finished.kept if k.path == difference.path), "") if run.finished else ""
    print(one_line(redact(f"{what} {difference.path}{': ' if reason else ''}{reason}"), 300))
    if difference.kind == FILE:
        new = look_at(difference.source).data
        if new is not None and sha256_hex(new) != difference.new:
            raise Conflict(f"{difference.path}: it was written again while it was looked at; try once more")
        if new is not None:
            proposing.print_diff(redact(unified_diff(difference.path, look_at(path).data, new)), difference.path)
