"""Whether a rule means the use of a tool.

An allowing rule means a call only where it certainly does: plain addresses on its hosts, inputs with exactly its
values. A block means it also where it may: the same key at any depth and in any spelling, a host's sub-domains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.knowledge import addresses
from askfirst.knowledge.tools import FETCH, MEANS_ALSO, is_paging, plain_key
from askfirst.model import ToolUse
from askfirst.policy.match import Match

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Rule

__all__ = ["blocks", "covers", "hosts_of", "is_named", "plain_address", "text_of", "use_of"]


def use_of(text: str) -> ToolUse | None:
    """The call that an example of a rule stands for: `mcp__github__issue {"op": "get"}`, `WebFetch https://…`."""
    name, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    given = {"url": rest} if rest and name == FETCH and rest[0] != "{" else _inner_json(rest or "{}")
    if not isinstance(given, dict):
        return None
    urls = tuple(t for t in _leaves(list(given.values())) if t[:8].lower().startswith(("http://", "https://")))
    return ToolUse(name, given, addresses=urls)


def is_named(tool: str, rules: Iterable[Rule]) -> bool:
    """Of the tools that have names of their own here, which are written in one way only."""
    return any(_is_name(rule, tool) for rule in rules)


def plain_address(url: str) -> addresses.Address | None:
    """Where an address leads; None where that is not certain."""
    return None if addresses.leads_on(url) else addresses.address_of(url)


def hosts_of(use: ToolUse) -> tuple[str, ...]:
    """The hosts that it fetches from, as entries of `domains`; () unless every address is plain."""
    found = [plain_address(url) for url in use.addresses]
    return tuple(dict.fromkeys(a.pattern for a in found if a is not None)) if None not in found else ()


def _is_name(rule: Rule, name: str) -> bool:
    if not rule.tool:
        return False
    if rule.name.endswith("*"):
        return name.startswith(rule.name[:-1])
    return rule.name == name or name in MEANS_ALSO.get(rule.name, ())


def covers(rule: Rule, use: ToolUse) -> bool:
    """Whether an allowing rule certainly means this call."""
    if not _is_name(rule, use.name) or _may_be_of_another_server(rule.name, use.name):
        return False
    if rule.domains and not _on_hosts(rule.domains, use):
        return False
    if not all(_has_value(use.input, key, values) for key, values in rule.input):
        return False
    if rule.free_input is not None:
        named = {key for key, _ in rule.input}
        if not all(
            key in named or _is_loose(use.name, key, value, rule.free_input) for key, value in use.input.items()
        ):
            return False
    return not any(_may_have(use.input, key, values) for key, values in rule.deny_input)


def _is_loose(tool: str, key: str, value: Any, free: tuple[str, ...]) -> bool:
    """Whether an input may be anything: free text, or which page. An object is neither, whatever it is called."""
    texts = value if isinstance(value, (list, tuple)) and key in free else (value,)
    return (key in free or is_paging(tool, key)) and all(t is None or text_of(t) is not None for t in texts)


def _may_be_of_another_server(pattern: str, name: str) -> bool:
    """`mcp__github__x__get` may be `x__get` of the server `github`, or `get` of one that is called `github__x`."""
    return pattern.startswith("mcp__") and pattern.endswith("*") and "__" in name[len(pattern) - 1 :]


def blocks(rule: Rule, use: ToolUse, layers: Layers) -> Match:
    """Whether a narrowing rule may mean this call."""
    if rule.roles and layers.settings.role and layers.settings.role not in rule.roles:
        return Match.NO
    if rule.expires and layers.now >= rule.expires:
        return Match.NO
    if not _is_name(rule, use.name) and not _is_name(replace(rule, name=rule.name.lower()), use.name.lower()):
        # A block is meant in whatever case a server is written, and as other agents write it.
        if not rule.tool or not _may_be_written_so(rule.name, use):
            return Match.NO
    if not all(_may_have(use.input, key, values) for key, values in rule.input):
        return Match.NO
    return _may_be_on_hosts(rule.domains, use) if rule.domains else Match.YES


def _may_be_written_so(pattern: str, use: ToolUse) -> bool:
    """`mcp__github__delete*` may be what other agents call `AGENT:github_delete_repo` or
    `AGENT:github-mcp-server-delete_repo`; of `MCP:delete_repo` only the input says which server it is."""
    agent, colon, own = use.name.partition(":")
    server, _, tool = (_joined(part) for part in pattern.removesuffix("*").removeprefix("mcp__").partition("__"))
    if not colon or not pattern.startswith("mcp__") or not server:
        return False
    if agent == "MCP":
        name, known = _joined(own), text_of(use.input.get("server")) or server
        if server not in _joined(known):
            return False
    else:
        start, name = f"{server}_" if tool or "__" in pattern[5:] else server, _joined(own).removeprefix("mcp_")
        if not name.startswith(start):
            return False
        name = name.removeprefix(start).removeprefix("mcp_server_")
    return name.startswith(tool) if pattern.endswith("*") else name == tool


def _joined(name: str) -> str:
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _on_hosts(domains: tuple[str, ...], use: ToolUse) -> bool:
    found = [plain_address(url) for url in use.addresses]
    return bool(found) and all(a is not None and any(addresses.means(d, a) for d in domains) for a in found)


def _may_be_on_hosts(domains: tuple[str, ...], use: ToolUse) -> Match:
    found = [addresses.address_of(url) for url in use.addresses]
    read = [a or addresses.address_of(addresses.completed(url)) for a, url in zip(found, use.addresses, strict=True)]
    if any(a is not None and any(addresses.may_mean(d, a) for d in domains) for a in read):
        return Match.YES
    odd = None in found or any(map(addresses.leads_on, use.addresses))
    return Match.MAYBE if odd else Match.NO


def text_of(value: Any) -> str | None:
    """A single value as rules write it: a text, a number, true or false; None for a list, an object and nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    return value if isinstance(value, str) else None


