"""C and C++: compilers, linkers, their relatives and formatters.

They write where `-o` says, and plugins, wrappers and argument files are code.
"""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.model import Action, Fact, Kind, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import read_action, read_fact, unknown, write_fact
from askfirst.shell.tools.project_code import leaves_project, place_facts, runs_elsewhere
from askfirst.shell.tools.python.tools import edits
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool

__all__ = ["TOOLS"]

_FLAGS = frozenset(
    "-c -S -E -g -g0 -g1 -g2 -g3 -ggdb -v -w -O -O0 -O1 -O2 -O3 -Os -Og -Ofast -Oz -ansi -pedantic -pedantic-errors "
    "-pthread -pipe -shared -static -fPIC -fpic -fPIE -fpie -pie -no-pie -rdynamic -s -M -MM -MD -MMD -MP -C -P -H -Q "
    "-Weverything -Wall -Wextra -Werror -nostdlib -nostdinc -undef -### --version -dumpversion -dumpmachine --help -v "
    "-print-search-dirs -lm -m32 -m64 -dM -fsyntax-only -nostartfiles".split()
)
_STARTS = (
    "-W",
    "-std=",
    "-D",
    "-U",
    "-l",
    "-O",
    "-march=",
    "-mtune=",
    "-m",
    "-g",
    "-I",
    "-L",
    "-fno-",
    "-fsanitize=",
    "-fdiagnostics-color",
    "-fdiagnostics-show",
    "-fdiagnostics-path",
    "-fvisibility=",
    "-fstack",
    "-funroll",
    "-finline",
    "-fopenmp",
    "-flto",
    "-fwrapv",
    "-fcommon",
    "-ffast-math",
    "-fomit",
    "-fexceptions",
    "-frtti",
    "-fcoverage",
    "-fprofile-arcs",
    "-ftest-coverage",
    "-fcolor",
    "-fstrict",
    "-fshort",
    "-fsigned",
    "-funsigned",
    "-fmax-errors",
    "-ferror-limit",
    "-pedantic",
    "-isysroot",
    "-print-",
)
_VALUES = (
    "-D",
    "-U",
    "-l",
    "-x",
    "-I",
    "-L",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-std",
    "-arch",
    "-target",
    "-framework",
    "-MF",
    "-MT",
    "-MQ",
)
_NEVER = (
    "-fplugin",
    "-wrapper",
    "-B",
    "-specs",
    "--specs",
    "-Wl,",
    "-Wa,",
    "-Wp,",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-fuse-ld",
    "-load",
    "-no-integrated",
    "-save-temps",
    "-dumpdir",
    "-aux",
    "-T",
    "@",
    "-fprofile-use",
    "-fdump",
    "-fmodules",
    "-fmodule",
    "-ld-path",
    "--ld-path",
    "-gen-cdb",
    "-fuse",
    "-gsplit",
    "--sysroot",
    "-imacros",
    "-z",
    "-u",
    "-gcc-",
    "-module",
    "-fsanitize-blacklist",
    "-mllvm",
)


