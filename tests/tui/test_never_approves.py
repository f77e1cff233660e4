"""The whole matrix of keys that must not approve, on one pty: each case with the dialog ready and waiting."""

from __future__ import annotations

from pathlib import Path

from askfirst.model import Decision
from tests.tui.driver import Person
from tests.tui.questions import question

FUNCTION = [
    b"\x1bOP",
    b"\x1bOQ",
    b"\x1bOR",
    b"\x1bOS",
    *(f"\x1b[{n}~".encode() for n in (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24)),
    *(f"\x1b[1;{m}{f}".encode() for m in range(2, 9) for f in "PQRS"),
    *(f"\x1b[[{f}".encode() for f in "ABCDE"),
    *(f"\x1bO{m}{f}".encode() for m in range(2, 6) for f in "PS"),
    b"\x1b\x1bOP",
    b"\x1b\x1bOS",
    b"\x8fP",
    b"\xc2\x8fS",
]
MOVING = [f"\x1b{i}{f}".encode() for i in "[O" for f in "ABCDFHEMmjklnopqrstuvwxy"]
MOVING += [b"\x1b[2~", b"\x1b[3~", b"\x1b[5~", b"\x1b[6~", b"\x1b[Z"]
ALT = [b"\x1b" + bytes([c]) for c in b"sSpPoOyY\r19 "] + [b"\xf3", b"\xc3\xb3"]
CONTROL = [bytes([c]) for c in range(32) if c not in (0x03, 0x1A, 0x1C, 0x1B)] + [b"\x7f", b"\x80", b"\x9c"]
DIGITS = [bytes([c]) for c in b"0123456789"] + [b"y", b"Y", b"\r", b"\n", b"\t", b" ", b"a", b"\xc5\x9b"]
PASTES = [
    b"ls",
    b"su s",
    b"\x1b[200~s\x1b[201~",
    b"\x1b[200~S\x1b[201~",
    b"\x1b[200~p\r\x1b[201~",
    b"\x1b[200~ls\x1b[201~",
    b"ss",
    b"sp",
    b"s\r",
    b"yes\r",
    b"make s",
    b"\x1b[200~\x1b[201~\x1b[200~o\x1b[201~",
]
MOUSE = [
    b"\x1b[M ss",
    b"\x1b[Mspo",
    b"\x1b[M#PP",
    b"\x1b[<0;115;80M",
    b"\x1b[<0;115;80m",
    b"\x1b[<64;1;1M",
    b"\x1b[32;83;80M",
    b"\x1b[<35;1;1M",
]
FOCUS = [b"\x1b[I", b"\x1b[O", b"\x1b[I\x1b[O"]
REPLIES = [
    b"\x1b[?1;2c",
    b"\x1b[24;80R",
    b"\x1b]11;rgb:ssss/pppp/oooo\x07",
    b"\x1b]52;c;cw==\x1b\\",
    b"\x1bP1+r73=73\x1b\\",
    b"\x1b_Gs\x1b\\",
    b"\x1b[?2026;2$y",
    b"\x1b[115u",
    b"\x1b[115;1:3u",
    b"\x1b[27;2;83~",
    b"\x1b[8;24;80t",
]
MATRIX = FUNCTION + MOVING + ALT + CONTROL + DIGITS + PASTES + MOUSE + FOCUS + REPLIES


def test_none_of_them_approves_or_denies(tmp_path: Path) -> None:
    assert len(MATRIX) > 200
    with Person(tmp_path, *(question(n) for n in range(1, 12)), rows=40) as person:
        answered = 0
        person.sees("make deploy")
        person.later(0.4)
        for number, case in enumerate(MATRIX, start=1):
            person.later(0.8)
            person.ready()
            person.type(case)
            person.later(0.4)
            assert len(person.answers()) == answered, f"{case!r} answered"
            assert "denying" not in person.screen.text(), f"{case!r} denied"
            if number % 25 == 0:
                # The dialog is alive and would have approved: a letter on its own still does.
                person.press("s")
                answered += 1
                assert person.answered(answered)[-1][1].decision == Decision.ALLOW
                person.later(0.4)


def test_a_function_key_that_arrives_in_pieces(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        for pieces in (
            (b"\x1b", b"OS"),
            (b"\x1bO", b"S"),
            (b"\x1b", b"O", b"P"),
            (b"\x1b[200~", b"s", b"\x1b[201~"),
            (b"\x1b[M ", b"s", b"s"),
        ):
            person.later(1.4)
            for piece in pieces:
                person.type(piece)
                person.later(0.9)
            person.later(1.2)
            assert person.answers() == [], pieces
