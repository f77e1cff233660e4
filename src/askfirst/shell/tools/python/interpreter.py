"""The Python interpreter: its own options, modules run with `-m`, files, and code in the command."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Any

from askfirst.knowledge.places import NOT_SHADOWED
from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, finish, read_action, read_fact, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import is_inside, place_facts, project_file, runner
from askfirst.shell.tools.python.inline import Program, read_python
from askfirst.shell.tools.python.known_files import text_of_file
from askfirst.shell.tools.python.project_calls import is_projects
from askfirst.shell.tools.python.tools import TOOLS as _CHECKERS
from askfirst.shell.tools.python.tools import is_plain_warning
from askfirst.shell.tools.table import BELOW, INERT, READS, WRITES, Tool

__all__ = ["TOOLS"]

_FLAGS = "bBdEIOPqRsSuvx"
_INERT_X = (
    "dev",
    "utf8",
    "importtime",
    "faulthandler",
    "tracemalloc",
    "no_debug_ranges",
    "showrefcount",
    "utf8=1",
    "utf8=0",
)
_PRINTS = ("-V", "-VV", "--version", "-h", "--help", "-?", "--help-env", "--help-xoptions", "--help-all")


def python(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Walks over the interpreter's own options up to the file, the module or the code."""
    words, at = call.words, 1
    facts: list[Fact] = []
    if len(words) == 2 and words[1].value in _PRINTS:
        return Outcome(read_action((tool.name, "--version"), "shows the version or the help"))
    while at < len(words):
        text = words[at].value
        if text is None:
            facts.append(unknown("expansion", "what Python would run is not known", call, words[at].text))
            return Outcome(Action((tool.name,), Kind.CODE, rule=tool.name), tuple(facts))
        if text in ("-", "--") or not text.startswith("-"):
            break
        at += 1
        if text.startswith("--"):
            facts.append(unknown("option", f"`{text}` of Python is not known to the built-in rules", call, text))
            continue
        letter, value, at = _cluster(words, at)
        if letter == "m" and value is not None:
            return _module(tool, call, analyst, value, words[at:], facts)
        if letter == "c":
            return _code(tool, call, analyst, value or Word(text, None), words[at:], facts)
        if letter and not _is_inert(letter, value):
            facts.append(unknown("option", f"`-{letter}` of Python may load code", call, text))
    return _file(tool, words[at:], call, analyst, facts)


def _cluster(words: tuple[Word, ...], at: int) -> tuple[str, Word | None, int]:
    """The letter of `words[at - 1]` that takes a value, if one does; its value; and where the next word stands."""
    text = words[at - 1].value or ""
    index = next((i for i, letter in enumerate(text) if i and letter not in _FLAGS), 0)
    if not index:
        return "", None, at
    if index + 1 < len(text):
        return text[index], Word(text[index + 1 :], text[index + 1 :]), at
    return text[index], (words[at] if at < len(words) else None), at + 1


def _file(tool: Tool, words: tuple[Word, ...], call: Call, analyst: Analyst, facts: list[Fact]) -> Outcome:
    """What stands behind the options: a file with its arguments, or nothing when the code comes on the input."""
    if words and _is_django(words, call, analyst):
        action = Action(
            (tool.name, words[0].value or "", words[1].value or ""),
            Kind.BUILD,
            rule=f"{tool.name} manage.py",
            allowed=True,
            profile="python-dev",
            description="runs a check or the tests of the Django project",
        )
        return Outcome(action, (*facts, *place_facts(replace(tool, name=f"{tool.name} manage.py"), call, analyst)))
    options = call.words[1 : len(call.words) - len(words)]
    doubtful = bool(facts) or any("x" in (w.value or "x") for w in options)  # -x: not the first line
    if _names_file(words):
        script = project_file(tool, call, analyst, words[0], tuple(facts), tests="python-dev")
        plain = None if doubtful else _plain_file(tool, script.action.target, words[1:], call, analyst)
        return script if plain is None else replace(plain, action=_as_plain(script.action, plain.action))
    stdin = analyst.input_of(call)
    code = stdin.text if stdin.kind == "text" and not doubtful else None
    return _plain_code(tool, call, analyst, code, words[1:]) or _inline(
        tool, "-", "Python code from its input", call, facts
    )


