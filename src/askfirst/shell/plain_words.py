"""The plain words of any text at all, also inside quotes: for finding what is blocked in what is not understood."""

from __future__ import annotations

MAX_WORDS = 5000
SEPARATORS = " \t\n\r\v\f;&|()<>`'\"$\\{},=!"
CONTROLS = "".join(map(chr, (*range(32), *range(127, 160))))
TABLE = str.maketrans(dict.fromkeys(SEPARATORS + CONTROLS, " "))
REMOVE = str.maketrans("", "", "'\"\\")
BLANK = str.maketrans(dict.fromkeys(";&|()<>`$\n\r\v\f", " "))


def plain_words(text: str) -> tuple[str, ...]:
    """Every word that a shell could take for a name: split at everything special, and with only quotes removed."""
    found = dict.fromkeys(text.translate(TABLE).split())
    # `s"u"do` and `su\do` are one word to a shell.
    found.update(dict.fromkeys(text.replace("\\\n", "").translate(REMOVE).translate(BLANK).split()))
    return tuple(found)[:MAX_WORDS]
