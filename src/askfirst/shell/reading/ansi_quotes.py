"""`$'…'` decoded exactly as bash does, or not at all."""

from __future__ import annotations

from askfirst.shell.syntax import GiveUp

SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
HEX = "0123456789abcdefABCDEF"
OCTAL = "01234567"


def decode(text: str, start: int) -> tuple[str | None, int]:
    """The value of the string whose first character is at `start`, and the position behind its closing quote.

    The value is None where it depends on the locale (a byte or code point above 127).
    """
    out: list[str] = []
    known, ended = True, False  # a NUL ends the string for bash, although the quote goes on
    i, size = start, len(text)
    while True:
        if i >= size:
            raise GiveUp("a quote is not closed", start)
        c = text[i]
        if c == "'":
            return ("".join(out) if known else None), i + 1
        if c != "\\":
            piece, i = c, i + 1
        else:
            piece, i = _escape(text, i + 1)
            if piece == "\0":
                ended = True
            elif len(piece) == 1 and piece > "\x7f":
                known = False
        if not ended:
            out.append(piece)


def _escape(text: str, i: int) -> tuple[str, int]:
    c = text[i : i + 1]
    if c in SIMPLE and c:
        return SIMPLE[c], i + 1
    if c and c in OCTAL:
        j = _run(text, i, OCTAL, 3)
        return chr(int(text[i:j], 8) & 0xFF), j
    if c and c in "xuU":
        j = _run(text, i + 1, HEX, {"x": 2, "u": 4, "U": 8}[c])
        if j == i + 1:
            raise GiveUp("an escape in $'…' that shells read differently", i)
        number = int(text[i + 1 : j], 16)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            raise GiveUp("an escape in $'…' that is no character", i)
        return chr(number), j
    if c == "c" or not c:
        raise GiveUp("an escape in $'…' that shells read differently", i)
    return "\\" + c, i + 1


def _run(text: str, i: int, digits: str, most: int) -> int:
    j = i
    while j < i + most and text[j : j + 1] and text[j] in digits:
        j += 1
    return j
