"""The line diff: whatever the texts, applying the hunks to the old gives the new, and it never runs away."""

from __future__ import annotations

import random

from askfirst.files.lines import changed


def applied(old: list[int], new: list[int]) -> list[int]:
    out: list[int] = []
    at = at_new = 0
    for a, b, c, d in changed(old, new):
        assert at <= a <= b and at_new <= c <= d, "hunks are in order"
        assert old[at:a] == new[at_new:c], "what lies between hunks is equal"
        out += old[at:a] + new[c:d]
        at, at_new = b, d
    assert old[at:] == new[at_new:]
    return out + old[at:]


def test_hunks_turn_old_into_new() -> None:
    dice = random.Random(7)
    for round_ in range(4000):
        letters = dice.choice((1, 2, 3, 6, 20))
        old = [dice.randrange(letters) for _ in range(dice.randint(0, 14))]
        if round_ % 2:
            new = [dice.randrange(letters) for _ in range(dice.randint(0, 14))]
        else:
            new = [x if dice.random() < 0.8 else dice.randrange(letters) for x in old]
        assert applied(old, new) == new


def test_a_spent_budget_says_more_never_less() -> None:
    dice = random.Random(3)
    old = [dice.randrange(3) for _ in range(600)]
    new = [dice.randrange(3) for _ in range(600)]
    generous = sum(b - a for a, b, _, _ in changed(old, new, budget=10**9))
    stingy = sum(b - a for a, b, _, _ in changed(old, new, budget=10))
    assert stingy >= generous
    assert applied(old, new) == new


def test_repeated_lines_end() -> None:
    old = ["}" if i % 2 else "" for i in range(20_000)]
    new = ["" if i % 3 else "}" for i in range(20_000)]
    assert changed(old, new)


def test_small_cases() -> None:
    assert changed([], []) == []
    assert changed([1, 2, 3], [1, 2, 3]) == []
    assert changed([], [1]) == [(0, 0, 0, 1)]
    assert changed([1], []) == [(0, 1, 0, 0)]
    assert changed([1, 2, 3], [1, 9, 3]) == [(1, 2, 1, 2)]
    assert changed([1, 2, 3, 4], [2, 3, 4]) == [(0, 1, 0, 0)]
