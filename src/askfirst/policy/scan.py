"""A conservative look at text that was not understood: are hardcoded or organisation blocks hidden in it?

Two kinds of text come here. Words of a command whose program is known (an unknown option, an operand) prove nothing by
holding `sudo`: `grep --frob sudo README` asks. Text that something would run (broken syntax, `eval`, inline code, a
decoded string, an unknown program name) is searched: names in a place where a command may begin, and the few names that
mean only one thing in any place."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from askfirst.knowledge.programs import DECODERS, INTERPRETERS, SHELLS, WRAPPERS, base_name, family
from askfirst.knowledge.shells import BEFORE_A_COMMAND
from askfirst.model import NO_PROGRAM_NAME, OTHER_CODE, Command, Fact, Kind, Read, Unknown
from askfirst.policy.blocks import HAND_ON, NAMES, OWN_ANSWER, RUN_ON, TEXTS, Block, blocked_name

__all__ = ["block_argument", "block_killing", "block_read", "command_names", "find_block", "running_words"]

# Unknowns about the arguments or the surroundings of a program that is itself a fact: their words are not programs.
_ABOUT_ARGUMENTS = frozenset(
    "option;operands;code file;git configuration;git hook;directory;path;remote;secrets;network;skill".split(";")
)
# Something is run whose text is not in front of us: everything else in the request is where it may come from.
_RUNS_ANYTHING = frozenset("hidden command;eval;syntax;too long;internal;function;alias".split(";"))

# Names that mean only one thing, wherever they stand in text that would be run.
_STRONG = re.compile(
    r"(?<![\w.-])(sudo|sudoedit|doas|pkexec|run0|mkfs(?:\.\w+)?|wipefs|blkdiscard|sgdisk)(?![\w-])", re.IGNORECASE
)
_GLOBBED = frozenset("sudo sudoedit doas pkexec mkfs reboot shutdown poweroff".split())
# Pieces that are put together when the command runs: `a=su; b=do; $a$b`. (`do` and `as` are words of every script.)
_PIECES = ("sudo", "pkexec", "sudoedit", "reboot", "poweroff", "shutdown")

_DEADLY = tuple((re.compile(pattern), block) for pattern, block in TEXTS)
_POWER_NAMES = frozenset("reboot poweroff halt shutdown".split())
# In code of another language, a text that begins with one of these is a command.
_POWER_TEXT = re.compile(r"[\"'`]\s*(reboot|poweroff|halt|shutdown)\b")

_DECODED = Block(
    "hidden-code",
    "runs text that is decoded or put together at run time: nobody can see what it is",
    "write the command out in full",
)
_FORK = Block("fork-bomb", "starts copies of itself without end")
_FORK_TEXT = re.compile(r"([\w:.-]+)\s*\(\s*\)\s*[({]\s*(?:[^}]*[\s;&|({])?\1\s*\|\s*\1\s*&")

_MAX_FORK_TEXT = 500  # the expression tries every beginning

_ESCAPES = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3}))")
_EXPANSION = re.compile(r"\$\{\w+[^}]*\}|\$\(\(?[^()`]*\)?\)|\$\w+|\$[*@#?$!-]|``|`[^`]*`")
_DEFAULT = re.compile(r"\$\{\w+:?[-=+]([^{}$`]*)\}")
_PART = re.compile(
    r"\$?\{(?P<name>\w+)(?:(?P<all>//?)(?P<old>[^/}]*)(?:/(?P<new>[^}]*))?|"
    r":\s*(?P<start>\d{1,4})(?::(?P<length>\d{1,4}))?)?\}"
)
_BEGIN = re.compile(r"[;&|(){}\n`]|\$\(|<\(|>\(")
_LEADING = BEFORE_A_COMMAND | frozenset(
    "exec eval command builtin env nohup nice xargs trap busybox setsid timeout stdbuf".split()
)
_RUNS_CODE = re.compile(r"system|exec|spawn|popen|subprocess|child_process|`|shell|pty\.", re.IGNORECASE)
_STARTS_PROGRAMS = re.compile(r"\b(?:spawn|system|exec|shell-command)\b")
_RUNNERS = (SHELLS | INTERPRETERS | WRAPPERS | frozenset("vi view rvim tmux screen docker podman make".split())) - {
    "find",
    "fd",
    "ssh",
}
_RUNNERS_OF_TEXT = _RUNNERS | HAND_ON | RUN_ON
_FINDS_PROGRAM = re.compile(r"(?:command -[vV]|which|type -[pP]|whereis)\s+(?:-\w+\s+)*(sudo|doas|su|pkexec)\b")


def find_block(unknown: Unknown, facts: tuple[Fact, ...]) -> Block | None:
    """The block hidden in something that was not understood, if any."""
    if unknown.what in _ABOUT_ARGUMENTS:
        return _in_arguments(unknown)
    if _FORK_TEXT.search(unknown.text[:_MAX_FORK_TEXT]):
        return _FORK
    if unknown.what == "inline code":
        return _in_code(unknown.text)
    if unknown.what == "environment" and unknown.text.startswith("IFS") and any("sudo" in w for w in unknown.words):
        return _hides("sudo", NAMES["sudo"])  # with another IFS, `sudoxid` may be two words
    if unknown.what in ("environment", "variable") and (deadly := _deadly(unknown.text)) is not None:
        return deadly
    for name in command_names(unknown):
        found = blocked_name(name) or _globbed(name)
        if found is not None:
            return _hides(name, found)
    if unknown.what in _RUNS_ANYTHING or _names_no_program(unknown):
        return _anywhere(unknown, facts)
    return None


def _in_arguments(unknown: Unknown) -> Block | None:
    """Arguments prove nothing by holding a name, but for two shapes that are commands: `alias.x=!sudo id`, `"$(command
    -v sudo)"`."""
    makes = bool(unknown.words) and unknown.words[0] in ("make", "gmake")  # `make --eval 'x:;sudo id'`
    for word in unknown.words:
        for given in re.split(r"[;\n\t]", word if makes else word.partition("=")[2].strip("\"'")):
            first = given.removeprefix("!").split()[:1]
            if (found := _deadly(given)) is not None:
                return found
            if (
                first
                and blocked_name(first[0]) is not None
                and (given.startswith("!") or (" " in given and _STRONG.fullmatch(first[0])))
            ):
                return _hides(first[0], NAMES.get(first[0], NAMES["sudo"]))
    if unknown.words and family(unknown.words[0]) in INTERPRETERS:
        for word in unknown.words[1:]:
            found = _in_code(word)
            if found is not None:
                return found
    return _copied(unknown.text)


def _in_code(text: str) -> Block | None:
    """Code of a language that is not read here, which starts programs and names a blocked one."""
    for reading in _readings(text):
        if not _RUNS_CODE.search(reading):
            continue
        hit = _STRONG.search(reading) or _POWER_TEXT.search(reading)
        if hit is not None:
            return _hides(hit.group(1), blocked_name(hit.group(1)) or NAMES["sudo"])
        if (found := _deadly(reading)) is not None:
            return found
    return None


def _deadly(text: str) -> Block | None:
    """Text that means only one thing, whatever runs it: `rm -rf /`."""
    return next((block for pattern, block in _DEADLY if pattern.search(text)), None)


def block_argument(command: Command) -> Block | None:
    """A command text in an argument of a program that runs such texts: `vim -c '!sudo id'`, `parallel sudo ::: id`."""
    values = tuple(w.shown for w in command.argv)
    if not _RUNNERS_OF_TEXT.isdisjoint((family(command.name), base_name(command.name))):
        found = _deadly(" ".join(values[1:])) or _deadly(command.text)
        if found is not None:
            return found
    return _behind_dashes(command, values) or next(
        (found for pair in pairwise(values) if (found := _in_value(command, *pair)) is not None), None
    )


def _behind_dashes(command: Command, values: tuple[str, ...]) -> Block | None:
    """`reflex -- sudo id`: what stands behind the dashes is run."""
    if command.action.kind != Kind.OTHER or "--" not in values[1:-1]:
        return None
    name = values[values.index("--") + 1]
    return _hides(name, NAMES["sudo"]) if _STRONG.fullmatch(base_name(name)) else None


def _in_value(command: Command, before: str, value: str) -> Block | None:
    """The block in one argument, or in the value that it assigns."""
    runs = family(command.name) in _RUNNERS
    given = value.partition("=")[2] if re.match(r"[A-Z_]+=", value) else value
    marked = given.startswith(("!", ":!", "+!")) or given is not value
    name = given.lstrip("+!: ").partition(" ")[0]
    if marked and (found := _deadly(given)) is not None:
        return found
    # One word alone is a program only for a wrapper that has no table of its own; a text of several words is a command.
    is_command = given.strip() != name or (runs and (command.action.kind == Kind.OTHER or before == "--args"))
    if (runs or marked) and is_command and _STRONG.fullmatch(base_name(name)):
        return _hides(name, blocked_name(name) or NAMES["sudo"])
    return _in_code(given) if runs and _STARTS_PROGRAMS.search(given) else None


def block_killing(command: Command, facts: tuple[Fact, ...]) -> Block | None:
    """Processes that are looked for by name in the same request are what is killed: `pgrep askfirst | xargs kill`."""
    if base_name(command.name) != "kill":
        return None
    found = (
        f
        for f in facts
        if isinstance(f, Command) and base_name(f.name) in ("pgrep", "pidof", "ps", "grep", "lsof", "awk")
    )
    return OWN_ANSWER if any("askfirst" in (w.value or w.text) for f in found for w in f.argv[1:]) else None


def block_read(read: Read) -> Block | None:
    """A copy of a blocked program under another name: `cp "$(command -v sudo)" ./x`."""
    return _copied(read.text) if read.path is None else None


def _copied(text: str) -> Block | None:
    found = _FINDS_PROGRAM.search(text)
    return _hides(found.group(1), NAMES[found.group(1)]) if found is not None else None


def _hides(name: str, block: Block) -> Block:
    return replace(block, reason=f"hides `{base_name(name)}`, which {block.reason}")


def _names_no_program(unknown: Unknown) -> bool:
    return unknown.what == "expansion" and unknown.why.startswith(NO_PROGRAM_NAME)


def command_names(unknown: Unknown) -> Iterator[str]:
    """Names that may be run by the text: where a command may begin, and names that mean only one thing."""
    text = unknown.text
    if unknown.what in ("environment", "variable"):
        # The value of PROMPT_COMMAND, PAGER and the like is a script; for any other variable it is just a text.
        text = text.partition("=")[2].strip("\"'")
    for reading in _readings(text):
        if unknown.what in ("environment", "variable"):
            yield from _first_words(reading)
            if OTHER_CODE not in unknown.why:
                continue
        for part in _BEGIN.split(reading):
            yield from _first_words(part)


def running_words(unknown: Unknown) -> tuple[str, ...]:
    """Every word of the request, where something is run whose text is not known; else none."""
    return unknown.words if unknown.what in _RUNS_ANYTHING or _names_no_program(unknown) else ()


def _anywhere(unknown: Unknown, facts: tuple[Fact, ...]) -> Block | None:
    """What the running text may be made of: every word of the request."""
    words = [*unknown.words]
    for fact in facts:
        if isinstance(fact, Command):
            words += [w.shown for w in fact.argv[1:]]
            words += [a.value.text for a in fact.assignments]
    names_no_program = _names_no_program(unknown)
    for word in (*words, *_computed(unknown)):
        for reading in _readings(word):
            found = _named_in(reading, any_sudo=names_no_program)
            if found is not None:
                return found
    found = _deadly(" ".join(words)) or _deadly(unknown.text) or _in_pieces(words)
    decoded = any(isinstance(f, Command) and base_name(f.name) in DECODERS for f in facts)
    return found or (_DECODED if decoded else None)


def _named_in(reading: str, *, any_sudo: bool) -> Block | None:
    if reading.strip() in _POWER_NAMES:
        return _hides(reading.strip(), NAMES[reading.strip()])
    hit = _STRONG.search(reading)
    if hit is not None:
        return _hides(hit.group(1), blocked_name(hit.group(1)) or NAMES["sudo"])
    return _hides("sudo", NAMES["sudo"]) if any_sudo and "sudo" in reading else None


def _in_pieces(words: list[str]) -> Block | None:
    """`a=su; b=do; $a$b`: two words that together are a blocked name."""
    pieces = {re.sub(r"%[a-z]|\\[nt]", "", word) for word in words} | set(words)
    for name in _PIECES:
        if any(name[:cut] in pieces and name[cut:] in pieces for cut in range(1, len(name))):
            return _hides(name, NAMES[name])
    return None


def _computed(unknown: Unknown) -> Iterator[str]:
    """What parts of known variables become when they are put together: `a=dosu; ${a:2}${a:0:2}`, `a=s-u-d-o;
    ${a//-/}`."""
    if not _names_no_program(unknown):
        return
    pairs = (w.partition("=") for w in unknown.words)
    values = {name: value.strip("\"'") for name, equals, value in pairs if equals and value}
    for text in (unknown.text, *(w for w in unknown.words if w.startswith("{"))):
        yield _PART.sub(lambda found: _part(values.get(found["name"], ""), found), text)


def _part(value: str, found: re.Match[str]) -> str:
    if found["all"]:
        return (
            value.replace(found["old"], found["new"] or "", -1 if found["all"] == "//" else 1)
            if found["old"]
            else value
        )
    if found["start"]:
        start = int(found["start"])
        return value[start : start + int(found["length"])] if found["length"] else value[start:]
    return value


def _readings(text: str) -> Iterator[str]:
    """The text as written, without quotes and empty expansions, and with escapes decoded."""
    given = text.replace("\\\n", "")
    yield given
    if given.isalnum():
        return
    bare = re.sub(r"[\"']\s*[+.]\s*[\"']", "", given)
    bare = re.sub(r"\$?[\"']", "", bare)
    yield bare.replace("\\", "")
    if "$" in bare or "`" in bare:
        yield _EXPANSION.sub("", bare).replace("\\", "")
        yield _EXPANSION.sub(" ", bare).replace("\\", "")
        yield _DEFAULT.sub(r"\1", bare)  # `sud${x:-o}`
    if "\\" in given:
        yield _ESCAPES.sub(_unescape, bare)


def _unescape(found: re.Match[str]) -> str:
    hexadecimal, unicode, octal = found.groups()
    code = int(hexadecimal or unicode, 16) if hexadecimal or unicode else int(octal, 8)
    return chr(code)


def _first_words(part: str) -> Iterator[str]:
    """The names that a part of a script begins with: behind assignments, redirections and words such as `then` or
    `exec`."""
    words = part.split()
    index = 0
    while index < len(words):
        word = words[index]
        if re.match(r"\w+\+?=", word) or word.startswith(("<", ">")) or (word[:1].isdigit() and ">" in word):
            index += 1
            continue
        yield word
        if word not in _LEADING:
            return
        index += 1
        while index < len(words) and (words[index].startswith("-") or words[index][:1].isdigit()):
            index += 1


def _globbed(name: str) -> Block | None:
    """A program named by a pattern that a blocked name fits: `/usr/bin/s[u]do`."""
    short = base_name(name)
    if not any(c in short for c in "*?[") or not any(c.isalpha() for c in short):
        return None
    return next((NAMES.get(blocked) for blocked in sorted(_GLOBBED) if fnmatch.fnmatchcase(blocked, short)), None)
