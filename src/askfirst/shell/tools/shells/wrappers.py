"""Programs that run another program: the inner one is a fact of its own and is judged as if it stood alone.

`least` is the number of operands before the inner program (`timeout 5 PROGRAM`, `taskset MASK PROGRAM`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Assignment, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.tools.engine import action_of, directory_after, facts_of, unknown, write_fact
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import Reading, Tool


def inner(
    words: tuple[Word, ...],
    call: Call,
    analyst: Analyst,
    via: str,
    *,
    more_words: bool = False,
    cwd: str | None = "",
    assignments: tuple[Assignment, ...] = (),
) -> tuple[Fact, ...]:
    """The facts of the program that a wrapper runs."""
    if not words:
        return ()
    if words[0].value is None:
        return (unknown("hidden command", f"it is not known what `{via}` runs", call, words[0].text),)
    return analyst.argv(words, call, via, cwd=cwd, more_words=more_words, assignments=assignments)


def wrap(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    lead, rest = parsed.operands[: tool.least], parsed.operands[tool.least :]
    facts = list(facts_of(replace(tool, least=0), call, replace(parsed, operands=()), analyst))
    if any(w.value is None and w.many for w in lead):
        facts.append(unknown("expansion", f"it is not known what `{tool.name}` runs", call))
    if (
        not tool.allowed
    ):  # its options are not known, so the program may be any of the words: blocks are looked for in all of them
        facts.append(unknown("hidden command", f"`{tool.name}` runs another program", call))
    facts += inner(rest, call, analyst, tool.name)
    return Outcome(action_of(tool), tuple(facts))


def _env(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    for _ in range(8):
        parsed = parse(tool, words)
        split = next(iter(parsed.values("-S")), None)
        if split is None:
            break
        pieces = _split_string(split)
        if pieces is None:
            return Outcome(
                action_of(tool),
                (
                    unknown("hidden command", "`env -S` with text that is not understood", call, split.text),
                    *_text_of(split, call, analyst),
                ),
            )
        words = (*pieces, *parsed.operands)
        if pieces and (pieces[0].value or "").startswith("-"):
            continue
        parsed = parse(tool, words)
        break
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    assignments, rest = _assignments(parsed.operands)
    if not rest:
        facts.append(unknown("secrets", "prints every environment variable, credentials included", call))
    cwd, moved = directory_after(parsed, call, analyst)
    facts += inner(rest, call, analyst, "env", assignments=assignments, cwd=cwd if moved else "")
    return Outcome(action_of(tool), tuple(facts))


def _text_of(word: Word, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    return analyst.script(word.value, call, "env -S", "login") if word.value is not None else ()


def _split_string(word: Word) -> tuple[Word, ...] | None:
    """`env -S` has quotes, but its backslashes, `$` and `#` are not the shell's: then it is not understood."""
    text = word.value
    if text is None or any(c in text for c in "\\$#"):
        return None
    pieces: list[Word] = []
    current, quote, started = "", "", False
    for char in text:
        if quote:
            quote, current = ("", current) if char == quote else (quote, current + char)
        elif char in "'\"":
            quote, started = char, True
        elif char in " \t\n\v\f\r":
            if current or started:
                pieces.append(Word(current, current, quoted=started))
            current, started = "", False
        else:
            current += char
    if quote:
        return None
    if current or started:
        pieces.append(Word(current, current, quoted=started))
    return tuple(pieces)


def _assignments(words: tuple[Word, ...]) -> tuple[tuple[Assignment, ...], tuple[Word, ...]]:
    found: list[Assignment] = []
    for index, word in enumerate(words):
        known = word.value if word.value is not None else word.prefix
        name, equals, value = known.partition("=")
        if not equals:
            if word.value == "-" and index == 0:
                continue
            return tuple(found), words[index:]
        if word.value is None and word.many:
            return tuple(found), words[index:]
        found.append(
            Assignment(
                name, Word(word.text, value if word.value is not None else None, prefix=value, quoted=word.quoted)
            )
        )
    return tuple(found), ()


