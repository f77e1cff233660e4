"""The frame around a question: title, border, page, status, keys. Lines in, one string of ANSI out.

The frame never uses the alternate screen and is never taller than the terminal minus one row, so that it can be drawn
over in place and what was asked stays in the scroll-back.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from askfirst.approval.merging import offered
from askfirst.text import console
from askfirst.tui.card import DENIES, DENY_AFTER_S, WORD, Card
from askfirst.tui.layout import LONG_TIMES, TIME_KEYS, WAYS, header
from askfirst.tui.wrap import fit, pad

if TYPE_CHECKING:
    from askfirst.tui.list_view import ListView
    from askfirst.tui.merge import LineEntry

MIN_COLUMNS, MIN_ROWS = 30, 8  # below this the dialog becomes a line mode
CALM = ("╭─╮", "│", "╰─╯", "├─┤")
DANGER = ("╔═╗", "║", "╚═╝", "╠═╣")

KEYS = (
    ("S", "session"),
    ("P", "permanent"),
    ("T", "time"),
    ("O", "once"),
    ("D", "deny"),
    ("W", "scope"),
    ("M", "merge"),
    ("N", "next"),
    ("L", "list"),
    ("V", "view"),
    ("/", "search"),
    ("?", "help"),
)
ANSWERS = set("SPTOD")
PRESSED = {"s": "for this session", "p": "permanently", "o": "once"}
PRESSED |= {key: f"for {LONG_TIMES[name]}" for key, name in TIME_KEYS.items()}
TYPING = {  # views in which letters mean something else
    "reason": (("Enter", "deny"), ("Esc", "back")),
    "line": (("Enter", "choose"), ("PgDn", "page"), ("Esc", "back")),
    "merge": (("D", "deny"), ("Esc", "back")),
    "time": (*((key.upper(), LONG_TIMES[name]) for key, name in TIME_KEYS.items()), ("D", "deny"), ("Esc", "back")),
}


def fits(columns: int, rows: int) -> bool:
    """Whether the dialog can be drawn in a terminal of this size."""
    return columns >= MIN_COLUMNS and rows >= MIN_ROWS


def room(columns: int, rows: int) -> tuple[int, int]:
    """Width and height that are left for the question's own rows."""
    return columns - 4, rows - 1 - 2 - _footer_rows(rows)


def frame(card: Card, columns: int, rows: int, *, place: str, clock: str, now: float) -> list[Text]:
    """The whole dialog as rows of exactly `columns` cells, at most `rows - 1` of them."""
    shape = DANGER if card.question.danger else CALM
    style = "red" if card.question.danger else "bright_blue"
    lines = card.page_lines()
    inner = columns - 4
    if card.pages() > 1:
        lines = [*lines, *[Text("")] * (card.height() - len(lines))]  # the border stays where it is while pages turn
    if card.pinned():
        lines = [*lines, _divider(card, inner), *card.pinned()]
    lines = [_marked(line, card.wanted) for line in lines]
    footer = [_status(card, inner, now), _legend(card, inner)]
    out = [_top(card, shape[0], columns, style, place, clock)]
    out += [_side(line, inner, shape[1], style) for line in lines]
    if _footer_rows(rows) > 2:
        out.append(Text(shape[3][0] + shape[3][1] * (columns - 2) + shape[3][2], style))
    out += [_side(line, inner, shape[1], style) for line in footer]
    out.append(Text(shape[2][0] + shape[2][1] * (columns - 2) + shape[2][2], style))
    return out


LIST_KEYS = (
    ("Space", "mark"),
    ("A", "all"),
    ("S", "session"),
    ("P", "permanent"),
    ("O", "once"),
    ("D", "deny"),
    ("/", "filter"),
    ("Enter", "open"),
    ("L", "back"),
)


