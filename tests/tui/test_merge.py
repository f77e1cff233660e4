"""Merging in the dialog: the final diff is seen before it counts, and it counts once."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.tui.card import Card, KeyStep
from askfirst.tui.draw import frame
from askfirst.tui.keyboard import Key, Keys
from tests.tui.driver import Person
from tests.tui.questions import choices, question

OLD = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
NEW = "def c():\n    return 3\n"


def asked(directory: Path) -> Question:
    (directory / "m.py").write_text(OLD)
    return question(
        tool="Write",
        text="m.py",
        cwd=str(directory),
        project=str(directory),
        change="REPLACE",
        proposed=NEW,
        lines=(),
        diff="--- a/m.py\n+++ b/m.py\n@@ -1,6 +1,2 @@\n-def a():\n-    return 1\n+def c():\n+    return 3\n",
        deleted=("def a", "def b", "6 of 6 lines"),
        strategies=("replace", "append", "insert", "extend"),
        choices=choices(),
        steps=(),
    )


class Hand:
    """Keys on a card, a second apart."""

    def __init__(self, card: Card) -> None:
        self.card, self.now, self.keys = card, 10.0, Keys()

    def type(self, text: str) -> KeyStep | None:
        action = None
        for char in text:
            self.now += 1.0
            self.card.drawn()
            action = self.card.feed(self.keys.feed(char.encode(), self.now), self.now, alone=True) or action
        self.now += 0.5
        return action or self.card.tick(self.now)

    def shown(self) -> str:
        return "\n".join(line.plain for line in self.card.lines())


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    card = Card(asked(tmp_path), 76, 60, 0.0)
    card.drawn()
    return Hand(card)


@pytest.mark.parametrize(
    ("keys", "extra", "diff"),
    [
        ("ma", {"strategy": "append"}, "+ def c():"),
        ("me", {"strategy": "extend"}, "+ def c():"),
        ("mi3\r", {"strategy": "insert", "line": 3}, "+ def c():"),
        ("mi9\r0\r", {"strategy": "insert", "line": 0}, "+ def c():"),
        ("mamr", None, "- def a():"),
    ],
)
def test_the_final_diff_is_shown_and_then_allowed_once(
    hand: Hand, keys: str, extra: dict[str, object] | None, diff: str
) -> None:
    assert "DELETES 6 of 6 lines: def a, def b" in hand.shown()
    assert hand.type(keys) is None
    assert diff in hand.shown()
    assert ("DELETES" in hand.shown()) == (extra is None)
    assert ("before the merge" in hand.card.question.why) == (extra is not None), (
        "what it does not do any more is not said of it"
    )
    action = hand.type("o")
    assert action is not None and action.answer is not None
    assert (action.answer.decision, action.answer.duration, action.answer.extra) == (
        Decision.ALLOW,
        Duration.ONCE,
        extra,
    )


@pytest.mark.parametrize("keys", ["mas", "map", "mo", "ms", "mp"])
def test_a_merge_is_never_remembered(hand: Hand, keys: str) -> None:
    assert hand.type(keys) is None


@pytest.mark.parametrize(
    ("duration", "extra", "why"),
    [
        (Duration.ONCE, {"strategy": "append"}, ""),
        (Duration.ONCE, {"strategy": "insert", "line": 3}, ""),
        (Duration.SESSION, {"strategy": "replace"}, ""),
        (Duration.SESSION, {"strategy": "append"}, "allowed once"),
        (Duration.PERMANENT, {"strategy": "extend"}, "allowed once"),
        (Duration.ONCE, {"strategy": "shuffle"}, "unknown merge strategy"),
        (Duration.ONCE, {"strategy": "insert", "line": "3"}, "not a line number"),
        (Duration.ONCE, {"updated_input": {"file_path": "/etc/passwd"}}, "not offered"),
    ],
)
def test_whatever_surface_sends_it_a_merge_is_one_that_was_offered(
    tmp_path: Path, duration: Duration, extra: dict[str, object], why: str
) -> None:
    given = Answer(Decision.ALLOW, duration, extra=extra)
    if not why:
        return ApprovalManager().check(asked(tmp_path), given)
    with pytest.raises(AskfirstError, match=why):
        ApprovalManager().check(asked(tmp_path), given)
    with pytest.raises(AskfirstError):
        ApprovalManager().check(question(), given)
    return None


@pytest.mark.parametrize("keys", ["mi\r", "mi7\r8\rx\r", "mi-1\r1e3\r\r", "micd src\rls\rmake\r"])
def test_what_is_no_line_answers_nothing(hand: Hand, keys: str) -> None:
    assert hand.type(keys) is None and hand.card.view == "line" and hand.card.entry is not None
    assert "is not a number from 0 to 6" in hand.card.entry.problem


@pytest.mark.parametrize("columns", [60, 120])
def test_a_line_that_is_not_there_is_explained_and_the_keys_are_those_of_the_view(hand: Hand, columns: int) -> None:
    hand.type("mi999\r")
    *_, status, keys, _ = (row.plain for row in frame(hand.card, columns, 30, place="", clock="", now=hand.now))
    assert "`999` is not a number from 0 to 6" in status
    assert "Enter choose" in keys and "once" not in keys


def test_escape_goes_back_step_by_step_and_never_denies(hand: Hand) -> None:
    hand.type("mi")
    for view in ("merge", "question", "question"):
        assert hand.card.feed([Key("escape")], hand.now, alone=False) is None and hand.card.view == view
    assert hand.card.tick(hand.now + 60) is None


def test_a_merge_on_a_terminal(tmp_path: Path) -> None:
    with Person(tmp_path, asked(tmp_path), rows=40) as person:
        person.later(1.4)
        person.sees("M merge")
        person.type("m")
        person.sees("How should the new content be merged")
        person.type("i")
        person.sees("5  def b():")
        person.sees("insert after line (0 to 6)")
        person.type("3\r")
        person.sees("merged: insert at line 3")
        person.sees("○ not ready")
        person.press("o")
        assert person.answered(1)[0][1].extra == {"strategy": "insert", "line": 3}
