"""A question that does not fit: the decisive part on every page, bulk folded, search, and what has to be read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval.question import Fold, Line, Question
from askfirst.model import Duration
from askfirst.tui.card import Card, KeyStep
from askfirst.tui.draw import frame, room
from askfirst.tui.keyboard import Keys
from tests.tui.driver import Person
from tests.tui.questions import danger, question

SCRIPT = "\n".join(f"step-{n} --all" for n in range(60))
PARTS = (
    Line("run", "step-30 --all", "ask", "no rule knows it", "nothing matched"),
    *(Line("run", f"step-{n} --all", "allow", "", "built-in rules: step") for n in range(9)),
)


def card_of(asked: Question, columns: int = 80, rows: int = 24) -> Card:
    return Card(asked, *room(columns, rows), 0.0)


def shown(card: Card, columns: int = 80, rows: int = 24) -> str:
    lines = frame(card, columns, rows, place="", clock="4:48 left", now=9.0)
    card.drawn()
    return "\n".join(line.plain for line in lines)


def press(card: Card, keys: str | bytes, now: float = 5.0) -> KeyStep | None:
    step, parser = None, Keys()
    for byte in keys.encode() if isinstance(keys, str) else keys:
        step = card.feed(parser.feed(bytes([byte]), now), now, alone=True) or step
    return step


@pytest.mark.parametrize(("columns", "rows"), [(40, 24), (60, 24), (80, 24), (120, 40), (200, 50)])
def test_the_decisive_part_stands_on_every_page(columns: int, rows: int) -> None:
    card = card_of(question(text=SCRIPT, lines=PARTS), columns, rows)
    assert card.pages() > 1
    for page in range(card.pages()):
        card.page = page
        screen = shown(card, columns, rows)
        for words in ("step-30", "no rule allows", " S ", " P ", "make"):
            assert words in screen, (words, screen)
    assert not card.locked()


def test_a_long_decisive_part_stands_in_short_and_is_read_in_full() -> None:
    asked = question(text=SCRIPT, lines=tuple(Line("run", f"part-{n}", "ask", "who knows", "") for n in range(20)))
    card = card_of(asked)
    card.page = 1
    screen = shown(card)
    assert "? part-0 (and 19 more)" in screen and "why: no rule" in screen and "permanently: - name: make" in screen
    card.page = card.pages() - 1
    shown(card)
    assert card.locked() and any("part-19" in row.plain for row in card.lines())


def test_what_rules_allow_anyway_need_not_be_read() -> None:
    card = card_of(question(text="\n".join(SCRIPT.split("\n")[:4]), lines=PARTS))
    rows = [row.plain for row in card.lines()]
    told = next(n for n, row in enumerate(rows) if "the agent says" in row)
    assert card.pages() == 2 and "more allowed by rules" in rows[-1]
    shown(card)
    assert card.top + card.height() > told and not card.locked()


def test_a_fold_is_a_row_with_its_count_and_v_shows_it() -> None:
    text = f"cat > notes.md <<'EOF'\n{SCRIPT}\nEOF\nmake deploy"
    card = card_of(question(text=text, folds=(Fold(1, 60, "notes.md"),)))
    screen = shown(card)
    assert "⋮ 60 lines into notes.md" in screen and "step-3 " not in screen and "EOF" in screen
    assert card.pages() == 1 and not card.locked()
    press(card, "v")
    assert "step-3 --all" in shown(card)


def test_end_home_and_search() -> None:
    card = card_of(question(text=SCRIPT))
    shown(card)
    press(card, "G")
    assert "step-59" in shown(card) and card.locked(), "what was jumped over is not read"
    press(card, " ")
    assert card.top == min(n for n in range(60) if n >= card.height()), "Space goes to what was jumped over"
    press(card, b"\x1b[H")
    assert card.top == 0
    press(card, "/STEP-41\r")
    assert "step-41" in shown(card) and card.top > 30
    press(card, "/step-4\r")
    first = card.top
    press(card, "/\r")
    assert card.top > first, "once more finds the next place"
    press(card, "/no such thing\r")
    assert "not found: no such thing" in shown(card)
    press(card, "/sp")
    assert card.tick(9.0) is None and "search: sp" in shown(card), "letters of a search answer nothing"


def test_for_a_time(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        person.sees("make deploy")
        person.later(1.4)
        person.type("t")
        person.sees("F 15 minutes")
        person.press("h")
        ((_, answer),) = person.answered(1)
        assert answer.duration == Duration.TIMED
        person.sees("✓ allowed until ")


def test_for_a_time_needs_what_a_yes_needs() -> None:
    locked = card_of(question(text=SCRIPT))
    shown(locked)
    press(locked, "t")
    assert locked.view == "question" and "not all of it was shown" in locked.message
    dangerous = card_of(danger())
    shown(dangerous)
    press(dangerous, "t")
    assert dangerous.view == "question" and dangerous.message == "type CONFIRM first"
    early = card_of(question())
    shown(early)
    press(early, "t", 5.0)
    press(early, "h", 5.2)
    assert early.tick(9.0) is None, "the times were not on screen yet"


def test_a_file_is_named_in_the_header_as_the_project_knows_it() -> None:
    diff = "--- a/api/app.py\n+++ b/api/app.py\n@@ -1 +1 @@\n-a\n+b\n@@ -40 +40 @@\n-c\n+d\n"
    asked = question(text="/srv/code/shop/api/app.py", tool="Write", change="MODIFY", diff=diff)
    screen = shown(card_of(asked))
    assert "MODIFY api/app.py" in screen.split("\n")[0] and "/srv/code/shop/api" not in screen.replace("in /srv", "")
    assert "⋮ 38 unchanged lines" in screen and "@@" not in screen
