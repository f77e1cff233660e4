"""The content a file tool would leave behind, computed from its input and the file on disk.

What cannot be computed is said, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from askfirst.files.content import FileState, Result, Style, decode, encode, style_of
from askfirst.files.notebook import edited_notebook
from askfirst.knowledge.tools import PATH_KEYS


def result_of(tool: str, given: Mapping[str, Any], found: FileState) -> Result:
    """What the file would hold afterwards."""
    keeps_spaces = _path(tool, given).endswith((".md", ".mdx"))
    if tool == "Write":
        return _written(given.get("content"), found, keeps_spaces=keeps_spaces)
    if found.exists and found.data is None:
        return Result(None, f"the file {found.odd}" if found.odd else "the file is too large to compute the edit")
    style = style_of(found.data or b"")
    text = decode(found.data or b"", style)
    if text is None:
        return Result(None, "the file is not text")
    if tool == "NotebookEdit":
        return _encoded(edited_notebook(text, given), style)
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    return _encoded(_edited(text, edits, exists=found.exists, keeps_spaces=keeps_spaces), style)


def _edited(text: str, edits: object, *, exists: bool, keeps_spaces: bool) -> str | Result:
    """The text after all edits, each on what the one before it left."""
    if not isinstance(edits, list) or not edits:
        return Result(None, "`edits` is not a list of edits")
    for edit in edits:
        if not hasattr(edit, "get"):
            return Result(None, "`edits` is not a list of edits")
        outcome = _replaced(text, edit, exists=exists, keeps_spaces=keeps_spaces)
        if isinstance(outcome, Result):
            return outcome
        text = outcome
    return text


def _written(content: object, found: FileState, *, keeps_spaces: bool) -> Result:
    if not isinstance(content, str):
        return Result(None, "the content is missing or not a text")
    # An existing file keeps its encoding and its mark. The line ends are the content's own: the client leaves them as
    # they come.
    style = replace(style_of(found.data or b""), crlf=False)
    text = content if keeps_spaces else _without_trailing_spaces(content)
    return _encoded(text.removeprefix("\ufeff") if style.bom else text, style)


def _path(tool: str, given: Mapping[str, Any]) -> str:
    path = given.get(PATH_KEYS[tool])
    return path.lower() if isinstance(path, str) else ""


def _replaced(text: str, edit: Mapping[str, Any], *, exists: bool, keeps_spaces: bool) -> str | Result:
    """As the client does it: a line that is emptied goes away."""
    old, new, every = edit.get("old_string"), edit.get("new_string"), edit.get("replace_all", False)
    if not isinstance(old, str) or not isinstance(new, str):
        return Result(None, "`old_string` or `new_string` is missing or not a text")
    if not isinstance(every, bool):
        return Result(None, "`replace_all` is neither true nor false")
    if not keeps_spaces:
        new = _without_trailing_spaces(new)
    if old == "":
        return Result(None, "`old_string` is empty, and the file is not") if exists and text else new
    count = text.count(old)
    if count == 0:
        return Result(None, "the text to be replaced is not in the file")
    if count > 1 and not every:
        return Result(None, f"the text to be replaced occurs {count} times in the file")
    if not new and not old.endswith("\n") and old + "\n" in text:
        old += "\n"
    return text.replace(old, new) if every else text.replace(old, new, 1)


def _without_trailing_spaces(text: str) -> str:
    """The client drops spaces at the ends of new lines, but not in Markdown, where they mean something."""
    return "\n".join(line.rstrip() + "\r" * line.endswith("\r") for line in text.split("\n"))


def _encoded(text: str | Result, style: Style) -> Result:
    if isinstance(text, Result):
        return text
    data = encode(text, style)
    return Result(data) if data is not None else Result(None, "the text cannot be written in the file's encoding")
