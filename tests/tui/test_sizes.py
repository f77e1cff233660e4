"""Every size of window: the frame fits, nothing of the command is lost, a change of size starts from zero."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from askfirst.tui.card import Card
from askfirst.tui.draw import frame, room
from tests.tui.driver import Person
from tests.tui.questions import danger, question

SIZES = [(30, 8), (40, 10), (60, 24), (80, 24), (120, 40), (200, 60)]
LONG = (
    "python tools/report.py --from 2024-01-01 --to 2024-12-31 --title 'Übersicht 概要' "
    "| tee /srv/code/shop/report.txt && echo last-word"
)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize(
    "asked", [question(text=LONG), danger(text=LONG), question(text="\n".join(f"line-{n}" for n in range(60)))]
)
def test_every_frame_fits_and_every_character_is_on_some_page(columns: int, rows: int, asked: object) -> None:
    from askfirst.approval.question import Question

    assert isinstance(asked, Question)
    card = Card(asked, *room(columns, rows), 0.0)
    seen = ""
    for page in range(card.pages()):
        card.page = page
        assert card.locked() or page == card.pages()
        lines = frame(card, columns, rows, place="2 of 13", clock="waiting 0:12 · 4:48 left", now=9.0)
        card.drawn()
        assert len(lines) <= rows - 1
        assert {cell_len(line.plain) for line in lines} == {columns}
        assert "D" in lines[-2].plain and "S" in lines[-2].plain, "the keys are never cut off"
        seen += "".join(line.plain[2:-2].strip().removeprefix("↪ ") for line in lines[1:-3])
    assert not card.locked()
    for word in asked.text.split("\n") if "\n" in asked.text else [asked.text]:
        assert word.replace(" ", "") in seen.replace(" ", "")


def test_one_window_through_all_sizes(tmp_path: Path) -> None:
    with Person(tmp_path, question(text=LONG), columns=80, rows=24) as person:
        person.sees("python tools/report.py")
        for columns, rows in [(120, 40), (60, 24), (40, 10), (100, 30), (30, 8), (80, 24)]:
            person.later(1.4)
            person.screen.lines, person.screen.row, person.screen.column = [[]], 0, 0
            person.resize(columns, rows)
            edge = "╭─"
            person.until(
                lambda width=min(columns, 110): any(
                    cell_len(line) == width and line.startswith(edge)  # type: ignore[misc]
                    for line in person.screen.text().split("\n")
                ),
                f"a frame of {columns} columns",
            )
            person.until(lambda: "● ready" not in person.screen.text(), "the readiness to start from zero")
            person.rounds()
        assert person.answers() == []
        person.press("o")
        assert len(person.answered(1)) == 1


def test_too_small_is_line_mode_and_back(tmp_path: Path) -> None:
    with Person(tmp_path, question(), columns=20, rows=5) as person:
        person.sees("more lines", history=True)
        person.sees("type `more`", history=True)  # broken between words
        person.write("s\nsession kxxy\n")
        person.sees("read to the end", history=True)
        for _ in range(40):
            person.write("more\n")
            if "type: session" in person.screen.history():
                break
            person.pump(0.2)
        person.sees("type: session", history=True)
        assert person.answers() == []
        person.resize(80, 24)
        person.sees("○ not ready")
        person.resize(20, 5)
        person.sees("more lines")
        assert person.answers() == []
