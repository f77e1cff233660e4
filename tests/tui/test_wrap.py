"""visible(): what does not print is shown, what prints stays; and the lines that are left after a question."""

from __future__ import annotations

import unicodedata

import pytest
from rich.cells import cell_len

from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible
from askfirst.tui.receipt import elsewhere, idle_row, receipt
from askfirst.tui.wrap import exact_lines
from tests.tui.questions import question


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("git status", "git status"),
        ("größe 大小 🙂", "größe 大小 🙂"),
        ("a\x1b[31mb", "a⟨U+001B⟩[31mb"),
        ("\x1b]52;c;cm0=\x07", "⟨U+001B⟩]52;c;cm0=⟨U+0007⟩"),
        ("a\x9b31mb", "a⟨U+009B⟩31mb"),
        ("rm \u202egpj.x", "rm ⟨U+202E⟩gpj.x"),
        ("r\u200bm", "r⟨U+200B⟩m"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("a\nb", "a⟨U+000A⟩b"),
        ("a\tb", "a⟨U+0009⟩b"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\u3164b\u2800", "a⟨U+3164⟩b⟨U+2800⟩"),
        ("e\u0301", "e\u0301"),
        ("e\u0301\u0301\u0301", "e\u0301\u0301⟨U+0301⟩"),
        ("\u0301e", "⟨U+0301⟩e"),
        ("o\u0338", "o⟨U+0338⟩"),
        ("\ufe0f", "⟨U+FE0F⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("[bold]x[/bold] :bomb:", "[bold]x[/bold] :bomb:"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("width", [20, 26, 36, 80])
def test_the_sign_for_a_hidden_character_stays_on_one_row(width: int) -> None:
    text = "".join(f"{'x' * n}\x1b\U000e0041" for n in range(12))
    rows = [row.plain.removeprefix("↪ ") for row in exact_lines(text, width)]
    assert "".join(rows) == visible(text)
    assert all(row.count("⟨") == row.count("⟩") for row in rows) and all(cell_len(row) <= width for row in rows)


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (80, "  askfirst watch · no requests · Ctrl-C quits"),
        (39, "  no requests · Ctrl-C quits"),
        (27, "no requests · Ctrl-C quits"),
    ],
)
def test_the_row_while_nothing_waits_is_not_cut(width: int, row: str) -> None:
    assert idle_row("askfirst watch · no requests · Ctrl-C quits", width) == row


def test_newlines_and_tabs_only_when_asked_for() -> None:
    assert visible("a\n\tb", newlines=True, tabs=True) == "a\n→   b"


def test_every_character_that_does_not_print_is_shown() -> None:
    hidden = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert len(hidden) > 2000
    for char in hidden:
        assert visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"


def test_one_line_is_one_line() -> None:
    assert one_line("a\nb" * 100, 20) == "a ba ba ba ba ba ba…"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            Answer(Decision.ALLOW, Duration.ONCE, by="the client's dialog", state="once"),
            "allowed once by the client's dialog",
        ),
        (
            Answer(Decision.ALLOW, Duration.SESSION, by="ada at shell", state="session"),
            "allowed for this session by ada at shell",
        ),
        (Answer(Decision.DENY, reason="use make", by="ada at page", state="denied"), "denied by ada at page"),
        (Answer(Decision.DENY, by="timeout", state="expired"), "denied: no one answered in time"),
        (
            Answer(Decision.DENY, reason="the client ended this call", by="cancelled", state="cancelled"),
            "withdrawn (the client ended this call)",
        ),
    ],
)
def test_how_a_request_ended_elsewhere(answer: Answer, words: str) -> None:
    assert elsewhere(answer) == f"no longer waiting: {words}"


@pytest.mark.parametrize("width", [24, 40, 60, 79, 200])
@pytest.mark.parametrize("text", ["make", "make deploy", "界" * 60, "x" * 500])
def test_a_receipt_is_one_row_and_keeps_the_reason_longest(text: str, width: int) -> None:
    denied = Answer(Decision.DENY, reason="no", by="ada", state="denied")
    line = receipt(question(text=text, count=2), denied, "14:03:22", width, head="abc123def")
    assert cell_len(line) <= width and "denied" in line
    assert ("reason: no" in line) >= ("log abc123de" in line), "the log's head goes first"
