"""Commands that need no parser: plain words and simple quotes, joined by `&&`, `||`, `|`, `;` and newlines.

Only characters that bash takes for themselves are accepted, so splitting at blanks and operators is exactly what bash does; the
oracle confirms this path like the other. Anything else is left to parse.py.
"""

from __future__ import annotations

from askfirst.knowledge.shells import RESERVED_WORDS
from askfirst.shell.syntax import AndOr, Literal, Pipeline, Redirect, Script, Simple, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.syntax import Part

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
    if tokens is None:
        return None
    script = Script(text, 0)
    pipelines: list[Pipeline] = []
    operators: list[str] = []
    commands: list[Simple] = []
    words: list[Word] = []
    redirects: list[Redirect] = []
    last = ""
    count = 0
    for token in [*tokens, "\n"]:
        if isinstance(token, Word):
            words.append(token)
            continue
        if isinstance(token, Redirect):
            redirects.append(token)
            continue
        if words:
            commands.append(command(words, redirects, text))
            count += 1
            words, redirects, last = [], [], ""
        elif redirects or token != "\n" or last == "":
            # Nothing but a newline may follow an operator or begin the text.
            if redirects or token != "\n":
                return None
            if last == "":
                last = "\n"
        if token == "\n" and last in ("&&", "||", "|"):
            continue
        if token == "|":
            last = token
            continue
        if commands:
            pipelines.append(Pipeline(list(commands)))
            commands = []
        if token in ("&&", "||"):
            operators.append(token)
        elif pipelines:
            script.items.append((AndOr(pipelines, operators), ";"))
            pipelines, operators = [], []
        last = token
    return None if count > MAX_COMMANDS or commands or pipelines or operators or not names_are_plain(script) else script


def command(words: list[Word], redirects: list[Redirect], text: str) -> Simple:
    start = min([words[0].start, *(r.start for r in redirects)])
    end = max([words[-1].end, *(r.end for r in redirects)])
    return Simple([], words, redirects, text[start:end])


def names_are_plain(script: Script) -> bool:
    """No reserved word, assignment or tilde in place of a name."""
    for item, _ in script.items:
        for pipeline in item.pipelines:
            for node in pipeline.commands:
                name = node.words[0] if isinstance(node, Simple) else None
                if name is None or not name.plain or name.text in RESERVED_WORDS or any(c in name.text for c in "=~*?"):
                    return False
    return True


def tokens_of(text: str) -> list[Word | Redirect | str] | None:
    out: list[Word | Redirect | str] = []
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
    return Redirect(i, end, fd, operator, Word(i, end, target, [Literal(target, False)]), text[i:end])


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


def word_of(text: str, start: int, end: int) -> Word | None:
    whole = text[start:end]
    if "'" not in whole and '"' not in whole:
        return Word(start, end, whole, [Literal(whole, False)])
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
    return Word(start, end, whole, parts)
