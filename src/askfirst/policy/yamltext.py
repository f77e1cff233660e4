"""A strict reading of YAML: values with their places, and refusals that say where and what to do.

The part of YAML that surprises is refused rather than interpreted: anchors and aliases, merge keys, tags, duplicate
keys, several documents, characters that do not show, and words that YAML takes for a boolean or a number where a text
is meant. Nesting is bounded before the parser sees the text: PyYAML takes time with the square of the depth."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass
from typing import Any

import yaml

from askfirst.errors import ConfigError

__all__ = ["MAX_BYTES", "Value", "decode", "error_at", "parse"]

MAX_BYTES = 64 * 1024
_MAX_DEPTH = 12
_MAX_READING_S = 5.0
_OPENS = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
_BIDI = frozenset(
    map(
        chr,
        (
            0x061C,
            0x200B,
            0x200C,
            0x200D,
            0x200E,
            0x200F,
            0x202A,
            0x202B,
            0x202C,
            0x202D,
            0x202E,
            0x2060,
            0x2066,
            0x2067,
            0x2068,
            0x2069,
            0xFEFF,
            0x2028,
            0x2029,
            0x0085,
        ),
    )
)
_KINDS = {
    "str": "a text",
    "bool": "a boolean",
    "int": "a number",
    "float": "a number",
    "timestamp": "a date",
    "null": "nothing",
    "map": "a mapping",
    "seq": "a list",
}


@dataclass(frozen=True)
class Value:
    """One node: what it is, and where it stands."""

    kind: str  # str, bool, int, float, timestamp, null, seq, map
    content: Any  # str as written for scalars; tuple of Value; tuple of (Value, Value)
    file: str
    line: int
    column: int
    lines: tuple[str, ...] = ()
    width: int = 1
    quoted: bool = False

    @property
    def is_a(self) -> str:
        return _KINDS.get(self.kind, "something else")

    def error(self, problem: str, hint: str = "") -> ConfigError:
        return error_at(problem, self.file, self.lines, self.line, self.column, hint, self.width)


def decode(data: bytes, file: str) -> str:
    """The text of a rule file, refused where it is too large, not UTF-8, or holds characters that do not show."""
    if len(data) > MAX_BYTES:
        raise ConfigError(
            f"has {len(data):,} bytes, more than {MAX_BYTES:,}",
            file=file,
            hint="split it, or use wildcards and profiles",
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise ConfigError("is not UTF-8 text", file=file, line=line, column=column, hint="save it as UTF-8") from None
    text = text.removeprefix("\ufeff")
    lines = tuple(text.split("\n"))
    for number, shown in enumerate(lines, 1):
        for column, char in enumerate(shown.removesuffix("\r"), 1):
            if (
                char != "\t"
                and not char.isprintable()
                and (unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in _BIDI)
            ):
                name = unicodedata.name(char, "a control character").lower()
                problem = f"contains an invisible character: U+{ord(char):04X} ({name})"
                raise error_at(problem, file, lines, number, column, "remove it")
    return text


def parse(text: str, file: str) -> Value | None:
    """The document's tree; None for an empty one."""
    lines = tuple(text.split("\n"))
    try:
        _refuse_depth(text, file, lines)
        _refuse_surprises(text, file, lines)
        loader = yaml.SafeLoader(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise _yaml_error(error, file, lines) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(
            f"is not YAML: {type(error).__name__}", file=file, hint="see `askfirst schema` and the examples"
        ) from None
    return None if node is None else _value(node, file, lines, 0)


def _refuse_depth(text: str, file: str, lines: tuple[str, ...]) -> None:
    """No deeper than a rule file can be, and read within its time.

    A bracket may begin a key, so the scanner reads a line's brackets ahead before it gives back the first: those are
    counted by hand. All else is seen token by token.
    """
    for number, line in enumerate(lines, 1):
        depth = 0
        for column, char in enumerate(line, 1):
            depth = max(0, depth + (char in "[{") - (char in "]}"))
            if depth > 4 * _MAX_DEPTH:  # a description may hold a few that nothing closes
                raise error_at("is nested too deeply", file, lines, number, column)
    give_up, depth = time.monotonic() + _MAX_READING_S, 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        depth += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
        if depth > _MAX_DEPTH + 1 or time.monotonic() > give_up:
            problem = "is nested too deeply" if depth > _MAX_DEPTH + 1 else "takes too long to read"
            raise error_at(problem, file, lines, token.start_mark.line + 1, token.start_mark.column + 1)


def _refuse_surprises(text: str, file: str, lines: tuple[str, ...]) -> None:
    documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        if isinstance(event, yaml.AliasEvent):
            raise error_at(
                "aliases (`*name`) are not allowed",
                file,
                lines,
                line,
                column,
                "write it out; a `*` in a text needs quotes",
            )
        if getattr(event, "anchor", None):
            raise error_at("anchors (`&name`) are not allowed", file, lines, line, column, "write the entry out")
        if getattr(event, "tag", None) is not None and getattr(event, "tag", "") != "!":
            raise error_at("tags (`!name`) are not allowed", file, lines, line, column, "put the text in quotes")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise error_at(
                    "a second document begins here", file, lines, line, column, "one file, one document: remove `---`"
                )


def _yaml_error(error: yaml.MarkedYAMLError, file: str, lines: tuple[str, ...]) -> ConfigError:
    context = error.context or ""
    # An unclosed quote is noticed at the end of the file; what helps is where it was opened.
    mark = (error.context_mark if "quoted scalar" in context else None) or error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
    problem = (error.problem or context or "is not YAML").strip()
    shown = lines[line - 1] if 0 < line <= len(lines) else ""
    if "\t" in problem or "\\t" in problem or "\t" in shown[: max(column, 1)]:
        return error_at("a tab is used for indentation", file, lines, line, column, "use spaces")
    problem, hint = _explained(problem, context)
    return error_at(f"is not YAML: {problem}", file, lines, line, column, hint)


# What PyYAML says (in the problem, or in the context it gives) -> the problem in plain words ("" as it is), and the way
# out.
_YAML_PROBLEMS = (
    ("alias", "a `*` or `&` at the start has a special meaning in YAML", "put the text in quotes"),
    ("anchor", "a `*` or `&` at the start has a special meaning in YAML", "put the text in quotes"),
    ("mapping values are not allowed", "", "is a quote or a line break missing before this `:`?"),
    ("found undefined tag", "", "put the text in quotes"),
    ("could not determine a constructor", "", "put the text in quotes"),
    (
        "expected <block end>",
        "the indentation does not fit the lines above",
        "start all entries of a list in one column",
    ),
    ("scanning a simple key", "", "is a `:` missing after the key?"),
    ("quoted scalar", "this quote is not closed", "put a quote at the end of the text"),
)


def _explained(problem: str, context: str) -> tuple[str, str]:
    for sign, plain, hint in _YAML_PROBLEMS:
        if sign in problem or sign in context:
            return plain or problem, hint
    return problem, ""


def _value(node: yaml.Node, file: str, lines: tuple[str, ...], depth: int) -> Value:
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    if depth > _MAX_DEPTH:
        raise error_at("is nested too deeply", file, lines, line, column)
    if isinstance(node, yaml.ScalarNode):
        width = node.end_mark.column - node.start_mark.column if node.end_mark.line == node.start_mark.line else 1
        kind = node.tag.rpartition(":")[2]
        return Value(kind, node.value, file, line, column, lines, max(width, 1), node.style is not None)
    if isinstance(node, yaml.SequenceNode):
        return Value("seq", tuple(_value(n, file, lines, depth + 1) for n in node.value), file, line, column, lines)
    pairs = tuple((_value(k, file, lines, depth + 1), _value(v, file, lines, depth + 1)) for k, v in node.value)
    seen: dict[str, int] = {}
    for key, _ in pairs:
        if key.kind == "merge":
            raise key.error("merge keys (`<<`) are not allowed", "write the entry out")
        if not isinstance(key.content, str):
            raise key.error("a key must be a word", "is a quote missing?")
        if key.content in seen:
            raise key.error(
                f"the key `{key.content}` is given twice, first on line {seen[key.content]}", "keep one of them"
            )
        seen[key.content] = key.line
    return Value("map", pairs, file, line, column, lines)


def error_at(
    problem: str, file: str, lines: tuple[str, ...], line: int, column: int, hint: str = "", width: int = 1
) -> ConfigError:
    excerpt = ""
    if 0 < line <= len(lines):
        # Control characters and tabs keep one column, so that the caret stands under the place.
        shown = "".join(c if c.isprintable() else "?" if c != "\t" else " " for c in lines[line - 1].removesuffix("\r"))
        start = max(0, column - 80)
        shown = shown[start : start + 120]
        carets = "^" * max(1, min(width, 120 - (column - 1 - start), len(shown) - (column - 1 - start) or 1))
        excerpt = f"{line:>5} | {shown}\n      | {' ' * (column - 1 - start)}{carets}"
    return ConfigError(problem, file=file, line=line, column=column, hint=hint, excerpt=excerpt)
