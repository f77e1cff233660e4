"""From the text of a rule file to rules, or to one error with its place.

An allowing entry with a mistake does not count, and is named (`problems`); the others do. Any other mistake refuses the
file whole: what a broken block, or a broken setting, was meant to forbid nobody knows.

Pure: the text is handed in, and so is what runs the entries' examples (policy/examples.py). Nothing here opens a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from difflib import get_close_matches
from typing import Any

from askfirst.errors import ConfigError
from askfirst.knowledge import addresses
from askfirst.model import Decision, Layer, Origin
from askfirst.policy import arguments, keys, names, tool_entries
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import KINDS, ROLES, SEEN, WAYS, OrgFile, OwnProfile, Problem, ProjectFile, Rule
from askfirst.policy.yamltext import Value, parse

__all__ = ["explain", "parse_org", "parse_project"]

_DECISIONS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.DENY}
_MAX_ORG_ENTRIES = 1000
_MAX_TEXTS = 100


def parse_org(text: str, file: str, *, profiles: tuple[str, ...] = ()) -> OrgFile:
    """`profiles`: names that a stronger file of the organisation defines."""
    root = parse(text, file)
    if root is None or root.kind == "null":
        return OrgFile()
    problems: list[Problem] = []
    found, version = _root(root, keys.ORG_KEYS, "the organisation's file", problems)
    own = _own_profiles(found.get("own_profiles"), file, problems)
    known = (*sorted(PROFILES), *profiles, *(p.name for p in own))
    settings: list[tuple[str, Any]] = []
    for key, value in found.items():
        if key == "profiles":
            settings.append((key, _profiles(value, known)))
        elif key not in ("version", "allowed_commands", "blocked_commands", "dangerous_commands", "own_profiles"):
            settings.append((key, _setting(value, key, keys.ORG_KEYS[key])))
    allowed = _entries(
        found.get("allowed_commands"), "allowed_commands", Layer.ORG_ALLOW, keys.ORG_KEYS, file, problems
    )
    return OrgFile(
        _entries(found.get("blocked_commands"), "blocked_commands", Layer.ORG_BLOCK, keys.ORG_KEYS, file, problems),
        _marked(allowed, version),
        _entries(found.get("dangerous_commands"), "dangerous_commands", Layer.NOTHING, keys.ORG_KEYS, file, problems),
        tuple(settings),
        own,
        tuple(problems),
    )


def parse_project(text: str, file: str, *, most: int = 100, profiles: tuple[str, ...] = ()) -> ProjectFile:
    """`profiles`: names that the organisation defines."""
    root = parse(text, file)
    if root is None or root.kind == "null":
        return ProjectFile()
    problems: list[Problem] = []
    found, version = _root(root, keys.PROJECT_KEYS, "the project's file", problems)
    listed = found.get("commands")
    if listed is not None and listed.kind == "seq" and len(listed.content) > most:
        raise listed.content[most].error(
            f"has {len(listed.content)} commands, more than {most}",
            "use wildcards or a profile, or move some to the organisation's file",
        )
    rules = _marked(_entries(listed, "commands", Layer.PROJECT_ALLOW, keys.PROJECT_KEYS, file, problems), version)
    wanted = _profiles(found["profiles"], (*sorted(PROFILES), *profiles)) if "profiles" in found else ()
    writes = _setting(found["writes"], "writes", keys.PROJECT_KEYS["writes"]) if "writes" in found else ()
    box = _box_mode(found["box"]) if "box" in found else ""
    toolbox = tuple(
        pair
        for key in ("toolchain", "toolbox")
        if key in found
        for pair in _setting(found[key], key, keys.PROJECT_KEYS[key])
    )
    return ProjectFile(rules, wanted, writes, tuple(problems), box, toolbox)


def _marked(rules: tuple[Rule, ...], version: int) -> tuple[Rule, ...]:
    """The entries of a file of version 1 that were wider then."""
    if version > 1:
        return rules
    return tuple(
        replace(r, old=_was_wider(r.args), old_env=not r.tool) if r.decision == Decision.ALLOW else r for r in rules
    )


def _was_wider(patterns: tuple[str, ...]) -> bool:
    return any(not arguments.parse(p).rest for p in patterns)


# -- structure ---------------------------------------------------------------------------------------------------------


def _root(root: Value, allowed: dict[str, Any], what: str, problems: list[Problem]) -> tuple[dict[str, Value], int]:
    """The file's keys, and its version. A key of another tool that only allows is left out, and named."""
    if root.kind == "map":
        foreign = [key for key, _ in root.content if key.content in keys.FOREIGN_KEYS]
        problems += [key.error(keys.FOREIGN_KEYS[key.content], "remove it").values() for key in foreign]
        root = replace(root, content=tuple(pair for pair in root.content if pair[0] not in foreign))
    found = _mapping(root, allowed, what)
    return found, _version(root, found)


