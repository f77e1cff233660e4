"""Pagers print when nobody is at the terminal, and are allowed within limits.

Editors run commands of their own: they ask.
"""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, WRITES, Reading, Tool


def _pager(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`+COMMAND` is typed into the pager, as is what follows a line break in a pattern: `+!touch x` runs a shell."""
    commands = tuple(
        unknown("hidden command", f"`{tool.name}` runs `{w.text}` first", call, w.text)
        for w in call.words[1:]
        if _is_typed(w)
    )
    return finish(tool, call, parse(tool, call.words[1:]), analyst, more=commands)


def _is_typed(word: Word) -> bool:
    text = word.value
    if text is not None and text.startswith("-") and "$" in text:
        return True  # `-px$-oFILE`: a dollar ends the value, and the next option begins
    if text is None:
        return word.prefix.startswith("+") or (not word.prefix and not word.glob)
    if any(c < " " for c in text):
        return True
    return (
        text.startswith("+")
        and not text[1:].isdigit()
        and text not in ("+G", "+g", "+F")
        and not text[1:].lstrip("/").replace("_", "").isalnum()
    )


def _man(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A page with a slash in its name is a file, which the formatter reads as a program."""
    files = tuple(
        unknown("operands", "`man` formats a file of yours", call, w.text)
        for w in call.words[1:]
        if w.value is None or ("/" in w.value and not w.value.startswith("-"))
    )
    return finish(tool, call, parse(tool, call.words[1:]), analyst, more=files)


def _editor(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`vim -c ':!COMMAND'`, `ed <<< '!COMMAND'`: what they would run is a fact of its own, so that blocks are seen."""
    outcome = finish(tool, call, parse(tool, call.words[1:]), analyst)
    texts = [w.value for w in call.words[1:] if w.value is not None and "!" in w.value]
    lines = [line for text in (*texts, call.stdin.text or "") for line in text.split("\n") if "!" in line]
    commands = [line.partition("!")[2].strip() for line in lines]
    return replace(
        outcome,
        facts=(*outcome.facts, *(f for c in commands if c for f in analyst.script(c, call, f"{tool.name} !", "login"))),
    )


_EDITORS = (
    "vi vim nvim view vimdiff gvim rvim ex ed red emacs emacsclient nano pico micro helix hx kak joe jed mg code "
    "codium cursor subl atom mate zed gedit kate"
)

_ROWS = (
    Tool(
        "less",
        description="shows files",
        options="""
            flag    -a -A -B -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u
            flag    -U -w -W -X -~ --chop-long-lines --LINE-NUMBERS --line-numbers --RAW-CONTROL-CHARS
            flag    --raw-control-chars --quit-if-one-screen --no-init --ignore-case --IGNORE-CASE
            flag    --squeeze-blank-lines --quit-at-eof --QUIT-AT-EOF --no-lessopen --mouse
            flag    --follow-name --use-color --incsearch
            value   -b -h -j -p -P -x -y -z --pattern --prompt --tabs --shift --window
            asks    -o -O --log-file --LOG-FILE: writes a file
            asks    -k --lesskey-file --lesskey-src --lesskey-content: loads key bindings
            asks    --lesskey-context: loads key bindings
            asks    -t -T,--tag --tag-file: reads a tags file
            asks    --cmd: runs a command
        """,
        reading=Reading(numbers=True),
        manual="less 590",
        examples=("less -N a.txt", "less +10 a.txt"),
        counter_examples=("less +'!touch /x' a", "less '-px$-ofile' a", "less -o x a", "less --lesskey-src=x a"),
        special=_pager,
    ),
    Tool(
        "more",
        description="shows files",
        options="""
            flag    -d -l -e -f -p -c -s -u -i --silent --squeeze --plain --print-over --clean-print
            flag    --exit-on-eof --no-pause
            value   -n --lines
        """,
        reading=Reading(numbers=True),
        manual="util-linux 2.38.1",
        counter_examples=("more +'!touch /x' a",),
        special=_pager,
    ),
    Tool("zless", description="shows compressed files", options="flag -N -S -R", manual="gzip 1.12", special=_pager),
    Tool(
        "man",
        description="shows manual pages",
        options="""
            flag    -a,--all -f --whatis -k --apropos -K --global-apropos -w,--where --path -W -i -I
            flag    --regex --wildcard --names-only -c -d,--debug -u --no-subpages --no-hyphenation
            flag    --no-justification -7 --ascii
            value   -s -S,--sections -L,--locale -m -e,--extension -E,--encoding
            runs    -P,--pager
            asks    -H,--html -X --gxditview -C,--config-file: runs a program or loads files
            asks    -l,--local-file -M,--manpath -p,--preprocessor -r: runs a program or loads files
            asks    --prompt -R,--recode -t,--troff -T,--troff-device -Z: runs a program or loads files
            asks    -D: runs a program or loads files
        """,
        operands=(INERT, ...),
        manual="man 2.11.2",
        examples=("man ls", "man -k git"),
        counter_examples=("man -P 'touch /x' ls", "man --pag=x ls", "man -H/x man", "man -l x.1"),
        special=_man,
    ),
    Tool("info", description="shows manuals", allowed=False, options="flag -w,--where", operands=(INERT, ...)),
    *(
        Tool(
            name,
            Kind.OTHER,
            "edits files, and runs commands of its own",
            allowed=False,
            advice="change files with the agent's own edit tool, or with `sed -i`",
            operands=(WRITES, ...),
            reading=ANY_OPTIONS,
            special=_editor,
        )
        for name in _EDITORS.split()
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
