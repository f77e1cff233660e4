"""Whatever the text is, the analysis ends, raises nothing, and has something to say."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from askfirst.model import Command, Unknown
from askfirst.shell import MAX_LENGTH, analyze
from askfirst.shell.surroundings import Surroundings
from tests.shell.generator import SPECIALS, Generator

AROUND = Surroundings("/nonexistent/project", "/nonexistent/project", "/nonexistent/home", ("/usr/bin", "/bin"))

# An opening, what stands inside, and the closing, each repeated until the text has 10,000 characters.
NESTED = {
    "$(": ("c1 $(", "c1", ")"),
    '"$(': ('c1 "$(', "c1", ')"'),
    "`": ("c1 `", "", ""),
    "(": ("( ", "c1", " )"),
    "{": ("{ ", "c1", "; }"),
    "((": ("(", "1", ")"),
    "$((": ("$((", "1", "))"),
    "${": ("c1 ${x:-", "a", "}"),
    '"${': ('"${x:-', "a", '}"'),
    "<(": ("c1 <(", "c1", ")"),
    "if": ("if c1; then ", "c1", "; fi"),
    "case": ("case a in a) ", "c1", ";; esac"),
    "for": ("for x in a; do ", "c1", "; done"),
    "while": ("while c1; do ", "c1", "; done"),
    "function": ("f() { ", "c1", "; }"),
    "[[ (": ("( ", "a", " )"),
    "!": ("! ", "c1", ""),
    "bash -c": ("bash -c '", "c1", "'"),
    "eval": ("eval ", "c1", ""),
    "env": ("env ", "c1", ""),
    "xargs": ("xargs ", "c1", ""),
    "time": ("time ", "c1", ""),
    "coproc": ("coproc ", "c1", ""),
    "brace": ("{a,", "b", "}"),
    "array": ("x=(", "a", ")"),
    "heredoc": ("c1 <<E\n$(", "c1", "\nE\n)"),
    "[": ("${a[", "0", "]}"),
    "regexp": ("(", "a", ")"),
    "&&": ("c1 && ", "c1", ""),
    "|": ("c1 | ", "c1", ""),
    ";": ("c1; ", "c1", ""),
    "newline": ("c1\n", "c1", ""),
    "quote": ("'", "", ""),
    "backslash": ("\\", "", ""),
    "continuation": ("\\\n", "c1", ""),
    "redirect": ("> a ", "c1", ""),
    "heredocs": ("<<E ", "c1", "\nE"),
    "glob": ("*[", "a", "]?"),
}
BEFORE = {"[[ (": "[[ ", "((": "((", "regexp": "[[ a =~ ", "brace": "c1 ", "$((": "c1 ", "[": "c1 "}
AFTER = {"[[ (": " ]]", "((": "))", "regexp": " ]]"}


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("closed", [True, False])
def test_depth_ends(kind: str, closed: bool) -> None:
    opening, inside, closing = NESTED[kind]
    count = 10_000 // len(opening + closing)
    text = BEFORE.get(kind, "") + opening * count + inside + (closing * count + AFTER.get(kind, "") if closed else "")
    facts = analyze(text, AROUND)
    assert not [f for f in facts if isinstance(f, Unknown) and f.what == "internal"]


def test_a_command_that_is_too_long_says_so() -> None:
    (fact,) = analyze("echo " + "a" * MAX_LENGTH + "; sudo id", AROUND)
    assert isinstance(fact, Unknown)
    assert fact.what == "too long"
    assert "100,000 characters" in fact.why
    assert "sudo" in fact.words


@pytest.mark.parametrize("odd", ["\0", "\r", "\r\n", "\x1b[2J", "\x7f", "\x85", "\x0b", "\x0c", "\ud800", "\udcff"])
@pytest.mark.parametrize(
    "around",
    ["{}", "ls {}", "ls{}", "ls '{}'", 'ls "{}"', "ls # {}", "cat <<'E'\n{}\nE", "ls; {}sudo id", "x={}", "ls > f{}"],
)
def test_odd_characters_are_not_understood(odd: str, around: str) -> None:
    facts = analyze(around.format(odd), AROUND)
    assert any(isinstance(f, Unknown) for f in facts)
    if "sudo" in around and len(odd) == 1 and odd < "\xa0":
        assert any("sudo" in f.words for f in facts if isinstance(f, Unknown))


@pytest.mark.parametrize("text", ["ls\u00a0-la", "ls\u2003-la", "ls\u3000-la", "ls\u2028id"])
def test_blanks_of_other_alphabets_are_not_understood(text: str) -> None:
    assert any(isinstance(f, Unknown) for f in analyze(text, AROUND))


@pytest.mark.parametrize("text", ["ｓｕｄｏ id", "s\u200budo id", "ѕudo id", "\ufeffsudo id", "git\u202e status"])
def test_look_alikes_are_other_programs(text: str) -> None:
    """No rule for the program that a reader sees covers the one that would run."""
    names = [f.name for f in analyze(text, AROUND) if isinstance(f, Command)]
    assert names
    assert not {"sudo", "git"} & set(names)


LETTERS = [
    *"abcxy019 \t\n'\"`$(){}[]<>|&;#!*?~=\\-/.,:@%^+_",
    *SPECIALS,
    "é",
    "\u200b",
    "\r",
    "c1",
    "cd d1",
    "x=1",
    "<<E\n",
    "\nE\n",
    "sudo",
    "${x",
    "$((",
    "))",
    "]]",
    "esac",
    "done",
    " | ",
    " && ",
    "git log",
    "bash -c '",
    "find . -exec ",
    "{} +",
    "python3 -c ",
    "env ",
]


@pytest.mark.parametrize("part", range(8))
def test_no_text_breaks_the_analysis(part: int) -> None:
    """An exception inside would be an Unknown fact of the kind `internal`."""
    for seed in range(part * 250, part * 250 + 250):
        chance = random.Random(seed)
        if seed % 2:
            text = "".join(chance.choice(LETTERS) for _ in range(chance.randrange(60)))
        else:
            text = Generator(seed).text()
            for _ in range(chance.randrange(6)):
                at = chance.randrange(len(text) + 1)
                text = text[:at] + chance.choice(LETTERS) + text[at + chance.randrange(3) :]
        for shell in ("bash", "zsh", "sh", "fish"):
            facts = analyze(text, replace(AROUND, shell=shell))
            assert not [f for f in facts if isinstance(f, Unknown) and f.what == "internal"], text
