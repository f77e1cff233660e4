"""Interpreters that this tool does not read: inline code is Unknown, a script file is code that a person may allow by
its content.
"""

from __future__ import annotations

from askfirst.knowledge.programs import LOADS_BEAMS, RUNS_ALL_THE_SAME, TAKES_DATA
from askfirst.model import Action, Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, unknown
from askfirst.shell.tools.options import options_of
from askfirst.shell.tools.shells.shells import script_action
from askfirst.shell.tools.table import Tool


def _interpreter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    if len(words) == 1 and words[0].value in options_of(tool) and _only_prints(tool, call, analyst):
        return Outcome(
            Action(
                (tool.name, str(words[0].value)),
                Kind.READ,
                rule=f"{tool.name} --version",
                allowed=True,
                description="prints its version",
            )
        )
    if tool.name in TAKES_DATA:
        return Outcome(Action((tool.name,), Kind.OTHER, description="turns files into others"))
    if words and words[0].value is not None and not words[0].value.startswith("-") and words[0].value != "-":
        return Outcome(script_action(tool.name, words[0], call, analyst))
    what = "runs code that is written in the command" if words else "runs what comes on its standard input"
    text = call.stdin.text if call.stdin.text is not None and not words else call.text
    return Outcome(action_of(tool), (unknown("inline code", f"`{tool.name}` {what}", call, text),))


def _only_prints(tool: Tool, call: Call, analyst: Analyst) -> bool:
    """Also `elixir --version`, where no module lies that it would load."""
    if tool.name not in LOADS_BEAMS:
        return tool.name not in RUNS_ALL_THE_SAME
    here = analyst.path(".", call.cwd)
    names = analyst.names_in(here) if here is not None else None
    return names is not None and not any(name.endswith(".beam") for name in names)


def _row(name: str, options: str = "") -> Tool:
    return Tool(
        name,
        Kind.INLINE,
        "runs code",
        allowed=False,
        options=options,
        examples=() if name in RUNS_ALL_THE_SAME else (f"{name} --version",),
        counter_examples=(f"{name} -e 1", f"{name} x", name),
        special=_interpreter,
    )


TOOLS: dict[str, Tool] = {
    "perl": _row("perl", "flag -v -V"),
    "lua": _row("lua", "flag -v"),
    "luajit": _row("luajit", "flag -v"),
    "Rscript": _row("Rscript"),
    "R": _row("R"),
    **{
        name: _row(name)
        for name in (
            "tclsh wish guile racket sbcl clisp dc m4 gnuplot octave matlab swipl pwsh powershell jshell groovy "
            "elixir iex maxima sage gforth forth newlisp nu xonsh elvish rc es scsh raku perl6 awka bpftrace gdb "
            "lldb r2 pdflatex latex xelatex lualatex latexmk tex pandoc dot ffmpeg convert magick "
            "mogrify"
        ).split()
    },
}