def _mapping(value: Value, allowed: dict[str, Any], what: str) -> dict[str, Value]:
    if value.kind != "map":
        raise value.error(
            f"{what} must be a mapping of keys to values, not {value.is_a}", f"begin with `{next(iter(allowed))}: …`"
        )
    found: dict[str, Value] = {}
    for key, inner in value.content:
        if key.content not in allowed:
            raise key.error(*_unknown_key(key.content, allowed))
        found[key.content] = inner
    return found


# What people write, and what they mean, where the spelling does not tell.
_MEANT = {
    "commands": "allowed_commands",
    "allow": "allowed_commands",
    "allowed": "allowed_commands",
    "deny": "blocked_commands",
    "block": "blocked_commands",
    "blocked": "blocked_commands",
    "blocklist": "blocked_commands",
    "timeout": "approval_timeout_minutes",
    "command": "name",
    "program": "name",
    "arguments": "args",
    "allowed_args": "args",
    "args_whitelist": "args",
    "examples": "match",
    "domain": "domains",
    "hosts": "domains",
    "inputs": "input",
}


def _unknown_key(word: str, allowed: Any) -> tuple[str, str]:
    if word in keys.ENTRY_KEYS and "name" in allowed:
        return f"`{word}` is not allowed in this list", "remove it"
    meant = _MEANT.get(word, "")
    return f"unknown key `{word}`", f"did you mean `{meant}`?" if meant in allowed else _nearest(word, allowed)


def _nearest(word: str, known: Any) -> str:
    near = get_close_matches(word.lower().replace("-", "_"), list(known), 1, 0.6) or get_close_matches(
        word, list(known), 1, 0.6
    )
    return f"did you mean `{near[0]}`?" if near else f"expected one of: {', '.join(known)}"


def _version(root: Value, found: dict[str, Value]) -> int:
    version = found.get("version")
    if version is None:
        raise root.error("`version` is missing", "begin the file with `version: 2`")
    if version.kind == "str" and version.content in ("1", "2"):
        raise version.error("`version` is a number", f"write `version: {version.content}`, without quotes")
    if version.kind != "int" or version.content not in ("1", "2"):
        raise version.error(f"unknown version `{version.content}`", "this askfirst reads `version: 2`")
    return int(version.content)


def _list(value: Value, key: str, *, most: int = _MAX_TEXTS) -> tuple[Value, ...]:
    if value.kind == "null":
        return ()
    if value.kind != "seq":
        example = f'`{key}: ["{value.content}"]`' if value.kind == "str" else "begin each item with `- `"
        raise value.error(
            f"`{key}` must be a list, not {value.is_a}", f"write {example}" if example.startswith("`") else example
        )
    if len(value.content) > most:
        raise value.content[most].error(f"`{key}` has more than {most} items", "shorten it")
    return tuple(value.content)


def _text(value: Value, key: str, *, most: int = 500) -> str:
    if value.kind != "str":
        shown = value.content if isinstance(value.content, str) else ""
        if shown:
            raise value.error(f"YAML reads `{shown}` as {value.is_a}", f'write "{shown}" in quotes')
        raise value.error(f"`{key}` must be a text, not {value.is_a}", "write one line of text")
    text: str = value.content
    if not text.strip():
        raise value.error(f"`{key}` is empty", "write a text or remove the key")
    if len(text) > most:
        raise value.error(f"`{key}` is longer than {most} characters", "shorten it")
    if any(not c.isprintable() for c in text):
        raise value.error(
            f"`{key}` contains a line break or an invisible character", "write it on one line, without escapes"
        )
    return text


def _texts(value: Value, key: str) -> tuple[str, ...]:
    return tuple(_text(v, key) for v in _list(value, key))


def _one_of(value: Value, key: str, known: Any) -> str:
    text = _text(value, key)
    if text not in known:
        raise value.error(f"`{text}` is not a value of `{key}`", _nearest(text, known))
    return text


