"""The key parser and the readiness, without a terminal: tables, and a fuzz with an oracle of its own."""

from __future__ import annotations

import random

import pytest

from askfirst.model import Decision
from askfirst.tui.card import Card
from askfirst.tui.keyboard import ESCAPE_S, MAX_SEQUENCE_CHARS, Key, Keys
from askfirst.tui.readiness import AFTER_S, BEFORE_S, ON_SCREEN_S, Readiness
from tests.tui.questions import question


def letters(data: bytes) -> str:
    return "".join(key.char for key in Keys().feed(data, 0.0))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"s", "s"),
        (b"S", "S"),
        ("é".encode(), "é"),
        (b"\r", ""),
        (b"\x13", ""),
        (b"\x00", ""),
        (b"\x1bOP", ""),
        (b"\x1bOS", ""),
        (b"\x1bOD", ""),
        (b"\x1b\x1bOS", ""),
        (b"\x1bO2P", ""),
        (b"\x8fS", ""),
        (b"\xc2\x8fS", ""),
        (b"\x1bs", ""),
        (b"\x1bS", ""),
        (b"\x1bp", ""),
        (b"\x1b s", ""),
        (b"\x1b%G", ""),
        (b"\x1b[15~", ""),
        (b"\x1b[1;2S", ""),
        (b"\x1b[[A", ""),
        (b"\x1b[11^", ""),
        (b"\x1b[115u", ""),
        (b"\x1b[27;5;115~", ""),
        (b"\x9b1;2S", ""),
        (b"\x1b[I", ""),
        (b"\x1b[O", ""),
        (b"\x1b[Msps", ""),
        (b"\x1b[<0;3;4M", ""),
        (b"\x1b[32;10;10M", ""),
        (b"\x1b[200~s\x1b[201~", ""),
        (b"\x1b[200~ls -la\nS\x1b[201~", ""),
        (b"\x1b[200~\x1b[200~s\x1b[201~", ""),
        (b"\x1b]11;rgb:s/p/o\x07", ""),
        (b"\x1b]11;s\x1b\\", ""),
        (b"\x1bPs\x1b\\", ""),
        (b"\x1b_s\x1b\\", ""),
        (b"\x1b[?1;2c", ""),
        (b"\x1bOSs", "s"),
        (b"\x1b[Mspsp", "p"),
        (b"\x1b[201~s", "s"),
        (b"\xff\xfes", "s"),
    ],
)
def test_only_what_stands_on_its_own_is_a_letter(data: bytes, expected: str) -> None:
    assert letters(data) == expected
    # The same in pieces, as a slow line delivers it.
    keys, found = Keys(), ""
    for number, byte in enumerate(data):
        found += "".join(key.char for key in keys.feed(bytes([byte]), number * 0.01))
    assert found == expected


def test_a_lone_escape_is_a_key_only_after_a_while() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b", 5.0) == []
    assert keys.idle(5.0 + ESCAPE_S / 2) == []
    assert keys.idle(5.0 + ESCAPE_S) == [Key("escape")]
    assert [k.char for k in keys.feed(b"s", 7.0)] == ["s"]


def test_a_function_key_in_two_late_pieces_is_still_one() -> None:
    keys = Keys()
    keys.feed(b"\x1bO", 5.0)
    assert [k.char for k in keys.feed(b"S", 5.9)] == [""]


def test_nothing_can_swallow_the_keyboard_for_ever() -> None:
    keys = Keys()
    keys.feed(b"\x1b]" + b"s" * (MAX_SEQUENCE_CHARS + 1), 0.0)
    assert keys.feed(b"d", 0.1)[-1].char == "d"
    keys.feed(b"\x1b[200~unfinished", 1.0)
    assert keys.feed(b"d", 60.0)[-1].char == "d"


def test_a_paste_is_one_event_with_its_text() -> None:
    assert Keys().feed(b"\x1b[200~two words\x1b[201~", 0.0)[-1] == Key("paste", text="two words")


# (moments at which `s` is pressed, or "." for any other byte) -> the moment at which it counts, or None
@pytest.mark.parametrize(
    ("script", "counts"),
    [
        ([(0.5, "s")], None),
        ([(ON_SCREEN_S, "s")], ON_SCREEN_S + AFTER_S),
        ([(0.9, "."), (1.5, "s")], None),
        ([(0.9, "."), (1.75, "s")], 1.75 + AFTER_S),
        ([(2.0, "s"), (2.2, ".")], None),
        ([(2.0, "s"), (2.2, "s")], None),
        ([(2.0, "s"), (2.2, "."), (3.1, "s")], 3.1 + AFTER_S),
    ],
)
def test_when_a_key_counts(script: list[tuple[float, str]], counts: float | None) -> None:
    readiness, accepted = Readiness(0.0), None
    for hundredths in range(600):
        now = hundredths / 100
        for at, what in script:
            if abs(at - now) < 0.001:
                readiness.press(what, now) if what == "s" else readiness.typed(now)
        if readiness.accept(now) and accepted is None:
            accepted = now
    assert accepted == (pytest.approx(counts, abs=0.011) if counts is not None else None)


