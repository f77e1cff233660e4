"""Regular expressions whose compiled form comes with this package: importing `re` takes longer than reading a command.

`re` translates a pattern into a list of numbers for the engine in C, which is part of the interpreter. `patterns-*.bin`
hold these lists, one file for each version of the engine (`python -m askfirst.shell.fast_bashlex` writes that of its
interpreter). For every other engine or pattern, and when the file is damaged, the pattern goes through `re` as usual.
The engine checks a list before it takes it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

_made: dict[str, re.Pattern[str]] = {}
_ready: dict[str, bytes] | None = None


def compiled(pattern: str) -> re.Pattern[str]:
    """What `re.compile` returns, for a pattern without flags."""
    found = _made.get(pattern)
    if found is None:
        found = _made[pattern] = _from_table(pattern) or _from_re(pattern)
    return found


def _from_table(pattern: str) -> re.Pattern[str] | None:
    global _ready
    import _sre  # type: ignore[import-not-found]
    import marshal

    if _ready is None:
        _ready = stored()["lists"]
    try:
        found: re.Pattern[str] = _sre.compile(pattern, *marshal.loads(_ready[pattern]))
    except (KeyError, TypeError, ValueError, EOFError, RuntimeError, OverflowError):
        return None
    return found


def _from_re(pattern: str) -> re.Pattern[str]:
    import re

    return re.compile(pattern)


def engine() -> str:
    """Lists of one engine mean something else to another."""
    import _sre

    return f"{_sre.MAGIC} {_sre.CODESIZE} {_sre.MAXREPEAT} {_sre.MAXGROUPS}"


def file() -> str:
    return f"{__file__.rpartition('/')[0]}/patterns-{engine().partition(' ')[0]}.bin"


def stored() -> dict[str, Any]:
    """Engine, the Python that wrote the file, and pattern -> what the engine is given besides it, packed: a process
    needs few of them."""
    import marshal

    try:
        with open(file(), "rb") as opened:
            found = marshal.loads(opened.read())
        if found["engine"] == engine() and isinstance(found["lists"], dict):
            return {**found}
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        pass
    return {"engine": engine(), "python": "", "lists": {}}


def computed(patterns: list[str]) -> dict[str, bytes]:
    """The lists as this interpreter's `re` makes them."""
    import marshal
    import re
    import types

    compiler: Any = re._compiler  # type: ignore[attr-defined]
    kept: dict[str, bytes] = {}
    real = compiler._sre

    def keep(
        pattern: str, flags: int, code: list[int], groups: int, names: dict[str, int], by_number: tuple[str | None, ...]
    ) -> Any:
        kept[pattern] = marshal.dumps((int(flags), [int(c) for c in code], groups, dict(names), by_number), 2)
        return real.compile(pattern, flags, code, groups, names, by_number)

    compiler._sre = types.SimpleNamespace(**{**vars(real), "compile": keep})
    try:
        for pattern in patterns:
            compiler.compile(pattern, 0)
    finally:
        compiler._sre = real
    return kept


def asked_for() -> list[str]:
    """Every pattern of this process so far."""
    return list(_made)
