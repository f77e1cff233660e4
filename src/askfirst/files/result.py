"""The content a file tool would leave behind, computed from its input and the file on disk.

What cannot be computed is said, never guessed.
"""

from __future__ import annotations

from askfirst._record import Record
from askfirst.files.content import Found, Style, decode, encode, style_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PATH_KEYS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}


class Result(Record):
    content: bytes | None
    problem: str = ""  # why the content is not known


def result_of(tool: str, given: Mapping[str, Any], found: Found) -> Result:
    """What the file would hold afterwards."""
    if tool == "Write":
        return _written(given.get("content"), found)
    if found.exists and found.data is None:
        return Result(None, f"the file {found.odd}" if found.odd else "the file is too large to compute the edit")
    style = style_of(found.data or b"")
    text = decode(found.data or b"", style)
    if text is None:
        return Result(None, "the file is not text")
    if tool == "NotebookEdit":
        from askfirst.files.notebook import edited_notebook

        return _encoded(edited_notebook(text, given), style)
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    if not isinstance(edits, list) or not edits or not all(isinstance(e, dict) or e is given for e in edits):
        return Result(None, "the list of edits is not one")
    for edit in edits:
        outcome = _replaced(text, edit, exists=found.exists)
        if isinstance(outcome, Result):
            return outcome
        text = outcome
    return _encoded(text, style)


def _written(content: object, found: Found) -> Result:
    if not isinstance(content, str):
        return Result(None, "the content is missing or not a text")
    if not found.exists:
        # A new file gets what the tool says, byte by byte; an existing one keeps its encoding and its line ends.
        return _as_is(content)
    return _encoded(content, style_of(found.data or b""))


def _as_is(content: str) -> Result:
    try:
        return Result(content.encode())
    except UnicodeEncodeError:
        return Result(None, "the text is not valid Unicode")


def _replaced(text: str, edit: Mapping[str, Any], *, exists: bool) -> str | Result:
    old, new = edit.get("old_string"), edit.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return Result(None, "`old_string` or `new_string` is missing or not a text")
    every = edit.get("replace_all", False)
    if not isinstance(every, bool):
        return Result(None, "`replace_all` is neither true nor false")
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if old == "":
        return Result(None, "`old_string` is empty, and the file is not") if exists and text else new
    count = text.count(old)
    if count == 0:
        return Result(None, "the text to be replaced is not in the file")
    if count > 1 and not every:
        return Result(None, f"the text to be replaced stands {count} times in the file")
    return text.replace(old, new)


def _encoded(text: str | Result, style: Style) -> Result:
    if isinstance(text, Result):
        return text
    data = encode(text, style)
    return Result(data) if data is not None else Result(None, "the text cannot be written in the file's encoding")