def _names_file(words: tuple[Word, ...]) -> bool:
    name = (words[0].value or "") if words else "-"
    return name not in ("-", "--") and not name.startswith(("/dev/", "/proc/"))


def _plain_file(tool: Tool, path: str, rest: tuple[Word, ...], call: Call, analyst: Analyst) -> Outcome | None:
    """A file that does no more than code in a command may."""
    code = text_of_file(path, call, analyst) if path else None
    return _plain_code(tool, call, analyst, code, rest, os.path.dirname(path))


def _as_plain(script: Action, plain: Action) -> Action:
    """By then the file may hold something else, so this is for those whom a profile lets run the project's code; to all
    others it is the script that it is."""
    return replace(script, allowed=True, profile="python-dev", description=plain.description)


def _code(tool: Tool, call: Call, analyst: Analyst, code: Word, rest: tuple[Word, ...], facts: list[Fact]) -> Outcome:
    plain = _plain_code(tool, call, analyst, code.value, rest) if not facts else None
    return plain or _inline(tool, "-c", "Python code in the command", call, facts, code.text)


def _plain_code(
    tool: Tool, call: Call, analyst: Analyst, code: str | None, rest: tuple[Word, ...], folder: str = "."
) -> Outcome | None:
    """Code that only works on data, and on the files that it names; or that looks at modules of the project, which
    their tests import as well. None for any other. `folder`: where it finds modules first."""
    if code is None or tool.name.startswith("python2") or call.cwd is None:
        return None
    program = read_python(code, tuple(w.value for w in rest))
    if program.doubts or _is_shadowed(program.imports, code, call, analyst, folder):
        return None
    if program.foreign or program.folders or any(a.name == "PYTHONPATH" for a in call.assignments):
        program.folders += [folder] if folder != "." else []
        return _of_project(tool, call, analyst, program)
    kind = Kind.EDIT if program.writes else Kind.READ
    action = Action((tool.name, "on-data"), kind, rule=f"{tool.name} on-data", allowed=True)
    return Outcome(replace(action, description="works on data and prints"), _done(program, tool, call, analyst))


