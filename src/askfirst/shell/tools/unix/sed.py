"""sed: a filter, unless its program runs (`e`, `s///e`) or writes (`w`, `s///w`), or `-i` edits files."""

from __future__ import annotations

import sys
from dataclasses import replace

from askfirst.model import Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, read_fact, unknown, write_fact
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import Tool
from askfirst.shell.tools.unix.sed_program import read_sed


def _sed(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    programs, files = _programs_and_files(parsed)
    facts += _program_facts(programs, call, analyst)
    if parsed.has("-i"):
        facts += _in_place(parsed, files, call, analyst)
    else:
        facts += [f for w in files for f in read_fact(w, call, analyst, "sed")]
    if sys.platform == "darwin":
        facts += _as_bsd(tool, call, analyst)
    action = action_of(tool)
    if parsed.has("-i"):
        action = replace(action, key=("sed", "-i"), kind=Kind.EDIT, description="edits files in place")
    return Outcome(action, tuple(facts))


def _programs_and_files(parsed: Parsed) -> tuple[list[Word], tuple[Word, ...]]:
    programs = list(parsed.values("-e"))
    files = parsed.operands
    if programs or parsed.has("-f"):
        # BSD's `-i '' -e …`: for GNU the empty word is a file, and no file is called so.
        return programs, tuple(w for w in files if w.value != "") if parsed.has("-i", "-I") else files
    if parsed.has("-i", "-I") and len(files) > 1 and files[0].value == "":
        # BSD's `-i ''`: GNU takes the empty word for the program and edits the others without changing them.
        return list(files[1:2]), files[2:]
    return list(files[:1]), files[1:]


def _as_bsd(tool: Tool, call: Call, analyst: Analyst) -> list[Fact]:
    """macOS: the word after `-i` is the ending of the copy, and what GNU takes for a file may be the program. Which sed
    is first on the PATH is not known, so both count."""
    words = call.words[1:]
    at = next((n for n, w in enumerate(words) if w.value in ("-i", "-I") or _ends_in_i(w.value or "")), None)
    if at is None or at + 1 >= len(words):
        return []
    suffix, rest = words[at + 1], (*words[:at], *words[at + 2 :])
    programs, files = _programs_and_files(parse(tool, rest))
    facts = [f for w in files for f in _copy(suffix, w, call, analyst)]
    program = read_sed("\n".join(w.value or "" for w in programs))
    if program is None and all(w.value is not None for w in programs):
        return facts  # sed ends with an error
    return facts + _program_facts(programs, call, analyst)


def _ends_in_i(word: str) -> bool:
    return word[:1] == "-" and word[1:2] not in ("-", "i", "I") and word[-1:] == "i" and word[1:].isalpha()


def _program_facts(programs: list[Word], call: Call, analyst: Analyst) -> list[Fact]:
    if any(w.value is None for w in programs):
        return [
            unknown("inline code", "a part of the `sed` program is not known", call, " ".join(w.text for w in programs))
        ]
    text = "\n".join(w.value or "" for w in programs)
    program = read_sed(text)
    if program is None:
        return [unknown("inline code", "the `sed` program is not understood", call, text)]
    facts: list[Fact] = []
    for command in program.runs:
        # `s/…/sudo id/e` runs what it has put together.
        facts.append(
            unknown("inline code" if command else "hidden command", "the `sed` program runs commands", call, text)
        )
        if command:
            facts += analyst.script(command, call, "sed e", "sh")
    for name in program.reads:
        facts += read_fact(Word(name, name), call, analyst, "sed r")
    for name in program.writes:
        facts += write_fact(Word(name, name), call, analyst, "sed w", "overwrite")
    return facts


def _in_place(parsed: Parsed, files: tuple[Word, ...], call: Call, analyst: Analyst) -> list[Fact]:
    facts: list[Fact] = []
    program = read_sed("\n".join(w.value or "" for w in _programs_and_files(parsed)[0]))
    if parsed.has("-n", "--quiet", "--silent"):
        facts.append(unknown("option", "every line that the program does not print is lost", call))
    elif program is not None and program.drops:
        facts.append(unknown("option", f"`{program.drops}` may take most lines of a file away", call))
    for word in files:
        facts += write_fact(word, call, analyst, "sed -i", "overwrite")
    for suffix in (*parsed.values("-i"), *parsed.values("-I")):
        facts += [f for w in files for f in _copy(suffix, w, call, analyst)]
    return facts


def _copy(suffix: Word, file: Word, call: Call, analyst: Analyst) -> list[Fact]:
    """`-i.bak` keeps FILE.bak, and `-i 'old_*'` keeps old_FILE; with a slash in it, in another directory."""
    if suffix.value == "":
        return []
    if suffix.value is None or file.value is None:
        if suffix.value in (".bak", ".orig", ".old", ".backup", ".tmp", "~"):
            return []  # files that a pattern names: nothing loads a copy of such a name
        return [unknown("option", "the copy that `sed -i` keeps may lie anywhere", call, suffix.text)]
    folder, slash, name = file.value.rpartition("/")
    kept = suffix.value.replace("*", name) if "*" in suffix.value else name + suffix.value
    path = kept if "/" in kept else folder + slash + kept
    return write_fact(Word(path, path), call, analyst, "sed -i", "overwrite")


TOOLS: dict[str, Tool] = {
    "sed": Tool(
        "sed",
        description="edits text on its way through",
        options="""
            flag    -n --quiet --silent --debug -E -r,--regexp-extended -s,--separate -u,--unbuffered -z
            flag    --null-data --posix --sandbox --follow-symlinks -a -b,--binary
            value   -e,--expression -l,--line-length
            maybe   -i,--in-place -I
            script  -f,--file
        """,
        manual="GNU sed 4.9",
        examples=(
            "sed -n '10,20p' a.txt",
            "sed 's/^v: *//p;$!d' a",
            "sed -E 's#[^/]*$##' a",
            "sed -e 's/a/b/g' -e '/x/,/y/d' a",
        ),
        counter_examples=(
            "sed '1e touch /x' a",
            "sed 's/x/y/e' a",
            "sed -f x.sed a",
            "sed --expr='1e touch /x' a",
            "sed s/.*/x/w /e",
            "sed -n '$!N;e' a",
            "sed -i.json s/a/b/ .mcp",
            "sed -i'.mcp.js*' s/a/b/ on",
        ),
        special=_sed,
    ),
}
