"""What a tool showed before its secrets were masked, for the person: `askfirst flow show`.

flow/whole/<id>    a line of JSON (Whole, without its text), then the text. Private files, kept for a day, 100 at most

They hold secrets, so they are kept only where something was masked and the text lies nowhere else (a file that was read
is still there), and `redact: {keep: off}` keeps none. askfirst's state is a block for agents.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from askfirst import jsontext
from askfirst.errors import StoreError
from askfirst.store import atomic, clock, ids, paths

KEPT_S = 24 * 3600.0
MAX_COUNT = 100
MAX_BYTES = 4 << 20  # of one; what comes behind is not kept
MAX_MARKS = 1000


@dataclass(frozen=True)
class Whole:
    """One result."""

    id: str
    at: float
    session: str
    project: str
    tool: str
    call: str  # what ran or was fetched, redacted
    marks: tuple[str, ...]  # the placeholders that the model was shown
    text: str


def _folder() -> str:
    return paths.private_dir("flow", "whole")


def keep(about: tuple[str, str, str, str], marks: Iterable[str], text: str) -> None:
    """`about`: session, project, tool, call. A failure is nobody's: the model is shown the masked text all the same."""
    session, project, tool, call = about
    head = {"at": clock.wall(), "session": session, "project": project, "tool": tool, "call": call}
    data = jsontext.dumps({**head, "marks": list(marks)[:MAX_MARKS]}).encode() + b"\n" + text.encode("utf-8", "replace")
    try:
        sweep(clock.wall(), room=1)
        atomic.new_file(os.path.join(_folder(), ids.new_id()), data[:MAX_BYTES])
    except (OSError, StoreError):
        return


def everything() -> list[Whole]:
    """Newest first. What is no record is passed over."""
    found = []
    for name in filter(ids.is_id, os.listdir(_folder())):
        try:
            found.append(load(name))
        except StoreError:
            continue
    return sorted(found, key=lambda whole: whole.at, reverse=True)


def load(id: str) -> Whole:
    path = os.path.join(_folder(), id)
    try:
        line, _, text = atomic.read_private(path, MAX_BYTES).partition(b"\n")
        head = jsontext.loads(line)
        return Whole(**{**head, "id": id, "marks": tuple(head["marks"]), "text": text.decode("utf-8", "replace")})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: is not a result that was kept ({error}); remove it") from error


def find(typed: str) -> Whole:
    """By its id, or by a placeholder that stands in it: the newest."""
    mark = typed.strip("<>").rpartition("#")[2]
    shown = (w for w in everything() if any(m.strip("<>").rpartition("#")[2] == mark for m in w.marks))
    known = [name for name in os.listdir(_folder()) if ids.is_id(name)]
    return next(shown, None) or load(ids.resolve(typed, known, what="masked result", see="askfirst flow show"))


def sweep(now: float, *, room: int = 0) -> None:
    """Forget those that are too old, and the oldest of too many."""
    folder = _folder()
    aged = []
    for name in os.listdir(folder):
        try:
            aged.append((os.lstat(os.path.join(folder, name)).st_mtime, name))
        except OSError:
            continue  # another process was faster
    for number, (changed, name) in enumerate(sorted(aged, reverse=True)):
        if now - changed > KEPT_S or number >= MAX_COUNT - room:
            atomic.remove(os.path.join(folder, name))