# -- settings ----------------------------------------------------------------------------------------------------------


def _setting(value: Value, key: str, schema: dict[str, Any]) -> Any:
    """A plain value that fits its row of the table: marshal can store it."""
    kind = schema.get("type")
    if key in _OWN_FORM:
        return _OWN_FORM[key](value)
    if key in _NAMED_FORM:
        return _NAMED_FORM[key](value, key)
    if key in KINDS:
        return _texts(value, key)
    if kind == "object":
        inner = _mapping(value, schema["properties"], f"`{key}`") if value.kind != "null" else {}
        return tuple((k, _setting(v, k, schema["properties"][k])) for k, v in inner.items())
    if kind == "boolean":
        if value.kind != "bool":
            raise value.error(
                f"`{key}` must be true or false, not {value.is_a}",
                f"write `{key}: true` or `{key}: false`, without quotes",
            )
        return value.content.lower() in ("true", "yes", "on")
    if kind in ("integer", "number"):
        return _number(value, key, schema)
    if "enum" in schema:
        return _one_of(value, key, schema["enum"])
    if kind == "string":
        return _text(value, key)
    items = _list(value, key)
    return tuple("" if v.kind == "str" and v.content == "" else _glob(v, key) for v in items)


def _flow_rules(value: Value) -> tuple[Any, ...]:
    return tuple(map(_flow_rule, _list(value, "rules")))


def _flow_rule(entry: Value) -> tuple[Any, ...]:
    """(name, when, to, hosts, decision, reason, file, line)."""
    given = _mapping(entry, keys.FLOW_RULE_KEYS, "a rule of flow")
    missing = next((key for key in ("name", "when") if key not in given), "")
    if missing:
        raise entry.error(f"the rule has no `{missing}`", "write `- {name: …, when: [untrusted, secret]}`")
    when = _several(given["when"], "when", SEEN)
    if not when:
        raise given["when"].error("`when` is empty", f"name some of: {', '.join(SEEN)}")
    to = _several(given["to"], "to", ("out", *WAYS)) if "to" in given else ("out",)
    hosts = _hosts(given["hosts"]) if "hosts" in given else ()
    decision = _one_of(given["decision"], "decision", tuple(_DECISIONS)) if "decision" in given else "ask"
    reason = _text(given["reason"], "reason") if "reason" in given else ""
    name = _text(given["name"], "name", most=60)
    return name, when, to, hosts, int(_DECISIONS[decision]), reason, entry.file, entry.line


def _several(value: Value, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_one_of(item, key, known) for item in _list(value, key))


def _hosts(value: Value) -> tuple[str, ...]:
    for item in _list(value, "hosts"):
        problem = addresses.problem_of(_text(item, "hosts"))
        if problem is not None:
            raise item.error(*problem)
    return _texts(value, "hosts")


def _expressions(value: Value) -> tuple[str, ...]:
    for item in _list(value, "patterns"):
        text = _text(item, "patterns")
        try:
            empty = re.compile(text).search("") is not None
        except re.error as error:
            raise item.error(f"`{text}` is not a regular expression: {error}", "write it in single quotes") from None
        if empty:
            raise item.error(f"`{text}` fits the empty text, and so every place", "say what the secret looks like")
    return _texts(value, "patterns")


def _notices(value: Value) -> tuple[Any, ...]:
    return tuple(map(_notice, _list(value, "notify")))


def _notice(entry: Value) -> tuple[Any, ...]:
    """(kind, url, on, after_seconds)."""
    given = _mapping(entry, keys.NOTIFY_KEYS, "a notification")
    if "kind" not in given:
        raise entry.error("the notification has no `kind`", f"one of: {', '.join(keys.NOTIFY_KINDS)}")
    kind = _one_of(given["kind"], "kind", keys.NOTIFY_KINDS)
    url = _text(given["url"], "url") if "url" in given else ""
    if (kind in ("webhook", "ntfy", "slack")) != bool(url):
        raise entry.error(f"`{kind}` {'takes no `url`' if url else 'needs a `url`'}", "see `askfirst schema org`")
    if url and not url.startswith(("http://", "https://")):
        raise given["url"].error(f"`{url}` is not an address of http or https", "write `https://…`")
    on = _several(given["on"], "on", keys.NOTIFY_ON) if "on" in given else keys.NOTIFY_ON
    if "after_seconds" not in given:
        return kind, url, on, 20
    return kind, url, on, _number(given["after_seconds"], "after_seconds", keys.NOTIFY_KEYS["after_seconds"])