def _has_value(given: Any, key: str, values: tuple[str, ...]) -> bool:
    """Of `op` and `Op` some servers read the one, some the other: then neither is certain."""
    text = text_of(given.get(key))
    spelled = [name for name in given if plain_key(name) == plain_key(key)]
    return text is not None and len(spelled) == 1 and any(_is_value(pattern, text) for pattern in values)


def _is_value(pattern: str, text: str) -> bool:
    """The very text; a `*` at the end stands for the rest of one part of a path, and for no other part."""
    if not pattern.endswith("*"):
        return pattern == text
    rest = text[len(pattern) - 1 :]
    plain = all(c.isprintable() and c not in "/\\%" for c in rest)
    return text.startswith(pattern[:-1]) and plain and rest not in ("", ".", "..")


def _may_have(given: Any, key: str, values: tuple[str, ...]) -> bool:
    """Whether the key is there in any spelling and at any depth, with a value that a server may take for one of
    these."""
    return any(
        pattern == "*" or _may_be_value(pattern, text)
        for found in _values_of(given, plain_key(key))
        for text in _leaves(found)
        for pattern in values
    )


def _may_be_value(pattern: str, text: str) -> bool:
    wanted, text = pattern.casefold().strip(), text.casefold().strip()
    if wanted.endswith("*"):
        return text.startswith(wanted[:-1])
    return text == wanted or _truth(text) == _truth(wanted) != "" or _number(text) == _number(wanted) is not None


# What servers take for a truth value.
_TRUTHS = {**dict.fromkeys("true yes on 1 t y".split(), "true"), **dict.fromkeys("false no off 0 f n".split(), "false")}


def _truth(text: str) -> str:
    return _TRUTHS.get("1" if _number(text) == 1 else "0" if _number(text) == 0 else text, "")


def _number(text: str) -> float | None:
    """`1`, `1.0` and `1e0` are one number to a server."""
    try:
        return float(text)
    except ValueError:
        return None


def _values_of(given: Any, key: str) -> Iterator[Any]:
    if isinstance(given, dict):
        for name, value in given.items():
            if plain_key(name) == key:
                yield value
            yield from _values_of(value, key)
    elif isinstance(given, (list, tuple)):
        for value in given:
            yield from _values_of(value, key)
    elif isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
        yield from _values_of(_inner_json(given), key)


def _inner_json(text: str) -> Any:
    """Some tools take their input as the text of an object."""
    try:
        return jsontext.loads(text.encode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _leaves(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner)
    else:
        text = text_of(value)
        yield "null" if text is None else text
