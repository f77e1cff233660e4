"""Edits a JSON file's text in place: what is not ours keeps its bytes, its order and its indentation.

Two edits are enough for an installer: append an item to an array (making the objects on the way), and remove parts
again. Each edit is proved: the new text must parse to exactly the old value with that change, or it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askfirst import jsontext
from askfirst.errors import ConfigError
from askfirst.install.settings_file import FIX_BY_HAND, UNCHANGED

SPACE = " \t\r\n"
ADD_BY_HAND = f"add the hooks by hand; {UNCHANGED}"


@dataclass(frozen=True)
class Node:
    """A value and where it stands. For an object, keys[i] names parts[i] and starts at key_starts[i]."""

    start: int
    end: int
    value: Any
    parts: tuple[Node, ...] = ()
    keys: tuple[str, ...] = ()
    key_starts: tuple[int, ...] = ()

    def member(self, key: str) -> Node | None:
        return self.parts[self.keys.index(key)] if key in self.keys else None


def parse(text: str, file: str) -> Node:
    """The value with its places. Raises ConfigError with the line when the text is not JSON, or holds a key twice."""
    try:
        value = jsontext.loads(text)
    except ValueError as error:
        raise ConfigError(f"not valid JSON: {error}", file=file, hint=FIX_BY_HAND) from None
    node, _ = _node(text, _skip(text, 0))
    if node.value != value:
        raise ConfigError("this JSON cannot be edited safely", file=file, hint=ADD_BY_HAND)
    return node


def text_of(data: bytes, file: str) -> str:
    """The text of a file that must hold a JSON object; an empty file counts as an empty object."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: {error.reason} at byte {error.start}"
        raise ConfigError(problem, file=file, hint=FIX_BY_HAND) from None
    if text.startswith("\ufeff"):
        hint = f"save it as UTF-8 without one; {UNCHANGED}"
        raise ConfigError("begins with a byte order mark", file=file, hint=hint)
    if not text.strip():
        return "{}\n"
    if not isinstance(parse(text, file).value, dict):
        raise ConfigError("is not a JSON object", file=file, hint=FIX_BY_HAND)
    return text


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at


def _node(text: str, at: int) -> tuple[Node, int]:
    if text[at] in "{[":
        return _container(text, at)
    end = at
    if text[at] == '"':
        end = at + 1
        while text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        end += 1
    else:
        while end < len(text) and text[end] not in ",]}" + SPACE:
            end += 1
    return Node(at, end, jsontext.loads(text[at:end])), end


def _container(text: str, start: int) -> tuple[Node, int]:
    closing = "}" if text[start] == "{" else "]"
    parts: list[Node] = []
    keys: list[str] = []
    key_starts: list[int] = []
    at = _skip(text, start + 1)
    while text[at] != closing:
        if closing == "}":
            key, end = _node(text, at)
            keys.append(key.value)
            key_starts.append(at)
            at = _skip(text, _skip(text, end) + 1)
        item, at = _node(text, at)
        parts.append(item)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    value: Any = dict(zip(keys, (i.value for i in parts), strict=True)) if closing == "}" else [i.value for i in parts]
    return Node(start, at + 1, value, tuple(parts), tuple(keys), tuple(key_starts)), at + 1


def append_item(text: str, path: tuple[str, ...], item: Any, file: str) -> str:
    """Append `item` to the array at `path` (object keys), creating what is missing."""
    root = parse(text, file)
    node, depth = _follow(root, path, file)
    if depth < len(path):
        return set_member(text, path, [item], file)
    if not isinstance(node.value, list):
        raise ConfigError(f"`{'.'.join(path)}` is not a list", file=file, hint=FIX_BY_HAND)
    expected = _copy(root.value)
    _at(expected, path).append(item)
    return _proved(_insert(text, node, "", item), expected, file)


def set_member(text: str, path: tuple[str, ...], value: Any, file: str) -> str:
    """Add the member at `path`, creating the objects on the way; a member that is there already is refused."""
    root = parse(text, file)
    node, depth = _follow(root, path, file)
    if depth == len(path):
        raise ConfigError(f"`{'.'.join(path)}` already exists", file=file, hint=f"remove it first; {UNCHANGED}")
    missing = value
    for key in reversed(path[depth + 1 :]):
        missing = {key: missing}
    expected = _copy(root.value)
    _at(expected, path[:depth])[path[depth]] = missing
    return _proved(_insert(text, node, jsontext.quote(path[depth]), missing), expected, file)


def _follow(root: Node, path: tuple[str, ...], file: str) -> tuple[Node, int]:
    """The last node on the path that is there, and how many keys lead to it."""
    node = root
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            place = f"`{'.'.join(path[:depth])}`" if depth else "the file"
            raise ConfigError(f"{place} is not an object", file=file, hint=FIX_BY_HAND)
        found = node.member(key)
        if found is None:
            return node, depth
        node = found
    return node, len(path)


