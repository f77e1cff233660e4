"""Which lines of one text stand in another: a line diff with a budget.

Anchors are lines that stand once in both texts (patience); between them a shortest edit script is looked for (Myers) as
long as the budget lasts. When it is spent, what is left counts as replaced: a gate may say "more changed than did",
never less. Time is linear but for sorting, whatever the texts; `difflib` can need minutes for repeated lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence

# Steps of the edit script search over a whole diff. 60,000 are about 20 ms.
BUDGET = 60_000
# (start in old, end in old, start in new, end in new): old[a:b] becomes new[c:d].
Hunk = tuple[int, int, int, int]


def changed(old: Sequence[Hashable], new: Sequence[Hashable], budget: int = BUDGET) -> list[Hunk]:
    """The places where the two differ, in order, joined where they touch."""
    return _joined(_Differ(_numbered(old, new), budget).run())


def _numbered(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Equal lines get equal numbers: comparing ints is cheaper than comparing lines again and again."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(x, len(numbers)) for x in old], [numbers.setdefault(x, len(numbers)) for x in new]


def _joined(hunks: list[Hunk]) -> list[Hunk]:
    out: list[Hunk] = []
    for a, b, c, d in hunks:
        if out and out[-1][1] == a and out[-1][3] == c:
            out[-1] = (out[-1][0], b, out[-1][2], d)
        else:
            out.append((a, b, c, d))
    return out


class _Differ:
    def __init__(self, numbered: tuple[list[int], list[int]], budget: int) -> None:
        self.old, self.new = numbered
        self.budget = budget
        self.hunks: list[Hunk] = []

    def run(self) -> list[Hunk]:
        # A stack and not recursion: a text made for it would otherwise reach Python's limit.
        todo = [(0, len(self.old), 0, len(self.new))]
        while todo:
            a, b, c, d = self._trimmed(*todo.pop())
            if a == b or c == d:
                if a != b or c != d:
                    self.hunks.append((a, b, c, d))
                continue
            anchors = self._anchors(a, b, c, d)
            if anchors:
                todo += reversed(list(_between(anchors, a, b, c, d)))
            else:
                self.hunks += self._shortest(a, b, c, d)
        return self.hunks

    def _trimmed(self, a: int, b: int, c: int, d: int) -> Hunk:
        old, new = self.old, self.new
        while a < b and c < d and old[a] == new[c]:
            a, c = a + 1, c + 1
        while a < b and c < d and old[b - 1] == new[d - 1]:
            b, d = b - 1, d - 1
        return a, b, c, d

    def _anchors(self, a: int, b: int, c: int, d: int) -> list[tuple[int, int]]:
        """Pairs of equal lines that are unique on both sides and stand in the same order in both."""
        in_old, in_new = _once(self.old, a, b), _once(self.new, c, d)
        pairs = [(i, in_new[x]) for x, i in in_old.items() if i >= 0 and in_new.get(x, -1) >= 0]
        pairs.sort()
        return _longest_rising(pairs)

    def _shortest(self, a: int, b: int, c: int, d: int) -> list[Hunk]:
        """Myers' greedy search. V is kept for every distance, so the distance is what the budget limits."""
        old, new, n, m = self.old, self.new, b - a, d - c
        if set(old[a:b]).isdisjoint(new[c:d]):
            return [(a, b, c, d)]
        v = {1: 0}
        trace: list[dict[int, int]] = []
        for distance in range(n + m + 1):
            self.budget -= distance + 1
            if self.budget < 0:
                return [(a, b, c, d)]
            trace.append(dict(v))
            for k in range(-distance, distance + 1, 2):
                x = (
                    v[k + 1]
                    if k == -distance or (k != distance and v.get(k - 1, -1) < v.get(k + 1, -1))
                    else v[k - 1] + 1
                )
                y = x - k
                while x < n and y < m and old[a + x] == new[c + y]:
                    x, y = x + 1, y + 1
                    self.budget -= 1
                v[k] = x
                if x >= n and y >= m:
                    return _backtrack(trace, n, m, a, c)
        return [(a, b, c, d)]


def _between(anchors: list[tuple[int, int]], a: int, b: int, c: int, d: int) -> list[Hunk]:
    pieces: list[Hunk] = []
    for i, j in anchors:
        if i > a or j > c:
            pieces.append((a, i, c, j))
        a, c = i + 1, j + 1
    if a < b or c < d:
        pieces.append((a, b, c, d))
    return pieces


def _once(numbers: list[int], start: int, end: int) -> dict[int, int]:
    """Number -> its place, or -1 when it stands more than once."""
    places: dict[int, int] = {}
    for i in range(start, end):
        x = numbers[i]
        places[x] = -1 if x in places else i
    return places


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    tops: list[int] = []  # the smallest end of a rising run of each length
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(last[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            last.append(index)
        else:
            tops[pile], last[pile] = j, index
    out: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        out.append(pairs[index])
        index = before[index]
    return out[::-1]


def _backtrack(trace: list[dict[int, int]], n: int, m: int, a: int, c: int) -> list[Hunk]:
    x, y = n, m
    hunks: list[Hunk] = []
    for distance in range(len(trace) - 1, 0, -1):
        v, k = trace[distance], x - y
        previous = k + 1 if k == -distance or (k != distance and v.get(k - 1, -1) < v.get(k + 1, -1)) else k - 1
        from_x = v[previous]
        from_y = from_x - previous
        if previous == k + 1:  # a line of the new text
            hunks.append((a + from_x, a + from_x, c + from_y, c + from_y + 1))
        else:
            hunks.append((a + from_x, a + from_x + 1, c + from_y, c + from_y))
        x, y = from_x, from_y
    return _joined(hunks[::-1])