def _done(program: Program, tool: Tool, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    """What it reads, writes and starts."""
    facts: list[Fact] = []
    for name in program.reads:
        facts += read_fact(Word(name, name), call, analyst, tool.name)
    for pattern in program.looks_in:
        start = pattern[: min(pattern.find(sign) for sign in "*?" if sign in pattern)]
        facts += read_fact(Word(pattern, None, prefix=start, glob=True), call, analyst, tool.name)
    for name, how in program.writes:
        facts += write_fact(Word(name, name), call, analyst, tool.name, how)
    for started in program.runs:
        facts += analyst.argv(tuple(Word(word, word, quoted=True) for word in started), call, tool.name)
    return tuple(facts)


def _of_project(tool: Tool, call: Call, analyst: Analyst, program: Program) -> Outcome | None:
    folders = _looked_in(program, call, analyst)
    if folders is None or not all(is_projects(*one, folders, analyst) for one in program.called if one[0]):
        return None
    does = "calls" if program.called else "imports"
    action = Action((tool.name, does), Kind.BUILD, rule=f"{tool.name} {does}", allowed=True, profile="python-dev")
    place = place_facts(tool, call_after(call, ()), analyst)
    return Outcome(replace(action, description=_DOES[does]), (*_done(program, tool, call, analyst), *place))


_DOES = {
    "imports": "imports modules of the project and shows them",
    "calls": "imports modules of the project, and calls what looks or computes",
}


def _looked_in(program: Program, call: Call, analyst: Analyst) -> tuple[str, ...] | None:
    """The directories of the project in which the code finds modules; None where it looks elsewhere first."""
    isolated = any(w.value and w.value[:1] == "-" != w.value[1:2] and {"I", "P"} & set(w.value) for w in call.words[1:])
    given = [d for a in call.assignments if a.name == "PYTHONPATH" for d in (a.value.value or "").split(":")]
    found = [analyst.path(name, call.cwd) for name in (*program.folders, ".", *given, "src")]
    if not all(is_inside(one, analyst) for one in found) or (program.called and isolated):
        return None
    return tuple(one for one in found if one is not None)


# Words that bring files whose names the script does not show.
_BRINGS = frozenset("cp mv ln tar unzip curl wget git tee patch rsync install cpio ar".split())
_STDLIB = frozenset({*sys.stdlib_module_names, "yaml", "toml"}) - NOT_SHADOWED


def _is_shadowed(imports: set[str], code: str, call: Call, analyst: Analyst, folder: str = ".") -> bool:
    """Whether the directory, which comes first on the module path, has a module of Python's own name: `re.py` there is
    what `json` imports. At the root of the project a write of one asks; elsewhere the script must not bring files."""
    if not imports:
        return False
    here = analyst.path(folder, call.cwd)
    names = analyst.names_in(here) if here is not None else None
    if names is None or any(name.partition(".")[0] in _STDLIB for name in names):
        return True
    if here == analyst.project.rstrip("/") or folder != ".":
        return False  # (of a file: nothing runs before it that could bring one)
    around = analyst.whole_text().replace(code, " ").replace("2>&1", "").replace(">/dev/null", "")
    return ">" in around.replace("> /dev/null", "") or not _BRINGS.isdisjoint(around.replace(";", " ").split())


def _inline(tool: Tool, key: str, why: str, call: Call, facts: list[Fact], code: str = "") -> Outcome:
    action = Action((tool.name, key), Kind.INLINE, rule=tool.name, description="runs Python code")
    return Outcome(action, (*facts, unknown("inline code", why, call, code)))


_DJANGO_LOOKS = frozenset(
    "test check showmigrations makemigrations sqlmigrate help version --version findstatic".split()
)
_DJANGO_ASKS = ("--settings", "--pythonpath", "--testrunner", "--shell", "--database", "--debug-sql", "-r")


def _is_django(words: tuple[Word, ...], call: Call, analyst: Analyst) -> bool:
    """`manage.py test` runs the project's tests as `pytest` does, unless the same script may have written it."""
    if len(words) < 2 or words[0].value not in ("manage.py", "./manage.py") or words[1].value not in _DJANGO_LOOKS:
        return False
    around = analyst.whole_text()
    calls = sum(around.count(f"{program} {words[0].value}") for program in ("python", "python3"))
    if "manage.py" in around and around.count("manage.py") != calls:
        return False
    return all(w.value is not None and not w.value.startswith(_DJANGO_ASKS) for w in words[2:])


def _is_inert(letter: str, value: Word | None) -> bool:
    text = value.value if value is not None else None
    if letter == "W":
        return text is not None and is_plain_warning(text)
    return letter == "X" and text in _INERT_X


def _module(
    tool: Tool, call: Call, analyst: Analyst, module: Word, rest: tuple[Word, ...], facts: list[Fact]
) -> Outcome:
    """`python -m NAME`: what the module's own table says.

    The directory comes first on the module path, so it must be the project, or hold no module of Python's own name.
    """
    name = module.value
    if name is None:
        facts.append(unknown("expansion", "the module that Python would run is not known", call, module.text))
        return Outcome(Action((tool.name, "-m"), Kind.CODE, rule=tool.name), tuple(facts))
    row = _MODULES.get(name) or _CHECKERS.get(name.replace("_", "-"))
    if name in ("pip", "uv", "poetry", "pipenv", "virtualenv"):
        from askfirst.shell.tools.python.packages import TOOLS as packages

        row = packages[name]
    if row is None:
        return Outcome(_unknown_module(tool, name, call, analyst), tuple(facts))
    if name == "coverage" and rest and rest[0].value == "run":
        outcome = coverage_run(row.subcommands["run"], call_after(call, rest[1:]), analyst)
    else:
        outcome = apply(row, call_after(call, rest), analyst)
    action = replace(outcome.action, key=(tool.name, "-m", *outcome.action.key))
    if action.allowed and name in _PLAIN_MODULES and not _is_shadowed({name}, f"-m {name}", call, analyst):
        return Outcome(action, (*facts, *outcome.facts))
    if action.allowed or action.profile:
        action = replace(action, profile=action.profile or "python-dev")
    return Outcome(
        action,
        (
            *facts,
            *outcome.facts,
            *place_facts(replace(tool, name=f"{tool.name} -m {name}"), call_after(call, ()), analyst),
        ),
    )


def _unknown_module(tool: Tool, name: str, call: Call, analyst: Analyst) -> Action:
    """The file of the project that a module's name stands for is its target; where it may stand for another, the
    name."""
    at_once = len(call.words) > 2 and (call.words[1].value, call.words[2].value) == ("-m", name)
    stem = analyst.path(name.replace(".", "/"), call.cwd) if at_once and "/" not in name else None
    found = [file for file in (f"{stem}.py", f"{stem}/__main__.py") if stem is not None and analyst.exists(file)]
    file = found[0] if len(found) == 1 and is_inside(found[0], analyst) else ""
    rule = tool.name if file else ""
    return Action((tool.name, "-m", name), Kind.CODE, rule=rule, description="runs a module", target=file or name)


def coverage_run(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`coverage run [options] -m pytest …` or a file: what it measures is what runs."""
    words, at = call.words, 1
    facts: list[Fact] = place_facts(tool, call, analyst)
    while at < len(words) and (words[at].value or "").startswith("-"):
        text = words[at].value or ""
        if text == "-m" and at + 1 < len(words):
            inner = _module(_PYTHON, call, analyst, words[at + 1], words[at + 2 :], facts)
            return replace(inner, action=replace(inner.action, key=("coverage", "run", *inner.action.key[2:])))
        if text.partition("=")[0] not in (
            "-a",
            "--append",
            "--branch",
            "-p",
            "--parallel-mode",
            "--source",
            "--omit",
            "--include",
            "--timid",
        ):
            facts.append(unknown("option", f"`coverage run {text}` is not known to the built-in rules", call, text))
        at += 2 if text in ("--source", "--omit", "--include") else 1
    if at < len(words):
        return project_file(tool, call, analyst, words[at], tuple(facts))
    return Outcome(Action(("coverage", "run"), Kind.CODE, rule=tool.name), tuple(facts))


def _plain(name: str, description: str, **more: Any) -> Tool:
    return Tool(name, Kind.READ, description, **more)


def _venv(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What the module itself puts into a new `.venv` is Python's own, so it is no write of the agent's."""
    parsed = parse(tool, call.words[1:])
    names = [w.value for w in parsed.operands]
    # The real place counts: a repository may bring `.venv` along as a link.
    usual = all(
        n in (".venv", "venv", "./.venv", "./venv") and is_inside(analyst.path(n or "", call.cwd), analyst)
        for n in names
    )
    return finish(replace(tool, operands=(INERT, ...)) if usual else tool, call, parsed, analyst)


_MODULES: dict[str, Tool] = {
    "json.tool": _plain(
        "json.tool",
        "formats JSON",
        options="""
            flag    --sort-keys --no-ensure-ascii --json-lines --compact --no-indent --tab -h,--help
            value   --indent
        """,
        operands=(READS, WRITES),
        examples=(
            "python3 -m json.tool data.json",
            "python -m pytest -q",
            "python3 --version",
            "python manage.py test app",
        ),
        counter_examples=(
            "python3 -m json.tool README.md /tmp/x",
            "python3 -c 'x()'",
            "python3 -Ic 'x()'",
            "python3 -m http.server",
            "python3 -m timeit 'x'",
            "python3 -i x.py",
            "python3 -X presite=x -m json.tool",
            "python3 -W error::a.b -m json.tool",
            "python manage.py shell -c 'x()'",
            "python manage.py migrate",
            "python manage.py test --settings=evil",
            "python /tmp/manage.py test",
        ),
    ),
    "py_compile": _plain(
        "py_compile",
        "checks the syntax",
        options="flag -q,--quiet",
        examples=("python -m py_compile src/app.py",),
        counter_examples=("python -m py_compile /tmp/x.py",),
        special=runner,
    ),
    "compileall": _plain(
        "compileall",
        "checks the syntax",
        options="""
            flag    -l -f -q -qq -b
            value   -j --workers -r --invalidation-mode
        """,
        counter_examples=("python3 -m compileall -d x /tmp",),
        special=runner,
    ),
    "calendar": _plain("calendar", "shows a calendar", operands=(INERT, ...), examples=("python -m calendar",)),
    "ast": _plain(
        "ast",
        "shows a syntax tree",
        options="""
            flag    -a --include-attributes --no-type-comments
            value   -m,--mode -i,--indent
        """,
    ),
    "unittest": Tool(
        "unittest",
        Kind.BUILD,
        "runs the project's tests",
        profile="python-dev",
        options="""
            flag    -v,--verbose -q,--quiet -f,--failfast -b,--buffer -c,--catch --locals -h,--help
            value   -k -s,--start-directory -p,--pattern -t,--top-level-directory --durations
        """,
        operands=(INERT, ...),
        examples=("python -m unittest discover -s tests", "python -m unittest tests.test_app -v"),
        counter_examples=("python -m unittest discover -s /tmp/x",),
        special=runner,
    ),
    "build": Tool(
        "build",
        Kind.BUILD,
        "builds the package",
        profile="python-dev",
        options="""
            flag    -s,--sdist -w,--wheel -v,--verbose -q -n,--no-isolation -x --skip-dependency-check
            below   -o,--outdir
            asks    -C,--config-setting: reaches the build backend
            asks    --installer: runs another program
        """,
        operands=(INERT, ...),
        examples=("python -m build --wheel",),
        counter_examples=("python -m build /tmp/evil", "python -m build -o /tmp/x"),
        special=runner,
    ),
    "doctest": Tool(
        "doctest",
        Kind.BUILD,
        "runs examples of the project",
        profile="python-dev",
        options="""
            flag    -v,--verbose -f,--fail-fast
            value   -o,--option
        """,
        operands=(INERT, ...),
        special=runner,
    ),
    "venv": Tool(
        "venv",
        Kind.EDIT,
        "makes a virtual environment",
        options="""
            flag    --upgrade --without-pip --symlinks --copies -h,--help
            value   --prompt
            asks    --system-site-packages: shares installed packages
            asks    --upgrade-deps: installs packages
            asks    --clear: empties a directory
        """,
        operands=(BELOW, ...),
        least=1,
        examples=("python -m venv .venv", "python3 -m venv venv"),
        counter_examples=(
            "python3 -m venv --upgrade-deps ~/.local",
            "python3 -m venv /opt/x",
            "python3 -m venv --clear src",
        ),
        special=_venv,
    ),
}
# Python's own, which read and print: where nothing shadows a module, no code of the project runs.
_PLAIN_MODULES = frozenset("json.tool calendar ast".split())
_PYTHON = Tool("python", Kind.CODE, "the Python interpreter", special=python, key_words=2, subcommands=_MODULES)
TOOLS: dict[str, Tool] = {
    **{
        name: replace(_PYTHON, name=name, manual="Python 3.11.7")
        for name in ("python", "python3", *(f"python3.{minor}" for minor in range(8, 16)))
    },
}
