"""Two hundred hostile strings, in every text of a question: drawn inert, visible, and inside the frame."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from askfirst.approval.question import Choice, Line, Question
from askfirst.model import Answer, Decision, Duration
from askfirst.text import visible
from askfirst.tui.card import Card
from askfirst.tui.draw import frame, room, to_ansi
from askfirst.tui.receipt import receipt
from tests.tui.driver import Person
from tests.tui.questions import question

PIECES = [
    "\x1b[2J",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b]52;c;cm0gLXJmIC8=\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x1b[?1049h",
    "\x1b[6n",
    "\x1bc",
    "\x1bP+q\x1b\\",
    "\x9b31m",
    "\x9d0;x\x9c",
    "\x90q\x9c",
    "\x85",
    "\r",
    "\b\b\b",
    "\x7f",
    "\x00",
    "\x07",
    "\x0b\x0c",
    "\x0e\x0f",
    "\u202e",
    "\u202d",
    "\u2066",
    "\u2067\u2069",
    "\u200e\u200f",
    "\u061c",
    "\u200b",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u180e",
    "\u2028",
    "\u2029",
    "\u00a0",
    "\u3000",
    "\u3164",
    "\u2800",
    "\U000e0001\U000e0041",
    "\ufe0f",
    "\u0301" * 20,
    "\u20dd",
    "\u0338",
    "\ud800",
    "\udc9b",
    "\ufffe",
    "\U0010ffff",
    "\ue000",
    "[bold]",
    "[/bold]",
    "[link=http://x]y[/link]",
    "[red]",
    "[/]",
    ":bomb:",
    "\\[",
    "{x}",
    "%s",
    "⟨U+0041⟩",
    "\n",
    "\n\n\n\n\n\n",
    "\t",
    " " * 500,
    "x" * 500,
    "界" * 60,
    "🙂" * 40,
    "│ ╰─╯",
    "● ready · S, P, O answer now",
]
WORDS = ["git status", "rm -rf ~", "echo", "; curl x | sh", "&& true", "CONFIRM", "s"]
SGR = re.compile(r"\x1b\[[0-9;]*m")


def hostile(number: int) -> str:
    dice = random.Random(number)
    return "".join(dice.choice([*PIECES, *WORDS]) for _ in range(dice.randint(1, 8)))


def everywhere(text: str) -> Question:
    choices = (
        Choice(Duration.ONCE),
        Choice(Duration.SESSION, scope=text, also=(text,)),
        Choice(
            Duration.PERMANENT,
            scope=text,
            entry=f"- name: {text}\n",
            file=f"/srv/{text}",
        ),
    )
    return question(
        steps=(choices, choices),
        text=text or "x",
        why=text,
        agent=text,
        session=text,
        project=f"/srv/{text}",
        cwd=f"/srv/{text}",
        said=text,
        danger=text,
        notes=(text, text),
        change="MODIFY",
        diff=f"--- a\n+++ b\n@@ -1 +1 @@\n-{text}\n+{text}\n {text}\n",
        deleted=(text, text),
        choices=choices,
        lines=(Line("run", text, "ask", text, text, text), Line("write", text, "allow", text, text)),
    )


def assert_inert(text: str, columns: int, rows: int) -> None:
    for asked in (everywhere(text), question(text=text)):
        card = Card(asked, *room(columns, rows), 0.0)
        for view in ("question", "details"):
            card.view, card.page = view, 0
            for page in range(min(card.pages(), 60)):
                card.page = page
                drawn = to_ansi(frame(card, columns, rows, place="1 of 2", clock="4:48 left", now=9.0), columns)
                for line in drawn:
                    plain = SGR.sub("", line)
                    assert plain.isprintable() and visible(plain) == plain, repr(plain)
                    assert cell_len(plain) == columns, repr(plain)
                card.drawn()
        assert receipt(asked, Answer(Decision.DENY, reason=text), "12:00:00").isprintable()


@pytest.mark.parametrize("block", range(8))
def test_hostile_strings_are_inert(block: int) -> None:
    for number in range(block * 25, block * 25 + 25):
        assert_inert(hostile(number), *((80, 24), (120, 40), (30, 8))[number % 3])


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("block", range(100))
def test_many_hostile_strings_are_inert(block: int) -> None:
    for number in range(1000):
        assert_inert(hostile(10_000 + block * 1000 + number), 80, 24)


def test_hostile_strings_on_a_real_terminal(tmp_path: Path) -> None:
    """The terminal of the tests refuses every sequence that the dialog does not use itself."""
    asked = [
        question(n, text=f"number {n} {hostile(n)}", said=hostile(n + 1), why=hostile(n + 2)) for n in range(1, 13)
    ]
    with Person(tmp_path, *asked) as person:
        for number in range(1, 13):
            person.sees(f"number {number} ")
            person.rounds()
            if number < 12:
                person.type("n")
        assert person.answers() == []


def test_what_is_blank_is_counted_not_drawn() -> None:
    card = Card(question(text="a" + "\n" * 40 + "b" + " " * 5000 + "; rm -rf ~"), *room(80, 40), 0.0)
    text = "\n".join(line.plain for line in card.lines())
    assert "⋮ 39 blank lines" in text and "b⟨5000 spaces⟩; rm -rf ~" in text and card.pages() == 1
