"""visible(): what does not print is shown, what prints stays."""

from __future__ import annotations

import unicodedata

import pytest

from askfirst.text import one_line, visible


@pytest.mark.parametrize(("text", "shown"), [
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
])
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_newlines_and_tabs_only_when_asked_for() -> None:
    assert visible("a\n\tb", newlines=True, tabs=True) == "a\n→   b"


def test_every_character_that_does_not_print_is_shown() -> None:
    hidden = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert len(hidden) > 2000
    for char in hidden:
        assert visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"


def test_one_line_is_one_line() -> None:
    assert one_line("a\nb" * 100, 20) == "a ba ba ba ba ba ba…"
