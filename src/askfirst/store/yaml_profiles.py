"""Switching profiles in a rule file's text without touching anything else: as for entries (yaml_insert.py), the result
is parsed again and must be the old value with the wanted profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from askfirst.errors import ConfigError
from askfirst.policy.yaml_writing import flow
from askfirst.store.yaml_insert import VERSION, compose, value_of

_KEY = "profiles"


def with_profiles(text: str, wanted: Sequence[str], *, file: str = "") -> str:
    """`text` with exactly these profiles. Raises ConfigError when that cannot be done safely."""
    if "\r" in text:
        raise _by_hand("its lines end as on Windows", wanted, file)
    root = compose(text, file)
    if root is None:
        new = f"{_ended(text)}version: {VERSION}\n{_KEY}: {flow(wanted)}\n"
        return _checked(new, {"version": VERSION, _KEY: list(wanted)}, file)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise _by_hand("the file is not a plain mapping", wanted, file)
    old: dict[str, Any] = value_of(text)
    place = next((value for key, value in root.value if key.value == _KEY), None)
    if place is None:
        new = _behind_version(text, root, f"{_KEY}: {flow(wanted)}")
    elif isinstance(place, yaml.SequenceNode) and place.flow_style:
        new = text[: place.start_mark.index] + flow(wanted) + text[place.end_mark.index :]
    elif isinstance(place, yaml.SequenceNode):
        new = _in_lines(text, place, wanted)
    else:
        raise _by_hand("`profiles` is not a list", wanted, file)
    return _checked(new, {**old, _KEY: list(wanted)}, file)


def _behind_version(text: str, root: yaml.MappingNode, line: str) -> str:
    """Profiles stand at the top, behind `version` where there is one."""
    lines = text.splitlines(keepends=True)
    at = next((v.start_mark.line + 1 for k, v in root.value if k.value == "version"), root.start_mark.line)
    before = "".join(lines[:at])
    return _ended(before) + f"{' ' * root.start_mark.column}{line}\n" + "".join(lines[at:])


def _in_lines(text: str, place: yaml.SequenceNode, wanted: Sequence[str]) -> str:
    """One profile a line: the lines of those that go are taken out, new ones come behind the last."""
    lines = text.splitlines(keepends=True)
    there = {item.value: item.start_mark.line for item in place.value}
    behind = max(there.values()) + 1
    indent = " " * place.start_mark.column
    new = [f"{indent}- {flow(name)}\n" for name in wanted if name not in there]
    if not wanted:
        return text[: place.start_mark.index].rstrip() + " []\n" + "".join(lines[behind:])
    gone = {line for name, line in there.items() if name not in wanted}
    kept = [line for at, line in enumerate(lines[:behind]) if at not in gone]
    return _ended("".join(kept)) + "".join(new) + "".join(lines[behind:])


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _checked(new: str, wanted: dict[str, Any], file: str) -> str:
    try:
        found = value_of(new)
    except (yaml.YAMLError, ValueError):
        found = None
    same = isinstance(found, dict) and {**found, _KEY: sorted(found.get(_KEY) or [])} == {
        **wanted,
        _KEY: sorted(wanted[_KEY]),
    }
    if not same:
        raise _by_hand("its profiles cannot be changed safely", wanted[_KEY], file)
    return new


def _by_hand(problem: str, wanted: Sequence[str], file: str) -> ConfigError:
    return ConfigError(problem, file=file, hint=f"write `{_KEY}: {flow(wanted)}` by hand")
