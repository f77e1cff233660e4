"""The line mode: where it is used, and that an answer is a word with the id."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.model import Answer, Decision, Duration
from askfirst.tui.ask import OneQuestion
from askfirst.tui.line_mode import LineMode
from askfirst.tui.notify import QUIET_S, Notifier
from askfirst.tui.setting import Setting
from tests.tui.driver import Person
from tests.tui.questions import danger, question

IDENT = question().id[:4]


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"ACCESSIBLE": "1"}, {"TERM": ""}])
def test_where_no_frame_is_drawn(tmp_path: Path, environment: dict[str, str]) -> None:
    with Person(tmp_path, question(), environment=environment, rows=60) as person:
        person.sees(f"type: session {question().id[:6]}")
        assert "\x1b" not in person.screen.raw
        for line in ("s", "p", "session", "permanent zzzz", "session kx", "yes", "1", "", "CONFIRM"):
            person.write(f"{line}\n")
        person.sees("`yes` is not an answer")
        person.write(f"session {IDENT}\n")
        assert person.answered(1)[0][1].duration == Duration.SESSION
        person.sees("✓ allowed for this session")
        assert person.restored()


def answers(typed: str, *questions: object) -> tuple[str, list[Answer]]:
    """Line mode over pipes: what it prints, and the answers that came out of it."""
    given: list[Answer] = []

    class Manager:
        def __init__(self) -> None:
            self.left = list(questions)

        def pending(self):  # type: ignore[no-untyped-def]
            return tuple(self.left)

        def respond(self, id: str, answer: Answer) -> Answer:
            self.left = [q for q in self.left if q.id != id]  # type: ignore[attr-defined]
            given.append(answer)
            return answer

    (in_read, in_write), (out_read, out_write) = os.pipe(), os.pipe()
    os.write(in_write, typed.encode())
    os.close(in_write)
    LineMode(Manager(), Notifier(lambda: None), Setting(once=True), read_fd=in_read, write_fd=out_write).run()
    os.close(out_write)
    with open(out_read, "rb") as file:
        printed = file.read().decode()
    os.close(in_read)
    return printed, given


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("s\n", None),
        ("p\n", None),
        ("d\n", None),
        ("session\n", None),
        ("deny\n", None),
        ("session abcd\n", None),
        (f"session {IDENT}\n", (Decision.ALLOW, Duration.SESSION, 0)),
        (f"SESSION {IDENT}\n", (Decision.ALLOW, Duration.SESSION, 0)),
        (f"permanent {IDENT}\n", (Decision.ALLOW, Duration.PERMANENT, 0)),
        (f"once {IDENT}\n", (Decision.ALLOW, Duration.ONCE, 0)),
        (f"wide {IDENT}\npermanent {IDENT}\n", (Decision.ALLOW, Duration.PERMANENT, 1)),
        (f"wide {IDENT}\nonce {IDENT}\n", (Decision.ALLOW, Duration.ONCE, 1)),
        (f"deny {IDENT}\n", (Decision.DENY, Duration.ONCE, -1)),
    ],
)
def test_a_word_with_the_id(typed: str, expected: tuple[Decision, Duration, int] | None) -> None:
    _, given = answers(typed, question())
    assert [(a.decision, a.duration, a.step) for a in given] == ([expected] if expected else [])


def test_what_is_printed() -> None:
    printed, given = answers(
        f"view\nhelp\ndeny {IDENT} not on a Friday\n", question(notes=("untrusted \x1b[31m file",))
    )
    for words in (
        "request kxxymw",
        "make deploy",
        "the agent says: “Deploy the shop”",
        "permanent",
        "adds to",
        "- name: make",
        "untrusted ⟨U+001B⟩",
        "digest",
        "commands: session",
        "✗ denied",
    ):
        assert words in printed
    assert "\x1b" not in printed and given[0].reason == "not on a Friday"


def test_danger_wants_the_word_confirm() -> None:
    printed, given = answers(
        f"session {IDENT}\nsession {IDENT} confirm\npermanent {IDENT} CONFIRM\nsession {IDENT} CONFIRM\n", danger()
    )
    assert len(given) == 1 and given[0].duration == Duration.SESSION
    assert "DANGER" in printed and "not offered: dangerous commands are never permanent" in printed


def test_next_shows_the_other_one() -> None:
    printed, given = answers(
        f"next\nsession {IDENT}\ndeny {question(2).id[:4]}\n", question(1), question(2, text="make two")
    )
    assert [a.digest for a in given] == [question(2).digest] and "needs the id of this request" in printed


def test_one_bell_per_burst() -> None:
    rung: list[float] = []
    told: list[str] = []
    notifier = Notifier(lambda: rung.append(1), lambda title, words: told.append(f"{title} {words}"))
    for now in (0.0, 0.1, 5.0, 9.0, 9.0 + QUIET_S, 9.5 + QUIET_S):
        notifier.arrived(question(text="ls \x1b]0;x\x07"), now)
    assert len(rung) == 2 and len(told) == 2 and "⟨U+001B⟩" in told[0]


def test_ask_here_without_a_terminal_and_without_an_answer_is_a_deny(tmp_path: Path) -> None:
    code = (
        "import pickle, sys\nfrom askfirst.tui.ask import ask_here\n"
        "print(repr(ask_here(pickle.load(open(sys.argv[1], 'rb')))), file=sys.stderr)"
    )
    path = tmp_path / "question"
    path.write_bytes(pickle.dumps(question()))
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert "Decision.DENY" in done.stderr and "without an answer" in done.stderr and "make deploy" in done.stdout


def test_a_question_whose_time_is_over_is_a_deny() -> None:
    over = question(deadline=1.0)
    assert OneQuestion(over).pending() == ()
