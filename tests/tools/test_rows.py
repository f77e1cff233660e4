"""Every row proves itself: it can be read, its examples are allowed, its counter-examples are not, and its code never
fails.

Examples are judged as the gate judges: facts of the whole command, then the rules, with every stack's profile on.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from datetime import date
from itertools import chain
from pathlib import Path

import pytest
import yaml

import askfirst.shell.tools
from askfirst.model import Decision, Unknown, Word
from askfirst.shell import analyze
from askfirst.shell.call import Call
from askfirst.shell.tools import REGISTRY, model, tool_for
from askfirst.shell.tools.engine import Operands
from askfirst.shell.tools.options import FLAG, GLUED, VALUE, options_of
from askfirst.shell.tools.table import Tool
from tests.scorecard import Bench, cases
from tests.tools.dev_support import PlainAnalyst
from tests.tools.installed import Habits, Manual, options_in
from tests.tools.judged import named_in_examples, passing
from tests.tools.manuals import allowed_programs, compare, read_table, with_manual
from tests.tools.rows import MODULES, every_row, rows_of, table
from tests.tools.test_base_cases import table as commands_of

# program -> a command that is allowed and one that is not, for rows that have no examples of their own.
PROGRAMS: dict[str, dict[str, str]] = {
    name: pair
    for programs in yaml.safe_load((Path(__file__).parents[1] / "cases/programs.yaml").read_text()).values()
    for name, pair in programs.items()
}
EXAMPLES = sorted({e for row in every_row() for e in row.tool.examples} | {p["allowed"] for p in PROGRAMS.values()})
COUNTER_EXAMPLES = sorted(
    {e for row in every_row() for e in row.tool.counter_examples} | {p["not"] for p in PROGRAMS.values()}
)
DOCUMENTS_ONLY = 40  # programs


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_is_allowed(command: str, bench: Bench) -> None:
    verdict = bench.judge(command)
    assert verdict.decision == Decision.ALLOW, verdict.reason


@pytest.mark.parametrize("command", COUNTER_EXAMPLES)
def test_a_counter_example_is_not(command: str, bench: Bench) -> None:
    assert bench.judge(command).decision != Decision.ALLOW


def test_every_allowed_program_proves_itself_both_ways() -> None:
    """With its rows' own examples, or with a pair in tests/cases/programs.yaml."""
    unproved = []
    for name in REGISTRY:
        tool = tool_for(name)
        assert tool is not None
        rows = list(_with_subcommands(tool))
        if not any((row.allowed or row.profile) and not row.blocked for row in rows):
            continue
        has = any(row.examples for row in rows), any(row.counter_examples for row in rows)
        if has != (True, True) and name not in PROGRAMS:
            unproved.append(name)
    assert unproved == []


def _with_subcommands(tool: Tool) -> Iterator[Tool]:
    yield tool
    for inner in tool.subcommands.values():
        yield from _with_subcommands(inner)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_pair_is_about_its_program(name: str) -> None:
    assert name in REGISTRY and all(text.split()[0] == name for text in PROGRAMS[name].values())


@pytest.mark.parametrize("module", MODULES)
def test_every_row_can_be_read(module: str) -> None:
    for row in rows_of(module):
        assert row.tool.description, row.words
        assert options_of(row.tool), row.words
        assert not row.tool.operands or Operands.of(row.tool.operands), row.words