def compiler(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """gcc, clang and their relatives: every word is an option from the lists, or a file of the project."""
    words = call.words
    if len(words) == 2 and words[1].value in ("--version", "-v", "-dumpversion", "-dumpmachine", "--help"):
        return Outcome(read_action((tool.name, "--version"), "shows the version"))
    facts: list[Fact] = runs_elsewhere(tool.name, call, analyst)
    outputs: list[Word] = []
    at = 1
    while at < len(words):
        word, following = words[at], words[at + 1] if at + 1 < len(words) else None
        at += 1
        if word.value == "-o" and following is not None:
            outputs.append(following)
            at += 1
        elif following is not None and _takes_word(word.value):
            facts += _value_facts(tool, word.value or "", following, call, analyst)
            at += 1
        else:
            facts += _word_facts(tool, word, call, analyst)
    facts += [f for w in outputs for f in write_fact(w, call, analyst, tool.name, "overwrite")]
    if not outputs and not any(w.value in ("-E", "-fsyntax-only", "-M", "-MM", "-c", "-S") for w in words):
        facts.append(Write(analyst.path("a.out", call.cwd), "a.out", "overwrite", tool.name))
    return Outcome(
        Action(
            (tool.name,),
            Kind.BUILD,
            rule=tool.name,
            allowed=True,
            profile="c-dev",
            description="compiles files of the project",
        ),
        tuple(facts),
    )


def _takes_word(text: str | None) -> bool:
    return text == "-MF" or (text in _VALUES and not (text or "").startswith(("-o", *_NEVER)))


def _value_facts(tool: Tool, option: str, value: Word, call: Call, analyst: Analyst) -> list[Fact]:
    if option == "-MF":
        return write_fact(value, call, analyst, tool.name, "overwrite")
    facts: list[Fact] = []
    if leaves_project(value, call, analyst):
        facts.append(unknown("path", f"`{value.text}` is not in the project", call, value.text))
    if option in ("-include", "-I", "-isystem", "-iquote"):
        facts += read_fact(value, call, analyst, tool.name)
    return facts


def _word_facts(tool: Tool, word: Word, call: Call, analyst: Analyst) -> list[Fact]:
    """A word that stands for itself: an option of one word, or a file."""
    text = word.value
    if text is None and not (word.glob and word.prefix and not word.prefix.startswith("-")):
        return [unknown("expansion", f"`{word.text}` may become an option of `{tool.name}`", call, word.text)]
    why = _option_doubt(tool, text or "-")
    if why:
        return [unknown("option", f"`{text}` {why}", call, text or "")]
    if leaves_project(word, call, analyst) and not (text or "").startswith(("-I/usr/", "-L/usr/", "-isystem/usr")):
        return [unknown("path", f"`{word.text}` is not in the project", call, word.text)]
    if text == "-":
        return _input_facts(tool, call)
    # Messages quote the lines they are about.
    return [] if (text or "").startswith("-") else read_fact(word, call, analyst, tool.name)


def _input_facts(tool: Tool, call: Call) -> list[Fact]:
    """Code from the input may include any file, which `-E` and the messages show: headers of the system only."""
    lines = call.stdin.text.splitlines() if call.stdin.text is not None else ["include"]
    named = [line for line in lines if any(word in line for word in ("include", "incbin", "embed", "import"))]
    if all(_SYSTEM_HEADER.fullmatch(line) for line in named):
        return []
    return [unknown("inline code", f"`{tool.name}` shows the files that its input includes", call)]


_SYSTEM_HEADER = re.compile(r"\s*#\s*include\s*<[A-Za-z_][\w+.-]*(/[A-Za-z_][\w+.-]*)*>\s*")


def _option_doubt(tool: Tool, text: str) -> str:
    if text.startswith("-o") and not text.startswith("--"):
        return "writes a file"
    if text.startswith(_NEVER):
        return "can run a program or load code"
    if text.startswith("-") and text not in ("-", *_FLAGS) and not text.startswith(_STARTS):
        return f"is not an option of `{tool.name}` that the built-in rules know"
    return ""


def tidy(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """clang-tidy: what stands behind `--` are options of the compiler."""
    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    outcome = edits(tool, replace(call, words=call.words[:at]), analyst)
    inner = compiler(
        tool,
        replace(call, words=(call.words[0], *call.words[at + 1 :], Word("-fsyntax-only", "-fsyntax-only"))),
        analyst,
    )
    return replace(outcome, facts=(*outcome.facts, *place_facts(tool, call, analyst), *inner.facts))


_COMPILERS = "gcc g++ cc c++ clang clang++"


def clang_format(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A style may be a file anywhere, whose lines stand in the complaint about it."""
    outcome = edits(tool, call, analyst)
    odd = [w for w in call.words[1:] if "file:" in (w.value or w.text)]
    facts = (unknown("option", f"`{w.text}` shows another file", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


TOOLS: dict[str, Tool] = {
    **{
        name: Tool(
            name,
            Kind.BUILD,
            "compiles files of the project",
            manual="clang 14.0.6" if name.startswith("clang") else "gcc 12.2.0",
            special=compiler,
            examples=(
                f"{name} -Wall -c src/a.c -o build/a.o",
                f"{name} -o app main.c -lm",
                f"{name} --version",
                f"echo '#include <stdio.h>' | {name} -E -x c -",
            ),
            counter_examples=(
                f"{name} -wrapper /tmp/evil -c x.c",
                f"{name} -fplugin=/tmp/evil.so x.c",
                f"{name} -x c /dev/null -o ~/.bashrc -E",
                f"{name} @/tmp/args",
                f"{name} -B/tmp x.c",
                f"{name} -Wl,-plugin,x x.c",
                f"{name} -specs=/tmp/x a.c",
                f"{name} -gcc-toolchain=./x a.c",
                f"{name} -o ~/.bashrc -o x a.c",
                f"echo '#include \".env\"' | {name} -E -x c -",
            ),
        )
        for name in _COMPILERS.split()
    },
    "ld": Tool(
        "ld",
        Kind.BUILD,
        "links",
        allowed=False,
        options="",
        reading=ANY_OPTIONS,
        counter_examples=("ld -plugin /tmp/evil.so x.o",),
    ),
    "clang-format": Tool(
        "clang-format",
        Kind.READ,
        "formats C",
        options="""
            flag    -n --dry-run -Werror --Werror --verbose -h,--help -i --dump-config --sort-includes
            value   --lines --offset --length --assume-filename --ferror-limit
            maybe   --style -style --fallback-style
            asks    --files: reads names from a file
        """,
        operands=(INERT, ...),
        reading=Reading(response_files=True),
        manual="clang-format 23.1.3",
        examples=("clang-format --dry-run -Werror src/a.cpp", "clang-format -i src/a.c"),
        counter_examples=("clang-format -i /etc/x", "clang-format --style=file:/etc/shadow a.c"),
        special=clang_format,
    ),
    "clang-tidy": Tool(
        "clang-tidy",
        Kind.BUILD,
        "lints C",
        profile="c-dev",
        options="""
            flag    --quiet -h,--help --list-checks --fix -quiet -fix
            value   -p --checks -checks --header-filter --warnings-as-errors
            asks    --load -load: loads code
            asks    --config-file --config --vfsoverlay --extra-arg: uses other settings
            asks    --extra-arg-before --export-fixes --store-check-profile: uses other settings
        """,
        operands=(INERT, ...),
        reading=Reading(response_files=True),
        manual="LLVM 23.1.4",
        special=tidy,
    ),
    "pkg-config": Tool(
        "pkg-config",
        Kind.READ,
        "shows compiler flags",
        options="""
            flag    --cflags --libs --modversion --exists --list-all --static --print-errors --validate
            value   --variable --atleast-version
        """,
        operands=(INERT, ...),
        manual="pkg-config 1.8.1",
    ),
    "lcov": Tool("lcov", Kind.BUILD, "measures tests", allowed=False, reading=ANY_OPTIONS),
}
