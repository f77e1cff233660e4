"""The dialog on a real pty: what approves, what does not, what stays on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval.question import Line
from askfirst.model import Decision, Duration
from tests.tui.driver import Person
from tests.tui.questions import danger, question


def test_a_careful_person_allows_for_the_session(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        person.sees("make deploy")
        person.press("s")
        ((ident, answer),) = person.answered(1)
        assert (ident, answer.decision, answer.duration) == (question().id, Decision.ALLOW, Duration.SESSION)
        assert answer.digest == question().digest
        person.sees("✓ allowed for this session")
        person.sees("log abc123de")
        person.sees("no requests")
        assert "no rule allows" not in person.screen.history(), "a settled card leaves one line"
        assert person.screen.title == "askfirst" and person.screen.notified == ["askfirst: an agent is waiting"]
        assert "\x1b[?1049" not in person.screen.raw


def test_every_key_both_cases(tmp_path: Path) -> None:
    keys = dict(zip("sSpPoO", [Duration.SESSION] * 2 + [Duration.PERMANENT] * 2 + [Duration.ONCE] * 2, strict=True))
    with Person(tmp_path, *(question(n) for n in range(1, len(keys) + 3))) as person:
        for number, key in enumerate(keys, start=1):
            person.press(key)
            assert person.answered(number)[-1][1].duration == keys[key]
        for number, key in enumerate("dD", start=len(keys) + 1):
            person.sees("○ not ready")
            person.rounds()
            person.type(key)
            person.sees("too early")
            person.press(key)
            person.sees("denying in")
            person.later(2.2)
            assert person.answered(number)[-1][1].decision == Decision.DENY


def test_what_is_shown_before_the_key(tmp_path: Path) -> None:
    lines = (
        Line("run", "make deploy", "ask", "no rule knows it", "nothing matched"),
        Line("run", "tee log", "allow", "", "built-in allow: tee"),
        Line("write", "/srv/code/shop/api/log", "ask", "outside every allowed directory", "nothing matched"),
    )
    asked = question(
        text="make deploy | tee log", lines=lines, count=6, agents=3, notes=("the project's rule file is not trusted",)
    )
    with Person(tmp_path, asked, question(2), rows=30) as person:
        for words in (
            "1 of 2",
            "claude wants to run",
            "x6 from 3 agents",
            "in /srv/code/shop/api",
            "project shop",
            "session 5e55101c",
            "waiting 0:1",
            "left",
            "make deploy | tee log",
            "the agent says: “Deploy the shop”",
            "? make deploy  no rule knows it",
            "✓ tee log  built-in",
            "? api/log  outside",
            "why      no rule allows",
            "not trusted",
            "adds to .askfirst/allowed_commands.yaml:",
            "- name: make",
            'args: ["deploy"]',
            "this session",
            "W  wider",
        ):
            person.sees(words)


def test_type_ahead_does_not_answer(tmp_path: Path) -> None:
    with Person(tmp_path, question(), typed_ahead=b"sssPPPooo\rCONFIRMsyyyd") as person:
        person.sees("○ not ready")
        person.later(3.0)
        person.ready()
        assert person.answers() == [] and "denying" not in person.screen.text()


def test_keys_meant_for_one_request_do_not_answer_the_next(tmp_path: Path) -> None:
    with Person(tmp_path, question(1), question(2, text="rm -rf build")) as person:
        person.press("s")
        person.answered(1)
        person.sees("rm -rf build")
        person.rounds()
        person.type("s")
        person.later(0.5)
        person.type("s")
        person.later(0.6)
        assert len(person.answers()) == 1
        person.press("o")
        assert person.answered(2)[1][0] == question(2).id


def test_deny_with_a_reason_in_one_more_step(tmp_path: Path) -> None:
    with Person(tmp_path, question(1), question(2), question(3)) as person:
        person.sees("○ not ready")
        person.rounds()
        person.press("d")
        person.sees("denying in")
        person.type("don't\x1b[200~ touch\nit\x1b[201~!!\x7f\r")
        assert person.answered(1)[0][1].reason == "don't touch it!"
        person.sees("reason: don't touch it!")
        person.sees("○ not ready")
        person.rounds()
        person.press("d")
        person.sees("denying in")
        person.type("\x1b")
        person.later(1.2)
        person.sees("○ not ready")
        assert len(person.answers()) == 1
        person.press("d")
        person.later(2.2)
        assert person.answered(2)[1][1].reason == ""


def test_danger_wants_confirm_in_full_then_the_key(tmp_path: Path) -> None:
    with Person(tmp_path, danger(), rows=30) as person:
        for words in (
            "╔═ DANGER",
            "SERIOUS consequences",
            "• deletes cluster resources",
            "• stops what runs there",
            "type CONFIRM",
            "not offered: dangerous commands are never permanent",
        ):
            person.sees(words)
        for wrong in ("s", "o", "p", "\r", "confirm", "CONFIRs", "CONFx", "\x1b[200~CONFIRM\x1b[201~"):
            person.later(1.4)
            person.type(wrong)
            person.later(1.4)
            assert person.answers() == []
            person.later(0.4)
            person.sees("type CONFIRM")
            assert "● ready" not in person.screen.text()
        person.type("x")
        for letter in "CONFIRM":
            person.type(letter)
            person.later(0.2)
        person.sees("○ not ready")
        person.type("s")  # too early
        person.later(0.6)
        assert person.answers() == []
        person.press("p")
        assert person.answers() == [], "P was refused before, and stays refused"
        person.press("s")
        assert person.answered(1)[0][1].duration == Duration.SESSION


def test_widening_is_one_key_and_shown(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        person.later(1.4)
        person.sees('args: ["deploy"]')
        person.type("w")
        person.sees("`make` with any target")
        person.sees("○ not ready")
        person.rounds()
        assert "args:" not in person.screen.text()
        person.press("p")
        assert person.answered(1)[0][1].step == 1


def test_a_new_request_never_replaces_the_focused_one(tmp_path: Path) -> None:
    with Person(tmp_path, question(5, text="make five")) as person:
        person.sees("make five")
        person.later(1.4)
        person.ready()
        person.ask(
            question(1, text="make older"), question(5, text="make five", count=2), question(9, text="make nine")
        )
        person.later(0.6)
        person.sees("2 of 3")
        person.sees("x2 from 1 agent")
        person.sees("make five")
        person.sees("● ready")
        person.type("n")
        person.sees("make nine")
        person.sees("○ not ready")
        person.ask(question(1, text="make older"), question(5, text="make five"))
        person.later(0.6)
        person.sees("no longer waiting")
        person.sees("make older")
        person.sees("○ not ready")
        assert person.answers() == []


def test_what_is_gone_in_the_background_is_told_in_one_line(tmp_path: Path) -> None:
    with Person(
        tmp_path, question(1, text="make one"), *(question(n, text=f"make {n}") for n in (2, 3, 4, 5))
    ) as person:
        person.sees("1 of 5")
        person.ask(question(1, text="make one"), question(5, text="make 5"))
        person.later(0.6)
        person.sees("3 others are no longer waiting: make 2, make 3, make 4")
        person.press("s")
        person.answered(1)
        person.sees("make 5")
        assert person.screen.history().count("no longer") == 1, "the one that was answered here has its receipt"
        closed = person.screen.history().partition("allowed for this session")[2].partition("╭─")[0]
        assert "S session" not in closed, "a closed frame offers no keys"


def test_a_request_that_changes_under_the_eyes_starts_from_zero(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        person.later(1.4)
        person.ready()
        person.ask(question(notes=("the project's rule file was changed",)))
        person.later(0.6)
        person.sees("was changed")
        person.sees("○ not ready")


def test_what_changes_between_the_key_and_the_answer_is_not_approved(tmp_path: Path) -> None:
    from askfirst.approval.make_question import under_review

    with Person(tmp_path, question()) as person:
        person.later(1.4)
        person.ready()
        person.type("s")
        person.ask(under_review(question()))  # its session was flagged in this moment
        person.later(1.0)
        person.sees("type CONFIRM")
        assert person.answers() == []
        person.type("CONFIRM")
        person.press("s")
        person.sees("S is not offered")
        person.press("o")
        assert person.answered(1)[0][1].duration == Duration.ONCE


def test_a_late_answer_is_told(tmp_path: Path) -> None:
    with Person(tmp_path, question(), how="late") as person:
        person.press("s")
        person.sees("not accepted: already denied by timeout")


def test_help_and_view_answer_nothing(tmp_path: Path) -> None:
    with Person(tmp_path, question(), rows=40) as person:
        person.sees("○ not ready")
        person.rounds()
        person.type("?")
        person.sees("this help")
        person.later(1.4)
        person.type("s")
        person.sees("go back to the question first")
        person.later(0.6)
        person.type("?")
        person.sees("wants to run")
        person.type("v")
        person.sees("digest")
        person.sees(question().id)
        person.later(1.4)
        person.type("p")
        person.later(0.6)
        assert person.answers() == []
        person.type("v")
        person.press("s")
        assert len(person.answered(1)) == 1


LONG = (
    "cat <<'EOF' > notes.txt\n"
    + "\n".join(f"line number {n}" for n in range(1, 200))
    + "\n\n\n\n\n\nEOF\nrm -rf ~/important"
)


def test_the_whole_command_is_shown_or_approval_is_locked(tmp_path: Path) -> None:
    with Person(tmp_path, question(text=LONG)) as person:

        def lines_on_screen() -> set[int]:
            return {n for n in range(1, 200) if f"line number {n} " in person.screen.text().replace("│", " ")}

        seen = set()
        for page in range(1, 40):
            person.sees(f"page {page} of ")
            seen |= lines_on_screen()
            if "locked" not in person.screen.text():
                break
            person.later(1.4)
            for key in "spo":
                person.type(key)
                person.later(0.6)
            assert person.answers() == []
            if page == 3:
                person.type("\x1b[F")  # End jumps, and what it jumps over still has to be read
                person.sees("rm -rf ~/important")
                assert "locked" in person.screen.text()
                seen |= lines_on_screen()
            person.type(" ")
        assert seen == set(range(1, 200))
        assert "rm -rf ~/important" in person.screen.raw and "⋮ 5 blank lines" in person.screen.raw
        person.press("o")
        assert person.answered(1)[0][1].duration == Duration.ONCE


@pytest.mark.parametrize("variable", [{}, {"NO_COLOR": "1"}])
def test_no_color(tmp_path: Path, variable: dict[str, str]) -> None:
    with Person(tmp_path, danger(), environment=variable) as person:
        person.sees("type CONFIRM")
        assert ("\x1b[31m" in person.screen.raw) == (not variable)
        assert "DANGER" in person.screen.text(), "the meaning is never in the colour alone"
