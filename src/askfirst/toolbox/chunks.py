"""Cuts a file into what people look for: functions, classes, headings, each with its name, its words of explanation and
its first lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from askfirst.toolbox.code_files import language_of

MAX_BODY_LINES = 60
MAX_CHUNKS = 2000  # of one file
MAX_LINE = (
    400  # of what expressions look at; each of their parts has an end, too, so that no file can hold up the index
)
_DEFINITION = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([a-z]+\))?|"
    r"override|open|sealed|data|inline|extern|unsafe|const|virtual|declare)\s+)*"
    r"(?P<kind>function\*?|class|interface|type|enum|struct|trait|impl|fn|func|def|module|object|protocol|namespace|"
    r"record|macro_rules!|const|let|var)\s+(?:\([^)]{0,300}\)\s{0,40})?(?:self\.)?(?P<name>[A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_METHOD = re.compile(  # `name(args) {` in a class of JavaScript, `int name(args) {` in C and Java
    r"^[ \t]*(?:[\w<>\[\],.*&?:]+[ \t]+)*(?P<name>[A-Za-z_$][\w$]*)\s{0,40}\([^;{}]{0,500}\)\s{0,40}"
    r"(?::[ \t]{0,40}[\w<>\[\]|., ]{1,200})?\s{0,40}(?:throws [\w., ]{1,200})?(?:const\s{0,40})?\{",
    re.MULTILINE,
)
_ASSIGNED = re.compile(  # `exports.name = function`, `app.use = function use(`, `const f = (…) =>`
    r"^[ \t]*(?:[\w$]+\.)*(?P<name>[A-Za-z_$][\w$]*)\s{0,40}=\s{0,40}(?:async\s{0,40})?"
    r"(?:function\b|\([^)]{0,300}\)\s{0,40}=>)",
    re.MULTILINE,
)
_NO_METHODS = frozenset("if for while switch catch return function else do try with match loop unless".split())
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^(?P<name>\S[^\n]*)\n(?:=|-|~|\^|\"){3,}[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    kind: str  # function, class, heading, file, …
    name: str
    line: int  # where it begins
    doc: str
    body: str


def chunks(path: str, text: str) -> list[Piece]:
    language = language_of(path)
    lower = path.lower()
    if language == "python":
        found = _python(path, text)
    elif lower.endswith((".md", ".markdown", ".rst", ".adoc", ".txt")):
        found = list(_document(_narrow(text)))
    elif language and language not in ("json", "yaml", "css", "html"):
        found = list(_code(_narrow(text)))
    else:
        found = []
    return found[:MAX_CHUNKS] or [_whole(path, text)]


def _whole(path: str, text: str) -> Piece:
    return Piece("file", path.rpartition("/")[2], 1, "", _cut(text.splitlines()))


def _narrow(text: str) -> str:
    return "\n".join(line[:MAX_LINE] for line in text.split("\n"))


def _cut(lines: list[str]) -> str:
    return "\n".join(line[:MAX_LINE] for line in lines[:MAX_BODY_LINES])


# -- Python


def _python(path: str, text: str) -> list[Piece]:
    lines = text.splitlines()
    try:
        tree = ast.parse(text)
        found = list(_definitions(tree, lines, ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    doc = ast.get_docstring(tree) or ""
    top = [line for line in lines if line[:1] not in (" ", "\t", "")]
    return [Piece("module", path.rpartition("/")[2].removesuffix(".py"), 1, doc, _cut(top)), *found]


def _definitions(node: ast.AST, lines: list[str], owner: str) -> Iterator[Piece]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{owner}.{child.name}" if owner else child.name
            is_class = isinstance(child, ast.ClassDef)
            first = min((d.lineno for d in child.decorator_list), default=child.lineno)
            body = lines[first - 1 : child.end_lineno]
            kind = "class" if is_class else "method" if owner else "function"
            yield Piece(kind, name, child.lineno, ast.get_docstring(child) or "", _cut(body))
            yield from _definitions(child, lines, name if is_class else owner)
        elif isinstance(child, (ast.If, ast.Try, ast.With)):
            yield from _definitions(child, lines, owner)


# -- documents


def _document(text: str) -> Iterator[Piece]:
    heads = [(m.start(), m.end(), m.group(1).rstrip(" \t#")) for m in _HEADING.finditer(text)]
    heads += [(m.start(), m.end(), m.group("name")) for m in _UNDERLINED.finditer(text)]
    heads.sort()
    if heads and text[: heads[0][0]].strip():
        yield Piece("text", "", 1, "", _cut(text[: heads[0][0]].splitlines()))
    for number, (start, end, name) in enumerate(heads):
        stop = heads[number + 1][0] if number + 1 < len(heads) else len(text)
        yield Piece("heading", name, text.count("\n", 0, start) + 1, "", _cut(text[end:stop].splitlines()))


# -- other languages


def _code(text: str) -> Iterator[Piece]:
    found: dict[int, tuple[str, str]] = {}
    for match in _DEFINITION.finditer(text):
        found[match.start("name")] = (match.group("kind"), match.group("name"))
    for pattern in (_METHOD, _ASSIGNED):
        for match in pattern.finditer(text):
            if match.group("name") not in _NO_METHODS:
                found.setdefault(match.start("name"), ("function", match.group("name")))
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    numbers = sorted((_line_at(starts, at), kind, name) for at, (kind, name) in found.items())
    for index, (number, kind, name) in enumerate(numbers):
        stop = numbers[index + 1][0] if index + 1 < len(numbers) else len(lines) + 1
        stop = max(stop, number + 3)
        yield Piece(kind, name, number, _comment_above(lines, number), _cut(lines[number - 1 : stop - 1]))


def _line_at(starts: list[int], at: int) -> int:
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if starts[middle] <= at else (low, middle - 1)
    return low + 1


def _comment_above(lines: list[str], number: int) -> str:
    above: list[str] = []
    at = number - 2
    while at >= 0 and re.match(r"\s*(//|/\*|\*|#|--|;;|\"\"\"|@|\[)", lines[at]) and len(above) < 40:
        above.insert(0, lines[at].strip(" \t/*#-;"))
        at -= 1
    return "\n".join(above)


# -- words


def words_of(text: str) -> list[str]:
    """`ApprovalManager.wait_for_response` -> approval manager wait for response; whole names stay, too."""
    found: list[str] = []
    for word in re.findall(r"\w+", text):
        parts = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", word)
        found += [word.lower()] if len(parts) < 2 else [word.lower(), *(p.lower() for p in parts)]
    return found