def _box(value: Value) -> tuple[tuple[str, Any], ...]:
    """`box: unknown`, or a mapping with the mode and what is shown and reached."""
    if value.kind != "map":
        return (("mode", _box_mode(value)),)
    found = _mapping(value, keys.BOX_KEYS, "`box`")
    return tuple((k, _box_mode(v) if k == "mode" else _setting(v, k, keys.BOX_KEYS[k])) for k, v in found.items())


def _box_mode(value: Value) -> str:
    # To YAML, `off` without quotes is the same as `false`.
    if value.kind == "bool" and value.content.lower() in ("off", "false", "no"):
        return "off"
    return _one_of(value, "box", keys.BOX_MODES)


def _kinds(value: Value, key: str) -> tuple[str, ...]:
    """`true`, `false`, or a list of kinds."""
    if value.kind == "bool":
        return KINDS if value.content.lower() in ("true", "yes", "on") else ()
    return tuple(_one_of(v, key, KINDS) for v in _list(value, key))


def _profiles(value: Value, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_one_of(v, "profiles", known) for v in _list(value, "profiles"))


def _own_profiles(value: Value | None, file: str, problems: list[Problem]) -> tuple[OwnProfile, ...]:
    if value is None or value.kind == "null":
        return ()
    if value.kind != "map":
        raise value.error(
            f"`own_profiles` must be names with their entries, not {value.is_a}",
            "write `own_profiles: {ours: {commands: […]}}`",
        )
    table = keys.PROFILE_KEYS
    found = []
    for key, inner in value.content:
        name = _text(key, "own_profiles", most=60)
        if name in PROFILES or not name.replace("-", "a").replace("_", "a").isalnum():
            taken = "is the name of a profile that ships with askfirst" if name in PROFILES else "is not a name"
            raise key.error(f"`{name}` {taken}", "choose one of letters, digits and `-`")
        fields = _mapping(inner, table, f"the profile `{name}`")
        rules = _entries(fields.get("commands"), "allowed_commands", Layer.ORG_ALLOW, keys.ORG_KEYS, file, problems)
        include = _profiles(fields["include"], tuple(sorted(PROFILES))) if "include" in fields else ()
        described = _text(fields["description"], "description") if "description" in fields else ""
        found.append(OwnProfile(name, described, include, rules))
    return tuple(found)


def _glob(value: Value, key: str) -> str:
    text = _text(value, key)
    if text.strip("*/. ") == "" and key != "create_in":
        raise value.error(
            f"`{text}` in `{key}` matches every file", "name a directory or a kind of file, such as `infra/**`"
        )
    if key in ("own", "read_only", "create_in") and (text.startswith(("/", "~")) or ".." in text.split("/")):
        raise value.error(
            f"`{text}` in `{key}` must be a directory inside the project", "write it relative to the project's root"
        )
    return text


def _expression(value: Value, key: str) -> str:
    text = _text(value, key)
    try:
        re.compile(text)
    except re.error as error:
        raise value.error(f"`{key}` is not a regular expression: {error}", "escape what is meant literally") from None
    return text


def _days(value: Value, key: str) -> int:
    text = str(value.content)
    if not (text.endswith("d") and text[:-1].isascii() and text[:-1].isdigit() and 0 < int(text[:-1]) < 100_000):
        raise value.error(f"`{key}` must be a number of days, not `{text}`", f"write `{key}: 400d`")
    return int(text[:-1])


def _number(value: Value, key: str, schema: dict[str, Any]) -> int | float:
    kinds = ("int",) if schema["type"] == "integer" else ("int", "float")
    bounds = f"from {schema['minimum']} to {schema['maximum']}"
    try:
        number = float(value.content) if value.kind in kinds else None
    except (TypeError, ValueError):
        number = None  # YAML's other notations: 0x1f, 12:30
    if number is None:
        whole = "whole " if kinds == ("int",) else ""
        given = value.content if value.kind in ("int", "float") else value.is_a
        usual = min(max(5, schema["minimum"]), schema["maximum"])
        raise value.error(f"`{key}` must be a {whole}number {bounds}, not {given}", f"write `{key}: {usual}`")
    if not schema["minimum"] <= number <= schema["maximum"]:
        raise value.error(f"`{key}` must be {bounds}, not {value.content}", f"write a number {bounds}")
    return int(number) if schema["type"] == "integer" else number


