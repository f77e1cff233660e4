"""Commands that need no parser: plain words and simple quotes, joined by `&&`, `||`, `|`, `;` and newlines.

Only characters that bash takes for themselves are accepted, so splitting at blanks and operators is exactly what bash
does; the oracle confirms this path like the other. Anything else is left to the parser.
"""

from __future__ import annotations

from askfirst.knowledge.shells import RESERVED_WORDS
from askfirst.shell.syntax import AndOr, Literal, Node, Part, Pipeline, RawWord, Redirect, Script, Simple

SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-*?~^")
# Whole tokens that send output elsewhere without writing a file.
REDIRECTS = {
    "2>&1": ("2", ">&", "1"),
    "1>&2": ("1", ">&", "2"),
    ">&2": ("", ">&", "2"),
    "2>/dev/null": ("2", ">", "/dev/null"),
    ">/dev/null": ("", ">", "/dev/null"),
    "&>/dev/null": ("", "&>", "/dev/null"),
    "</dev/null": ("", "<", "/dev/null"),
}
MAX_COMMANDS = 4000


def plain_script(text: str) -> Script | None:
    """The tree of a text that consists of plain commands only; None for every other text."""
    tokens = tokens_of(text)
    found = None if tokens is None else commands_of(tokens, text)
    if found is None or len(found) > MAX_COMMANDS or not all(is_plain_name(command.words[0]) for command, _ in found):
        return None
    script = Script(text, 0)
    pipelines: list[Pipeline] = []
    operators: list[str] = []
    commands: list[Node] = []
    for command, operator in found:
        commands.append(command)
        if operator == "|":
            continue
        pipelines.append(Pipeline(commands))
        commands = []
        if operator in ("&&", "||"):
            operators.append(operator)
        else:
            script.items.append((AndOr(pipelines, operators), ";"))
            pipelines, operators = [], []
    return None if commands or pipelines else script


def commands_of(tokens: list[RawWord | Redirect | str], text: str) -> list[tuple[Simple, str]] | None:
    """Each command and the operator behind it; None where an operator or a redirection has no command."""
    out: list[tuple[Simple, str]] = []
    words: list[RawWord] = []
    redirects: list[Redirect] = []
    for token in [*tokens, "\n"]:
        if isinstance(token, RawWord):
            words.append(token)
        elif isinstance(token, Redirect):
            redirects.append(token)
        elif words:
            out.append((simple_command(words, redirects, text), token))
            words, redirects = [], []
        elif redirects or token != "\n":
            return None
    return out


def simple_command(words: list[RawWord], redirects: list[Redirect], text: str) -> Simple:
    start = min([words[0].start, *(r.start for r in redirects)])
    end = max([words[-1].end, *(r.end for r in redirects)])
    return Simple([], words, redirects, text[start:end])


def is_plain_name(name: RawWord) -> bool:
    """No reserved word, assignment, pattern or tilde in place of a program's name."""
    return name.plain and name.text not in RESERVED_WORDS and not any(c in name.text for c in "=~*?")


def tokens_of(text: str) -> list[RawWord | Redirect | str] | None:
    out: list[RawWord | Redirect | str] = []
    i, size = 0, len(text)
    while i < size:
        c = text[i]
        if c == " " or c == "\t":
            i += 1
        elif c == "\n" or c == ";":
            out.append(c)
            i += 1
        elif c == "|" or (c == "&" and text[i + 1 : i + 2] == "&"):
            token = text[i : i + 2] if text[i + 1 : i + 2] == c else c
            if text[i + len(token) : i + len(token) + 1] in ("&", "|"):
                return None
            out.append(token)
            i += len(token)
        else:
            end = word_end(text, i, size)
            if end < 0:
                found = redirect(text, i, size)
                if found is None:
                    return None
                out.append(found)
                i = found.end
                continue
            word = word_of(text, i, end)
            if word is None:
                return None
            out.append(word)
            i = end
    return out


def redirect(text: str, i: int, size: int) -> Redirect | None:
    end = i
    while end < size and text[end] not in " \t\n;|":
        end += 1
    found = REDIRECTS.get(text[i:end])
    if found is None:
        return None
    fd, operator, target = found
    return Redirect(i, end, fd, operator, RawWord(i, end, target, [Literal(target, False)]), text[i:end])


def word_end(text: str, i: int, size: int) -> int:
    """The position behind the word, or -1 when it holds anything unusual."""
    while i < size:
        c = text[i]
        if c in SAFE:
            i += 1
        elif c == "'" or c == '"':
            i = text.find(c, i + 1) + 1
            if i == 0:
                return -1
        elif c in " \t\n;|" or (c == "&" and text[i + 1 : i + 2] == "&"):
            return i
        else:
            return -1
    return i


def word_of(text: str, start: int, end: int) -> RawWord | None:
    whole = text[start:end]
    if "'" not in whole and '"' not in whole:
        return RawWord(start, end, whole, [Literal(whole, False)])
    parts: list[Part] = []
    i = start
    while i < end:
        c = text[i]
        if c == "'" or c == '"':
            close = text.index(c, i + 1)
            inner = text[i + 1 : close]
            if not inner.isprintable() or (c == '"' and any(s in inner for s in "$`\\")):
                return None
            parts.append(Literal(inner, True))
            i = close + 1
        else:
            begin = i
            while i < end and text[i] in SAFE:
                i += 1
            parts.append(Literal(text[begin:i], False))
    return RawWord(start, end, whole, parts)
