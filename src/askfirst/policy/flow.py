"""The rules of flow: what the session has seen, and where a call would take it. Private to policy: callers go through
`judge`; what a call shows to the session is `shown`, which whoever keeps the labels asks once it may run.

    labels (Layers) + facts -> goals: what leaves, what is loaded by itself -> the first rule that fits -> findings

Each call alone may be fine: a page is read, `.env` is read after a yes, a branch is pushed. A finding of this layer
stands beside the others, and no allow, profile or grant for the command covers it: only a yes that was given for this
way out, in this session, after it had seen these secrets. Pure: labels are handed in.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from askfirst.agents.table import INSTRUCTIONS
from askfirst.digest import sha256_hex
from askfirst.knowledge import addresses
from askfirst.knowledge.globs import below, fold, matches
from askfirst.knowledge.tools import FETCH, server_of
from askfirst.model import (
    ALWAYS_ASKED,
    HANDS_ON,
    MASKED,
    Command,
    Decision,
    Fact,
    Finding,
    Kind,
    Layer,
    Origin,
    Read,
    Scope,
    Sends,
    ToolUse,
    Unknown,
    Write,
)
from askfirst.policy.coverage import is_in_force
from askfirst.policy.locations import locate
from askfirst.policy.pinning import PACKAGES_NAMED, installed_packages, machine_of, script_of
from askfirst.policy.rules import FlowRule, Label, LabelledFile, Layers
from askfirst.policy.tool_match import hosts_of
from askfirst.redact import redact

__all__ = ["DEFAULTS", "flow_findings", "may_run_contained", "said", "scope_of_flow", "shown", "taints"]

UNTRUSTED, SECRET, PRIVATE, VALUE = "untrusted", "secret", "private", "value"
OUT, LOADED, CODE = "out", "loaded", "code"
DEFAULTS = (
    FlowRule("secret-value", (VALUE,), reason="the value of a secret stands in what would go out"),
    FlowRule(
        "untrusted-and-secret",
        (UNTRUSTED, SECRET),
        (OUT, CODE),
        reason="this session has read text that a stranger may have written, and it has seen secrets",
    ),
    FlowRule(
        "untrusted-and-private",
        (UNTRUSTED, PRIVATE),
        (OUT, CODE),
        reason="this session has read text that a stranger may have written, and it has seen private data",
    ),
    FlowRule(
        "untrusted-and-loaded",
        (UNTRUSTED,),
        (LOADED,),
        reason="this session has read text that a stranger may have written, and a tool would obey this file by itself",
    ),
)
MAX_REASON = 160
MAX_TO = 80
MAX_TOLD = 2  # of each kind, in the story


class Goal:
    """Where a fact would take what the session has seen."""

    __slots__ = ("carries", "fact", "how", "to", "why")

    def __init__(self, fact: Fact, how: str, to: str, why: str = "", carries: tuple[str, ...] = ()) -> None:
        self.fact, self.how, self.to, self.why, self.carries = fact, how, to, why, carries


# -- what a call shows to the session


def shown(facts: tuple[Fact, ...], layers: Layers) -> tuple[Label, ...]:
    """What the session has seen once these facts have happened: kind and reason. When and by whose leave is added by
    whoever keeps it."""
    found: dict[tuple[str, str, str], Label] = {}
    for fact in facts:
        on = fact.on if isinstance(fact, (Read, Unknown)) else ""
        for kind, reason in _shown_by(fact, layers):
            words = redact(reason)[:MAX_REASON] + (f" by {on}" if on else "")
            found.setdefault((kind, words, on), Label(kind, words, on=on))
    return tuple(found.values())


def _shown_by(fact: Fact, layers: Layers) -> Iterator[tuple[str, str]]:
    if isinstance(fact, Command):
        if fact.action.brings and not _is_trusted(fact.action.leaves_to, layers):
            yield UNTRUSTED, f"`{fact.text}`: {fact.action.brings}"
    elif isinstance(fact, ToolUse):
        if fact.brings and not _is_trusted_tool(fact, layers):
            yield UNTRUSTED, f"{_named(fact)}: {fact.brings}"
        if any(_names_tool(pattern, fact.name) for pattern in layers.settings.flow.private):
            yield PRIVATE, f"{_named(fact)}: the organisation calls it private"
    elif isinstance(fact, Read):
        yield from _shown_by_read(fact, layers)
    elif isinstance(fact, Unknown) and fact.what == "secrets" and not fact.why.startswith(HANDS_ON):
        yield SECRET, f"`{fact.text}` {fact.why}"


def _shown_by_read(read: Read, layers: Layers) -> Iterator[tuple[str, str]]:
    if read.path is None:
        return
    from askfirst.policy.reads import judge_read

    finding = judge_read(read, layers)
    if finding.decision == Decision.ASK and finding.origin.rule == "secret-read":
        yield SECRET, f"read {_short(read.path, layers)}"
    location = locate(read.path, layers)
    if any(matches(p, location) for p in layers.settings.flow.private if not _is_tool(p)):
        yield PRIVATE, f"read {_short(read.path, layers)}"
    file = next((f for f in layers.labelled if _is_in(f, read.path)), None)
    if file is not None and not read.on:
        yield UNTRUSTED, f"read {_short(file.path, layers)}, {file.reason}"


def _is_in(file: LabelledFile, path: str) -> bool:
    """The file itself, one below a labelled directory, or a search over a directory that holds it."""
    if path == file.path or (file.below and below(path, file.path) is not None):
        return True
    return below(file.path, path) is not None


def _is_trusted(host: str, layers: Layers) -> bool:
    found = addresses.address_of(f"https://{host}") if host else None
    return found is not None and any(addresses.means(p, found) for p in layers.settings.flow.trusted_hosts)


def _is_trusted_tool(use: ToolUse, layers: Layers) -> bool:
    settings, server = layers.settings.flow, server_of(use.name)
    if use.name == FETCH:
        hosts = hosts_of(use)
        return bool(hosts) and all(_is_trusted(host, layers) for host in hosts)
    return bool(server) and server in (*settings.trusted_servers, *settings.local_servers)


def _is_tool(pattern: str) -> bool:
    return pattern.startswith("mcp__") or (pattern[:1].isupper() and "/" not in pattern and "." not in pattern)


def _names_tool(pattern: str, tool: str) -> bool:
    if not _is_tool(pattern):
        return False
    return tool.startswith(pattern[:-1]) if pattern.endswith("*") else tool == pattern


def taints(facts: tuple[Fact, ...], layers: Layers) -> tuple[tuple[str, bool], ...]:
    """(path, everything below): the files into which strangers' text may go with these facts. `layers` has what the
    session has seen, this call included."""
    if not any(label.kind == UNTRUSTED for label in layers.labels):
        return ()
    found: dict[str, bool] = {}
    for fact in facts:
        if isinstance(fact, Write) and fact.path is not None and fact.how not in ("delete", "mode"):
            if not fact.path.startswith("/dev/"):
                found[fact.path] = found.get(fact.path, False) or fact.below
    return tuple(found.items())


def said(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    """What these facts tell to machines of this network, as hashes: nobody who reads the record learns an address."""
    commands = (fact for fact in facts if isinstance(fact, Command))
    return tuple(one for command in commands for one in _said_by(command))


def _said_by(command: Command) -> tuple[str, ...]:
    where = machine_of(command)
    return tuple(sha256_hex(f"{where}\0{one}")[:16] for one in command.action.says)


def _is_nothing_new(fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> bool:
    """Whether the same machine of this network was told the same before the session had seen a secret: who asks again
    carries nothing there. Not where the call reads a secret itself, which may decide whether it asks."""
    if not isinstance(fact, Command) or not fact.action.says or _taken_along(facts, layers):
        return False
    return layers.said.issuperset(_said_by(fact))


# -- where a call would go


def flow_findings(facts: tuple[Fact, ...], layers: Layers) -> tuple[Finding, ...]:
    """What the rules of flow say to this call, beside what every other layer says."""
    rules = _possible(facts, layers)
    goals = tuple(_goals(facts, layers)) if rules else ()
    if not goals:
        return ()
    # What the call itself fetches comes too late to have led it; a secret that it reads itself goes out with it.
    all_seen = (*layers.labels, *_taken_along(facts, layers))
    found: dict[tuple[str, str], Finding] = {}
    for goal in goals:
        seen = _new_to(goal, all_seen)
        rule = next((r for r in rules if _fits(r, goal, seen, layers)), None)
        if rule in DEFAULTS and not goal.carries and _is_nothing_new(goal.fact, facts, layers):
            continue
        if rule is not None and rule.decision != Decision.ALLOW:
            found.setdefault((rule.name, goal.to), _finding(rule, goal, seen, layers))
    return tuple(found.values())


def _taken_along(facts: tuple[Fact, ...], layers: Layers) -> tuple[Label, ...]:
    handed = [f for f in facts if isinstance(f, Unknown) and f.what == "secrets" and f.why.startswith(HANDS_ON)]
    own = (label for label in shown(facts, layers) if label.kind != UNTRUSTED)
    return (*own, *(Label(SECRET, fact.why, on=fact.on) for fact in handed))


def _new_to(goal: Goal, seen: tuple[Label, ...]) -> tuple[Label, ...]:
    """Without the secrets that were seen on the very machine to which a login goes: it has them already. Code that runs
    there is another matter, and so is what it asks others."""
    login = _login_of(goal.fact) if goal.how not in (CODE, LOADED) and isinstance(goal.fact, Command) else ""
    return tuple(label for label in seen if label.kind == UNTRUSTED or not label.on or label.on != login)


def _login_of(command: Command) -> str:
    """The login by which what it sends gets to another machine and stays there: its own, or that of whoever asks a
    server there."""
    program = " ".join((*command.action.key[:1], command.action.target))
    if program.startswith(_LOGINS):
        return program
    there = [v for v in command.via if v.startswith(_LOGINS)]
    return there[-1] if there and _receiver(command) == there[-1].partition(" ")[2] else ""


def _possible(facts: tuple[Fact, ...], layers: Layers) -> tuple[FlowRule, ...]:
    """The rules that may fit, in order: most sessions have seen nothing that any of them is about."""
    kinds = {label.kind for label in layers.labels} | {SECRET, PRIVATE}
    if any(isinstance(fact, (Command, ToolUse)) and fact.carries for fact in facts):
        kinds.add(VALUE)
    return tuple(r for r in (*layers.settings.flow.rules, *DEFAULTS) if kinds.issuperset(r.when))


def _goals(facts: tuple[Fact, ...], layers: Layers) -> Iterator[Goal]:
    for fact in facts:
        goal: Goal | None = None
        if isinstance(fact, Command):
            goal = _goal_of_command(fact)
        elif isinstance(fact, ToolUse):
            if fact.leaves and server_of(fact.name) not in layers.settings.flow.local_servers:
                goal = Goal(fact, fact.leaves, fact.leaves_to, carries=fact.carries)
        elif isinstance(fact, Write):
            goal = _goal_of_write(fact, layers)
        elif isinstance(fact, Unknown):
            goal = _goal_of_unknown(fact)
        if goal is not None:
            yield goal


def _goal_of_command(command: Command) -> Goal | None:
    action = command.action
    if action.leaves:
        return Goal(command, action.leaves, _receiver(command), carries=command.carries)
    if command.carries:
        return Goal(command, "lookup", action.target or command.name, carries=command.carries)
    if action.kind == Kind.NETWORK and action.sends == Sends.NOTHING:
        return Goal(command, "network", action.target or " ".join(action.key))  # a tunnel, a deployment
    if _runs_anything(command):
        return Goal(command, CODE, script_of(command) or command.name, "it runs code, which may send anything")
    if _fetches_code(command):
        packages = installed_packages(command).removeprefix(PACKAGES_NAMED)  # whatever their versions
        to = packages or action.target or " ".join(action.key)
        return Goal(command, CODE, to, "it runs code, which may send anything")
    if action.kind == Kind.BUILD:
        return Goal(command, CODE, command.name, "it runs code that this session has written since")
    return None


_LOGINS = ("ssh ", "slogin ", "mosh ", "autossh ")


def _receiver(command: Command) -> str:
    """To whom it sends. A server of the machine that somebody has logged in to is that machine."""
    to = command.action.leaves_to
    found = addresses.address_of(f"http://{to}")
    there = [v.partition(" ")[2] for v in command.via if v.startswith(_LOGINS)]
    return there[-1] if there and found is not None and found.is_loopback else to


def _goal_of_write(write: Write, layers: Layers) -> Goal | None:
    place = write.path or write.text
    if place.startswith(("/dev/tcp/", "/dev/udp/")):
        return Goal(write, "network", "/".join(place.split("/")[3:5]))
    why = _loaded(write, layers)
    return Goal(write, LOADED, place, why) if why else None


def _goal_of_unknown(unknown: Unknown) -> Goal | None:
    """A yes to what is not understood, given before the session had seen anything, must not cover where it goes now."""
    to = unknown.text[:MAX_TO] or unknown.what
    if unknown.what in ("network", "host", "remote", "download"):
        return Goal(unknown, "network", to)
    if unknown.what in (MASKED, ALWAYS_ASKED, "secrets", "secret"):
        return None
    return Goal(unknown, CODE, to, "it is not understood, and may send anything")


def may_run_contained(finding: Finding, layers: Layers) -> bool:
    """Whether a rule of flow asks only because code may send something: in a box it cannot."""
    return all(goal.how == CODE for goal in _goals((finding.fact,), layers))


def _runs_anything(command: Command) -> bool:
    action = command.action
    return action.kind in (Kind.CODE, Kind.INLINE) or (action.kind == Kind.OTHER and not action.rule)


def _fetches_code(command: Command) -> bool:
    """A package by its name, chosen by whoever wrote what the session has read. What a lock file names is not."""
    action = command.action
    return not action.allowed and (action.kind == Kind.WRAPPER or (action.kind == Kind.INSTALL and bool(action.target)))


def _loaded(write: Write, layers: Layers) -> str:
    if write.by == "mkdir":
        return ""  # an empty directory tells nobody anything
    if write.below:
        return ""  # an environment that is made, a checkout: its files are not named one by one
    if write.path is not None and fold(write.path).rpartition("/")[2] in INSTRUCTIONS:
        return "agents follow it in every session"
    from askfirst.policy.writes import loaded_by_itself

    return loaded_by_itself(write, layers)


def _fits(rule: FlowRule, goal: Goal, seen: tuple[Label, ...], layers: Layers) -> bool:
    if goal.how not in rule.to and not (OUT in rule.to and goal.how not in (CODE, LOADED)):
        return False
    if rule.hosts and not any(_is_host(pattern, goal.to) for pattern in rule.hosts):
        return False
    kinds = {label.kind for label in seen} | ({VALUE} if goal.carries else set())
    return kinds.issuperset(rule.when) and (goal.how != CODE or _may_send(rule, goal, seen, layers))


def _may_send(rule: FlowRule, goal: Goal, seen: tuple[Label, ...], layers: Layers) -> bool:
    """A build or a test run sends what its code says: that counts where the session has written some since it had seen
    all that the rule is about."""
    if not (isinstance(goal.fact, Command) and goal.fact.action.kind == Kind.BUILD):
        return True
    since = max(min(label.at for label in seen if label.kind == kind) for kind in rule.when if kind != VALUE)
    return any(f.session == layers.session and f.at >= since for f in layers.labelled)


def _is_host(pattern: str, to: str) -> bool:
    found = addresses.address_of(f"https://{to}")
    return to == pattern or (found is not None and addresses.means(pattern, found))


def _finding(rule: FlowRule, goal: Goal, seen: tuple[Label, ...], layers: Layers) -> Finding:
    origin = replace(rule.origin, rule=rule.name)
    wanted = (rule.name, goal.to, _digest(seen, layers))
    grant = next((g for g in layers.grants if is_in_force(g, layers) and _covers(g.scopes, wanted)), None)
    if rule.decision == Decision.ASK and grant is not None:
        reason = f"sending to {goal.to} was allowed by {grant.by or 'a person'} in this session"
        return Finding(goal.fact, Decision.ALLOW, reason, Origin(Layer.GRANT, grant.id, "grants"))
    reason = f"{rule.reason or 'a rule of flow'}: {_story(rule, goal, seen)}"
    if rule.decision == Decision.ASK and not layers.settings.approval_enabled:
        reason = f"{reason}; and approvals are switched off (approval_enabled: false)"
        return Finding(goal.fact, Decision.DENY, reason, origin)
    danger = "a secret leaves this machine, and a stranger's text may have asked for it"
    led = VALUE in rule.when and any(label.kind == UNTRUSTED for label in seen)
    return Finding(goal.fact, rule.decision, reason, origin, danger if led and rule.decision == Decision.ASK else "")


def _story(rule: FlowRule, goal: Goal, seen: tuple[Label, ...]) -> str:
    """`09:14 read issue #12 (untrusted), 09:20 read .env (secret, allowed by ann), now sends to api.example.com`."""
    told: list[Label] = []
    for kind in rule.when:
        of_kind = [label for label in seen if label.kind == kind]
        told += of_kind[:1] + of_kind[1:][-(MAX_TOLD - 1) :]
    parts = [_told(label) for label in sorted(told, key=lambda label: label.at or float("inf"))]
    more = len([label for label in seen if label.kind in rule.when]) - len(told)
    if more > 0:
        parts.append(f"and {more} more")
    if goal.how == LOADED:
        parts.append(f"now writes {goal.to} ({goal.why})")
    elif goal.how == CODE:
        parts.append(f"now runs {goal.to}: {goal.why}")
    else:
        what = f" {', '.join(goal.carries)}" if goal.carries else ""
        parts.append(f"now sends{what} to {goal.to}")
    return ", ".join(parts)


def _told(label: Label) -> str:
    when = time.strftime("%H:%M ", time.localtime(label.at)) if label.at else "this call: "
    return f"{when}{label.reason} ({label.kind}{f', allowed by {label.by}' if label.by else ''})"


# -- what a person's yes to it remembers


def scope_of_flow(finding: Finding, facts: tuple[Fact, ...], layers: Layers) -> Scope:
    """The rule and the way out, for as long as the session has seen no other secret."""
    goal = next(iter(_goals((finding.fact,), layers)))
    seen = _new_to(goal, (*layers.labels, *_taken_along(facts, layers)))
    verb = {LOADED: "writing", CODE: "running"}.get(goal.how, "sending to")
    words = f"{verb} {goal.to}, in this session, with what it has seen so far"
    return Scope("flow", finding.origin.rule, target=goal.to, sha256=_digest(seen, layers), shown=words)


def _covers(scopes: tuple[Scope, ...], wanted: tuple[str, str, str]) -> bool:
    return any(s.kind == "flow" and (s.name, s.target, s.sha256) == wanted for s in scopes)


def _digest(seen: tuple[Label, ...], layers: Layers) -> str:
    """Another page changes nothing about what could go out; another secret does."""
    secrets = sorted({label.reason for label in seen if label.kind != UNTRUSTED})
    return sha256_hex("\0".join((layers.session, *secrets)))


def _named(use: ToolUse) -> str:
    about = use.addresses[0] if use.addresses else str(use.input.get("query", "")) if use.name == "WebSearch" else ""
    return f"{use.name} {about}".strip()


def _short(path: str, layers: Layers) -> str:
    root = layers.project.rstrip("/") + "/"
    return path.removeprefix(root) if path != layers.project else "the project"
