"""Extending Python by its syntax tree: what is new comes in, what exists stays byte for byte."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from askfirst.files.content import lines_of

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Extended:
    text: str | None  # None: not possible
    warning: str = ""


def extended(existing: str, new: str) -> Extended:
    try:
        old_tree = _parse(existing)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Extended(None, f"the existing file is not valid Python ({_place(error)})")
    try:
        new_tree = _parse(new)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Extended(None, f"the new content is not valid Python ({_place(error)})")
    work = _Work(existing, new)
    work.imports(old_tree, new_tree)
    work.body(old_tree, new_tree)
    text = work.result()
    try:
        _parse(text)
    except (SyntaxError, ValueError):
        return Extended(None, "the two do not fit together")
    return Extended(text, work.warning())


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _place(error: BaseException) -> str:
    line = getattr(error, "lineno", None)
    return f"line {line}: {getattr(error, 'msg', error)}" if line else str(error)


class _Work:
    """Collects what goes in after which line of the existing text."""

    def __init__(self, existing: str, new: str) -> None:
        self.old, self.new = lines_of(existing), lines_of(new)
        self.inserts: list[tuple[int, list[str]]] = []  # (after so many lines, what)
        self.kept: list[str] = []
        self.left_out = 0

    def imports(self, old: ast.Module, new: ast.Module) -> None:
        have = {_import_key(n) for n in old.body if isinstance(n, ast.Import | ast.ImportFrom)}
        wanted = [n for n in new.body if isinstance(n, ast.Import | ast.ImportFrom) and _import_key(n) not in have]
        if not wanted:
            return
        future = [n for n in wanted if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        others = [n for n in wanted if n not in future]
        # `from __future__` must stand first; everything else goes behind the last import.
        self._add(_after_docstring(old), self._sources(future))
        last = max(
            (_end(n) for n in old.body if isinstance(n, ast.Import | ast.ImportFrom)), default=_after_docstring(old)
        )
        self._add(last, self._sources(others))

    def body(self, old: ast.Module, new: ast.Module) -> None:
        have = {n.name: n for n in old.body if isinstance(n, DEFINITIONS)}
        for node in new.body:
            if isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
                continue
            if not isinstance(node, DEFINITIONS):
                self.left_out += not any(ast.dump(node) == ast.dump(o) for o in old.body)
            elif node.name not in have:
                self._add(len(self.old), ["", "", *self._source(node)])
            else:
                self._same_name(have[node.name], node, node.name)

    def _same_name(self, old: ast.stmt, new: ast.stmt, name: str) -> None:
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
            have = {n.name: n for n in old.body if isinstance(n, DEFINITIONS)}
            for node in new.body:
                if not isinstance(node, DEFINITIONS):
                    self.left_out += not _is_docstring(node) and not any(
                        ast.dump(node) == ast.dump(o) for o in old.body
                    )
                elif node.name not in have:
                    self._add(_end(old), ["", *self._source(node, old.body[0].col_offset)])
                else:
                    self._same_name(have[node.name], node, f"{name}.{node.name}")
        elif ast.dump(old) != ast.dump(new):
            self.kept.append(name)

    def _sources(self, nodes: Iterable[ast.stmt]) -> list[str]:
        return [line for node in nodes for line in self._source(node)]

    def _source(self, node: ast.stmt, column: int = 0) -> list[str]:
        """The lines of a definition with its decorators, moved to `column`; lines within strings stay as they are."""
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
        lines = self.new[start : _end(node)]
        shift = column - node.col_offset
        if not shift:
            return lines
        fixed = _inside_strings(node)
        return [_shifted(x, shift) if start + i + 1 not in fixed else x for i, x in enumerate(lines)]

    def _add(self, after: int, lines: list[str]) -> None:
        if lines:
            self.inserts.append((after, lines))

    def result(self) -> str:
        lines = list(self.old)
        # From the end, so that earlier places stay where they are; several at one place keep their order.
        for index in sorted(range(len(self.inserts)), key=lambda i: (self.inserts[i][0], i), reverse=True):
            after, added = self.inserts[index]
            lines[after:after] = added if lines[:after] else [x for x in added[:2] if x] + added[2:]
        return "\n".join(lines) + "\n" if lines else ""

    def warning(self) -> str:
        parts = []
        if not self.inserts:
            parts.append("nothing new was found to add")
        if self.kept:
            more = f" and {len(self.kept) - 5} more" if len(self.kept) > 5 else ""
            parts.append(f"kept as they were: {', '.join(self.kept[:5])}{more}")
        if self.left_out:
            parts.append(
                f"left out: {self.left_out} statement{'s' if self.left_out > 1 else ''} outside functions and classes"
            )
        return "; ".join(parts)


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _after_docstring(tree: ast.Module) -> int:
    return _end(tree.body[0]) if tree.body and _is_docstring(tree.body[0]) else 0


def _import_key(node: ast.Import | ast.ImportFrom) -> str:
    return ast.dump(node)


def _shifted(line: str, shift: int) -> str:
    if not line.strip():
        return line
    return " " * shift + line if shift > 0 else line[min(-shift, len(line) - len(line.lstrip())) :]


def _inside_strings(node: ast.stmt) -> set[int]:
    """Lines that begin within a string: moving them would change its value."""
    lines: set[int] = set()
    for part in ast.walk(node):
        is_text = isinstance(part, ast.JoinedStr) or (
            isinstance(part, ast.Constant) and isinstance(part.value, str | bytes)
        )
        if is_text and isinstance(part, ast.expr) and part.end_lineno and part.end_lineno > part.lineno:
            lines.update(range(part.lineno + 1, part.end_lineno + 1))
    return lines
