"""Patterns describe the whole list of arguments: what each takes, and what it does not."""

from __future__ import annotations

import pytest

from askfirst.policy.arguments import Match, PatternError, fingerprint, parse, quoted

ROWS: list[tuple[str, list[str | None], Match]] = [
    ("", [], Match.YES),
    ("", ["x"], Match.NO),
    ("", [None], Match.MAYBE),
    ("''", [""], Match.YES),
    ("''", [], Match.NO),
    ("run build", ["run", "build"], Match.YES),
    ("run build", ["run", "build", "--watch"], Match.NO),
    ("run build", ["run"], Match.NO),
    ("run build", ["build", "run"], Match.NO),
    ("run build", ["run", None], Match.MAYBE),
    ("run build", ["run", "build", None], Match.MAYBE),
    ("run build ...", ["run", "build"], Match.YES),
    ("run build ...", ["run", "build", "--", "x"], Match.YES),
    ("run build ...", ["--x", "run", "build"], Match.NO),
    ("run test*", ["run", "test:unit"], Match.YES),
    ("run test*", ["run", "test", "unit"], Match.NO),
    ("test-* now", ["test-a", "now"], Match.YES),
    ("delete pod test-*", ["delete", "pod", "test-a", "prod-b"], Match.NO),
    ("-rf ./build*", ["-rf", "./build/lib"], Match.YES),
    ("-rf ./build*", ["-rf", "./build/../src"], Match.NO),
    ("scripts/*", ["scripts/.."], Match.NO),
    ("scripts/.*", ["scripts/../evil.py"], Match.NO),
    ("../lib/*", ["../lib/a"], Match.YES),
    ("log a*", ["log", "a..b"], Match.YES),
    ("'a b' c", ["a b", "c"], Match.YES),
    ("'a b' c", ["a", "b", "c"], Match.NO),
    ("'*'", ["*"], Match.YES),
    ("'*'", ["x"], Match.NO),
    ("'...'", ["..."], Match.YES),
    ("'...'", ["x"], Match.NO),
    ("build...", ["build..."], Match.YES),
    ("build...", ["build", "x"], Match.NO),
    (f"--token {{{fingerprint('hunter2')}}}", ["--token", "hunter2"], Match.YES),
    (f"--token {{{fingerprint('hunter2')}}}", ["--token", "other"], Match.NO),
]


@pytest.mark.parametrize(("pattern", "words", "expected"), ROWS)
def test_match(pattern: str, words: list[str | None], expected: Match) -> None:
    assert parse(pattern).match(words) == expected


def test_a_block_means_what_goes_up_too() -> None:
    assert parse("-rf /data*").match(["-rf", "/data/../data/x", "more"], rest=True) == Match.YES


@pytest.mark.parametrize("pattern", ["a ... b", "'a", '"a'])
def test_what_says_nothing_clear_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        parse(pattern)


@pytest.mark.parametrize(
    "word",
    ["", "a", "a b", "*", "x*", "...", "it's", 'say "x"', "'\"", "$x", "{", "{" + "a" * 20 + "}", "-", "é", "\\"],
)
def test_a_quoted_word_means_itself(word: str) -> None:
    pattern = parse(f"head {quoted(word)}")
    assert not pattern.rest and pattern.match(["head", word]) == Match.YES
    assert all(pattern.match(["head", other]) == Match.NO for other in (word + "x", "x" + word, word + "*", "y"))
    assert pattern.match(["head", word, ""]) == Match.NO
