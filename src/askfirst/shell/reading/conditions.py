"""What `[[ … ]]` evaluates although it is data: both sides of `-eq`, and the name behind `-v`."""

from __future__ import annotations

import re

from askfirst.shell.numbers import is_number_part
from askfirst.shell.reading.reader import NAME
from askfirst.shell.syntax import Hazard, Literal, Parameter, RawWord, only_part

COMPARES_NUMBERS = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
INTEGER = re.compile(r"[-+]?[0-9]+\Z")


def condition_hazards(tokens: list[RawWord | str]) -> list[Hazard]:
    out: list[Hazard] = []
    for i, token in enumerate(tokens):
        if not isinstance(token, RawWord):
            continue
        if token.text in COMPARES_NUMBERS:
            for side in tokens[max(0, i - 1) : i] + tokens[i + 1 : i + 2]:
                out.extend(side_hazards(side))
        elif token.text in ("-v", "-R"):
            after = tokens[i + 1] if i + 1 < len(tokens) else ""
            if not (isinstance(after, RawWord) and NAME.fullmatch(after.text)):
                why = f"`[[ {token.text} ]]` evaluates a subscript in its argument"
                out.append(Hazard("expansion", why, token.text))
    return out


def side_hazards(side: RawWord | str) -> list[Hazard]:
    """The hazard of one side of a comparison of numbers, if it is one."""
    if not isinstance(side, RawWord):
        return [Hazard("expansion", "`[[ ]]` evaluates a comparison that askfirst cannot read", "[[ ]]")]
    part = only_part(side)
    if INTEGER.match(side.text) or (part is not None and not isinstance(part, Literal) and is_number_part(part)):
        return []
    why = f"`[[ ]]` evaluates `{side.text}` as arithmetic, and it may be more than a number"
    return [Hazard("expansion", why, side.text, name_in(part))]


def name_in(part: object) -> str:
    """The variable that `$name`, or a bare `name`, reads."""
    if isinstance(part, Parameter) and part.operator == "" and NAME.match(part.name):
        return part.name
    if isinstance(part, Literal) and not part.quoted and NAME.fullmatch(part.text):
        return part.text
    return ""
