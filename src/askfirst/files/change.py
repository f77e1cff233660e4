"""What a write does to the file that is there: NEW, MODIFY or REPLACE, how many lines go and come, and the diff that
people read.

CRLF against LF makes no difference here. For Python, functions and classes that would be DELETED are named. Nothing
imports `difflib` or `ast`: an edit that needs no question should not pay for one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.files.big import compare
from askfirst.files.content import FileState, decode, lines_of, style_of
from askfirst.files.content_checks import running_part, secrets_in
from askfirst.files.lines import Hunk, changed
from askfirst.model import Change

if TYPE_CHECKING:
    from askfirst.policy.rules import WriteSettings

    Progress = Callable[[int, int], None]

NEW, MODIFY, REPLACE = "NEW", "MODIFY", "REPLACE"
CONTEXT = 3
PYTHON = (".py", ".pyi")


def text_of(data: bytes) -> str:
    """Text to compare and to show: what is not text in its encoding is compared byte by byte."""
    text = decode(data, style_of(data))
    return text if text is not None else data.decode("latin-1").replace("\r\n", "\n")


def classify(
    path: str, found: FileState, new: bytes | None, settings: WriteSettings, progress: Progress | None = None
) -> Change:
    """What a write of `new` does to the file. None: the content is unknown, so everything that is there counts as
    deleted.

    `progress` is told how far a large file has been read.
    """
    if not found.exists:
        return _created(path, found, new)
    if found.data is None:
        return _without_data(path, found, new, settings, progress)
    if new is None:
        return _overwritten(path, found, found.data)
    return _compared(path, found, found.data, new, settings)


def _created(path: str, found: FileState, new: bytes | None) -> Change:
    added = 0 if new is None else len(lines_of(text_of(new)))
    change = Change(NEW, added=added, new=_hash(new), grown=len(new or b""), odd=found.odd, fresh=found.fresh)
    return change if new is None else _checked(change, path, "", text_of(new), None)


def _overwritten(path: str, found: FileState, data: bytes) -> Change:
    old = text_of(data)
    lines = len(lines_of(old))
    return Change(
        REPLACE if lines else MODIFY,
        lines,
        deleted=lines,
        ratio=1.0 if lines else 0.0,
        names=_names(path, old),
        base=sha256_hex(data),
        mode=found.mode,
        odd=found.odd,
    )


def _compared(path: str, found: FileState, data: bytes, new: bytes, settings: WriteSettings) -> Change:
    old_text, new_text = text_of(data), text_of(new)
    old = lines_of(old_text)
    hunks = changed(old, lines_of(new_text)) if old_text != new_text else []
    deleted, added = sum(b - a for a, b, _, _ in hunks), sum(d - c for _, _, c, d in hunks)
    ratio = deleted / len(old) if old else 0.0
    kind = REPLACE if ratio >= settings.replace_ratio and deleted else MODIFY
    names = deleted_names(path, old_text, new_text) if kind == REPLACE and len(old) > settings.replace_lines else ()
    change = Change(
        kind,
        len(old),
        deleted,
        added,
        ratio,
        grown=len(new) - len(data),
        names=names,
        base=sha256_hex(data),
        new=_hash(new),
        mode=found.mode,
        odd=found.odd,
    )
    return _checked(change, path, old_text, new_text, hunks)


def _without_data(
    path: str, found: FileState, new: bytes | None, settings: WriteSettings, progress: Progress | None
) -> Change:
    """A file that is too large to be read whole, or that cannot be read."""
    if found.odd or not found.size:
        return Change(REPLACE, mode=found.mode, new=_hash(new), odd=found.odd or "cannot be read")
    counts = compare(path, new, progress)
    ratio = counts.deleted / counts.lines if counts.lines else 0.0
    kind = REPLACE if ratio >= settings.replace_ratio else MODIFY
    grown = len(new) - found.size if new is not None else 0
    return Change(
        kind, counts.lines, counts.deleted, counts.added, ratio, grown, (), counts.base, _hash(new), found.mode
    )


def _checked(change: Change, path: str, old: str, new: str, hunks: list[Hunk] | None) -> Change:
    """Look into the content: secrets that come in, and parts of a file that tools run by themselves."""
    name = os.path.basename(path).lower()
    lines = lines_of(new)
    spans = [(0, len(lines))] if hunks is None else [(c, d) for _, _, c, d in hunks]
    return replace(change, runs=running_part(name, old, new), secrets=secrets_in(path, lines, spans, old))


def _hash(data: bytes | None) -> str:
    return "" if data is None else sha256_hex(data)


# --- names ------------------------------------------------------------------------------------------------------------


def deleted_names(path: str, old: str, new: str) -> tuple[str, ...]:
    """`class State`, `def State.run`, … that stand in the old text and not in the new, in the order of the old."""
    before = definitions(old) if path.endswith(PYTHON) else None
    if not before:
        return ()
    after = definitions(new)
    # A new text that cannot be parsed keeps, of the old names, those that it still mentions as definitions.
    kept = (
        set(after)
        if after is not None
        else {n for n in before if f"{n.split(' ', 1)[0]} {n.rpartition('.')[2].split(' ')[-1]}" in new}
    )
    return tuple(n for n in before if n not in kept)


def _names(path: str, old: str) -> tuple[str, ...]:
    return deleted_names(path, old, "")


def definitions(text: str) -> dict[str, int] | None:
    """Functions and classes with their first line; None when the text is not Python."""
    tree = _parsed(text)
    if tree is None:
        return None
    found: dict[str, int] = {}
    todo = [(node, "") for node in reversed(tree.body)]
    while todo:
        node, inside = todo.pop()
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
            word = "class" if kind == "ClassDef" else "def"
            found.setdefault(f"{word} {inside}{node.name}", node.lineno)
            if word == "class":
                todo += [(child, f"{inside}{node.name}.") for child in reversed(node.body)]
        elif kind in ("If", "Try", "With", "TryStar"):  # a definition may stand behind `if TYPE_CHECKING:` or `try:`
            bodies = [*getattr(node, "body", []), *getattr(node, "orelse", []), *getattr(node, "finalbody", [])]
            bodies += [child for handler in getattr(node, "handlers", []) for child in handler.body]
            todo += [(child, inside) for child in reversed(bodies)]
    return found


def _parsed(text: str):  # type: ignore[no-untyped-def]  # `_ast.Module`: naming its type would import `ast`
    only_ast = 0x400  # ast.PyCF_ONLY_AST
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(text, "<file>", "exec", only_ast, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


# --- the diff ---------------------------------------------------------------------------------------------------------


def unified_diff(path: str, old: bytes | None, new: bytes, context: int = CONTEXT) -> str:
    """`diff -u` of two contents; the old one is /dev/null when there is none. Line ends are compared as if they were
    all `\\n`."""
    old_text, new_text = text_of(old or b""), text_of(new)
    header = f"--- {'/dev/null' if old is None else f'a/{path}'}\n+++ b/{path}\n"
    before, after = lines_of(old_text), lines_of(new_text)
    hunks = changed(before, after)
    body = "".join(_hunk_text(group, before, after, context) for group in _groups(hunks, context))
    return (
        header + body + _end_notes(old, old_text, new, new_text)
        if body or old is None
        else _end_notes(old, old_text, new, new_text)
    )


def _groups(hunks: list[Hunk], context: int) -> list[list[Hunk]]:
    groups: list[list[Hunk]] = []
    for hunk in hunks:
        if groups and hunk[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    return groups


def _hunk_text(group: list[Hunk], old: list[str], new: list[str], context: int) -> str:
    start, end = max(0, group[0][0] - context), min(len(old), group[-1][1] + context)
    new_start, new_end = group[0][2] - (group[0][0] - start), group[-1][3] + (end - group[-1][1])
    lines = [f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@"]
    at = start
    for a, b, c, d in group:
        lines += [" " + x for x in old[at:a]]
        lines += ["-" + x for x in old[a:b]]
        lines += ["+" + x for x in new[c:d]]
        at = b
    lines += [" " + x for x in old[at:end]]
    return "\n".join(lines) + "\n"


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + (1 if length else 0)},{length}"


def _end_notes(old: bytes | None, old_text: str, new: bytes, new_text: str) -> str:
    """What the lines do not show: line ends, and an end of file that comes or goes."""
    if old is None:
        return ""
    notes = ""
    before, after = style_of(old), style_of(new)
    if before.crlf != after.crlf and b"\n" in new:
        notes += f"\\ Line ends change from {'CRLF' if before.crlf else 'LF'} to {'CRLF' if after.crlf else 'LF'}\n"
    if before.bom != after.bom:
        notes += "\\ The byte order mark changes\n"
    if old_text and new_text and old_text.endswith("\n") != new_text.endswith("\n"):
        notes += (
            "\\ No newline at end of file\n"
            if old_text.endswith("\n")
            else "\\ A newline is added at the end of the file\n"
        )
    return notes
