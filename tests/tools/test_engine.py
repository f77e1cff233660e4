"""Options in canonical form, and what the engine makes of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from askfirst.model import Kind, Read, Unknown, Word, Write
from askfirst.shell.call import Call
from askfirst.shell.tools import REGISTRY, model, tool_for
from askfirst.shell.tools.engine import Operands, apply
from askfirst.shell.tools.options import may_be_option, options_of, parse
from askfirst.shell.tools.table import DELETES, INERT, READS, WRITES, Effect, Reading, Tool
from tests.tools.dev_support import PlainAnalyst

SORT = Tool(
    "sort",
    options="""
        flag    -u,--unique -r -n --reverse
        value   -k,--key
        maybe   --check -U
        writes  -o,--output
        runs    -TT,--test
        asks    --compress-program: runs a program
    """,
    reading=Reading(numbers=True),
)


def words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(t, t) for t in texts)


def given(*texts: str, tool: Tool = SORT) -> list[tuple[str, str | None]]:
    return [(g.name, g.value.value if g.value else None) for g in parse(tool, words(*texts)).given]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-u",), [("-u", None)]),
        (("--unique",), [("-u", None)]),
        (("-ur",), [("-u", None), ("-r", None)]),
        (("-uo", "f"), [("-u", None), ("-o", "f")]),
        (("-uof",), [("-u", None), ("-o", "f")]),
        (("--output=f",), [("-o", "f")]),
        (("--output", "f"), [("-o", "f")]),
        (("--outp", "f"), [("-o", "f")]),
        (("--o=f",), [("-o", "f")]),
        (("-k2,2n",), [("-k", "2,2n")]),
        (("--comp", "x"), [("--compress-program", None)]),
        (("--compress-program=x",), [("--compress-program", "x")]),
        (("--check",), [("--check", None)]),
        (("--check=quiet", "f"), [("--check", "quiet")]),
        (("-5",), []),
        (("-uTT", "id"), [("-u", None), ("-TT", "id")]),
        (("a", "-u", "b"), [("-u", None)]),
        (("--", "-u"), []),
    ],
)
def test_an_option_has_one_form(arguments: tuple[str, ...], expected: list[tuple[str, str | None]]) -> None:
    assert given(*arguments) == expected


@pytest.mark.parametrize(
    "arguments", [("-x",), ("-ux",), ("--nope",), ("--unique=1",), ("--re", "--k"), ("-o",), ("--ch", "--c")]
)
def test_what_is_not_listed_is_in_doubt(arguments: tuple[str, ...]) -> None:
    assert parse(SORT, words(*arguments)).doubts


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (Word("-", "-"), False),
        (Word("-a", "-a"), True),
        (Word("a", "a"), False),
        (Word("$x", None, many=True), True),
        (Word('"$x"', None), True),
        (Word('"a$x"', None, prefix="a"), False),
        (Word("a$x", None, prefix="a", many=True), True),
        (Word("src/*", None, prefix="src/", many=True, glob=True), False),
        (Word("*", None, many=True, glob=True), True),
    ],
)
def test_a_word_that_is_not_known_may_be_an_option(word: Word, expected: bool) -> None:
    assert may_be_option(word) is expected


def facts(tool: Tool, *arguments: Word, project: Path) -> tuple[object, ...]:
    call = Call((Word(tool.name, tool.name), *arguments), "text", str(project))
    return apply(tool, call, PlainAnalyst(project)).facts


def test_a_value_that_is_written_is_a_write(project: Path) -> None:
    (write,) = facts(SORT, *words("-oout.txt"), project=project)
    assert isinstance(write, Write) and write.path == f"{project}/out.txt" and write.how == "overwrite"


def test_a_value_that_is_not_known_is_a_write_somewhere(project: Path) -> None:
    found = facts(SORT, Word("-o$x", None, prefix="-o"), project=project)
    assert [f.path for f in found if isinstance(f, Write)] == [None]


def test_a_pattern_is_a_tree(project: Path) -> None:
    tool = Tool("rm", operands=(DELETES, ...))
    (inside,) = facts(tool, Word("src/*.o", None, prefix="src/", many=True, glob=True), project=project)
    (anywhere,) = facts(tool, Word("src/.*", None, prefix="src/.", many=True, glob=True), project=project)
    assert isinstance(inside, Write) and inside.path == f"{project}/src" and inside.below
    assert isinstance(anywhere, Write) and anywhere.path is None  # `..` may be among them


def test_a_directory_option_moves_what_follows(project: Path) -> None:
    tool = Tool("x", options="directory -C", operands=(READS, ...))
    (read,) = facts(tool, *words("-C", "sub", "f"), project=project)
    assert isinstance(read, Read) and read.path == f"{project}/sub/f"


def test_sub_commands(project: Path) -> None:
    inner = Tool("x show", options="flag -v", description="shows")
    tool = Tool("x", allowed=False, options="flag -q", subcommands={"show": inner})
    analyst = PlainAnalyst(project)

    def run(*arguments: str) -> tuple[bool, tuple[str, ...]]:
        outcome = apply(tool, Call(words("x", *arguments), "x", str(project)), analyst)
        return outcome.action.allowed and not any(isinstance(f, Unknown) for f in outcome.facts), outcome.action.key

    assert run("-q", "show", "-v") == (True, ("x", "show"))
    assert run("show", "-q")[0] is False  # the place of an option matters
    assert run("-v", "show")[0] is False
    assert run("change") == (False, ("x", "change"))
    assert run() == (False, ("x",))


@pytest.mark.parametrize(
    ("operands", "count", "expected"),
    [
        ((READS, ...), 3, [READS, READS, READS]),
        ((INERT, READS, ...), 3, [INERT, READS, READS]),
        ((READS, ..., WRITES), 3, [READS, READS, WRITES]),
        ((READS, ..., WRITES), 1, [WRITES]),
        ((INERT, READS, ..., WRITES), 4, [INERT, READS, READS, WRITES]),
        ((READS, WRITES), 3, [READS, WRITES, WRITES]),  # one too many is reported, and still not taken for harmless
        ((READS,), 2, [READS, READS]),
    ],
)
def test_each_operand_has_its_effect(operands: tuple[Any, ...], count: int, expected: list[Effect]) -> None:
    form = Operands.of(operands)
    assert [form.at(i, count) for i in range(count)] == expected


@pytest.mark.parametrize("operands", [(...,), (READS, ..., ...), (..., READS), (READS, ..., READS, WRITES)])
def test_operands_that_say_nothing_are_refused(operands: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="operands"):
        Operands.of(operands)


@pytest.mark.parametrize("options", ["flags -a", "flag", "flag a", "flag -a,b", "asks -a", "asks -a:", "-a -b"])
def test_a_malformed_line_is_refused(options: str) -> None:
    with pytest.raises(ValueError, match="options"):
        options_of(Tool("x", options=options))


def test_any_spelling_answers_for_the_option() -> None:
    parsed = parse(SORT, words("--unique", "-ox", "--output=y"))
    assert parsed.has("-u") and parsed.has("--unique") and not parsed.has("-r")
    assert [w.value for w in parsed.values("--output")] == [w.value for w in parsed.values("-o")] == ["x", "y"]


def test_a_later_line_wins() -> None:
    tool = Tool("x", options="asks -p,--python: runs it\nvalue -p,--python")
    assert not parse(tool, words("-p", "3")).operands and not options_of(tool)["-p"].why


def test_operands_are_counted(project: Path) -> None:
    tool = Tool("uniq", operands=(READS, WRITES))
    assert any(isinstance(f, Unknown) for f in facts(tool, *words("a", "b", "c"), project=project))
    assert [type(f) for f in facts(tool, *words("a", "b"), project=project)] == [Read, Write]


def test_help_is_allowed_and_loads_nothing(project: Path) -> None:
    analyst = PlainAnalyst(project)
    assert model(Call(words("rm", "--help"), "rm --help", str(project)), analyst).action.allowed
    assert not model(Call(words("dd", "--help"), "dd --help", str(project)), analyst).action.allowed
    assert model(Call(words("no-such-program"), "x", str(project)), analyst).action.kind == Kind.OTHER


PIECES = (
    "-",
    "--",
    "-c",
    "-e",
    "-i",
    "-o",
    "-f",
    "-x",
    "--help=",
    "-n5",
    "a",
    "",
    "=",
    "a=b",
    "{}",
    ";",
    "+",
    "'",
    '"',
    "\\",
    "$(",
    "s/a/b/",
    "1,2p",
    "/",
    "[",
    "]",
    "(",
    ")",
    "|",
    ">",
    "<",
    "\n",
    "@x",
    "://",
    "x:y",
    "%",
    "é",
    "0",
    "-9",
    "*",
    "..",
    "~",
)


def odd_word(choose: random.Random) -> Word:
    text = "".join(choose.choice(PIECES) for _ in range(choose.randint(1, 4)))
    if choose.random() < 0.2:
        return Word(
            text,
            None,
            prefix=text[: choose.randint(0, len(text))],
            many=choose.random() < 0.5,
            glob=choose.random() < 0.5,
        )
    return Word(text, text)


@pytest.mark.parametrize("topic", sorted(set(REGISTRY.values())))
def test_a_model_never_raises(topic: str, project: Path) -> None:
    choose = random.Random(topic)
    analyst = PlainAnalyst(project)
    for name in [n for n, t in REGISTRY.items() if t == topic]:
        subcommands = list(getattr(tool_for(name), "subcommands", {}))
        for _ in range(12):
            first = [Word(s, s) for s in [choose.choice(subcommands)]] if subcommands and choose.random() < 0.7 else []
            arguments = [odd_word(choose) for _ in range(choose.randint(0, 5))]
            cwd = str(project) if choose.random() < 0.8 else None
            model(Call((Word(name, name), *first, *arguments), name, cwd), analyst)


@pytest.mark.parametrize("reading", [Reading(), Reading(any_options=True), Reading(single_dash_long=True)])
@pytest.mark.parametrize("arguments", [("--out", "x"), ("--out=x",), ("--outp", "x"), ("--o", "x")])
def test_the_beginning_of_an_option_asks_and_counts(reading: Reading, arguments: tuple[str, ...]) -> None:
    """`--out` may be an option of its own that the row does not list: then `x` is not the value of --output-format."""
    tool = Tool("t", options="value --output-format\nwrites --output-file", reading=reading)
    parsed = parse(tool, [Word(a, a) for a in arguments])
    assert [d.what for d in parsed.doubts] == ["option"]
    assert [w.value for w in parsed.values("--output-file")] == ["x"]


def test_a_response_file_asks() -> None:
    tool = Tool("t", options="value -n", reading=Reading(any_options=True, response_files=True))
    for arguments in (("@x",), ("-n", "@x"), ("a", "@x")):
        assert parse(tool, [Word(a, a) for a in arguments]).doubts
    assert parse(tool, [Word("@$x", None, prefix="@")]).doubts
    assert not parse(tool, [Word("a@x", "a@x")]).doubts
