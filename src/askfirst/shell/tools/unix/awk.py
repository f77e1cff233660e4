"""awk: a filter, unless its program runs commands or writes files."""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Fact, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, read_fact, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import Reading, Tool
from askfirst.shell.tools.unix.awk_program import read_awk


def _awk(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    sources = parsed.values("-e")
    files = parsed.operands
    if not sources and not parsed.has("-f"):
        sources, files = files[:1], files[1:]
    if any(w.value is None for w in sources):
        facts.append(
            unknown("inline code", "a part of the `awk` program is not known", call, " ".join(w.text for w in sources))
        )
    else:
        facts += _program_facts("\n".join(w.value or "" for w in sources), call, analyst)
    for word in files:
        if (word.value or "").startswith("/inet"):
            facts.append(unknown("network", "`awk` opens a network connection", call, word.text))
        elif word.value is None or "=" not in word.value.split("/")[0]:
            facts += read_fact(word, call, analyst, tool.name)
    return Outcome(action_of(tool), tuple(facts))


def _program_facts(text: str, call: Call, analyst: Analyst) -> list[Fact]:
    program = read_awk(text)
    facts: list[Fact] = [unknown("inline code", doubt, call, text) for doubt in program.doubts]
    for command in program.runs:
        facts += analyst.script(command, call, "awk", "sh")
    for name in program.reads:
        facts += read_fact(Word(name, name), call, analyst, "awk getline")
    for name in program.writes:
        facts += write_fact(Word(name, name), call, analyst, "awk", "overwrite")
    return facts


def _row(
    name: str, *, manual: str = "", examples: tuple[str, ...] = (), counter_examples: tuple[str, ...] = ()
) -> Tool:
    return Tool(
        name,
        description="scans and reformats text",
        options="""
            flag    -b --characters-as-bytes -c --traditional -C,--copyright -h,--help -M --bignum -N
            flag    --use-lc-numeric -n,--non-decimal-data -O,--optimize -s --no-optimize -P,--posix
            flag    -r,--re-interval -S,--sandbox -t --lint-old -V,--version -k --csv -I --trace
            value   -F,--field-separator -v --assign -e,--source
            maybe   -L,--lint
            script  -f,--file
            asks    -i,--include -l,--load -E,--exec: loads code from a file
            asks    -o --pretty-print -d,--dump-variables -p,--profile: writes a file
            asks    -D,--debug: runs a debugger
            asks    -W: may load code from a file
        """,
        reading=Reading(stops_at_operand=True),
        manual=manual,
        examples=examples,
        counter_examples=counter_examples,
        special=_awk,
    )


TOOLS: dict[str, Tool] = {
    "awk": _row(
        "awk",
        manual="GNU Awk 5.2.1",
        examples=(
            "awk '{print $1}' a",
            "awk -F: 'NR>=10 && $2 > 5 {s+=$3/2} END {print s/NR}' a",
            "awk '/[/]x/{print (a > b)}' a",
            "awk '{print > \"/dev/stderr\"}' a",
        ),
        counter_examples=(
            "awk 'BEGIN{system(\"id\")}'",
            "awk '{print $1 | cmd}' a",
            "awk '{print > $1}' a",
            "awk -f x.awk a",
            'awk \'BEGIN{f="system";@f("id")}\'',
            "awk 'BEGIN{\"id\"|getline}'",
            'awk \'{if(x) /a"b/; system("id") #"}\' a',
        ),
    ),
    "gawk": _row(
        "gawk", manual="GNU Awk 5.2.1", counter_examples=("gawk -i x.awk 1", "gawk --incl x.awk 1", "gawk -o/x 1")
    ),
    "mawk": _row("mawk", manual="mawk 1.3.4.20200120", counter_examples=("mawk -W exec x.awk",)),
    "nawk": _row("nawk", manual="GNU Awk 5.2.1"),
}
