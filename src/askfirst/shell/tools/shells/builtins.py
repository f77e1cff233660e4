"""The builtins of bash: which are inert, which set variables, which evaluate text.

A builtin that evaluates text does so even when the text was quoted: `test -v 'a[$(id)]'` runs `id`. So every name that
could be an array subscript, and everything that is read as arithmetic, is looked at here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from askfirst.knowledge.variables import looks_secret
from askfirst.model import Action, Assignment, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.shells.shells import script_action
from askfirst.shell.tools.shells.wrappers import inner, wrap
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool, asking


def _is_name(text: str) -> bool:
    return text.replace("_", "a").isalnum() and not text[:1].isdigit() and text.isascii()


def _variables(words: tuple[Word, ...], call: Call, analyst: Analyst, via: str) -> list[Fact]:
    """Words that name variables a builtin sets. A name with a subscript is evaluated, so it is not a plain name."""
    facts: list[Fact] = []
    for word in words:
        if word.value is None or not _is_name(word.value):
            facts.append(unknown("expansion", f"`{via}` evaluates `{word.text}`", call, word.text))
        else:
            facts += analyst.assigned((Assignment(word.value, Word("", None)),), call, via)
    return facts


def _declare(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """declare, typeset, local, export, readonly."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if parsed.has("-n"):
        facts.append(unknown("environment", f"`{tool.name} -n` makes one name stand for another", call))
    if parsed.has("-i"):
        facts.append(unknown("expansion", f"`{tool.name} -i` evaluates values as arithmetic", call))
    if not parsed.operands and not parsed.has("-f", "-F"):
        facts.append(unknown("secrets", "prints every variable, credentials included", call))
    for word in parsed.operands:
        via = "export" if parsed.has("-x") and not parsed.has("-n") else tool.name
        facts += _declared(tool, word, parsed.has("-p"), via, call, analyst)
        facts += _compound(tool, word, parsed.has("-a", "-A"), call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _declared(tool: Tool, word: Word, printed: bool, via: str, call: Call, analyst: Analyst) -> list[Fact]:
    known = word.value if word.value is not None else word.prefix
    name, equals, value = known.partition("=")
    append = name.endswith("+")
    name = name.removesuffix("+")
    if not _is_name(name) or (word.value is None and not equals) or (word.many and not word.glob):
        return [unknown("expansion", f"`{tool.name}` evaluates `{word.text}`", call, word.text)]
    if printed and looks_secret(name):
        return [unknown("secrets", "prints a variable that may be a credential", call, word.text)]
    if printed or (not equals and via != "export"):
        return []
    given = Word(value, value if word.value is not None and equals else None, prefix=value, quoted=word.quoted)
    return list(analyst.assigned((Assignment(name, given, append),), call, via))


def _compound(tool: Tool, word: Word, array: bool, call: Call, analyst: Analyst) -> list[Fact]:
    """`declare -a 'x=($(cmd))'` runs cmd: the value of an array is read again, however it was quoted."""
    known = word.value if word.value is not None else word.prefix
    name, equals, value = known.partition("=")
    if not equals or word.text.startswith(f"{name}=(") or (value[:1] != "(" and (value or word.value is not None)):
        return []
    if value or array or analyst.is_array(name.removesuffix("+")):
        return [unknown("expansion", f"`{tool.name}` evaluates the value of an array", call, word.text)]
    return []


def _read(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    names = parsed.operands + parsed.values("-a")
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    return Outcome(action_of(tool), (*facts, *_variables(names, call, analyst, "read")))


def _mapfile(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    facts += _callbacks(parsed.values("-C"), call, analyst)
    return Outcome(action_of(tool), (*facts, *_variables(parsed.operands, call, analyst, tool.name)))


def _callbacks(words: tuple[Word, ...], call: Call, analyst: Analyst) -> list[Fact]:
    """The text behind -C, which is run with words that come from data."""
    facts: list[Fact] = []
    for word in words:
        if word.value is None:
            facts.append(
                unknown("hidden command", f"`{call.name} -C` runs a command that is not known", call, word.text)
            )
        else:
            facts += analyst.script(f'{word.value} "$@"', call, f"{call.name} -C", "same")
    return facts


def _getopts(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return Outcome(action_of(tool), tuple(_variables(call.words[2:3], call, analyst, "getopts")))


def _unset(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    facts: list[Fact] = []
    for word in call.words[1:]:
        if word.value in ("-v", "-f", "-n", "--"):
            continue
        if word.value is None or not _is_name(word.value):
            facts.append(unknown("expansion", f"`unset` evaluates `{word.text}`", call, word.text))
        else:
            facts += analyst.assigned((Assignment(word.value, Word("", "")),), call, "unset")
    return Outcome(action_of(tool), tuple(facts))


def _printf(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Only a leading `-v NAME` matters, and `%n` in the format, which sets a variable: all else is printed."""
    words = call.words[1:]
    if not words:
        return Outcome(action_of(tool))
    first = words[0]
    if first.value is None:
        alone = len(words) == 1 and not first.many and not first.prefix
        if _may_be_v(first) and not alone:
            return Outcome(action_of(tool), (unknown("option", f"`{first.text}` may become `-v`", call, first.text),))
    elif first.value.startswith("-v"):
        glued = first.value[2:]
        name = Word(glued, glued) if glued else (words[1] if len(words) > 1 else Word("", None))
        return Outcome(action_of(tool), tuple(_variables((name,), call, analyst, "printf -v")))
    return Outcome(action_of(tool), _counted(words[first.value == "--" :], call))


def _counted(words: tuple[Word, ...], call: Call) -> tuple[Fact, ...]:
    if not any(w.value is None or _is_name(w.value) for w in words[1:]) or not _may_count(words[0]):
        return ()
    why = "`%n` in the format of `printf` sets the variable that a word behind it names"
    return (unknown("environment", why, call),)


def _may_count(form: Word) -> bool:
    """Whether a format may hold `%n`, for how many characters were printed before it."""
    if form.value is None:
        return form.data
    return re.search(r"%[-+ #'0-9.*]*[hjlLtz]*n", form.value.replace("%%", "")) is not None


def _may_be_v(word: Word) -> bool:
    return word.many or word.prefix in ("", "-") or word.prefix.startswith("-v")


def _test(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`-v NAME[SUBSCRIPT]` evaluates the subscript. What is not known must not become a `-v` with a name behind it."""
    words = call.words[1:]
    facts: list[Fact] = []
    for index, word in enumerate(words):
        if word.value is None and word.many and not word.glob:
            facts.append(unknown("expansion", f"`{word.text}` may become several words of a test", call, word.text))
        previous = words[index - 1] if index else None
        if previous is None or (previous.value is not None and previous.value not in ("-v", "-R")):
            continue
        if word.value is None or "[" in word.value:
            if previous.value is not None or word.value is None or "[" in word.value.removesuffix("]"):
                facts.append(unknown("expansion", f"`test` may evaluate `{word.text}`", call, word.text))
    return Outcome(action_of(tool), tuple(facts))


def _cd(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = facts_of(tool, call, replace(parsed, operands=()), analyst)
    if not parsed.operands:
        return Outcome(action_of(tool), facts, cwd=analyst.home if tool.name == "cd" else None)
    target = parsed.operands[0].value
    if parsed.operands == call.words[-1:] and parsed.operands[0].text == _TOPLEVEL and _is_toplevel(call, analyst):
        return Outcome(action_of(tool), facts, cwd=analyst.path(".", call.cwd))
    # Behind the first operand everything is one more, also `--`: too many, and the directory stays.
    if (
        target is None
        or parsed.operands[0] is not call.words[-1]
        or target == "-"
        or (tool.name == "pushd" and target[:1] in "+-")
    ):
        return Outcome(action_of(tool), facts, cwd=None)
    return Outcome(action_of(tool), facts, cwd=analyst.path(target or ".", call.cwd))


_TOPLEVEL = '"$(git rev-parse --show-toplevel)"'


def _is_toplevel(call: Call, analyst: Analyst) -> bool:
    """Whether git would name the present directory.

    In quotes, it stays the present one even when git fails and prints nothing.
    """
    if call.cwd is None or analyst.is_function("git") or "GIT_" in analyst.whole_text():
        return False
    return all(analyst.exists(f"{call.cwd}/.git/{name}") for name in ("HEAD", "objects", "refs"))


def _popd(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return Outcome(action_of(tool), cwd=None)


def _eval(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[2:] if len(call.words) > 1 and call.words[1].value == "--" else call.words[1:]
    if any(w.value is None for w in words):
        return Outcome(action_of(tool), (unknown("eval", "the text to run is not in the command", call),))
    return Outcome(action_of(tool), analyst.script(" ".join(w.value or "" for w in words), call, "eval", "same"))


def _source(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = [w for w in call.words[1:] if w.value != "--"]
    if not words or words[0].value is None:
        if call.stdin.kind == "text" and words and words[0].value == "/dev/stdin":
            return Outcome(action_of(tool), analyst.script(call.stdin.text or "", call, "source", "same"))
        return Outcome(
            replace(action_of(tool), allowed=False),
            (unknown("hidden command", "it is not known which file is sourced", call),),
        )
    if words[0].value in ("/dev/stdin", "/dev/fd/0") and call.stdin.text is not None:
        return Outcome(action_of(tool), analyst.script(call.stdin.text, call, "source", "same"))
    if words[0].value.startswith(("/dev/", "/proc/")):
        return Outcome(
            replace(action_of(tool), allowed=False),
            (unknown("hidden command", "what is sourced is not in the text", call),),
        )
    action = script_action("source", words[0], call, analyst)
    # Files below these names cannot be written without asking; `evil/bin/activate` could.
    if action.target.endswith(("/.venv/bin/activate", "/venv/bin/activate")) and action.target.startswith(
        analyst.project + "/"
    ):
        action = replace(action, profile="python-dev", description="activates a virtual environment of the project")
    return Outcome(action)


def _trap(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = [w for w in call.words[1:] if w.value != "--"]
    if not words or words[0].value in ("-p", "-l", "-P", "-", "") or (len(words) == 1 and words[0].value is not None):
        return Outcome(action_of(tool))
    if words[0].value is None:
        return Outcome(action_of(tool), (unknown("eval", "the text that `trap` runs is not known", call),))
    if words[0].value.isdigit():
        return Outcome(action_of(tool))
    return Outcome(action_of(tool), analyst.script(words[0].value, call, "trap", "same"))


def _alias(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """An alias changes what later words mean: the analysis does not follow that, so it asks; what it stands for is
    judged as well.
    """
    facts: list[Fact] = []
    for word in call.words[1:]:
        known = word.value if word.value is not None else word.prefix
        if "=" in known or word.value is None:
            facts.append(unknown("eval", "an alias changes what later commands mean", call, word.text))
            if word.value is not None:
                facts += analyst.script(word.value.partition("=")[2], call, "alias", "same")
    return Outcome(action_of(tool), tuple(facts))


def _hash(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    stands_for = inner(parsed.operands[:1], call, analyst, "hash -p") if parsed.has("-p") else ()
    outcome = finish(tool, call, parsed, analyst, more=stands_for)
    if any("=" in (w.value if w.value is not None else "=") for w in call.words[1:]):
        return replace(
            outcome, facts=(*outcome.facts, unknown("eval", "`hash` may make a name stand for another program", call))
        )
    return outcome


def _command(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    if parsed.has("-v", "-V"):
        return Outcome(
            replace(action_of(tool), key=("command", "-v"), kind=Kind.READ, description="tells what a name stands for")
        )
    if not parsed.operands and not parsed.doubts:
        return Outcome(replace(action_of(tool), allowed=False))
    return wrap(tool, call, analyst)


_SET_OPTIONS = frozenset(
    "errexit nounset pipefail xtrace verbose noglob noclobber errtrace functrace monitor notify noexec hashall "
    "braceexpand ignoreeof".split()
)
# Not dotglob: a pattern is judged as one that means no hidden file (`?env`).
_SHOPT_OPTIONS = frozenset(
    "globstar nullglob nocaseglob nocasematch inherit_errexit lastpipe checkwinsize autocd cdspell globskipdots".split()
)


def _set(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if len(call.words) == 1:
        facts.append(unknown("secrets", "prints every variable, credentials included", call))
    for word in parsed.values("-o"):
        if word.value not in _SET_OPTIONS:
            facts.append(
                unknown("option", f"`set -o {word.text}` changes how the shell reads what follows", call, word.text)
            )
    return Outcome(action_of(tool), tuple(facts))


def _shopt(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if parsed.has("-s", "-u"):
        for word in parsed.operands:
            if word.value not in _SHOPT_OPTIONS:
                facts.append(
                    unknown("option", f"`shopt {word.text}` changes how the shell reads what follows", call, word.text)
                )
    return Outcome(action_of(tool), tuple(facts))


def _jobs(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    if words and words[0].value == "-x":
        return Outcome(action_of(tool), inner(words[1:], call, analyst, "jobs -x"))
    return finish(tool, call, parse(tool, words), analyst)


def _wait(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = facts_of(tool, call, parsed, analyst)
    return Outcome(action_of(tool), (*facts, *_variables(parsed.values("-p"), call, analyst, "wait -p")))


def _compgen(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """-W expands its words, -F and -C run something, -P, -S and -X take plain text."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed, analyst))
    for word in parsed.values("-W"):
        if word.value is None or any(c in word.value for c in "$`<>"):
            facts.append(unknown("eval", "`compgen -W` expands its words", call, word.text))
    facts += _callbacks(parsed.values("-C"), call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _bind(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`bind -x '"KEYS": COMMAND'`."""
    facts: list[Fact] = []
    for word in call.words[1:]:
        command = (word.value or "").rpartition('":')[2].strip() if '":' in (word.value or "") else ""
        facts += analyst.script(command.strip('"'), call, "bind -x", "same") if command else ()
    return Outcome(action_of(tool), tuple(facts))


def _let(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Arithmetic evaluates the value of every name in it, and that value may hold a subscript with a command."""
    facts: list[Fact] = []
    for word in call.words[1:]:
        if word.value is None or any(not (c.isdigit() or c in "+-*/%()<>=!&|^~? :,") for c in word.value):
            facts.append(unknown("expansion", "`let` evaluates its words", call, word.text))
    return Outcome(action_of(tool), tuple(facts))


def _kill(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    first = call.words[1].value if len(call.words) > 1 else ""
    if first in ("-l", "-L", "-0") or (first == "-s" and call.words[2:3] and call.words[2].value == "0"):
        return Outcome(
            Action(
                ("kill", str(first)),
                Kind.READ,
                rule="kill -0",
                allowed=True,
                description="asks whether a process lives",
            )
        )
    named = call.words[2:] if (first or "").startswith("-") and first != "-s" else call.words[1:]
    if named and all(w.text.strip('"') in ("$!", "${!}") or _is_job(w.value) for w in named):
        # A shell knows only its own jobs, and `$!` is empty where there are none.
        words = "stops jobs of this same command"
        return Outcome(replace(action_of(tool), key=("kill", "jobs"), allowed=True, description=words))
    return Outcome(action_of(tool))


def _is_job(word: str | None) -> bool:
    """`%1`, `%%`, `%+`; a job by its text (`%sleep`) is asked for."""
    return word is not None and word.startswith("%") and (word[1:].isdigit() or word[1:] in ("", "%", "+", "-"))


def _enable(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`enable -n cd`: a program takes the place of a builtin, and what the builtin does is not done."""
    changes = (unknown("eval", "changes which builtins exist", call),) if len(call.words) > 1 else ()
    return Outcome(action_of(tool), changes)


def _fc(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return Outcome(action_of(tool), (unknown("hidden command", "runs what was typed before, or an editor", call),))


def _type(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return Outcome(action_of(tool))


def _inert(name: str, description: str, **fields: Any) -> Tool:
    return Tool(name, Kind.READ, description, operands=(INERT, ...), reading=ANY_OPTIONS, **fields)


_DECLARE = """
    flag    -a -A -f -F -g -i -l -n -r -t -u -x -p -I +a +A +i +l +n +r +t +u +x +f
"""


def _declaring(name: str, description: str) -> Tool:
    return Tool(
        name,
        Kind.READ,
        description,
        options=_DECLARE,
        operands=(INERT, ...),
        reading=Reading(plus=True),
        special=_declare,
    )


_ROWS = (
    _inert(":", "does nothing"),
    _inert("break", "leaves a loop"),
    _inert("continue", "starts the next round of a loop"),
    _inert("return", "leaves a function"),
    _inert("exit", "leaves the shell"),
    _inert("shift", "drops an argument"),
    _inert("pwd", "prints the directory"),
    _inert("umask", "sets the mode of new files"),
    _inert("ulimit", "sets limits"),
    _inert("disown", "forgets a job"),
    _inert("dirs", "prints the directory stack"),
    _inert("help", "prints help"),
    _inert("unalias", "forgets an alias"),
    _inert("logout", "leaves the shell"),
    Tool("type", Kind.READ, "tells what a name stands for", operands=(INERT, ...), reading=ANY_OPTIONS, special=_type),
    Tool("jobs", Kind.READ, "lists jobs", options="flag -l -n -p -r -s", operands=(INERT, ...), special=_jobs),
    Tool(
        "wait",
        Kind.READ,
        "waits for jobs",
        options="""
            flag    -f -n
            value   -p
        """,
        operands=(INERT, ...),
        special=_wait,
    ),
    Tool(
        "cd",
        Kind.READ,
        "changes the directory",
        options="flag -L -P -e -@ -q",
        operands=(INERT, ...),
        reading=Reading(harmless_options=True),
        special=_cd,
    ),
    Tool(
        "pushd",
        Kind.READ,
        "changes the directory",
        options="flag -n -q",
        operands=(INERT, ...),
        reading=Reading(numbers=True, harmless_options=True),
        special=_cd,
    ),
    Tool("popd", Kind.READ, "changes the directory back", operands=(INERT, ...), reading=ANY_OPTIONS, special=_popd),
    _declaring("declare", "declares variables"),
    _declaring("typeset", "declares variables"),
    _declaring("local", "declares variables"),
    _declaring("export", "sets environment variables"),
    _declaring("readonly", "declares variables"),
    Tool(
        "read",
        Kind.READ,
        "reads a line into variables",
        options="""
            flag    -r -s -e -E
            value   -t -n -N -p -d -i -u -a
        """,
        operands=(INERT, ...),
        examples=("read -r",),
        counter_examples=("read 'a[$(id)]'",),
        special=_read,
    ),
    Tool(
        "mapfile",
        Kind.READ,
        "reads lines into an array",
        options="""
            flag    -t
            value   -d -n -O -s -u -c -C
        """,
        operands=(INERT, ...),
        counter_examples=("mapfile -C 'touch /x' -c 1 a", "mapfile -C sed -c 1 a"),
        special=_mapfile,
    ),
    Tool(
        "readarray",
        Kind.READ,
        "reads lines into an array",
        options="""
            flag    -t
            value   -d -n -O -s -u -c -C
        """,
        operands=(INERT, ...),
        special=_mapfile,
    ),
    Tool("getopts", Kind.READ, "reads options", operands=(INERT, ...), special=_getopts),
    Tool(
        "unset",
        Kind.READ,
        "forgets variables",
        operands=(INERT, ...),
        counter_examples=("unset 'a[$(id)]'",),
        special=_unset,
    ),
    Tool(
        "printf",
        Kind.READ,
        "prints words",
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        examples=("printf '%s\\n' a", "printf -- '-v'"),
        counter_examples=("printf -v 'a[$(id)]' x",),
        special=_printf,
    ),
    Tool(
        "test",
        Kind.READ,
        "tests a condition",
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        examples=("test -f package.json", "test a = b"),
        counter_examples=("test -v 'a[$(id)]'",),
        special=_test,
    ),
    Tool(
        "[",
        Kind.READ,
        "tests a condition",
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        examples=("[ -d node_modules ]",),
        special=_test,
    ),
    Tool(
        "eval", Kind.WRAPPER, "runs text", special=_eval, examples=("eval ls",), counter_examples=("eval 'touch /x'",)
    ),
    Tool("source", Kind.CODE, "runs a file in this shell", special=_source, counter_examples=("source .env",)),
    Tool(".", Kind.CODE, "runs a file in this shell", special=_source, counter_examples=(". .env",)),
    Tool(
        "trap",
        Kind.WRAPPER,
        "runs text on a signal",
        special=_trap,
        examples=("trap 'ls' EXIT", "trap - INT"),
        counter_examples=("trap 'touch /x' EXIT",),
    ),
    Tool(
        "alias",
        Kind.READ,
        "names commands",
        special=_alias,
        examples=("alias", "alias ll"),
        counter_examples=("alias ls='touch /x'", "alias l=ls"),
    ),
    Tool(
        "hash",
        Kind.READ,
        "remembers where programs are",
        options="""
            flag    -r -l -t -d
            asks    -p: makes a name stand for another program
        """,
        operands=(INERT, ...),
        examples=("hash -r",),
        counter_examples=("hash -p /x/evil git", "hash git=/x/evil"),
        special=_hash,
    ),
    Tool(
        "command",
        Kind.WRAPPER,
        "runs a program",
        options="flag -v -V -p",
        reading=Reading(stops_at_operand=True),
        examples=("command -v git", "command ls"),
        counter_examples=("command touch /x",),
        special=_command,
    ),
    Tool(
        "builtin",
        Kind.WRAPPER,
        "runs a builtin",
        reading=Reading(stops_at_operand=True),
        counter_examples=("builtin eval touch /x",),
        special=wrap,
    ),
    Tool(
        "exec",
        Kind.WRAPPER,
        "replaces the shell",
        options="""
            flag    -c -l
            value   -a
        """,
        reading=Reading(stops_at_operand=True),
        counter_examples=("exec -a ls touch /x",),
        special=wrap,
    ),
    Tool(
        "set",
        Kind.READ,
        "sets options of the shell",
        options="""
            flag    -e +e -u +u -x +x -v +v -f +f -n -m +m -b +b -h +h -B +B -C +C -E +E -T +T - +
            value   -o +o
            asks    -a +a -k +k -p +p -P +P -H +H -t: changes how the shell reads what follows
        """,
        operands=(INERT, ...),
        reading=Reading(stops_at_operand=True, plus=True),
        examples=("set -euo pipefail", "set -- a b"),
        counter_examples=("set", "set -a", "set -o history", "set -k"),
        special=_set,
    ),
    Tool(
        "shopt",
        Kind.READ,
        "sets options of the shell",
        options="flag -s -u -q -p -o",
        operands=(INERT, ...),
        examples=("shopt -s globstar",),
        counter_examples=("shopt -s expand_aliases",),
        special=_shopt,
    ),
    Tool(
        "compgen",
        Kind.READ,
        "lists names",
        options="""
            flag    -a -b -c -d -e -f -g -j -k -s -u -v
            value   -A -o -P -S -X -G -W -C
            asks    -F: runs a function
        """,
        operands=(INERT, ...),
        examples=("compgen -c git",),
        counter_examples=("compgen -W '$(id)'", "compgen -C 'touch /x' x"),
        special=_compgen,
    ),
    Tool(
        "let",
        Kind.READ,
        "calculates",
        operands=(INERT, ...),
        examples=("let 1+2",),
        counter_examples=("let 'a[$(id)]=1'",),
        special=_let,
    ),
    asking("kill", "sends signals to processes", Kind.DESTRUCTIVE, special=_kill),
    asking("history", "shows what was typed before", options="asks -a -n -r -w: reads or writes a file"),
    asking("fc", "runs what was typed before", special=_fc),
    asking("enable", "changes which builtins exist", special=_enable),
    asking("bind", "changes what keys do", special=_bind),
    asking("complete", "changes completion", options="runs -C"),
    asking("compopt", "changes completion"),
)

# Held against `help`, and against bash itself by the scripts of tests/shell/oracle.py.
TOOLS: dict[str, Tool] = {t.name: replace(t, manual="GNU bash 5.2.15") for t in _ROWS}
