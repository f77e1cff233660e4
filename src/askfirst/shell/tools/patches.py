"""What a patch changes: its text is read, so that its targets are writes like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.knowledge.places import SMALL_PATCH
from askfirst.model import Fact, Word, Write
from askfirst.shell.tools.engine import unknown

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call

__all__ = ["bound", "mail_texts", "patch_facts", "patch_texts"]

MAX_PATCH = 1 << 20  # bytes
MAX_REMOVED = 20  # lines that a small patch takes away
_NAMED_BY = ("--- ", "+++ ", "*** ", "Index: ", "rename to ", "rename from ", "copy to ")


def patch_facts(texts: list[str | None], strip: int | None, call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """The writes of these patches; an Unknown where one cannot be read. `strip`: how many directories are taken off."""
    found: list[Fact] = []
    for text in texts or [None]:
        names = _targets(text, strip) if text is not None and strip is not None else None
        if names is None:
            found.append(unknown("patch", f"`{by}`: which files the patch changes is not known", call))
            continue
        done = SMALL_PATCH if _is_small(text or "", call) else by
        found += [Write(analyst.path(name, call.cwd), name, "overwrite", done) for name in names]
    if call.stdin.path is not None:  # its own words do not say which patch that is
        found.append(unknown("patch", f"`{by}` applies what another file holds", call))
    return found


def _is_small(text: str, call: Call) -> bool:
    """Few lines go away. Backwards it is the added ones."""
    if any(w.value is None or (w.value.startswith("-") and "r" in w.value.lower()) for w in call.words[1:]):
        return False
    return sum(line.lstrip().startswith("-") for line in text.splitlines()) <= MAX_REMOVED


def patch_texts(operands: tuple[Word, ...], call: Call, analyst: Analyst) -> list[str | None]:
    """The patches that are named, or the one on standard input; None for one that cannot be read."""
    if not operands and call.stdin.path is not None:
        return [analyst.read_file(call.stdin.path, MAX_PATCH)]
    if not operands:
        return [call.stdin.text if call.stdin.kind == "text" else None]
    paths = [analyst.path(w.value, call.cwd) if w.value not in (None, "-") else None for w in operands]
    return [analyst.read_file(path, MAX_PATCH) if path is not None else None for path in paths]


def mail_texts(operands: tuple[Word, ...], call: Call, analyst: Analyst) -> list[str | None]:
    """The same of mails: one whose body is encoded says nothing before it is decoded."""
    texts = patch_texts(operands, call, analyst)
    return [None if text is None or any(map(_is_encoded, text.splitlines())) else text for text in texts]


def _is_encoded(line: str) -> bool:
    name, _, value = line.lower().partition(":")
    return name.strip() == "content-transfer-encoding" and value.strip() not in ("7bit", "8bit")


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
