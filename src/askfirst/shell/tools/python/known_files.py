"""What a file of code will hold when a call runs it, where nothing before the call or beside it can change that."""

from __future__ import annotations

import re

from askfirst.shell.call import Analyst, Call
from askfirst.shell.tools.patterns import is_first

__all__ = ["text_of_file"]

# `cat > /tmp/x.py <<'E' … E` in front of the call.
_WRITTEN = re.compile(
    r"\s*(?:cd [\w./@~-]+\s*&&\s*)?cat\s*(?:>\s*(?P<file>[\w./-]+)\s*)?<<\s*(?P<q>['\"]?)(?P<end>\w+)(?P=q)"
    r"(?P<behind>\s*>\s*[\w./-]+)?[ \t]*\n(?P<text>.*?\n)(?P=end)\n\s*",
    re.DOTALL,
)
_RUNNERS = ("uv run", "poetry run")


def text_of_file(path: str, call: Call, analyst: Analyst) -> str | None:
    if call.via and (len(call.via) > 1 or call.via[0] not in _RUNNERS):
        return None
    text, whole = " ".join((*call.via, call.text)), analyst.whole_text()
    written = _WRITTEN.match(whole)
    if written is None:
        return (analyst.read_file(path) or None) if is_first(text, whole) else None
    file = _file_of(written, call, analyst, moved=not whole.startswith(text, written.end()))
    return written["text"] if file == path and is_first(text, whole[written.end() :]) else None


def _file_of(written: re.Match[str], call: Call, analyst: Analyst, *, moved: bool) -> str | None:
    """Where the text of a command goes. `moved`: a `cd` may stand between it and the call."""
    names = [name for name in (written["file"], (written["behind"] or "").strip(" \t>")) if name]
    expands = not written["q"] and not {"$", "`", "\\"}.isdisjoint(written["text"])
    if len(names) != 1 or expands or (moved and not names[0].startswith("/")):
        return None
    return analyst.path(names[0], call.cwd)