def test_a_stalled_process_starts_from_zero() -> None:
    readiness = Readiness(0.0)
    assert readiness.looked(0.4)
    assert not readiness.looked(3.0)
    assert not readiness.is_ready(3.5)
    assert readiness.looked(3.4)


def test_escape_takes_a_denial_back_until_the_last_moment() -> None:
    """A lone ESC is the Escape key only after some silence: the wait before a denial must not end meanwhile."""
    card, keys = Card(question(), 76, 40, 0.0), Keys()
    card.drawn()
    card.feed(keys.feed(b"d", 2.0), 2.0, alone=True)
    assert card.tick(2.1) is None and card.view == "question" and card.readiness.pressed == "d"
    assert card.tick(2.4) is None and card.view == "reason"
    card.feed(keys.feed(b"\x1b", 3.9), 3.9, alone=True)
    assert card.tick(4.5) is None and card.view == "reason"
    card.feed(keys.idle(4.5), 4.5, alone=False)
    assert card.tick(60.0) is None and card.view == "question"
    card.feed(keys.feed(b"d", 61.0), 61.0, alone=True)
    assert card.tick(61.5) is None and card.tick(63.0) is None
    assert card.tick(63.6) is not None


@pytest.mark.parametrize("text", ["cd src\r", "d\r", "dd", "sudo id\r", "d src\r"])
@pytest.mark.parametrize("gap_s", [0.05, 0.2, 0.3])
def test_text_typed_by_mistake_does_not_deny(text: str, gap_s: float) -> None:
    card, keys, now = Card(question(), 76, 40, 0.0), Keys(), 5.0
    card.drawn()
    for char in text:
        assert card.tick(now) is None
        assert card.feed(keys.feed(char.encode(), now), now, alone=True) is None
        now += gap_s
    assert all(card.tick(now + later) is None for later in (0.0, 0.5, 1.0, 3.0, 60.0)) and card.view == "question"


APPROVING = b"sSpPoO"
BITS = [
    b"s",
    b"P",
    b"o",
    b"d",
    b"x",
    b"\x1b",
    b"\x1bO",
    b"\x1bOS",
    b"\x1bOP",
    b"\x1b[",
    b"\x1b[M",
    b"\x1b[200~",
    b"\x1b[201~",
    b"ls",
    b"\r",
    b"5",
    b"\xe2",
    b"\x9b",
    b"\x1b[1;2S",
    b"\x1b]0;s",
    b"\x07",
    b"\x1b\\",
    b" ",
    b"n",
    b"w",
    b"?",
]
GAPS = [0.0, 0.01, 0.1, 0.3, 0.36, 0.5, 0.81, 0.9, 1.01, 2.0]


def fuzz(rounds: int, seed: int) -> int:
    """Random bytes at random moments.

    Every approval must be a single approving byte between two silences, and outside a sequence.
    """
    dice, approvals, now = random.Random(seed), 0, 0.0
    card, keys = Card(question(), 76, 40, now), Keys()
    reads: list[tuple[float, bytes]] = [(now, b"")]
    for _ in range(rounds):
        data = b"".join(dice.choices(BITS, k=dice.choice((1, 1, 1, 2, 3))))
        if dice.random() < 0.1:
            data = dice.randbytes(dice.randint(1, 6))
        now += dice.choice(GAPS)
        card.drawn()
        effect = card.tick(now)
        if effect is not None and effect.answer is not None and effect.answer.decision == Decision.ALLOW:
            approvals += 1
            (before, earlier), (pressed, key) = reads[-2], reads[-1]
            assert len(key) == 1 and key in APPROVING
            assert pressed - before >= BEFORE_S - 1e-9 and now - pressed >= AFTER_S - 1e-9
            if earlier.endswith((b"\x1b", b"\x1bO", b"\x1b[", b"\x1b[200~", b"\x1b[M", b"\x1b]0;s")):
                assert pressed - before >= ESCAPE_S - 1e-9
        if effect is not None:
            card, reads = Card(question(), 76, 40, now), [(now, b"")]
            card.drawn()
            keys.reset()
        reads.append((now, data))
        if card.feed(keys.feed(data, now), now, alone=len(data) == 1) is not None:
            card, reads = Card(question(), 76, 40, now), [(now, b"")]
            keys.reset()
    return approvals


def test_fuzz_of_the_keys() -> None:
    assert fuzz(20_000, seed=1) > 20, "a fuzz in which nothing is ever approved proves nothing"


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", range(100))
def test_long_fuzz_of_the_keys(seed: int) -> None:
    fuzz(100_000, seed=1000 + seed)