def _xargs(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    replaces = _placeholders(parsed)
    words = parsed.operands
    if replaces is None or any(w.value is None and w.many and not w.glob for w in words):
        facts.append(unknown("expansion", "it is not known what `xargs` runs", call))
        return Outcome(action_of(tool), tuple(facts))
    if not words:
        return Outcome(action_of(tool), tuple(facts))  # it runs `echo`
    items = _items(parsed, call)
    more = _more(parsed, call, analyst)
    call = replace(call, stdin=Stdin("unknown"))
    if replaces:
        words = tuple(_replaced(w, replaces, more, many=parsed.has("-J")) for w in words)
        facts += inner((*words, more) if parsed.has("-J") else words, call, analyst, "xargs")
    elif items is not None:
        facts += inner((*words, *(Word(i, i) for i in items)), call, analyst, "xargs")
    else:
        facts += inner((*words, more), call, analyst, "xargs")
    return Outcome(action_of(tool), tuple(facts))


def _more(parsed: Parsed, call: Call, analyst: Analyst) -> Word:
    """The words that come from the input."""
    among = call.stdin.among
    if parsed.has("-a"):
        among = ()
    elif analyst.input_of(call).kind == "inherited":
        among = (Word("-", "-"),)  # the client hands on no input: no file is read
    if call.stdin.names and parsed.has("-0", "--null"):
        return Word(f"{call.stdin.names}*", None, prefix=call.stdin.names, glob=True, many=True, among=among)
    return Word("…", None, many=True, among=among, data=not among)


def _placeholders(parsed: Parsed) -> list[str] | None:
    """What `-I`, `-J` and `-i` replace by a name from the input; None when that is not known."""
    given = [w.value for w in parsed.values("-I", "-J")]
    if parsed.has("-i"):
        given += [w.value for w in parsed.values("-i")] or ["{}"]
    return None if None in given else [str(text) for text in given]


def _items(parsed: Parsed, call: Call) -> tuple[str, ...] | None:
    """The words that `echo WORDS | xargs PROGRAM` appends, all at once; None when that is not certain."""
    text = call.stdin.text
    plain = all(g.option.is_one_of(("-r", "-t", "--no-run-if-empty", "--verbose")) for g in parsed.given)
    if text is None or not plain or any(c in text for c in "'\"\\\0"):
        return None
    items = tuple(text.split())
    return items if 0 < len(items) <= 50 and not any(i.startswith("-") for i in items) else None


def _replaced(word: Word, marks: list[str], more: Word, *, many: bool) -> Word:
    """The word with a name from the input in the place of a mark."""
    for mark in marks:
        if word.value is not None and mark in word.value:
            before = word.value.partition(mark)[0]
            if more.prefix and not before and not many:
                return replace(more, many=False)
            among = more.among if word.value == mark else ()
            return Word(word.text, None, prefix=before, many=many, among=among, data=more.data)
    return word


def _flock(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`flock FILE PROGRAM …`, `flock FILE -c TEXT`, `flock NUMBER`."""
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(replace(tool, least=0), call, replace(parsed, operands=()), analyst))
    operands = parsed.operands
    if operands and not (operands[0].value or "x").isdigit():
        facts += write_fact(operands[0], call, analyst, "flock", "append")
    rest = operands[1:]
    if rest and rest[0].value in ("-c", "--command"):
        text = rest[1].value if len(rest) > 1 else None
        facts += (
            analyst.script(text, call, "flock -c", "login")
            if text is not None
            else (unknown("hidden command", "`flock -c`", call),)
        )
    else:
        facts += inner(rest, call, analyst, "flock")
    return Outcome(action_of(tool), tuple(facts))


def _joined(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The operands, joined by blanks, are run by a shell (watch), or each of them is (hyperfine). With `watch -x` and
    `hyperfine -N` there is no shell: `#x/e.sh` is no comment then, and `A=x/e.sh` no assignment.
    """
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(replace(tool, least=0), call, replace(parsed, operands=()), analyst))
    if any(w.value is None for w in parsed.operands):
        facts.append(unknown("hidden command", f"it is not known what `{tool.name}` runs", call))
    elif tool.name == "hyperfine":
        for word in parsed.operands:
            facts += analyst.script(word.value or "", call, tool.name, "sh")
        beside = parsed.values("-p", "-c", "-s", "--conclude")
        for word in (*parsed.operands, *beside) if parsed.has("-N") else ():
            facts += inner(tuple(Word(w, w) for w in (word.value or "").split()), call, analyst, tool.name)
    elif parsed.has("-x", "--exec"):
        facts += inner(parsed.operands, call, analyst, tool.name)
    elif parsed.operands:
        facts += analyst.script(" ".join(w.value or "" for w in parsed.operands), call, tool.name, "sh")
    return Outcome(action_of(tool), tuple(facts))


def _strace(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`-o FILE`, and `-o '|COMMAND'`; `-e abbrev=none` (or `a=none`) shows the environment, as `-v` does."""
    outcome, parsed = wrap(tool, call, analyst), parse(tool, call.words[1:])
    facts = list(outcome.facts)
    plain = ("trace", "t", "signal", "signals", "s", "status", "quiet", "silent", "q", "decode-fds", "read", "write")
    facts += [
        unknown("option", "`strace` may show environment variables, or change what the program sees", call, w.text)
        for w in parsed.values("-e")
        if w.value is None or ("=" in w.value and w.value.partition("=")[0] not in plain)
    ]
    for word in parsed.values("-o"):
        if word.value is not None and word.value.startswith(("|", "!")):
            fed = replace(call, stdin=Stdin("unknown"))  # with what the program does
            facts += analyst.script(word.value[1:], fed, f"{tool.name} -o", "sh")
        else:
            facts += write_fact(word, call, analyst, f"{tool.name} -o", "overwrite")
    return Outcome(outcome.action, tuple(facts))


def _script(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """util-linux: `script -c TEXT FILE`; BSD: `script FILE PROGRAM …`. The file is written."""
    parsed = parse(tool, call.words[1:])
    if len(parsed.operands) > 1:  # BSD: what stands behind the file belongs to the program, options too
        leading = parse(tool, call.words[1:], stop_at_operand=True)
        rest = call.words[1 + leading.stopped_at :]
        parsed = replace(leading, operands=tuple(rest[1:] if rest[0].value == "--" else rest))
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    operands = parsed.operands
    if parsed.has("-p") and not parsed.has("-c"):
        return Outcome(action_of(tool), tuple(facts))
    facts += write_fact(
        operands[0] if operands else Word("typescript", "typescript"), call, analyst, "script", "overwrite"
    )
    if not parsed.has("-c") and len(operands) < 2:
        facts.append(unknown("hidden command", "`script` starts an interactive shell", call))
    facts += inner(operands[1:], call, analyst, "script")
    return Outcome(action_of(tool), tuple(facts))


def _busybox(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    if words and words[0].value == "--coreutils-prog":
        words = words[1:]
    return Outcome(action_of(tool), inner(words, call, analyst, tool.name))


_STOPS = Reading(stops_at_operand=True)
_ANY_OPTIONS = Reading(stops_at_operand=True, any_options=True)


def _wrapper(name: str, description: str, *, lead: int = 0, **fields: Any) -> Tool:
    fields.setdefault("special", wrap)
    fields.setdefault("reading", _STOPS)
    return Tool(name, Kind.WRAPPER, description, least=lead, **fields)


_ROWS = (
    _wrapper(
        "env",
        "runs a program in a changed environment",
        manual="GNU coreutils 9.1",
        special=_env,
        options="""
            flag    -i,--ignore-environment -0,--null -v,--debug --list-signal-handling
            value   -u,--unset -S,--split-string
            maybe   --block-signal --default-signal --ignore-signal
            directory -C,--chdir
            asks-value -a,--argv0: runs the program under another name
            asks-value -P: looks for the program elsewhere
        """,
        examples=("env LC_ALL=C ls",),
        counter_examples=("env", "env -S 'touch /x'", "env -iS'touch /x'", "env --split-s='touch /x'"),
    ),
    _wrapper(
        "timeout",
        "runs a program for a limited time",
        lead=1,
        options="""
            flag    --preserve-status --foreground -v,--verbose -p -f
            value   -k,--kill-after -s,--signal
        """,
        manual="GNU coreutils 9.1",
        examples=("timeout 5 ls", "timeout -k 1 5 ls"),
        counter_examples=("timeout -v 9 touch /x",),
    ),
    _wrapper(
        "nice",
        "runs a program with another priority",
        options="value -n --adjustment",
        reading=Reading(stops_at_operand=True, numbers=True),
        manual="GNU coreutils 9.1",
    ),
    _wrapper("nohup", "runs a program that survives the terminal", manual="GNU coreutils 9.1"),
    _wrapper(
        "stdbuf",
        "runs a program with other buffers",
        options="value -i,--input -o,--output -e,--error",
        manual="GNU coreutils 9.1",
    ),
    _wrapper(
        "setsid",
        "runs a program in a session of its own",
        options="flag -c,--ctty -f,--fork -w,--wait",
        manual="util-linux 2.38.1",
    ),
    _wrapper(
        "time",
        "runs a program and measures its time",
        options="""
            flag    -p,--portability -v,--verbose -a,--append -l -h -q,--quiet
            value   -f,--format
            writes  -o,--output
        """,
        manual="time 1.9",
        counter_examples=("time -o /x ls",),
    ),
    _wrapper(
        "ionice",
        "runs a program with another priority",
        options="""
            flag    -t --ignore
            value   -c,--class -n --classdata
            asks    -p,--pid -P -u --pgid --uid: changes a running process
        """,
        manual="util-linux 2.38.1",
    ),
    _wrapper(
        "caffeinate",
        "keeps the computer awake",
        options="""
            flag    -d -i -m -s -u
            value   -t -w
        """,
        manual="caffeinate(8) of macOS, November 2012",
    ),
    _wrapper(
        "xargs",
        "runs a program with words from its input",
        options="""
            flag    -0 --null -r --no-run-if-empty -t --verbose -x --exit --show-limits
            value   -d,--delimiter -E -I -L -n --max-args -P --max-procs -s --max-chars -J -R -S
            maybe   -e,--eof -i,--replace -l --max-lines
            reads   -a,--arg-file
            asks    -p --interactive -o,--open-tty: asks at a terminal
            asks    --process-slot-var: sets a variable
        """,
        manual="GNU findutils 4.9.0",
        examples=("xargs -0 grep -n x", "xargs -n1 head", "xargs -I {} wc -l {}"),
        counter_examples=("xargs touch", "xargs -i touch /x", "xargs -I% sh -c 'touch %'", "xargs -n1 -P4 rm"),
        special=_xargs,
    ),
    _wrapper(
        "flock",
        "runs a program while it holds a lock",
        options="""
            flag    -s,--shared -x -e,--exclusive -u,--unlock -n,--nb --nonblock -o --close -F --no-fork
            flag    -v,--verbose
            value   -w,--wait --timeout -E --conflict-exit-code
            runs    -c,--command
        """,
        manual="util-linux 2.38.1",
        special=_flock,
    ),
    _wrapper(
        "watch",
        "runs a program again and again",
        options="""
            flag    -b,--beep -c,--color -C --no-color -e,--errexit -g --chgexit -p,--precise -t
            flag    --no-title -w --no-wrap -x --exec -r
            value   -n --interval -q --equexit
            maybe   -d,--differences
        """,
        manual="procps-ng 4.0.2",
        special=_joined,
    ),
    _wrapper(
        "hyperfine",
        "measures commands",
        options="""
            flag    -i,--ignore-failure -N --show-output
            value   -w,--warmup -m,--min-runs -M,--max-runs -r,--runs --style -u --time-unit -n
            value   --command-name --sort
            runs    -p,--prepare -c,--cleanup -s,--setup --conclude
            writes  --export-json --export-markdown --export-csv
            asks    -S,--shell: runs another shell
        """,
        reading=Reading(),
        manual="hyperfine 1.15.0",
        special=_joined,
    ),
    Tool(
        "script",
        Kind.WRAPPER,
        "records a session",
        options="""
            flag    -a,--append -e --return -f,--flush --force -q,--quiet -d -k -r -p -F
            value   -E,--echo -o,--output-limit -m --logging-format
            runs    -c,--command
            writes  -I,--log-in -O,--log-out -B,--log-io -T,--log-timing
            asks    -t,--timing: writes a file, or not
        """,
        reading=Reading(),
        manual="util-linux 2.38.1",
        special=_script,
    ),
    # Programs of their own under the names of others, with options that may mean something else.
    _wrapper("busybox", "runs one of its own programs", allowed=False, reading=_ANY_OPTIONS, special=_busybox),
    _wrapper("toybox", "runs one of its own programs", allowed=False, reading=_ANY_OPTIONS, special=_busybox),
    _wrapper("coreutils", "runs one of its own programs", allowed=False, reading=_ANY_OPTIONS),
    _wrapper(
        "strace",
        "runs a program and shows its system calls",
        options="""
            flag    -f -ff -F -c -C -d -q -qq -r -t -tt -ttt -T -x -xx -y -yy -i -k -w -n
            value   -e -s -a -O -S -b -P --trace -o,--output
            asks    -p --attach -E -u -D: changes another process
            asks    -v --no-abbrev: shows environment variables, credentials included
        """,
        manual="strace -- 6.1",
        examples=("strace -f -e trace=file -o trace.log ls",),
        counter_examples=("strace -o /x ls", "strace -o '|touch /x' ls", "strace -fv ls", "strace -e a=none ls"),
        special=_strace,
    ),
    *(
        _wrapper(name, "runs a program", allowed=False, reading=_ANY_OPTIONS)
        for name in (
            "choom",
            "setarch",
            "linux64",
            "linux32",
            "i386",
            "x86_64",
            "uname26",
            "prlimit",
            "chrt",
            "taskset",
            "ltrace",
            "unbuffer",
            "chronic",
            "chroot",
            "unshare",
            "nsenter",
            "firejail",
            "bwrap",
            "proxychains",
            "proxychains4",
            "xvfb-run",
            "dbus-run-session",
            "ssh-agent",
            "sg",
            "chpst",
            "softlimit",
            "cpulimit",
            "logsave",
            "distcc",
            "ccache",
            "cross-env",
            "dotenv",
            "dotenvx",
            "systemd-run",
            "systemd-inhibit",
            "sudo",
            "doas",
            "pkexec",
            "run0",
            "sudo-rs",
            "dzdo",
            "gosu",
            "su-exec",
            "runuser",
            "setpriv",
            "start-stop-daemon",
            "valgrind",
            "rlwrap",
            "torsocks",
            "torify",
            "faketime",
            "eatmydata",
            "fakeroot",
            "numactl",
            "perf",
            "heaptrack",
            "proot",
            "sshpass",
            "setuidgid",
            "envdir",
            "daemonize",
            "at",
            "batch",
            "sem",
            "rush",
            "tsp",
            "watchexec",
            "cgexec",
            "schroot",
            "dbus-launch",
            "capsh",
            "envchain",
            "ld.so",
            "multitime",
            "genie",
            "pexec",
            "setlock",
            "openvt",
            "xterm",
            "grc",
        )
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