def remove_items(text: str, path: tuple[str, ...], ours: Callable[[Any], bool], file: str) -> str:
    """Remove what is ours from the array at `path`, and arrays and objects that this leaves empty (never the top)."""
    while True:
        root = parse(text, file)
        chain = _chain(root, path)
        array = chain[-1] if chain else root
        if not chain or not isinstance(array.value, list):
            return text
        index = next((i for i, item in enumerate(array.parts) if ours(item.value)), None)
        if index is None:
            return text
        depth = len(chain) - 1
        while depth > 0 and len(chain[depth].parts) == 1:
            depth -= 1
            index = chain[depth].keys.index(path[depth])
        expected = _without(root.value, path[:depth], index)
        text = _proved(_cut(text, chain[depth], index), expected, file)


def remove_member(text: str, path: tuple[str, ...], file: str) -> str:
    """Remove the member at `path`, and the objects that this leaves empty (never the top)."""
    root = parse(text, file)
    chain = _chain(root, path)
    if not chain:
        return text
    depth = len(path) - 1
    while depth > 0 and len(chain[depth].parts) == 1:
        depth -= 1
    index = chain[depth].keys.index(path[depth])
    return _proved(_cut(text, chain[depth], index), _without(root.value, path[:depth], index), file)


def _chain(root: Node, path: tuple[str, ...]) -> list[Node]:
    """The nodes from the top to the one at `path`; empty when it is not there."""
    chain = [root]
    for key in path:
        found = chain[-1].member(key) if isinstance(chain[-1].value, dict) else None
        if found is None:
            return []
        chain.append(found)
    return chain


# Text


def _insert(text: str, node: Node, key: str, value: Any) -> str:
    """Behind the last item of an object or array, laid out like the rest of the file."""
    newline = "\r\n" if "\r\n" in text else "\n"
    step = indent_of(text)
    empty = not node.parts
    flat = ("\n" not in text.strip() and bool(text.strip("{} \t\r\n"))) or (
        not empty and "\n" not in text[node.start : node.end] and node.start > 0
    )
    if flat:
        piece = (key + ": " if key else "") + _render(value, "", "", newline, flat=True)
        at = node.parts[-1].end if node.parts else node.start + 1
        return text[:at] + (", " if node.parts else "") + piece + text[at:]
    margin = _margin(text, node) if not empty else _line_margin(text, node.start) + step
    piece = (key + ": " if key else "") + _render(value, margin, step, newline)
    if empty:
        return (
            text[: node.start + 1]
            + newline
            + margin
            + piece
            + newline
            + _line_margin(text, node.start)
            + text[node.end - 1 :]
        )
    at = node.parts[-1].end
    return text[:at] + "," + newline + margin + piece + text[at:]


def _cut(text: str, node: Node, index: int) -> str:
    """The exact undoing of `_insert`, also for an item in the middle."""
    start = node.key_starts[index] if node.keys else node.parts[index].start
    end = node.parts[index].end
    if index > 0:
        return text[: node.parts[index - 1].end] + text[end:]
    if len(node.parts) > 1:
        following = node.key_starts[1] if node.keys else node.parts[1].start
        return text[:start] + text[following:]
    return text[: node.start + 1] + text[node.end - 1 :]


def indent_of(text: str) -> str:
    """One step of the file's indentation: what the first indented line begins with."""
    for line in text.splitlines()[1:]:
        step = line[: len(line) - len(line.lstrip(" \t"))]
        if step:
            return step
    return "  "


def _margin(text: str, node: Node) -> str:
    start = node.key_starts[-1] if node.keys else node.parts[-1].start
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    return before if not before.strip() else _line_margin(text, start)


def _line_margin(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _render(value: Any, margin: str, step: str, newline: str, *, flat: bool = False) -> str:
    if not isinstance(value, (dict, list)) or not value:
        return jsontext.dumps(value)
    inner = margin + step
    if isinstance(value, dict):
        parts = [jsontext.quote(k) + ": " + _render(v, inner, step, newline, flat=flat) for k, v in value.items()]
    else:
        parts = [_render(v, inner, step, newline, flat=flat) for v in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if flat:
        return opening + ", ".join(parts) + closing
    return opening + newline + ("," + newline).join(inner + p for p in parts) + newline + margin + closing


# Values


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, list) else value


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _without(value: Any, path: tuple[str, ...], index: int) -> Any:
    result = _copy(value)
    place = _at(result, path)
    if isinstance(place, dict):
        del place[list(place)[index]]
    else:
        del place[index]
    return result


def _proved(new: str, expected: Any, file: str) -> str:
    try:
        proved = jsontext.loads(new) == expected
    except ValueError:
        proved = False
    if not proved:
        raise ConfigError("cannot be edited without changing what is not askfirst's", file=file, hint=ADD_BY_HAND)
    return new
