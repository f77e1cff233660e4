"""JSON as the gate wants it: one reading of a text, one line for a value.

Refused: a key that stands twice (the client and the gate might not take the same value), NaN and Infinity, more text
behind the value, and nesting without end.
"""

from __future__ import annotations

import json
from typing import Any

MAX_DEPTH = 200  # of what is written

quote = json.encoder.encode_basestring_ascii


def loads(data: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError."""
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def dumps(value: Any) -> str:
    """One line of JSON, ASCII only, in the order of the keys. Raises ValueError, or TypeError for what has no form."""
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _depth(value: Any) -> int:
    """How many containers are open at most."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return 0
    return 1 + max(map(_depth, value), default=0)
