"""JSON as the gate wants it: one reading of a text, one line for a value.

Refused: a key that stands twice (the client and the gate might not take the same value), NaN and Infinity, more text
behind the value, and nesting without end.
"""

from __future__ import annotations

from _json import encode_basestring_ascii, make_encoder, make_scanner  # `json` itself compiles six patterns
from codecs import BOM_UTF8
from typing import Any

MAX_DEPTH = 200  # of what is written
BLANKS = " \t\n\r"

quote = encode_basestring_ascii


def loads(data: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError."""
    text = data.removeprefix(BOM_UTF8).decode() if isinstance(data, bytes) else data
    try:
        value, end = _scan(text, len(text) - len(text.lstrip(BLANKS)))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except (StopIteration, SystemError):
        value, end = None, 0
    if not end or text[end:].strip(BLANKS):
        raise _error_in(text)
    return value


def _error_in(text: str) -> ValueError:
    """What is wrong with it, and where. (Without this module the scanner has no error to raise.)"""
    from json import JSONDecodeError, loads

    try:
        loads(text)
    except JSONDecodeError as error:
        return error
    return ValueError("it is not JSON")


def dumps(value: Any) -> str:
    """One line of JSON, ASCII only, in the order of the keys. Raises ValueError, or TypeError for what has no form."""
    try:
        text = "".join(make_encoder({}, _no_form, quote, None, ":", ",", False, False, False)(value, 0))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return text


def _no_form(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class Decoder:
    """What `json.JSONDecoder` tells its scanner."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_object)
    parse_constant = staticmethod(_no_number)
    parse_float, parse_int = float, int


_scan = make_scanner(Decoder)  # type: ignore[arg-type]


def _depth(value: Any) -> int:
    """How many containers are open at most."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return 0
    return 1 + max(map(_depth, value), default=0)
