"""make, cmake, ninja, meson, just, bazel: they run the project's recipes, and `make -n` still expands `$(shell …)`.

A target is the project's own code, allowed by the profiles of compiled languages (`c-dev`, and by every other stack
that keeps its commands in a Makefile). Another makefile, another shell or a variable with a `$` is somebody else's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, directory_after, facts_of, row, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import place_facts, plain_words, runner, runs_elsewhere, runs_tasks
from askfirst.shell.tools.scripts import is_risky_script
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool, asking

__all__ = ["TOOLS"]

_PROFILE = "c-dev python-dev node-dev rust-dev go-dev jvm-dev ios-dev ruby-dev php-dev dotnet-dev beam-dev dart-dev"
# Variables that choose a program or further files.
_INERT_VARIABLES = frozenset(
    "V VERBOSE DEBUG Q J JOBS BUILD BUILD_TYPE CONFIG TEST TESTS T ARGS TARGET ARCH VERSION NAME RELEASE "
    "PROFILE MODE NUM_JOBS COVERAGE FILTER RUN N K".split()
)


def make(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`make TARGET`: the target names the action; every variable must be a plain one."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [
        *facts_of(tool, call, parsed, analyst),
        *place_facts(tool, _moved(call, parsed, analyst), analyst),
    ]
    if parsed.has("--version", "-v", "--help", "-h") and len(call.words) == 2:
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version")
        )
    targets: list[str] = []
    for word in parsed.operands:
        text = word.value
        if text is None:
            facts.append(unknown("expansion", f"`{word.text}` may be any target or variable", call, word.text))
        elif "=" in text:
            name, _, value = text.partition("=")
            if name.rstrip(":+?") not in _INERT_VARIABLES:
                facts.append(unknown("variable", f"`{text}` changes what the recipes run", call, text))
            facts += plain_words((Word(value, value),), tool, call, analyst)
        else:
            targets.append(text)
            # `%: %.sh` is built in: `make conftest.py` makes it of conftest.py.sh.
            facts += write_fact(word, call, analyst, tool.name, "overwrite") if "." in text else []
    risky = any(is_risky_script(t) for t in targets)
    description = "runs recipes of the project's makefile" + (
        ", whose name says that they change more than files" if risky else ""
    )
    return runs_tasks(tool, tuple(targets), facts, profile=_PROFILE, description=description, risky=risky)


def _moved(call: Call, parsed: Any, analyst: Analyst) -> Call:
    cwd, moved = directory_after(parsed, call, analyst)
    return replace(call, cwd=cwd) if moved else call


_MAKE = Tool(
    "make",
    Kind.BUILD,
    "runs recipes of the project's makefile",
    options="""
        flag    -b -m -B --always-make -d -h,--help -i,--ignore-errors -k,--keep-going -L
        flag    --check-symlink-times -n --just-print --dry-run --recon
        flag    -q,--question -r --no-builtin-rules -R --no-builtin-variables -s,--silent --quiet
        flag    --no-silent -S --no-keep-going --stop -t,--touch --trace -v,--version -w
        flag    --print-directory --no-print-directory --warn-undefined-variables
        value   -W,--what-if --new-file --assume-new --old-file --assume-old
        maybe   -j,--jobs -l,--load-average --max-load -O,--output-sync --debug --shuffle
        directory -C,--directory
        asks    -f,--file --makefile: uses another makefile
        asks    -E,--eval: runs make code from the command
        asks    -I,--include-dir: includes other files
        asks    -e,--environment-overrides: lets the environment choose programs
        asks    -p,--print-data-base: shows every variable, those of the environment too
        asks    -o: is not known
    """,
    operands=(INERT, ...),
    key_words=2,
    manual="GNU Make 4.3",
    examples=(
        "make test",
        "make test ARGS='-k foo'",
        "make -n build",
        "make -j4 lint",
        "make --jobs=4 target",
        "make help",
        "make -C sub test",
        "make test V=1",
    ),
    counter_examples=(
        "make ARGS='; touch x'",
        "make TEST='x && touch y'",
        "make ARGS='-p /tmp/evil'",
        "make terraform-apply",
        "make SHELL=/tmp/evil test",
        "make --eval='x:;touch y' x",
        "make -f /tmp/evil.mk",
        "make -C /tmp/evilmk",
        "make --dir=/tmp/evilmk",
        "make test CFLAGS='$(shell touch x)'",
        "make deploy",
        "make install DESTDIR=/",
        "make MAKEFILES=/tmp/x test",
        "make -I /tmp/inc test",
        "make --makefile=/tmp/x",
        "make -e build",
        "make conftest.py",
        "make .npmrc",
        "make CC=/tmp/x",
    ),
    special=make,
)


_CMAKE_PRINTS = ("--version", "-version", "--help", "-help", "-h", "-usage", "/V", "--system-information")
_CMAKE_TOPICS = tuple(f"--help-{topic}" for topic in "command manual module policy property variable".split())


def _cmake_help(call: Call) -> Outcome:
    """A word behind the topic, and behind everything that has none, is the file into which the text goes."""
    first = call.words[1].value or ""
    alone = first.startswith(_CMAKE_PRINTS) and len(call.words) == 2 + (first in _CMAKE_TOPICS)
    return Outcome(
        Action(("cmake", "--help"), Kind.READ, rule="cmake", allowed=True, description="shows help"),
        () if alone else (unknown("operands", "`cmake` may write its help into a file", call),),
    )


def cmake(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Three programs in one: configuring, `--build`, and `-E`, which copies, deletes and runs."""
    words = call.words
    first = words[1].value if len(words) > 1 else None
    if any((w.value or "").startswith(_CMAKE_PRINTS) for w in words[1:]):
        return _cmake_help(call)
    if first == "--build":
        return apply(_CMAKE_BUILD, call_after(call, words[2:]), analyst)
    if first in ("-E", "-P", "--install", "--open", "--workflow", "--find-package"):
        return Outcome(
            Action(("cmake", first), Kind.WRAPPER, rule="cmake", description="copies, deletes, installs or runs"),
            (unknown("hidden command", f"`cmake {first}` runs a command", call),),
        )
    outcome = apply(_CMAKE_CONFIGURE, call, analyst)
    odd = [w for w in parse(_CMAKE_CONFIGURE, words[1:]).values("-D") if not _is_plain_define(w.value or "CMAKE_?")]
    facts = (unknown("variable", f"`-D{w.text}` may choose programs, files or options", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def _is_plain_define(text: str) -> bool:
    """`BUILD_TESTING=ON`: the name chooses no program, and the value can be no option, list or path."""
    name, _, value = text.partition("=")
    name = name.partition(":")[0]
    if name.startswith("CMAKE_") and name not in _INERT_DEFINES:
        return False
    return not (any(part in name for part in _CHOOSING) or any(c in value for c in " /;$") or value.startswith("-"))


_CHOOSING = tuple(
    "LAUNCHER WRAPPER TOOLCHAIN LINKER INCLUDE COMMAND PROGRAM EXECUTABLE COMPILER FETCHCONTENT_ FLAGS PROVIDER".split()
)
_INERT_DEFINES = (
    "CMAKE_BUILD_TYPE",
    "CMAKE_EXPORT_COMPILE_COMMANDS",
    "CMAKE_VERBOSE_MAKEFILE",
    "CMAKE_CXX_STANDARD",
    "CMAKE_C_STANDARD",
    "CMAKE_POSITION_INDEPENDENT_CODE",
    "CMAKE_CXX_STANDARD_REQUIRED",
    "CMAKE_C_STANDARD_REQUIRED",
    "CMAKE_UNITY_BUILD",
    "CMAKE_COLOR_MAKEFILE",
    "CMAKE_COLOR_DIAGNOSTICS",
)
_CMAKE_CONFIGURE = Tool(
    "cmake",
    Kind.BUILD,
    "configures the project",
    profile=_PROFILE,
    options="""
        flag    -Wdev -Wno-dev -Wdeprecated -Wno-deprecated -Werror=dev --fresh -L -LA -N
        flag    --warn-uninitialized --log-context --list-presets
        value   -G -D -U -T -A --preset --log-level
        reads   -S
        below   -B
        asks    -C: loads a script
        asks    --toolchain --install-prefix --debugger --graphviz: writes or loads other files
        asks    --trace --trace-source --trace-redirect: writes or loads other files
        asks    --profiling-output --system-information --debug-find: writes or loads other files
    """,
    operands=(INERT, ...),
    examples=(
        "cmake -B build -DCMAKE_BUILD_TYPE=Release",
        "cmake --build build",
        "cmake .",
        "cmake --help",
        "cmake --build build --target tests",
    ),
    counter_examples=(
        "cmake --build build -- SHELL=x",
        "cmake -DGIT_EXECUTABLE=./evil .",
        "cmake -DCMAKE_C_STANDARD_LIBRARIES='-wrapper ./evil' -B b",
        "cmake -DPERL=./evil -B b",
        "cmake -E env touch x",
        "cmake -S /tmp/evilcm -B /tmp/b",
        "cmake -DCMAKE_C_COMPILER_LAUNCHER=/tmp/evil -S . -B b",
        "cmake --build b --target install",
        "cmake -P x.cmake",
        "cmake --build /tmp/x",
    ),
    special=runner,
)


def cmake_build(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = runner(tool, call, analyst)
    parsed = parse(tool, call.words[1:])
    targets = parsed.values("-t")
    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    for word in call.words[at + 1 :]:
        if word.value not in ("-k", "-v", "-s", "V=1", "VERBOSE=1") and not (
            (word.value or "").startswith("-j") and (word.value or "")[2:].isdigit()
        ):
            return replace(
                outcome,
                facts=(*outcome.facts, unknown("option", f"`{word.text}` goes to the builder", call, word.text)),
            )
    if not (parsed.operands or parsed.has("--preset")):
        return replace(outcome, facts=(*outcome.facts, unknown("operands", "no directory to build is named", call)))
    more = parsed.operands[0 if parsed.has("--preset") else 1 :]  # `--target a b`
    if any(is_risky_script(t.value or "deploy") for t in (*targets, *more)):
        return replace(
            outcome,
            action=replace(
                outcome.action, allowed=False, profile="", description="builds a target that changes more than files"
            ),
        )
    return outcome


_CMAKE_BUILD = Tool(
    "cmake --build",
    Kind.BUILD,
    "builds the project",
    profile=_PROFILE,
    options="""
        flag    -v,--verbose --clean-first --use-stderr
        value   --config --preset -t,--target
        maybe   -j --parallel
    """,
    operands=(INERT, ...),
    key_words=2,
    special=cmake_build,
)


def _build(name: str, description: str, **more: Any) -> Tool:
    more.setdefault("operands", (INERT, ...))
    more["options"] = "flag -h,--help\n" + more.get("options", "")
    return Tool(
        name,
        Kind.BUILD,
        description,
        profile=_PROFILE,
        special=more.pop("special", runner),
        key_words=len(name.split()),
        **more,
    )


def tasks(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """just, task, invoke: the words name recipes of the project."""
    outcome = runner(tool, call, analyst)
    operands = parse(tool, call.words[1:]).operands
    outcome = replace(outcome, facts=(*outcome.facts, *plain_words(operands, tool, call, analyst)))
    named = [w for w in operands if "=" in (w.value or "") and not (w.value or "").startswith("-")]
    if named:
        outcome = replace(
            outcome,
            facts=(
                *outcome.facts,
                unknown("variable", f"`{named[0].text}` changes what the recipes run", call, named[0].text),
            ),
        )
    names = tuple(w.value or w.text for w in operands)
    if any(is_risky_script(n) for n in names if not n.startswith("-")):
        return replace(
            outcome,
            action=replace(
                outcome.action,
                key=(tool.name, *names),
                allowed=False,
                profile="",
                description="runs a recipe whose name says that it changes more than files",
            ),
        )
    return replace(outcome, action=replace(outcome.action, key=(tool.name, *names)))


def ninja(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, _moved(call, parsed, analyst), analyst)]
    targets = tuple(w.value or w.text for w in parsed.operands)
    risky = any(is_risky_script(t) for t in targets) or any(v.value not in _NINJA_READS for v in parsed.values("-t"))
    return runs_tasks(tool, targets, facts, profile=_PROFILE, description="builds the project", risky=risky)


def meson_setup(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Options of meson itself can hand a plugin to the compiler (`-Dc_args=…`), or name files that are loaded."""
    outcome = runner(tool, call, analyst)
    given = parse(tool, call.words[1:]).values("-D")
    odd = [w for w in given if (w.value or "_args").partition("=")[0].endswith(("_args", "_path", "_flags", "_env"))]
    facts = (unknown("variable", f"`-D{w.text}` may choose programs or files", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def bazel(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Labels begin with `//`: only those of this workspace pass."""
    outcome = row(tool, call, analyst)
    facts: list[Fact] = runs_elsewhere(tool.name, call, analyst)
    for word in parse(tool, call.words[1:]).operands:
        text = word.value or "@"
        if (text.startswith(("@", "/")) and not text.startswith("//")) or ".." in text.split("/") or "://" in text:
            facts.append(unknown("path", f"`{word.text}` is not a label of this workspace", call, word.text))
    return replace(outcome, facts=(*outcome.facts, *facts))


def configure(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The project's own script. Where it would install is not where it writes. What chooses a compiler, another source
    or a program (`--with-perl=./x`) asks; autoconf takes every beginning of a name (`--ca` is `--cache-file`).
    """
    action = Action(
        (tool.name,), Kind.BUILD, rule=tool.name, allowed=True, profile=_PROFILE, description="configures the project"
    )
    facts: list[Fact] = runs_elsewhere(tool.name, call, analyst)
    for word in call.words[1:]:
        name, _, value = (word.value or "?").partition("=")
        installs = name in ("--prefix", "--exec-prefix") or (name.endswith("dir") and not name.startswith("--s"))
        known = name in _CONFIGURE_PLAIN or (name.startswith(_CONFIGURE_CHOICES) and "/" not in value)
        if not (known or (installs and value)) or any(c in value for c in "$`\"'\\;&|"):
            facts.append(unknown("option", f"`{word.text}` may choose programs or files", call, word.text))
    return Outcome(action, tuple(facts))


_RESPONSES = Reading(response_files=True)  # `meson test @FILE`
_CONFIGURE_PLAIN = ("--help", "--version", "--quiet", "--silent", "--no-create")
_CONFIGURE_CHOICES = ("--enable-", "--disable-", "--with-", "--without-")


_NINJA_READS = (
    "targets",
    "list",
    "commands",
    "deps",
    "graph",
    "query",
    "rules",
    "missingdeps",
    "inputs",
    "compdb",
    "compdb-targets",
)

TOOLS: dict[str, Tool] = {
    "make": _MAKE,
    "gmake": replace(_MAKE, name="gmake", examples=("gmake -q",), counter_examples=()),
    "cmake": Tool(
        "cmake",
        Kind.BUILD,
        "configures and builds the project",
        special=cmake,
        key_words=2,
        manual="cmake 4.4.4",
        subcommands={"--build": _CMAKE_BUILD, "configure": _CMAKE_CONFIGURE},
    ),
    "ctest": _build(
        "ctest",
        "runs the project's tests",
        options="""
            flag    -V -VV --verbose --extra-verbose --output-on-failure -Q,--quiet -N --stop-on-failure
            flag    --rerun-failed --schedule-random --progress --print-labels -F
            value   -C --build-config -R --tests-regex -E,--exclude-regex -L,--label-regex -LE
            value   --label-exclude -I --tests-information --timeout --repeat --preset --test-dir
            maybe   -j --parallel --show-only
            writes  -O,--output-log --output-junit
            asks    -S,--script -SP --script-new-process -D,--dashboard -M -T: runs a script
            asks    --build-and-test: runs a script
            asks    --test-command: runs a command
        """,
        manual="ctest 4.4.4",
        examples=("ctest", "ctest --parallel 4", "ctest --show-only", "ctest --output-on-failure"),
        counter_examples=("ctest -S /tmp/x", "ctest --test-dir /tmp/x", "ctest --build-and-test a b"),
        special=lambda tool, call, analyst: runner(tool, call, analyst),
    ),
    "cpack": asking("cpack", "packs the project", Kind.BUILD),
    "ninja": Tool(
        "ninja",
        Kind.BUILD,
        "builds the project",
        options="""
            flag    -v,--verbose --quiet -n -h,--help
            value   -j -k -l -t -d -w
            directory -C
            asks    -f: uses another build file
        """,
        operands=(INERT, ...),
        manual="ninja 1.13.2",
        examples=("ninja", "ninja -C build", "ninja -t targets", "ninja -j 4"),
        counter_examples=("ninja -f /tmp/x.ninja", "ninja -C /tmp/evil", "ninja -t clean", "ninja install"),
        special=ninja,
    ),
    "meson": Tool(
        "meson",
        Kind.BUILD,
        "builds the project",
        profile=_PROFILE,
        options="flag -h,--help",
        key_words=2,
        manual="meson 1.12.1",
        subcommands={
            "setup": _build(
                "meson setup",
                "configures the project",
                options="""
                    flag    --reconfigure --wipe
                    value   --buildtype -D
                    asks    --native-file --cross-file: chooses programs
                """,
                reading=_RESPONSES,
                special=meson_setup,
                examples=("meson setup build -Dtests=true",),
                counter_examples=("meson setup b -Dc_args=-fplugin=x", "meson setup b -D pkg_config_path=x"),
            ),
            "compile": _build(
                "meson compile",
                "builds the project",
                options="""
                    flag    -v,--verbose --clean
                    value   -j -C
                """,
                reading=_RESPONSES,
            ),
            "test": _build(
                "meson test",
                "runs the project's tests",
                options="""
                    flag    -v,--verbose --list --no-rebuild
                    value   -C -t --suite
                    asks    --wrap --wrapper --gdb: runs a program
                """,
                reading=_RESPONSES,
                counter_examples=("meson test @args",),
            ),
        },
    ),
    "just": Tool(
        "just",
        Kind.BUILD,
        "runs recipes of the project",
        profile=_PROFILE,
        options="""
            flag    -l,--list --summary -n --dry-run -q,--quiet -v,--verbose --evaluate --variables
            flag    -h,--help --dump --check --unstable
            value   -s,--show
            asks    -f --justfile -d --working-directory -g,--global-justfile: uses another file
            asks    --shell --shell-arg -c,--command --set: runs a command
            asks    -e,--edit --choose --chooser --init --fmt: changes or waits
        """,
        operands=(INERT, ...),
        reading=Reading(stops_at_operand=True),
        manual="just 1.59.0",
        examples=("just --list", "just test", "just build --release"),
        counter_examples=(
            "just test 'x; touch y'",
            "just x=y test",
            "just -f /tmp/x",
            "just --shell /tmp/x test",
            "just deploy",
            "just --set CC /tmp/x build",
        ),
        special=tasks,
    ),
    "task": Tool(
        "task",
        Kind.BUILD,
        "runs tasks of the project",
        profile=_PROFILE,
        options="""
            flag    -l,--list -a --list-all -j,--json -n --dry -s,--silent -v,--verbose -f,--force
            flag    -p,--parallel --summary -h,--help --status
            asks    -t,--taskfile -d,--dir -g,--global: uses another file
            asks    -i,--init -w,--watch --download -y,--yes: changes or waits
        """,
        operands=(INERT, ...),
        manual="task 3.54.0",
        examples=("task --list", "task test"),
        counter_examples=("task -t /tmp/x", "task deploy", "task X=y build", "task build -- --config=x"),
        special=tasks,
    ),
    "configure": _build(
        "configure",
        "configures the project",
        reading=ANY_OPTIONS,
        manual="GNU Autoconf 2.71",
        examples=("configure --enable-x",),
        counter_examples=(
            "configure CC=/tmp/x",
            "configure --srcdir=/tmp/x",
            "configure --cache-file=/tmp/x",
            "configure --ca=./x",
            "configure --ho=x",
            "configure --with-perl=./x",
        ),
        special=configure,
    ),
    "bazel": Tool(
        "bazel",
        Kind.BUILD,
        "builds the project",
        key_words=2,
        manual="Bazel 7 command-line reference (bazel.build)",
        profile=_PROFILE,
        subcommands={
            "build": _build(
                "bazel build",
                description="builds the project",
                options="""
                    flag    -k,--keep_going -s --nobuild
                    value   --config --jobs -c,--compilation_mode --output_groups
                """,
                examples=("bazel build //...",),
                counter_examples=("bazel build @evil//x", "bazel build --spawn_strategy=local //a"),
                special=bazel,
            ),
            "test": _build(
                "bazel test",
                description="runs the project's tests",
                options="""
                    flag    -k,--keep_going --nocache_test_results
                    value   --test_output --config --test_filter --jobs --test_tag_filters -c,--compilation_mode
                """,
                examples=("bazel test //pkg:all",),
                counter_examples=("bazel test @external//pkg:x", "bazel test --run_under=x //a"),
                special=bazel,
            ),
        },
    ),
}