def list_frame(view: ListView, columns: int, rows: int, *, wall: float, now: float) -> list[Text]:
    """The queue, as rows of exactly `columns` cells, at most `rows - 1` of them."""
    style, inner = "bright_blue", columns - 4
    lines: list[Text] = []
    for entry in view.page(wall):
        lines += [Text(fit(entry, inner), "dim")] if isinstance(entry, str) else entry.lines
    count = len(view.shown())
    hidden = len(view.questions) - count
    place = f"{count} waiting" + (f", {hidden} hidden by the filter" if hidden else "")
    words, colour = view.status(now)
    out = [_top_row("askfirst", CALM[0], columns, style, place, f"{len(view.marked)} marked" if view.marked else "")]
    out += [_side(line, inner, CALM[1], style) for line in lines[: room(columns, rows)[1]]]
    if _footer_rows(rows) > 2:
        out.append(Text(CALM[3][0] + CALM[3][1] * (columns - 2) + CALM[3][2], style))
    out += [_side(_first_fit(inner, colour, words, words.partition(" · ")[0]), inner, CALM[1], style)]
    out += [_side(_keys_row(list(LIST_KEYS), inner), inner, CALM[1], style)]
    out.append(Text(CALM[2][0] + CALM[2][1] * (columns - 2) + CALM[2][2], style))
    return out


def _divider(card: Card, width: int) -> Text:
    """Between a page and what stands below every page."""
    first, last = card.top + 1, min(card.top + card.height(), len(card.lines()))
    words = f"╌╌ {first} to {last} of {len(card.lines())} lines "
    return Text(fit(words, width).ljust(width, "╌"), "dim")


def _marked(line: Text, wanted: str) -> Text:
    """The row, with what was searched for marked."""
    if not wanted:
        return line
    copy = line.copy()
    copy.highlight_regex(re.compile(re.escape(wanted), re.IGNORECASE), "reverse")
    return copy


def to_ansi(lines: list[Text], columns: int) -> list[str]:
    """Rows as the terminal gets them, colours included (none with NO_COLOR)."""
    out = io.StringIO()
    screen = console(out, width=columns, force_terminal=True)
    for line in lines:
        screen.print(line, no_wrap=True, overflow="crop", end="\n")
    return out.getvalue().split("\n")[:-1]


