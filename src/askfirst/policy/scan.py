"""A conservative look at text that was not understood: are hardcoded or organisation blocks hidden in it?

Two kinds of text come here. Words of a command whose program is known (an unknown option, an operand) prove nothing by holding `sudo`:
`grep --frob sudo README` asks. Text that something would run (broken syntax, `eval`, inline code, a decoded string, an unknown program
name) is searched: names in a place where a command may begin, and the few names that mean only one thing in any place.
"""

from __future__ import annotations

import re

from askfirst.model import Command, Read, Unknown
from askfirst.policy.blocks import NAMES, Block, blocked_name
from askfirst.policy.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from askfirst.model import Fact

__all__ = ["command_names", "find_block"]

# Unknowns about the arguments or the surroundings of a program that is itself a fact: their words are not programs.
_ABOUT_ARGUMENTS = frozenset(("option", "operands", "environment", "code file", "git configuration", "git hook", "directory"))

# Names that mean only one thing, wherever they stand in text that would be run.
_STRONG = frozenset("sudo sudoedit sudo-rs doas pkexec run0 dzdo mkfs wipefs poweroff blkdiscard sgdisk visudo".split())
_STRONG_TEXT = re.compile(r"(?<![\w./-])(?:/?(?:[\w.-]+/)*)(sudo|doas|pkexec|mkfs(?:\.\w+)?|run0|sudoedit)(?![\w-])", re.IGNORECASE)

_DECODED = Block("hidden-code", "runs text that is decoded or put together only when it runs: nobody can see what it is",
                 "write the command out in full")
_FORK = Block("fork-bomb", "starts copies of itself without end")
_FORK_TEXT = re.compile(r"([\w:.-]+)\s*\(\s*\)\s*[({]\s*(?:[^}]*[\s;&|({])?\1\s*\|\s*\1\s*&")

_DECODERS = frozenset("base64 base32 gbase64 basenc xxd openssl rev tr uudecode od hexdump".split())
_ESCAPES = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3}))")
_EXPANSION = re.compile(r"\$\{\w+[^}]*\}|\$\(\(?[^()`]*\)?\)|\$\w+|\$[*@#?$!-]|``|`[^`]*`")
_BEGIN = re.compile(r"[;&|(){}\n`]|\$\(|<\(|>\(")
_LEADING = frozenset(
    "then do else elif if while until ! time coproc exec eval command builtin env nohup nice xargs trap { ( function busybox setsid "
    "timeout stdbuf".split())
_SETS_OR_FINDS = frozenset("set alias declare export local typeset readonly command type which whereis compgen".split())
_RUNS_CODE = re.compile(r"system|exec|spawn|popen|subprocess|child_process|`|shell|print|echo|ShellExecute|pty\.", re.IGNORECASE)


def find_block(unknown: Unknown, facts: tuple[Fact, ...]) -> Block | None:
    """The block hidden in something that was not understood, if any."""
    first = unknown.words[0] if unknown.words else ""
    if unknown.what in _ABOUT_ARGUMENTS:
        return None
    if _FORK_TEXT.search(unknown.text):
        return _FORK
    for name in command_names(unknown):
        found = blocked_name(name) or _globbed(name)
        if found is not None:
            return found.replace(reason=f"hides `{base_name(name)}`, which {found.reason}")
    return _name_of_unknown(unknown, first, facts) or _decoded(unknown, facts)


def command_names(unknown: Unknown) -> Iterator[str]:
    """Names that may be run by the text: where a command may begin, and strong names anywhere."""
    for text in _readings(unknown):
        for part in _BEGIN.split(text):
            yield from _first_words(part)
        if unknown.what != "inline code" or _RUNS_CODE.search(text):
            for hit in _STRONG_TEXT.finditer(text):
                yield hit.group(1)


def _readings(unknown: Unknown) -> Iterator[str]:
    """The text as written, without quotes and empty expansions, and with escapes decoded."""
    text = unknown.text
    joined = " ".join(unknown.words)
    for given in (text, joined) if joined and joined != text else (text,):
        given = given.replace("\\\n", "")
        yield given
        bare = re.sub(r"[\"']\s*[+.]\s*[\"']", "", given)
        bare = re.sub(r"\$?[\"']", "", bare)
        without = _EXPANSION.sub("", bare)
        yield bare.replace("\\", "")
        yield without.replace("\\", "")
        yield _EXPANSION.sub(" ", bare).replace("\\", "")
        if "\\" in given:
            yield _ESCAPES.sub(_unescape, bare)


def _unescape(found: re.Match[str]) -> str:
    hexadecimal, unicode, octal = found.groups()
    code = int(hexadecimal or unicode, 16) if hexadecimal or unicode else int(octal, 8)
    return chr(code) if code < 0x110000 else ""


def _first_words(part: str) -> Iterator[str]:
    words = part.replace("=", " = ", 1).split() if re.match(r"\s*\w+=\S", part) else part.split()
    index = 0
    while index < len(words):
        word = words[index]
        if index + 1 < len(words) and words[index + 1] == "=":  # an assignment in front: `x=1 sudo id`
            index += 3
        elif word.startswith(("<", ">")) or (word[:1].isdigit() and ">" in word):
            index += 1
        else:
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
    from fnmatch import fnmatchcase

    return next((block for blocked, block in NAMES.items() if blocked in _STRONG and fnmatchcase(blocked, short)), None)


def _name_of_unknown(unknown: Unknown, first: str, facts: tuple[Fact, ...]) -> Block | None:
    """A program whose name is a variable: what was assigned in the same request is what it may be."""
    if unknown.what not in ("program", "name", "expansion", "eval", "hidden command", "syntax", "alias"):
        return None
    for fact in facts:
        texts: list[str] = []
        if isinstance(fact, Command):
            texts = [a.value.text for a in fact.assignments]
            if fact.name in _SETS_OR_FINDS:
                texts += [w.text for w in fact.argv[1:]]
        for text in texts:
            hit = re.search(r"sudo|doas|pkexec", re.sub(r"[\"'\\$]", "", text))
            if hit is not None:
                return NAMES[hit.group(0)].replace(reason=f"may run `{hit.group(0)}`, which {NAMES[hit.group(0)].reason}")
    return None


def _decoded(unknown: Unknown, facts: tuple[Fact, ...]) -> Block | None:
    """Text that comes out of a decoder and is then run."""
    if unknown.what in ("inline code",):
        return None
    for fact in facts:
        if isinstance(fact, Command) and base_name(fact.name) in _DECODERS:
            return _DECODED
        if isinstance(fact, Read) and fact.path is None and re.search(r"(command -v|which|type -p)\s+(sudo|doas|su)\b", fact.text):
            return NAMES["sudo"]
    return None
