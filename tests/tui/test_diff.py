"""A diff in the dialog: every character is there, the signs carry the meaning, and no trick hides a line."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from askfirst.files.change import unified_diff
from askfirst.tui.diff import diff_lines, path_in

OLD = b'import os\n\n\nclass A:\n    """Two\n    lines."""\n\n    def run(self):\n\treturn "x" * 90\n'
NEW = OLD.replace(b'"x" * 90', b'"' + b"long " * 30 + b'"').replace(b"class A", b"class B") + b"\n" * 40 + b"end = 1\n"


@pytest.mark.parametrize("path", ["a.py", "a.unknown", "Makefile", "a.json"])
@pytest.mark.parametrize("width", [30, 60, 120])
def test_rows_fit_and_say_what_changes(path: str, width: int) -> None:
    rows = [row.plain for row in diff_lines(unified_diff(path, OLD, NEW), path, width)]
    assert all(cell_len(row) <= width for row in rows)
    assert "- class A:" in rows and "+ class B:" in rows and "+ end = 1" in rows
    assert "  import os" in rows  # context stands below the code of the others
    assert "+ ⋮ 40 blank lines" in rows
    together = "".join(row[2:].removeprefix("↪ ") for row in rows if row.startswith("+ "))
    assert "long " * 30 in together


def test_signs_and_colours_belong_together() -> None:
    rows = diff_lines(
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 3\n\\ No newline at end of file\n", "a.py", 60
    )
    assert [row.plain for row in rows] == [
        "- x = 1",
        "+ x = 2",
        "  y = 3",
        "\\ No newline at end of file",
    ]
    assert str(rows[0].spans[0].style) == "bold red" and str(rows[1].spans[0].style) == "bold green"


def test_hostile_text_is_inert() -> None:
    rows = diff_lines("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-\x1b[2J\u202e\n+[bold]x[/bold]\u200b\n", "a.py", 60)
    text = "\n".join(row.plain for row in rows)
    assert "\x1b" not in text and "\u202e" not in text and "⟨U+001B⟩" in text and "[bold]x[/bold]" in text


def test_the_file_a_diff_is_about() -> None:
    assert path_in("--- a/src/a.py\n+++ b/src/a.py\n@@") == path_in("--- /dev/null\n+++ b/src/a.py\n") == "src/a.py"
    assert path_in("") == path_in("\\ Line ends change from LF to CRLF\n") == ""
