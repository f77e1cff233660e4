"""What a program that is installed here says about itself, and how it reads its words.

A program is only started in a sandbox (bubblewrap): the file system cannot be written, there is no network, and the
empty directory in which it runs is also its home. Without bubblewrap nothing is started.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from askfirst.shell.tools.options import FLAG, GLUED, VALUE

SECONDS = 10
MOST_BYTES = 600_000
# Further directories of programs can be named by whoever runs this: a virtual environment, node_modules/.bin.
PATH = os.pathsep.join(
    part
    for part in (os.environ.get("ASKFIRST_MANUALS_PATH", ""), str(Path(sys.executable).parent), os.environ.get("PATH"))
    if part
)

# What is at hand in the sandbox: a file, and one that holds an option (`@FILE` is a response file to some programs).
_FILE, _RESPONSES = "askfirst-file", {"askfirst-version": "--version\n", "askfirst-help": "--help\n"}
_PROBE = "--askfirst-probe"


class Printed(NamedTuple):
    """What a run printed, on both streams, and how it ended."""

    text: str
    status: int


# Debian's names of programs whose own were taken.
_INSTALLED_AS = {"fd": "fdfind", "bat": "batcat"}


def installed_name(name: str) -> str:
    other = _INSTALLED_AS.get(name, name)
    return other if shutil.which(name, path=PATH) is None else name


@cache
def run(*command: str) -> Printed:
    """One run of a program; nothing if it does not start or does not end."""
    sandbox = shutil.which("bwrap")
    if sandbox is None:
        return Printed("", -1)
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in {_FILE: "", **_RESPONSES}.items():
            (Path(scratch) / name).write_text(text)
        words = [sandbox, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", scratch, scratch]
        words += ["--unshare-all", "--die-with-parent", "--new-session", "--chdir", scratch]
        # Some programs never stop to print: the pipe ends them.
        words += ["bash", "-c", f'set -o pipefail; "$@" 2>&1 | head -c {MOST_BYTES}', "bash", *command]
        quiet = {"PATH": PATH, "HOME": scratch, "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAGER": "cat", "MANPAGER": "cat"}
        quiet |= {name: os.environ[name] for name in ("MANPATH", "NODE_PATH") if name in os.environ}
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                env=quiet | {"MANWIDTH": "200", "COLUMNS": "200", "NO_COLOR": "1"},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return Printed("", -1)
    text = re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout.decode("utf-8", "replace"))
    return Printed(text.replace(scratch, "~"), done.returncode)


# -- which version


_NUMBER = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+\w*|\d{3})\b")
_FAILED = re.compile(r"(?i)command not found|no such|invalid option|unrecognized|unknown option|usage:")
_NOISE = re.compile(
    r"(?i)\bversion\b:?|\bfor Debian\b|\bDebian\b|\bThis is\b|\(64-bit\)|[()]|[,:*]+(?=\s|$)|(?<=\s)-\s"
)


def version_in(name: str, text: str) -> str:
    """`sort (GNU coreutils) 9.1` -> `GNU coreutils 9.1`; empty if the text names no version."""
    if _FAILED.search(text):
        return ""
    for line in text.strip().splitlines()[:3]:
        line = re.sub(r"(?<=[a-z])-(?=\d)", " ", line)  # `jq-1.6`
        number = _NUMBER.search(line)
        if number is None:
            continue
        if not number.group(1).strip("0."):  # `0.0.0`: built without one
            return ""
        before = line[: number.start()]
        package = re.search(r"\(([A-Za-z][^()]*)\)", before) or re.search(r"\(Debian (\w+) ", before)
        package = package or re.search(r"\bfrom (\S+)", before)
        said = " ".join(_NOISE.sub(" ", package.group(1) if package else before).split())
        # A sentence about itself is no name.
        return f"{said if 0 < len(said.split()) < 3 else name} {number.group(1)}"
    return ""


@cache
def version_of(name: str) -> str:
    """As the program says it; otherwise that of the package that it came with."""
    said = version_in(name, run(name, "--version").text)
    return said or _version_of_package(name)


def _version_of_package(name: str) -> str:
    path = shutil.which(name, path=PATH)
    if path is None:
        return ""
    real = Path(path).resolve()
    for folder in real.parents:  # npm
        try:
            package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
            return f"{package['name']} {package['version']}"
        except (OSError, ValueError, KeyError):
            continue
    for found in real.parent.parent.glob(f"lib/python*/site-packages/{name.replace('-', '_')}-*.dist-info"):
        return f"{name} {found.name.removesuffix('.dist-info').rpartition('-')[2]}"
    for file in (real, path, str(path).removeprefix("/usr")):
        owner = run("dpkg-query", "-S", str(file)).text.partition(":")[0].split(",")[0]
        number = run("dpkg-query", "-W", "-f=${source:Upstream-Version}", owner)
        if number.status == 0 and number.text:
            return f"{owner} {number.text}"
    return ""


# -- which options


class Described(NamedTuple):
    """An option as a manual describes it."""

    takes: int  # as in options.py
    form: str  # its spellings, and the name of its value
    text: str  # the line it stands on, and what follows it


_SPELLING = re.compile(r"(--?(?:\[no-\])?[A-Za-z0-9?@#][\w.:+-]*)(\[?=?[^\s,|]*)((?: (?!-|or\b)[^\s,|]+)?)(?=(.?))")
_TYPED = re.compile(r"\[(?:string|number|array|choices)\b")  # yargs says it behind the description
_MOST_DESCRIBED = 600


def options_in(text: str) -> dict[str, Described]:
    """Every option that begins a line."""
    found: dict[str, Described] = {}
    lines = [line.replace("│", " ").replace("\u2010", "-").replace("\u2212", "-") for line in text.splitlines()]
    for at, line in enumerate(lines):
        begins = re.match(r"\s{0,16}(?:[·•○*o]\s+)?(?=-)(\S.*)", line)
        if begins is None:
            continue
        listed = re.split(r"\s{2,}|\t| : ", re.sub(r"(?<=,)\s+(?=-)|(?<=\w)/(?=-)", " ", begins.group(1)))[0]
        described = " ".join([line.strip(), *_paragraph(lines, at)])[:_MOST_DESCRIBED]
        group: dict[str, int] = {}
        for spelling, glued, apart, behind in _SPELLING.findall(listed):
            takes = FLAG
            if glued.startswith("[") or apart.startswith(" ["):
                takes = GLUED
            elif glued.startswith(("=", "<")) or apart.startswith(" <") or (apart and behind in ("", ",", "|")):
                takes = VALUE
            for each in {spelling.replace("[no-]", ""), spelling.replace("[no-]", "no-")}:
                group[each.rstrip(":.")] = takes
        # `-k, --key=KEYDEF`: the value is named once for all spellings.
        shared = max(group.values(), default=FLAG) or (VALUE if _TYPED.search(described) else FLAG)
        for spelling, takes in group.items():
            found.setdefault(spelling, Described(takes or shared, listed, described))
    return found


def _paragraph(lines: list[str], at: int) -> Iterator[str]:
    """The lines below an option that stand further to the right than it does."""
    margin = len(lines[at]) - len(lines[at].lstrip())
    for line in lines[at + 1 : at + 12]:
        indent = len(line) - len(line.lstrip())
        if line.strip() and (indent <= margin or line.lstrip().startswith("--")):
            return
        yield line.strip()


class Manual(NamedTuple):
    """What an installed program says about itself."""

    version: str
    options: dict[str, Described]


@cache
def manual_of(words: tuple[str, ...]) -> Manual | None:
    """Of a program or a sub-command. None: it is not there, or says too little to be compared."""
    name = installed_name(words[0])
    if shutil.which(name, path=PATH) is None:
        return None
    words = (name, *words[1:])
    page = run("man", "-".join(words))
    options = options_in(page.text)
    if len(words) == 1:
        options |= options_in(run(name, "--help").text)
        options = options or options_in(run(name, "-h").text) or options_in(run(name, "-help").text)
    else:
        for asked in (
            (*words, "--help"),
            (name, "help", *words[1:]),
            (*words, "-help"),
            (*words, "-h"),
            (name, "-m", *words[1:], "--help"),
        ):
            options = options or options_in(run(*asked).text)
    # A page without any option says that there are none.
    version = version_of(name) if options or page.status == 0 else ""
    return Manual(version, options) if version else None


@cache
def manual_of_builtin(name: str) -> Manual | None:
    """What bash says of a builtin of its own; None where it has none of this name."""
    text = run("bash", "-c", 'help -- "$1"', "bash", name)
    return Manual(version_of("bash"), options_in(text.text)) if text.status == 0 else None


# -- how it reads its words


class Habits(NamedTuple):
    """What trying tells; None where it does not."""

    stops_at_operand: bool | None = None  # a word that looks like an option, behind a file, is no option
    abbreviates: bool | None = None  # `--vers` is `--version`
    response_files: bool | None = None  # `@FILE` stands for the words in FILE
    numbers: bool | None = None  # `-5` is taken


@cache
def habits_of(name: str) -> Habits:
    name = installed_name(name)
    if shutil.which(name, path=PATH) is None:
        return Habits()
    return Habits(_stops(name), _abbreviates(name), _reads_responses(name), _takes_numbers(name))


def _stops(name: str) -> bool | None:
    """Whether the complaint about an option that nobody has is the same behind a file."""
    before, behind = run(name, _PROBE), run(name, _FILE, _PROBE)
    complaint = next((line for line in before.text.splitlines() if _PROBE.strip("-") in line), "")
    if not complaint or before.status == 0 or behind.status < 0:
        return None
    return complaint not in behind.text


def _informative(name: str) -> Iterator[tuple[str, Printed]]:
    for option in ("--version", "--help"):
        printed = run(name, option)
        if printed.status == 0 and printed.text.strip():
            yield option, printed


def _abbreviates(name: str) -> bool | None:
    """`--hel` may be ambiguous, so one of the two is enough."""
    known = list(_informative(name))
    return any(run(name, option[:-1]) == printed for option, printed in known) if known else None


def _reads_responses(name: str) -> bool | None:
    """Not one that prints its help for any word that it can do nothing with."""
    known = list(_informative(name))
    named = {"--version": "@askfirst-version", "--help": "@askfirst-help"}
    found = (option for option, printed in known if run(name, named[option]) == printed != run(name, "@askfirst-none"))
    return any(True for _ in found) if known else None


def _takes_numbers(name: str) -> bool | None:
    printed = run(name, "-5", _FILE)
    if printed.status < 0:
        return None
    return printed.status == 0 or not re.search(r"(?i)option|usage|argument|flag|-5", printed.text)
