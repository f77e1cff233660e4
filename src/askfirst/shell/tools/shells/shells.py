"""Shells: the text they run is analysed like the script itself; a script file is code of its own; standard input counts
too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.tools.engine import action_of, facts_of, read_fact, unknown
from askfirst.shell.tools.options import Given, Parsed, parse
from askfirst.shell.tools.table import Reading, Tool

_KNOWN_OPTIONS = ("bash", "sh", "dash", "ash")


def _shell(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if parsed.has("-c"):
        facts += _text(tool, parsed, call, analyst)
        return Outcome(replace(action_of(tool), key=(tool.name, "-c")), tuple(facts))
    operands = parsed.operands
    if operands and not parsed.has("-s") and operands[0].value not in ("-", "/dev/stdin"):
        return _file(tool, parsed, call, analyst, facts)
    facts += stdin_script(tool.name, call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _text(tool: Tool, parsed: Parsed, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    word = parsed.operands[0] if parsed.operands else None
    if word is None or word.value is None:
        return (
            unknown("hidden command", f"it is not known what `{tool.name} -c` runs", call, word.text if word else ""),
        )
    if tool.name == "fish" and len(parsed.operands) > 1:
        return (unknown("hidden command", "`fish` takes options behind its text", call),)
    # The words behind the text are its arguments: what it reads may be named there.
    given = [w for w in parsed.operands[1:] if w.value is not None or w.glob or w.among]
    named = tuple(f for w in given for f in read_fact(w, call, analyst, f"{tool.name} -c"))
    settings = _settings(tool, parsed)
    if settings is None:
        return (unknown("hidden command", f"it is not known how `{tool.name}` is set", call),)
    return (*analyst.script(settings + word.value, call, f"{tool.name} -c", tool.name), *named)


def _settings(tool: Tool, parsed: Parsed) -> str | None:
    lines = [_setting(given) for given in parsed.given] if tool.name in _KNOWN_OPTIONS else []
    return None if None in lines else "".join(f"{line}\n" for line in lines if line)


def _setting(given: Given) -> str | None:
    """An option as the line that says it inside the text: `-O dotglob` is `shopt -s dotglob`, `-a` is `set -a`; "" for
    what the text cannot say, None where it is not known."""
    name, value = given.option.name, given.value
    if name[1:] in ("o", "O"):
        if value is None or value.value is None or not value.value.isidentifier():
            return None
        return (
            f"set {name} {value.value}" if name[1] == "o" else f"shopt -{'s' if name[0] == '-' else 'u'} {value.value}"
        )
    if name == "--posix":
        return "set -o posix"
    return f"set {name}" if len(name) == 2 and name[1] in "apxBHP" else ""


def stdin_script(name: str, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    """A shell that reads its commands from standard input."""
    if call.stdin.kind == "text" and call.stdin.text is not None:
        return analyst.script(call.stdin.text, replace(call, stdin=Stdin("rest")), f"{name} <<", name)
    return (unknown("hidden command", f"`{name}` runs what comes on its standard input", call),)


def _file(tool: Tool, parsed: Parsed, call: Call, analyst: Analyst, facts: list[Fact]) -> Outcome:
    word = parsed.operands[0]
    if parsed.has("-n") and all(g.option.is_one_of(_CHECKS) for g in parsed.given):
        # Complaints quote the line they are about, and `-v` prints every line.
        facts += read_fact(word, call, analyst, f"{tool.name} -n")
        return Outcome(
            replace(
                action_of(tool), key=(tool.name, "-n"), kind=Kind.READ, description="checks the syntax of a script"
            ),
            tuple(facts),
        )
    return Outcome(
        script_action(tool.name, word, call, analyst),
        tuple(facts)
        + (
            ()
            if word.value is not None
            else (unknown("hidden command", "it is not known which script runs", call, word.text),)
        ),
    )


def script_action(name: str, word: Word, call: Call, analyst: Analyst) -> Action:
    """A script that a person may allow by its path and content."""
    path = analyst.path(word.value, call.cwd) if word.value is not None else None
    return Action(
        (name, word.shown),
        Kind.CODE,
        rule=f"{name} FILE",
        allowed=False,
        description="runs a script",
        target=path or "",
    )


# Beside `-n` these leave it in force; `+n`, `+o noexec` and `-i` do not.
_CHECKS = ("-n", "-v", "--verbose", "-e", "-u", "--posix", "--norc", "--noprofile")

_FLAGS = """
    flag    -c -i,--interactive -l,--login -r,--restricted -s -v,--verbose -x -e -u -n -f -a -b
    flag    -h -m -p -B -C -E -H -P -T --noprofile --norc --posix --noediting +x +e +u +v +f +m
    flag    +B +H +n
"""


def _row(name: str, *, known: bool, **fields: Any) -> Tool:
    if not known:  # their other options mean other things: `zsh -O` takes no word, `fish -C` runs one
        return Tool(
            name,
            Kind.WRAPPER,
            "runs a shell",
            options="flag -c -n -e -x -f -i -l -v",
            reading=Reading(stops_at_operand=True, plus=True),
            special=_shell,
            **fields,
        )
    return Tool(
        name,
        Kind.WRAPPER,
        "runs a shell",
        options=_FLAGS
        + """
            value   -o +o -O +O
            script  --rcfile --init-file
            asks    -k -t --debugger -D,--dump-strings --rpm-requires: changes how words are read
        """,
        reading=Reading(stops_at_operand=True, plus=True),
        special=_shell,
        **fields,
    )


_MANUALS: dict[str, str] = {
    "ash": "BusyBox 1.35.0",
    "csh": "tcsh 6.24.07",
    "rbash": "GNU bash 5.2.15",
    "sh": "dash 0.5.12, BusyBox 1.35.0 and GNU bash 5.2.15",
    "dash": "dash 0.5.12",
    "fish": "fish 3.6.0",
    "ksh": "AT&T Research 1.0.4",
    "mksh": "mksh 59c",
    "tcsh": "tcsh 6.24.07",
    "zsh": "zsh 5.9",
}

TOOLS: dict[str, Tool] = {
    name: _row(name, known=name in _KNOWN_OPTIONS, manual=_MANUALS.get(name, ""))
    for name in ("bash", "sh", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash")
}
TOOLS["bash"] = _row(
    "bash",
    known=True,
    manual="GNU bash 5.2.15",
    examples=("bash -c 'ls'", "bash -n x.sh", "bash -euo pipefail -c 'ls | wc'"),
    counter_examples=(
        "bash x.sh",
        "bash",
        "bash -c 'touch /x'",
        "bash -s",
        "bash --rcfile x -c ls",
        "bash --init x -c ls",
    ),
)
