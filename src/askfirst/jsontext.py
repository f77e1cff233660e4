"""JSON without importing `json`, which brings `re` and `enum` with it: a third of a fast hook.

The C scanner and the C string encoder are the ones that `json` itself uses; tests compare both directions with `json`
on generated values. Where the C parts are missing, `json` does the work."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_make_scanner: Any
_quote: Any
try:
    import _json
except ImportError:  # an interpreter without the C accelerator
    _make_scanner = _quote = None
else:
    _make_scanner, _quote = _json.make_scanner, _json.encode_basestring_ascii

MAX_DEPTH = 200


class _Rules:
    """What `json.JSONDecoder` hands to the scanner."""

    strict = True
    object_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}

    @staticmethod
    def object_pairs_hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        # Two values for one key: the client and the gate might not take the same one.
        if len(result) != len(pairs):
            raise ValueError("a key stands twice")
        return result

    @staticmethod
    def parse_constant(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")


def loads(data: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError (also RecursionError as ValueError); refuses duplicate keys, NaN and
    Infinity."""
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    if _make_scanner is None:
        import json

        return json.loads(text, object_pairs_hook=_Rules.object_pairs_hook, parse_constant=_Rules.parse_constant)
    body = text.strip(" \t\r\n")
    try:
        value, end = _make_scanner(_Rules)(body, 0)
    except StopIteration as stop:
        raise ValueError(f"no JSON value at character {stop.value}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except SystemError:
        # The C scanner takes its error class from `json`, and fails strangely when nobody has imported that: now
        # somebody has.
        import json

        json.loads(body)
        raise ValueError("not JSON") from None
    if end != len(body):
        raise ValueError(f"more text behind the JSON value, at character {end}")
    return value


def dumps(value: Any) -> str:
    """One line of JSON, ASCII only, in the order of the keys."""
    out: list[str] = []
    _write(value, out, 0)
    return "".join(out)


def _write(value: Any, out: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        start = "{"
        for key, item in value.items():
            out.append(start + quote(str(key)) + ":")
            _write(item, out, depth + 1)
            start = ","
        out.append("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        start = "["
        for item in value:
            out.append(start)
            _write(item, out, depth + 1)
            start = ","
        out.append("]" if value else "[]")
    else:
        out.append(_scalar(value))


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(int(value))
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError("not a JSON number")
        return float.__repr__(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def quote(text: str) -> str:
    if _make_scanner is None:
        import json

        return json.dumps(text)
    return str(_quote(text))