def _roles(value: Value) -> tuple[tuple[str, str], ...]:
    if value.kind != "map":
        raise value.error(f"`roles` must be user names with roles, not {value.is_a}", "write `roles: {alice: sre}`")
    found = []
    for key, role in value.content:
        if key.kind != "str":
            raise key.error(f"YAML reads `{key.content}` as {key.is_a}", f'write "{key.content}" in quotes')
        if role.kind == "seq":
            raise role.error(f"`{key.content}` must have one role, not a list", f"one of {', '.join(ROLES)}")
        found.append((key.content, _one_of(role, "roles", ROLES)))
    return tuple(found)


# Settings whose form no row of the table says whole.
_OWN_FORM: dict[str, Any] = {
    "roles": _roles,
    "box": _box,
    "rules": _flow_rules,
    "trusted_hosts": _hosts,
    "patterns": _expressions,
    "notify": _notices,
}
_NAMED_FORM: dict[str, Any] = {"self_approval": _kinds, "keep": _days, "commit_pattern": _expression}


# -- entries -----------------------------------------------------------------------------------------------------------


def _entries(
    value: Value | None, section: str, layer: Layer, table: dict[str, Any], file: str, problems: list[Problem]
) -> tuple[Rule, ...]:
    if value is None:
        return ()
    _, program, tool = table[section]["items"]["anyOf"]
    allowed = {**program["properties"], **tool["properties"]}
    rules = []
    for entry in _list(value, section, most=_MAX_ORG_ENTRIES):
        try:
            rules.append(_entry(entry, section, layer, allowed, file))
        except ConfigError as error:
            if section not in ("allowed_commands", "commands") or _may_narrow(entry):
                raise
            problems.append(error.values())
    return tuple(rules)


def _may_narrow(entry: Value) -> bool:
    """Whether a broken entry may have been meant to ask or to deny: whatever its key is called, it says so."""
    pairs = entry.content if entry.kind == "map" else ()
    return any(value.content in ("ask", "deny", "block") for _, value in pairs)


def _entry(value: Value, section: str, layer: Layer, allowed: dict[str, Any], file: str) -> Rule:
    found, name = _named(value, allowed)
    text = _text(name, "name", most=200)
    fields: dict[str, Any] = {"decision": _default(section, layer)}
    for key, inner in found.items():
        if key not in ("name", "tool"):
            fields[key] = _field(inner, key)
    rule = Rule(text, **fields, origin=Origin(layer, text, file, value.line))
    if "tool" in found or tool_entries.is_tool_name(text):
        return _tool_rule(replace(rule, tool=True), found, name)
    foreign = next((key for key in tool_entries.FIELDS if key in found), "")
    if foreign:
        raise found[foreign].error(f"`{foreign}` is for tools of the agent", f"write `tool: …`, or `args` for `{text}`")
    problem = names.problem_of(rule, section)
    if problem is not None:
        raise name.error(*problem)
    _fit_together(rule, found)
    return rule


def _fit_together(rule: Rule, found: dict[str, Value]) -> None:
    if rule.sha256 and not rule.args and not rule.action and not rule.name.startswith(("./", "/")):
        raise found["sha256"].error(
            "`sha256` is of a script, and this entry names none",
            "write the name as `./path/to/script`, or the script in `args`",
        )
    if rule.action and rule.args:
        raise found["args"].error("`action` and `args` say the same thing in two ways", "keep one of them")
    if rule.target and not rule.action:
        raise found["target"].error("`target` is what an `action` acts on", "add `action`, or use `args`")


def _named(value: Value, allowed: dict[str, Any]) -> tuple[dict[str, Value], Value]:
    """The keys of an entry, and its name: of a program, or of a tool."""
    if value.kind == "seq":
        raise value.error("an entry must be a name or a mapping, not a list", "write `- name: PROGRAM`")
    if value.kind != "map":
        return {}, value
    found = _mapping(value, allowed, "an entry")
    if "name" not in found and "tool" not in found:
        raise value.error("the entry has no `name`", "write `- name: PROGRAM`")
    return found, found["tool"] if "tool" in found else found["name"]


