"""For terminals that draw ASCII only (LANG=C): the signs that askfirst draws with, in plain characters. A character of
anybody else that cannot be written becomes its number, never something that looks like it.
"""

from __future__ import annotations

import codecs
import sys
from typing import TextIO

SIGNS = {
    **dict.fromkeys("─━═╌", "-"),
    **dict.fromkeys("│║", "|"),
    **dict.fromkeys("╭╮╰╯├┤┬┴┼╔╗╚╝╠╣└┌┐┘", "+"),
    **dict.fromkeys("“”", '"'),
    **{"✓": "ok", "✗": "no", "▣": "box", "●": "*", "○": "o", "◉": "@", "█": "#", "▸": ">", "■": "[x]", "□": "[ ]"},
    **{"×": "x", "…": "...", "·": "-", "–": "-", "→": "->", "↑": "^", "↓": "v", "↪": ">", "⋮": ":", "▏": "_"},
    **{"⟨": "<", "⟩": ">"},
}
NAME = "askfirst-plain"


def plain(error: UnicodeError) -> tuple[str, int]:
    """For `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = "".join(SIGNS.get(char) or f"<U+{ord(char):04X}>" for char in error.object[error.start : error.end])
    return found, error.end


codecs.register_error(NAME, plain)


def write_anything(*streams: TextIO) -> None:
    """Whatever the streams' encoding is, nothing that is printed fails."""
    for stream in streams or (sys.stdout, sys.stderr):
        try:
            "✓".encode(stream.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=NAME)


def is_utf8() -> bool:
    return "utf" in (sys.stdout.encoding or "utf-8").lower()