def test_no_option_is_listed_twice_in_one_text() -> None:
    """A row may override a text that it shares; in one text, the second meaning is a mistake."""
    twice = []
    for path in sorted(Path(askfirst.shell.tools.__file__).parent.glob("*/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_option_text(node.value):
                listed = [s for line in node.value.split("\n") for s in _spellings(line)]
                twice += [f"{path.name}:{node.lineno}: {s}" for s in sorted({s for s in listed if listed.count(s) > 1})]
    assert twice == []


def _is_option_text(text: str) -> bool:
    try:
        options_of(Tool("x", options=text))
    except ValueError:
        return False
    return True


def _spellings(line: str) -> list[str]:
    return [s for word in line.partition(": ")[0].split()[1:] for s in word.split(",")]


def test_the_registry_and_the_modules_say_the_same() -> None:
    held = {(name, module) for module in MODULES for name in table(module).TOOLS}
    assert set(REGISTRY.items()) == held
    assert all(tool_for(name) is not None for name in REGISTRY)


# -- a mistake in a row's code is an `internal` fact, which only asks: here it fails


def test_no_command_meets_a_mistake(bench: Bench) -> None:
    texts = chain(
        EXAMPLES,
        COUNTER_EXAMPLES,
        *(commands_of(f"tools_{which}") for which in ("base_attacks", "base_everyday", "dev_attacks", "dev_everyday")),
        *((case["command"] for case in cases(file)) for file in ("attacks", "everyday", "dippy", "nah")),
    )
    found = {
        text: fact.why
        for text in dict.fromkeys(texts)
        for fact in analyze(text, bench.surroundings())
        if isinstance(fact, Unknown) and fact.what == "internal"
    }
    assert found == {}


UNKNOWN = Word("$x", None, many=True)
QUOTED = Word('"$x"', None)
PATTERN = Word("src/*", None, prefix="src/", many=True, glob=True)


def plain(text: str) -> Word:
    return Word(text, text)


def arguments_of(options: Collection[str], beside: Collection[str]) -> Iterator[tuple[Word, ...]]:
    """Every option alone and with values of all kinds; operands of all kinds."""
    for option in beside:
        yield (plain(option), plain("v"))
    for option in options:
        yield (plain(option),)
        yield (plain(option), plain("v"), plain("w"))
        yield (plain(f"{option}=v"),)
        yield (Word(f"{option}=$x", None, prefix=f"{option}="),)
        yield (plain(option), UNKNOWN, plain("v"))
        yield (plain(f"{option}v"), PATTERN)
    for count in range(5):
        for word in (plain("a"), plain("a/b.py"), plain("k=v"), plain("-"), UNKNOWN, QUOTED, PATTERN):
            yield (word,) * count
            yield (plain("a"), *(word,) * count)


@pytest.mark.parametrize("module", MODULES)
def test_no_call_of_a_row_fails(module: str, project: Path) -> None:
    """Calls without a shell around them: an exception is not turned into a fact here."""
    analyst = PlainAnalyst(project)
    # A program with code of its own may hand its words on to a row that stands beside it.
    beside = {s for tool in vars(table(module)).values() if isinstance(tool, Tool) for s in options_of(tool)}
    for row in rows_of(module):
        for arguments in arguments_of(options_of(row.tool), sorted(beside) if row.tool.special else ()):
            words = (*(plain(w) for w in row.words), *arguments)
            text = " ".join(w.text for w in words)
            try:
                model(Call(words, text, str(project)), analyst)
            except Exception as error:
                pytest.fail(f"{text}: {type(error).__name__}: {error}")


# -- which manual a row was held against (manuals.py writes it)


def test_a_manual_is_named_in_one_line() -> None:
    named = [row for row in every_row() if row.tool.manual]
    assert named
    assert [row.words for row in named if not row.tool.manual.strip() or "\n" in row.tool.manual] == []


def test_the_table_of_manuals_says_what_the_rows_say() -> None:
    said = read_table()
    programs = allowed_programs()
    assert [name for name, tool in programs.items() if not tool.manual] == []
    assert {name: note["manual"] for name, note in said["held"].items()} == {
        name: tool.manual for name, tool in programs.items()
    }
    assert [name for name, note in said["held"].items() if not date.fromisoformat(str(note["date"]))] == []


def test_what_a_program_does_otherwise_than_its_row_is_named() -> None:
    """Only where the row is the stricter: an option behind an operand, or `@FILE`, that the row takes for a file."""
    differs = {name: note["differs"] for name, note in read_table()["held"].items() if "differs" in note}
    assert [name for name, listed in differs.items() if "takes response files" in listed] == []


def test_calls_are_judged_with_each_option_of_a_manual() -> None:
    """Where a row's code decides, not its list: `=` says that a private key passes for a value."""
    assert passing(("sort",), ("-r", "-k", "-o", "--compress-program", "--nobody-has-it")) == ("-r", "-k=", "-o")
    assert passing(("shutdown",), ("-h",)) is None


def test_sub_commands_that_code_lets_pass_are_known_by_examples() -> None:
    docker = set(named_in_examples("docker", allowed_programs()["docker"]))
    assert {("docker", "ps"), ("docker", "compose", "ps")} <= docker
    assert ("docker", "run") not in docker
    assert set(named_in_examples("cat", allowed_programs()["cat"])) == set()


def test_no_more_programs_are_held_against_a_document_only() -> None:
    """They cannot be installed from Debian, PyPI or npm. The number only falls."""
    assert sum(note.get("document", False) for note in read_table()["held"].values()) <= DOCUMENTS_ONLY


def test_a_manual_is_noted_where_its_row_is_made() -> None:
    source = (
        '_MANUALS: dict[str, str] = {"a": "A 1"}\nx = Tool("c", examples=("c",))\ny = [Tool(n) for n in ("a", "b")]\n'
    )
    assert 'manual="C 2", examples' in with_manual(source, "c", "C 2")
    assert '{"a": "A 1", "b": "B 3",}' in with_manual(source, "b", "B 3")


def test_a_value_that_may_be_left_out_is_a_value() -> None:
    """`tox --no-provision [REQ_JSON]` writes the file that the next word names."""
    said = options_in("  --no-provision [REQ_JSON]   write the metadata\n  --jobs[=N]   how many\n")
    tool = Tool("x", options="flag --no-provision\nmaybe --jobs")
    assert compare(("x",), tool, Manual("x 1", said), Habits()).misses == ("--no-provision",)
    asking = Tool("x", options="asks --no-provision: writes\nmaybe --jobs")
    assert compare(("x",), asking, Manual("x 1", said), Habits()).misses == ()


def test_options_are_read_from_every_form_of_help() -> None:
    said = options_in(
        """
  -k, --key=KEYDEF          sort via a key
  -p, --port <number>       the port
      --color[=WHEN]        colours
      --config  path to a file  [string]
  -v                        more words
       --[no-]stat
              shows it
"""
    )
    takes = {spelling: described.takes for spelling, described in said.items()}
    assert takes == {
        **{"-k": VALUE, "--key": VALUE, "-p": VALUE, "--port": VALUE, "--color": GLUED, "--config": VALUE},
        **{"-v": FLAG, "--stat": FLAG, "--no-stat": FLAG},
    }
    assert said["--stat"].text.endswith("shows it")
