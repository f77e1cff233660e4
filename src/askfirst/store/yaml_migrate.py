"""A rule file of version 1, written as version 2: the same text, with the version changed and, where that is wanted,
`...` behind the patterns that used to mean every call that begins so. Comments, order and style are the team's."""

from __future__ import annotations

from typing import Any

import yaml

from askfirst.errors import ConfigError
from askfirst.policy import arguments
from askfirst.store.yaml_insert import compose, value_of

__all__ = ["migrated"]

_LISTS = ("commands", "allowed_commands")  # of the project's file, and of the organisation's


def migrated(text: str, *, exact: bool, file: str = "") -> str:
    """The text of version 2; the same text where it is that already. Raises ConfigError when it cannot be done
    safely."""
    root = compose(text, file)
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError("the file is not a plain mapping", file=file)
    version = next((v for k, v in root.value if k.value == "version"), None)
    if version is None or version.value != "1":
        return text
    changes = [(version.start_mark.index, version.end_mark.index, "2")]
    wanted = {**value_of(text), "version": 2}
    lists = [(k.value, v) for k, v in root.value if k.value in _LISTS and isinstance(v, yaml.SequenceNode)]
    for name, value in [] if exact else lists:
        wanted[name] = [_with_rest(entry) for entry in wanted[name]]
        changes += [change for node in value.value for change in _changes(node, text, file)]
    changed = _applied(text, changes)
    if value_of(changed) != wanted:
        raise ConfigError("the result would not be what was wanted", file=file, hint="change the file by hand")
    return changed


def _applied(text: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _is_narrower(entry: Any) -> bool:
    """Whether an entry allows less than when its patterns meant every call that begins so."""
    return isinstance(entry, dict) and entry.get("decision", "allow") == "allow" and isinstance(entry.get("args"), list)


def _with_rest(entry: Any) -> Any:
    return {**entry, "args": [_rested(a) for a in entry["args"]]} if _is_narrower(entry) else entry


def _rested(pattern: str) -> str:
    return pattern if arguments.parse(pattern).rest else f"{pattern.rstrip()} {arguments.REST}"


def _changes(node: yaml.Node, text: str, file: str) -> list[tuple[int, int, str]]:
    if not isinstance(node, yaml.MappingNode) or not _is_narrower(_plain(node)):
        return []
    args = next(v for k, v in node.value if k.value == "args")
    found = []
    for scalar in args.value:
        if arguments.parse(scalar.value).rest:
            continue
        start, end = scalar.start_mark.index, scalar.end_mark.index
        if scalar.style in ("|", ">"):
            raise ConfigError("a pattern stands in several lines", file=file, line=scalar.start_mark.line + 1)
        closing = 1 if scalar.style in ("'", '"') else 0
        written = text[start : end - closing].rstrip()
        found.append((start, end, f"{written} {arguments.REST}{text[end - closing : end]}"))
    return found


def _plain(node: yaml.MappingNode) -> dict[str, Any]:
    return {k.value: [i.value for i in v.value] if isinstance(v, yaml.SequenceNode) else v.value for k, v in node.value}
