"""NotebookEdit: one cell of a Jupyter notebook replaced, inserted or deleted, as the client does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst.files.content import Result


def edited_notebook(text: str, given: Mapping[str, Any]) -> str | Result:
    import json

    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Result(None, "the file is not a notebook")
    mode, source, kind = given.get("edit_mode", "replace"), given.get("new_source", ""), given.get("cell_type")
    if not isinstance(source, str) or mode not in ("replace", "insert", "delete"):
        return Result(None, "the edit has an unknown form")
    if not _is_known_form(notebook, cells):
        return Result(None, "the notebook has an unknown form")
    wanted = given.get("cell_id")
    at = _place(cells, wanted)
    if at is None and not (mode == "insert" and wanted in (None, "")):
        return Result(None, f"the notebook has no cell `{wanted}`")
    if mode == "delete":
        del cells[at or 0]
    elif mode == "insert":
        cells.insert(0 if at is None else at + 1, _new_cell(notebook, kind, source))
    else:
        _replace(cells[at or 0], kind, source)
    return json.dumps(notebook, indent=1, ensure_ascii=False)


def _is_known_form(notebook: Any, cells: object) -> bool:
    version = notebook.get("nbformat", 4), notebook.get("nbformat_minor", 0)
    return (
        isinstance(cells, list) and all(isinstance(c, dict) for c in cells) and all(isinstance(v, int) for v in version)
    )


def _place(cells: list[Any], wanted: object) -> int | None:
    """By the cell's id; `cell-3` is the fourth cell where ids are missing."""
    if not isinstance(wanted, str) or not wanted:
        return None
    for index, cell in enumerate(cells):
        if isinstance(cell, dict) and cell.get("id") == wanted:
            return index
    number = wanted.removeprefix("cell-")
    if number != wanted and number.isascii() and number.isdigit() and int(number) < len(cells):
        return int(number)
    return None


def _replace(cell: Any, kind: object, source: str) -> None:
    cell["source"] = source
    if cell.get("cell_type") == "code":
        cell["execution_count"], cell["outputs"] = None, []
    if kind in ("code", "markdown"):
        cell["cell_type"] = kind


def _new_cell(notebook: Any, kind: object, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "markdown" if kind == "markdown" else "code", "source": source, "metadata": {}}
    if (notebook.get("nbformat", 4), notebook.get("nbformat_minor", 0)) >= (4, 5):
        # The client makes up an id; which one is not known, and does not matter for what is judged.
        cell = {"cell_type": cell["cell_type"], "id": "new", **cell}
    if cell["cell_type"] == "code":
        cell["execution_count"], cell["outputs"] = None, []
    return cell