def minutes(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def _footer_rows(rows: int) -> int:
    return 3 if rows >= 12 else 2


def _top(card: Card, corners: str, columns: int, style: str, place: str, clock: str) -> Text:
    danger = "DANGER · " if card.question.danger else ""
    file = fit(header(card.question), max(12, columns - 50))
    return _top_row(f"{danger}{file or 'askfirst'}", corners, columns, style, place, clock)


def _top_row(name: str, corners: str, columns: int, style: str, place: str, clock: str) -> Text:
    left = f" {name}{f' · {place}' if place else ''} "
    right = f" {clock} " if clock else ""
    if cell_len(left) + cell_len(right) > columns - 6:
        left = f" {'DANGER' if name.startswith('DANGER') else place or name} "
    if cell_len(left) + cell_len(right) > columns - 6:
        right = f" {clock.rsplit('· ', 1)[-1]} "
    fill = max(0, columns - 4 - cell_len(left) - cell_len(right))
    return pad(
        Text.assemble(
            (corners[0] + corners[1], style),
            (left, f"bold {style}"),
            (corners[1] * fill, style),
            (right, "bold"),
            (corners[1] + corners[2], style),
        ),
        columns,
    )


def _side(line: Text, inner: int, bar: str, style: str) -> Text:
    return Text.assemble((f"{bar} ", style), pad(line, inner), (f" {bar}", style))


def _status(card: Card, width: int, now: float) -> Text:
    """One row that says what a key would do now."""
    if card.view == "reason":
        return _reason_row(card, width, now)
    page = f"page {card.page + 1} of {card.pages()}" if card.pages() > 1 else ""
    after = f" · {page}" if page else ""
    if card.searching or card.entry is not None:
        return _typing_row(card, width)
    if card.message:
        return _first_fit(width, "bold yellow", card.message)
    if card.view == "time":
        return _readiness_row(card, [key.upper() for key in TIME_KEYS], "", width, now)
    if card.view != "question":
        return _first_fit(width, "bold", f"Esc goes back to the question{after}", "Esc goes back")
    if card.locked():
        left = len(card.unread())
        locked = (f"locked: {left} line{'s' * (left != 1)} not shown yet", "locked")
        space = (" · Space shows more", " · Space", "")
        texts = (f"{locked[0]} · {page}{space[0]}", *(f"{locked[1]} · {page}{more}" for more in space))
        return _first_fit(width, "bold yellow", *texts)
    keys = [key for key, duration, _, _ in WAYS if card.question.offers(duration)]
    if not card.confirmed:
        typed = card.typed + "·" * (len(WORD) - len(card.typed))
        full = f"type {WORD} in full to unlock {' and '.join(keys)}: {typed}"
        return _first_fit(width, "bold red", full, f"type {WORD}: {typed}")
    return _readiness_row(card, keys, after, width, now)


def _typing_row(card: Card, width: int) -> Text:
    if card.searching or card.entry is None:
        return _first_fit(width, "bold", f"search: {card.typed}▏  Enter finds, Esc goes back", f"/{card.typed[-20:]}▏")
    return _line_entry_row(card.entry, width)


def _line_entry_row(entry: LineEntry, width: int) -> Text:
    ask = f"insert after line (0 to {entry.count}): {entry.typed}▏"
    problem = [f"{entry.problem} · {ask}", f"{entry.problem}: {entry.typed}▏"] if entry.problem else []
    return _first_fit(width, "bold", *problem, f"{ask}  Esc goes back", ask)


def _readiness_row(card: Card, keys: list[str], after: str, width: int, now: float) -> Text:
    state = card.readiness.state(now)
    if state == "pressed":
        if card.readiness.pressed == DENIES:
            return Text("◉ denying …", "bold red")
        return Text(f"◉ allowing {PRESSED[card.readiness.pressed]} …", "bold green")
    if state == "ready":
        words = f"{', '.join(keys)} answer{'s' * (len(keys) == 1)} now" if keys else "D denies"
        return _first_fit(width, "bold green", f"● ready · {words}{after}", f"● ready{after}", "● ready")
    wait = f"○ not ready · wait a second without typing{after}"
    return _first_fit(width, "dim", wait, f"○ not ready{after}", "○ not ready")


def _first_fit(width: int, style: str, *texts: str) -> Text:
    return Text(next((t for t in texts if cell_len(t) <= width), fit(texts[-1], width)), style)


def _reason_row(card: Card, width: int, now: float) -> Text:
    left = max(0.0, DENY_AFTER_S - card.idle_s(now))
    if not card.typed:
        denying = f"denying in {left:.0f} s"
        full = f"{denying} · type a reason, press Enter, or Esc to go back"
        return _first_fit(width, "bold red", full, f"{denying} · or type a reason")
    shown = card.typed if cell_len(card.typed) < width - 24 else "…" + card.typed[-(width - 24) :]
    return Text.assemble(("deny: ", "bold red"), (shown + "▏", "bold"), ("  Enter sends", "dim"))


def _legend(card: Card, width: int) -> Text:
    """The keys, in words where there is room, as letters where there is not. Never cut."""
    keys = list(TYPING.get(card.view, ())) or [(k, w) for k, w in KEYS if _offered(card, k)]
    if card.searching:
        keys = [("Enter", "find"), ("Esc", "back")]
    elif card.pages() > 1 and card.view not in TYPING:
        keys.append(("Space", "page"))
    return _keys_row(keys, width)


def _keys_row(keys: list[tuple[str, str]], width: int) -> Text:
    every = {key for key, _ in keys}
    for gap, worded in (("   ", every), ("  ", every), ("  ", ANSWERS), ("  ", set()), (" ", set())):
        row = Text()
        for key, word in keys:
            row.append(gap if row.plain else "")
            row.append(key, "bold")
            row.append(f" {word}" if key in worded else "", "dim")
        if row.cell_len <= width:
            return row
    return Text(fit("".join(k for k, _ in keys if len(k) == 1), width))


def _offered(card: Card, key: str) -> bool:
    if card.view != "question" and key in "SPTOW":
        return False  # nothing is approved while something else is on screen
    duration = next((d for k, d, _, _ in WAYS if k == key), None)
    if duration is not None:
        return card.question.offers(duration)
    if key == "/":
        return card.pages() > 1
    if key == "M":
        return bool(offered(card.asked))
    if key == "W":
        return card.question.can_widen()
    return card.others > 0 if key in "NL" else True
