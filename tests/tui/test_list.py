"""The queue as a list: marks, filters, answers to many, and nothing that was not read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.approval.question import Choice, Question
from askfirst.model import Decision, Duration
from askfirst.tui.dialog import redrawn
from askfirst.tui.keyboard import Keys
from askfirst.tui.list_view import ListRow, ListStep, ListView
from askfirst.tui.readiness import Readiness
from tests.tui.driver import Person
from tests.tui.questions import question

WALL = 1000.0


def asked(number: int, text: str = "", **fields: object) -> Question:
    made = question()
    base = {
        "id": f"{number:026d}",
        "ids": (f"{number:026d}",),
        "digest": f"{number:064d}",
        "text": text or f"make target-{number}",
        "created": WALL,
        "deadline": WALL + 300,
    }
    return replace(made, **{**base, **fields})  # type: ignore[arg-type]


def view(*questions: Question, rows: int = 20) -> ListView:
    made = ListView(100, rows, "ann", Readiness(0.0))
    made.update(questions, 0.0)
    made.drawn(0.0, WALL)
    return made


def press(made: ListView, text: bytes, now: float) -> ListStep | None:
    keys = Keys()
    step = None
    for char in text:
        step = made.feed(keys.feed(bytes([char]), now), now, WALL, alone=True) or step
        made.drawn(now, WALL)
    return step


def answered(made: ListView, key: bytes, *, now: float = 10.0) -> ListStep:
    press(made, key, now)
    step = made.tick(now + 1.0)
    assert step is not None, made.message
    return step


def ids(step: ListStep) -> list[int]:
    return [int(q.id) for q, _ in step.answers]


def test_all_on_the_page_or_only_the_marked() -> None:
    made = view(*(asked(n) for n in range(1, 6)))
    assert ids(answered(made, b"s")) == [1, 2, 3, 4, 5]
    made = view(*(asked(n) for n in range(1, 6)))
    press(made, b" j ", 5.0)
    step = answered(made, b"o")
    assert sorted(ids(step)) == [1, 3] and all(a.duration == Duration.ONCE for _, a in step.answers)


def test_what_is_not_on_the_page_is_not_answered() -> None:
    made = view(*(asked(n) for n in range(1, 60)), rows=10)
    assert len(answered(made, b"d").answers) == 9, "one row is the title"


def test_all_are_marked_and_only_those_that_were_on_screen_are_allowed() -> None:
    made = view(*(asked(n) for n in range(1, 60)), rows=10)
    press(made, b"a", 5.0)
    step = answered(made, b"s")
    assert len(step.answers) < 10 and "not read in full" in step.left_out[0]
    made = view(*(asked(n) for n in range(1, 60)), rows=10)
    press(made, b"j" * 60 + b"a", 5.0)
    assert len(answered(made, b"s").answers) == 59


def test_what_is_remembered_is_what_was_shown() -> None:
    """Without a mark the row shows the exact words; a marked one says what S would cover."""
    made = view(replace(asked(1), step=1), asked(2))
    assert [a.step for _, a in answered(made, b"s").answers] == [0, 0]
    made = view(replace(asked(1).at(1)))
    press(made, b" ", 5.0)
    (row,) = [r for r in made.page(WALL) if isinstance(r, ListRow)]
    assert "S: `make` with any target" in row.lines[-1].plain
    assert [a.step for _, a in answered(made, b"s").answers] == [1]


def test_a_filter_ends_with_what_it_left() -> None:
    made = view(asked(1, "npm test"), asked(2, "cargo test"))
    press(made, b"/npm\r", 5.0)
    made.update((asked(2, "cargo test"),), 6.0)
    assert [q.text for q in made.shown()] == ["cargo test"] and made.at


@pytest.mark.parametrize("width", [26, 40, 76, 106])
def test_every_row_fits_and_says_age_and_deadline(width: int) -> None:
    made = ListView(width, 20, "ann", Readiness(0.0))
    made.update([asked(1, danger="deletes it"), asked(2, "x" * 200)], 0.0)
    press(made, b" ", 5.0)
    lines = [line for r in made.page(WALL + 72) if isinstance(r, ListRow) for line in r.lines]
    assert all(line.cell_len <= width for line in lines)
    assert "3:48" in lines[0].plain and ("1:12" in lines[0].plain) == (width >= 60)


def test_a_second_press_does_not_answer_what_has_moved_up() -> None:
    questions = [asked(n) for n in range(1, 30)]
    made = view(*questions, rows=10)
    first = ids(answered(made, b"s", now=10.0))
    made.update([q for q in questions if int(q.id) not in first], 11.0)
    made.drawn(11.0, WALL)
    press(made, b"s", 11.2)
    assert made.tick(11.9) is None and made.message.startswith("too early")


def test_what_comes_after_the_key_is_not_answered() -> None:
    made = view(asked(1))
    press(made, b"s", 10.0)
    made.update((asked(1), asked(2)), 10.1)
    made.drawn(10.1, WALL)
    assert made.tick(11.0) is None, "something new is on screen: nothing counts"
    assert ids(answered(made, b"s", now=20.0)) == [1, 2]


def test_danger_and_what_does_not_offer_it_stay() -> None:
    danger = asked(1, danger="deletes it", confirm=True)
    refused = tuple(
        Choice(Duration.PERMANENT, "a write is not a rule") if c.duration == Duration.PERMANENT else c
        for c in asked(2).choices
    )
    step = answered(view(danger, asked(2, choices=refused, steps=()), asked(3)), b"p")
    assert ids(step) == [3]
    assert step.left_out == ("1 left: it needs CONFIRM; open it with Enter", "1 left: a write is not a rule")
    assert ids(answered(view(danger, asked(3)), b"d")) == [1, 3], "a no takes all"


def test_only_what_was_read_in_full() -> None:
    """A row that is cut, and one of several lines, are not approved from the list; marked they are shown whole."""
    long = asked(1, "make " + " ".join(f"part-{n}" for n in range(30)))
    lines = asked(2, "one\ntwo")
    assert answered(view(long, lines, asked(3)), b"s").left_out == (
        "2 left: it was not read in full; open it with Enter",
    )
    made = view(long, lines, asked(3))
    press(made, b"a", 5.0)
    assert sorted(ids(answered(made, b"s"))) == [1, 2, 3]
    huge = view(asked(1, "\n".join(f"line {n}" for n in range(40))))
    press(huge, b" ", 5.0)
    assert ids(answered(huge, b"s")) == []


def test_a_change_of_a_file_is_read_on_its_card() -> None:
    assert ids(answered(view(asked(1, change="REPLACE", diff="-a\n+b\n")), b"o")) == []


def test_a_filter() -> None:
    made = view(asked(1, "npm test"), asked(2, "cargo test"), asked(3, "npm run build"))
    press(made, b"/npm\r", 5.0)
    assert [q.text for q in made.shown()] == ["npm test", "npm run build"]
    assert ids(answered(made, b"d")) == [1, 3]


@pytest.mark.parametrize("typed", [b"ls\r", b"so", b"docs", b"pp", b"so it is"])
def test_text_typed_by_mistake_answers_nothing(typed: bytes) -> None:
    made = view(asked(1), asked(2))
    now = 5.0
    for char in typed:
        press(made, bytes([char]), now)
        assert made.tick(now) is None
        now += 0.1
    step = made.tick(now)
    assert step is None or not step.answers


def test_groups_and_the_cursor() -> None:
    made = view(asked(1, session="s-one"), asked(2, session="s-two"), asked(3, session="s-one"))
    rows = made.page(WALL)
    assert sum(isinstance(r, str) for r in rows) == 2, "a title a session"
    assert [int(r.question.id) for r in rows if isinstance(r, ListRow)] == [1, 3, 2]
    opened = press(made, b"\r", 5.0)
    assert opened is not None and opened.opens is not None and opened.leaves


def test_only_changed_rows_are_written() -> None:
    assert redrawn(["a", "b", "c"], ["a", "B", "c"]) == "\x1b[2A\r\n\x1b[2KB\r\n"
    assert "\x1b[J" in redrawn(["a"], ["a", "b"])


def test_on_a_real_terminal(tmp_path: Path) -> None:
    questions = [asked(n) for n in range(1, 4)]
    with Person(tmp_path, *questions) as person:
        person.later(1.4)
        person.type(b"l")
        person.sees("3 waiting")
        person.later(1.6)
        person.type(b"s")
        person.later(1.2)
        answers = person.answers()
    assert len(answers) == 3 and all(a.decision == Decision.ALLOW for _, a in answers), answers
