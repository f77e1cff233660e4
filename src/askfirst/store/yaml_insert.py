"""Adding entries to a list in a YAML text without touching anything else: comments, order and style are the team's.

Nothing is rewritten: text is inserted at one place, found by the marks of the parser, and the result is parsed again
and must be the old value plus the new entries. A text in which that cannot be done safely is refused with the reason.
"""

from __future__ import annotations

from typing import Any

import yaml

from askfirst.errors import ConfigError
from askfirst.policy.yaml_writing import block, flow

_LIST = "commands"
VERSION = 2  # of a file that has nothing in it yet
# What YAML, or an editor, takes for a line end.
_STRANGE = {
    "\ufeff": "a byte order mark",
    "\x85": "a NEL",
    "\u2028": "a line separator",
    "\u2029": "a paragraph separator",
    "\x0c": "a form feed",
    "\x0b": "a vertical tab",
}


# Inserting


def insert(text: str, entries: list[dict[str, Any]], *, file: str = "") -> str:
    """`text` with `entries` at the end of its list of commands. Raises ConfigError when that cannot be done safely."""
    end = _line_end(text, file)
    _refuse_strange(text, file)
    root = compose(text, file)
    if root is None:
        new = _with_end(text, end) + "".join(
            line + end for line in [f"version: {VERSION}", f"{_LIST}:", *_lines(entries, 2)]
        )
        _verify(text, new, {"version": VERSION, _LIST: entries}, file)
        return new
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise _refused("the file is not a plain mapping", file)
    old = value_of(text)
    base = _without_empty_brackets(text, root)
    if base != text:
        text, root = base, compose(base, file)
        assert isinstance(root, yaml.MappingNode)
    new = _into_mapping(text, root, entries, end, file)
    _verify(text, new, {**old, _LIST: [*(old.get(_LIST) or []), *entries]}, file)
    return new


def _without_empty_brackets(text: str, root: yaml.MappingNode) -> str:
    """`commands: []`, as files begin, without its brackets: a list with lines can follow; a comment behind it stays."""
    for key, value in root.value:
        if key.value == _LIST and isinstance(value, yaml.SequenceNode) and value.flow_style and not value.value:
            start, end = value.start_mark.index, value.end_mark.index
            if text[start + 1 : end - 1].strip() == "":
                return text[:start].rstrip(" ") + text[end:]
    return text


def _into_mapping(text: str, root: yaml.MappingNode, entries: list[dict[str, Any]], end: str, file: str) -> str:
    place = next(((k, v) for k, v in root.value if k.value == _LIST), None)
    if place is None:
        if text.rstrip().endswith("..."):
            raise _refused("the document ends with `...`", file)
        indent = " " * root.start_mark.column
        return _with_end(text, end) + "".join(
            line + end for line in [f"{indent}{_LIST}:", *_lines(entries, root.start_mark.column + 2)]
        )
    key, value = place
    if isinstance(value, yaml.SequenceNode) and value.value and not value.flow_style:
        return _insert_lines(text, _line_behind(value.value[-1]), _lines(entries, value.start_mark.column), end)
    if isinstance(value, yaml.SequenceNode) and value.value:
        at = value.value[-1].end_mark.index
        return text[:at] + "".join(f", {flow(e)}" for e in entries) + text[at:]
    if isinstance(value, yaml.ScalarNode) and value.value == "" and value.tag == "tag:yaml.org,2002:null":
        return _insert_lines(text, key.end_mark.line + 1, _lines(entries, key.start_mark.column + 2), end)
    raise _refused(f"`{_LIST}` is not a list", file)


def _lines(entries: list[dict[str, Any]], indent: int) -> list[str]:
    return [line for entry in entries for line in block(entry, indent)]


def _insert_lines(text: str, at: int, lines: list[str], end: str) -> str:
    old = text.split(end)
    if at >= len(old):
        return _with_end(text, end) + "".join(line + end for line in lines)
    return end.join([*old[:at], *lines, *old[at:]])


def _with_end(text: str, end: str) -> str:
    return text if not text or text.endswith(end) else text + end


def _line_behind(node: yaml.Node) -> int:
    """The line behind a node's last character.

    The end of a block collection is where the next thing begins, so its last part is asked.
    """
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _line_behind(last[1] if isinstance(last, tuple) else last)
    mark = node.end_mark
    is_block_text = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    return int(mark.line) if is_block_text and mark.column == 0 else int(mark.line) + 1


