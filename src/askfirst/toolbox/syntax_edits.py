"""Matches of an ast-grep pattern in a text, for `edit_file` with `match_mode: ast`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askfirst.toolbox.code_files import language_of
from askfirst.toolbox.tool_result import Failure

_VARIABLE = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")


@dataclass(frozen=True)
class Span:
    """A piece of the text, and what the variables of a pattern stand for in it."""

    start: int
    end: int
    variables: Mapping[str, str] = field(default_factory=dict)

    def filled(self, content: str) -> str:
        """`$A` and `$$$REST` in a new text become what matched; a name that the pattern lacks stays as it is."""
        if not self.variables:
            return content
        return _VARIABLE.sub(lambda m: self.variables.get(m.group(), m.group()), content)


def syntax_matches(pattern: str, text: str, path: str) -> list[Span]:
    language = language_of(path)
    if not language:
        raise Failure("InvalidArgument", f"match_mode ast: the language of `{path}` is not known", "use exact or regex")
    try:
        from ast_grep_py import SgRoot
    except ImportError:
        raise Failure(
            "Unavailable", "match_mode ast needs ast-grep-py", "ask the user: pip install 'askfirst[tools]'"
        ) from None
    try:
        nodes = SgRoot(text, language).root().find_all(pattern=pattern)
    except (RuntimeError, ValueError, TypeError) as error:
        raise Failure(
            "InvalidPattern", f"not a pattern: {str(error)[:300]}", "a piece of code with `$NAME` in it"
        ) from None
    names = [m.group() for m in _VARIABLE.finditer(pattern)]
    return [_match(node, names, text) for node in nodes]


def _match(node: Any, names: list[str], text: str) -> Span:
    found = {}
    for name in names:
        if name.startswith("$$$"):
            parts = node.get_multiple_matches(name[3:])
            found[name] = text[parts[0].range().start.index : parts[-1].range().end.index] if parts else ""
        else:
            one = node.get_match(name[1:])
            found[name] = one.text() if one is not None else ""
    where = node.range()
    return Span(where.start.index, where.end.index, found)
