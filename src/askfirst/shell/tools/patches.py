"""What a patch changes: its text is read, so that its targets are writes like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.model import Fact, Word, Write
from askfirst.shell.tools.engine import unknown

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call

__all__ = ["bound", "patch_facts", "patch_texts"]

_NAMED_BY = ("--- ", "+++ ", "*** ", "Index: ", "rename to ", "rename from ", "copy to ")


def patch_facts(texts: list[str | None], strip: int | None, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """The writes of these patches; an Unknown where one cannot be read. `strip`: how many directories are taken off."""
    found: list[Fact] = []
    for text in texts or [None]:
        names = _targets(text, strip) if text is not None and strip is not None else None
        if names is None:
            found.append(unknown("patch", f"`{by}`: which files the patch changes is not known", call))
            continue
        found += [Write(analyst.path(name, call.cwd), name, "overwrite", by) for name in names]
    return found


def patch_texts(operands: tuple[Word, ...], call: Call, analyst: Analyst) -> list[str | None]:
    """The patches that are named, or the one on standard input; None for one that cannot be read."""
    if not operands:
        return [call.stdin.text if call.stdin.kind == "text" else None]
    paths = [analyst.path(w.value, call.cwd) if w.value not in (None, "-") else None for w in operands]
    return [analyst.read_file(path, 1 << 20) if path is not None else None for path in paths]


def bound(texts: list[str | None]) -> str:
    """What a yes is bound to: the content of the patches."""
    return f"@sha256:{sha256_hex(chr(0).join(t or '' for t in texts))}"


def _targets(text: str, strip: int) -> tuple[str, ...] | None:
    names: list[str] = []
    for line in map(_unwrapped, text.splitlines()):
        if line.startswith("diff --git "):
            left, _, right = line[len("diff --git ") :].partition(" ")
            given = [left, right]
        elif line.startswith(_NAMED_BY):
            given = [
                line.split(" ", 2)[2] if line.startswith(("rename", "copy")) else line.partition(" ")[2].split("\t")[0]
            ]
            strip_here = 0 if line.startswith(("rename", "copy")) else strip
            if '"' in given[0]:
                return None
            names += _stripped(given[0], strip_here)
            continue
        else:
            continue
        if '"' in line or " " in right:
            return None
        names += [name for one in given for name in _stripped(one, strip)]
    return tuple(dict.fromkeys(names)) if names else None


def _unwrapped(line: str) -> str:
    """As `patch` reads it: an indented diff counts, and one whose lines are escaped with `- `."""
    line = line.lstrip(" \t")
    return line[2:] if line.startswith("- ") else line


def _stripped(name: str, strip: int) -> list[str]:
    if name.strip() == "/dev/null":
        return []
    parts = name.strip().split("/")
    return ["/".join(parts[strip:])] if len(parts) > strip else [name.strip()]