# Removing


def without(text: str, entries: list[dict[str, Any]], *, file: str = "") -> str:
    """`text` without those entries of its list of commands; the same text when none of them stands there."""
    end = _line_end(text, file)
    _refuse_strange(text, file)
    root, old = compose(text, file), value_of(text)
    there = old.get(_LIST) if isinstance(old, dict) else None
    if not isinstance(root, yaml.MappingNode) or not isinstance(there, list) or not any(e in there for e in entries):
        return text
    listed = next(v for k, v in root.value if k.value == _LIST)
    if listed.flow_style:
        raise _refused("its list is written in brackets", file)
    lines = text.split(end)
    for node, value in reversed(list(zip(listed.value, there, strict=True))):
        if value in entries:
            del lines[node.start_mark.line : _line_behind(node)]
    new = end.join(lines)
    _verify_removal(new, {**old, _LIST: [e for e in there if e not in entries]}, file)
    return new


def _verify_removal(new: str, wanted: dict[str, Any], file: str) -> None:
    found = value_of(new)
    if not isinstance(found, dict) or {**found, _LIST: found.get(_LIST) or []} != wanted:
        raise _refused("the entry cannot be removed safely", file)


# Refusing


def _refused(problem: str, file: str) -> ConfigError:
    return ConfigError(problem, file=file)


def _line_end(text: str, file: str) -> str:
    windows = text.count("\r\n")
    if "\r" in text.replace("\r\n", "") or (windows and windows != text.count("\n")):
        raise _refused("it mixes line ends", file)
    return "\r\n" if windows else "\n"


def _refuse_strange(text: str, file: str) -> None:
    for char, name in _STRANGE.items():
        if char in text:
            raise _refused(f"it contains {name}", file)
    for line in text.splitlines():
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise _refused("a line is indented with a tab", file)


def compose(text: str, file: str) -> yaml.Node | None:
    try:
        documents = list(yaml.compose_all(text, Loader=_Strict))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise ConfigError(
            getattr(error, "problem", None) or "is not valid YAML",
            file=file,
            line=mark.line + 1 if mark else 0,
            column=mark.column + 1 if mark else 0,
        ) from error
    except _Unsupported as error:
        raise _refused(str(error), file) from None
    except (RecursionError, ValueError) as error:
        raise _refused("it cannot be parsed", file) from error
    if len(documents) > 1:
        raise _refused("it contains several documents", file)
    root = documents[0] if documents else None
    if root is not None:
        _refuse_duplicates(root, file)
    if isinstance(root, yaml.ScalarNode) and root.value == "":
        return None
    return root


class _Unsupported(Exception):
    """A part of YAML that a text cannot be inserted into safely."""


class _Strict(yaml.SafeLoader):
    """Composes a document with marks, and refuses what an inserted text could break."""

    def get_event(self) -> yaml.Event:
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Unsupported("it uses anchors and aliases")
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag:
            raise _Unsupported("it uses tags")
        if isinstance(event, yaml.DocumentStartEvent) and (event.version or event.tags):
            raise _Unsupported("it uses directives")
        return event


def value_of(text: str) -> Any:
    """What the text means.

    The parser in C is twenty times as fast; where marks are needed, the one in Python is used.
    """
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _refuse_duplicates(node: yaml.Node, file: str) -> None:
    if isinstance(node, yaml.MappingNode):
        keys = [k.value for k, _ in node.value if isinstance(k, yaml.ScalarNode)]
        if len(keys) != len(node.value):
            raise _refused("a key is not a plain word", file)
        if len(set(keys)) != len(keys):
            raise _refused("a key appears twice", file)
        if "<<" in keys:
            raise _refused("it uses merge keys", file)
        for _, value in node.value:
            _refuse_duplicates(value, file)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_duplicates(item, file)


def _verify(old: str, new: str, wanted: Any, file: str) -> None:
    try:
        found = value_of(new)
    except (yaml.YAMLError, ValueError) as error:
        raise _refused("the result would not be valid YAML", file) from error
    if found != wanted or repr(found) != repr(wanted):
        raise _refused("the result would not be the old content plus the new entry", file)
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if not new.endswith(old[at:]) or len(new) < len(old):
        raise _refused("the result would not be the old text with a piece inserted", file)