def _default(section: str, layer: Layer) -> Decision:
    if layer == Layer.ORG_BLOCK:
        return Decision.DENY
    return Decision.ASK if section == "dangerous_commands" else Decision.ALLOW


def _tool_rule(rule: Rule, found: dict[str, Value], name: Value) -> Rule:
    """An entry that names a tool, by `tool` or (`- WebFetch`, `- name: mcp__github__*`) by a name that only tools
    have."""
    given = tuple(key for key in found if key != "name" or "tool" in found)
    problem = tool_entries.problem_of(rule, given)
    if problem is not None:
        key, what, hint = problem
        raise found.get(key, name).error(what, hint)
    return rule


def _field(value: Value, key: str) -> Any:
    if key in tool_entries.FIELDS:
        return tool_entries.field(value, key)
    if key in ("args", "deny_args"):
        return tuple(_pattern(v, key) for v in _list(value, key))
    if key == "env":
        return _variables(_list(value, key))
    if key == "roles":
        return tuple(_one_of(v, key, ROLES) for v in _list(value, key))
    if key in ("match", "not_match"):
        return _texts(value, key)
    if key == "paths":
        return _one_of(value, key, ("project", "tmp", "cwd", "any"))
    if key == "decision":
        return _DECISIONS[_one_of(value, key, tuple(_DECISIONS))]
    if key == "expires":
        return _expires(value)
    if key == "sha256":
        text = _text(value, key)
        if len(text) != 64 or text.strip("0123456789abcdef"):
            raise value.error("`sha256` must be 64 lower-case hexadecimal digits", "take it from `sha256sum FILE`")
        return text
    return _text(value, key)


def _pattern(value: Value, key: str) -> str:
    if key == "args" and value.kind == "str" and value.content == "":
        return ""  # no arguments
    text = _text(value, key, most=2000)
    try:
        pattern = arguments.parse(text)
    except arguments.PatternError as error:
        raise value.error(f"`{text}`: {error}", "quote a word that is meant as it stands") from None
    bare = arguments.unquoted(text)
    _clear(value, key, text, pattern, bare)
    return " ".join(text.split()) if bare == text else text.strip()


def _clear(value: Value, key: str, text: str, pattern: arguments.Pattern, bare: str) -> None:
    """Raises for a pattern that would not mean what its writer thinks."""
    if any("*" in word[:-1] for word in bare.split()):
        raise value.error(f"`{text}`: a `*` is allowed only at the end of a word", "it matches the rest of that word")
    if key == "deny_args" and pattern.rest:
        raise value.error(f"`{text}`: `...` says nothing in `{key}`", "name what must not be there")
    if not pattern.tokens or (not pattern.rest and pattern.tokens == (arguments.Token("", "begins"),)):
        raise value.error(
            f"`{text}` in `{key}` matches anything",
            f"leave `{key}` out" if key == "args" else "name what must not be there",
        )
    for char in ";|&<>`$":
        if char in bare:
            raise value.error(
                f"`{text}` contains `{char}`, which the shell reads, not the program",
                "list the arguments of one program only, or quote the word",
            )


def _variables(values: Iterable[Value]) -> tuple[str, ...]:
    found: list[str] = []
    for value in values:
        found.append(_variable(value))
        name, equals, _ = found[-1].partition("=")
        if equals and any(text.startswith(f"{name}=") and text != found[-1] for text in found):
            raise value.error(f"`{name}` stands twice, so nothing could match", "remove one of them")
    return tuple(found)


def _variable(value: Value) -> str:
    text = _text(value, "env")
    name = text.partition("=")[0]
    if not name.replace("_", "a").isalnum() or not name.isascii() or name[0].isdigit():
        raise value.error(
            f"`{text}` is not the name of a variable", "write the name, or name and value: `env: [APP_ENV, STAGE=dev]`"
        )
    if names.chooses_code(name):
        raise value.error(
            f"`{name}` can make programs run other code, so no entry may allow it",
            "leave it out, and the command asks",
        )
    return text


def _expires(value: Value) -> float:
    text = value.content if isinstance(value.content, str) else ""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise value.error(f"`{text or 'expires'}` is not a date", "write it as 2027-01-31") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + 86400.0  # the day itself still counts


def explain(error: ConfigError) -> str:
    """The message with the line and a caret under the place."""
    return f"{error}\n{error.excerpt}" if error.excerpt else str(error)
