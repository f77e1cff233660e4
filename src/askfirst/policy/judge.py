"""Facts and layers in, a verdict out. Pure: no file, no clock, no environment.

For each fact the layers are asked in order of power, and the strictest finding over all facts wins. A block ends the
matter. Any layer may narrow (an entry with `decision: ask` or `deny`), none may widen past a block. What was not
understood is allowed by no rule, only by a person's grant. Nothing analysed proves nothing: that asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from askfirst.knowledge.programs import BROUGHT_BY, DANGEROUS, ON_DATA, base_name, is_harmless
from askfirst.model import (
    MASKED,
    Command,
    Decision,
    Fact,
    Finding,
    Grant,
    Kind,
    Layer,
    ObeyedFile,
    Origin,
    Read,
    ToolUse,
    Unknown,
    Verdict,
    Write,
)
from askfirst.policy import match
from askfirst.policy.blocks import block_command, own_reading_command
from askfirst.policy.coverage import ASKED_FOR_LOADING, ASKED_FOR_PLACE, covers, of_this_text
from askfirst.policy.flow import flow_findings
from askfirst.policy.lockfile import refusal
from askfirst.policy.pinning import machine_of
from askfirst.policy.profiles import rules_of
from askfirst.policy.roles import narrow, note_for
from askfirst.redact import redact

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Rule

__all__ = ["judge"]

# Tools that such an environment brings and that need no profile elsewhere; `node_modules/.bin/git` is not git.
_OWN_TOOLS = frozenset(
    (
        "python python3 pip pip3 uv ruff black isort bandit vulture codespell pydocstyle pycodestyle pyflakes autopep8 "
        "yapf deptry radon ty pyupgrade autoflake interrogate pip-audit coverage pre-commit twine sqlfluff djhtml"
    ).split()
)
_BINSTUBS = frozenset("rails rake rspec rubocop brakeman".split())
# Scripts that a build tool puts at the root of a project to fetch and start itself.
_WRAPPERS_OF_BUILDS = frozenset("gradlew mvnw sbtw millw bazelw pants configure".split())
MASKED_RULE = "masked-secret"
MAX_NEWS, MAX_NEWS_WIDTH = 4, 60
_CHANGED = "what it runs has changed since it was written"
_LOOK_ALIKES = (
    "\u037e\uff1b\ufe14\uff5c\u2223\u01c0\uff06\ufe60\uff1c\uff1e\uff40\uff04\uff08\uff09\uff02\uff07\u2018\u2019"
    "\u201c\u201d"
)


def judge(facts: tuple[Fact, ...], layers: Layers) -> Verdict:
    verdict = _judge(facts, layers)
    if layers.untrusted_note and verdict.decision == Decision.ASK:
        return replace(verdict, notes=(*verdict.notes, layers.untrusted_note))
    return verdict


def _judge(facts: tuple[Fact, ...], layers: Layers) -> Verdict:
    if layers.closed:
        origin = Origin(Layer.ORG_BLOCK, layers.closed_by)
        found = tuple(Finding(f, Decision.DENY, layers.closed, origin) for f in facts)
        return Verdict(Decision.DENY, layers.closed, found, layers.notes)
    # What the session has seen is the first thing to say: each of the others may be fine.
    findings = (*flow_findings(facts, layers), *(_finding(fact, facts, layers) for fact in facts))
    if not findings:
        decision = Decision.ASK if layers.settings.approval_enabled else Decision.DENY
        return Verdict(decision, "askfirst found nothing in it to judge", (), layers.notes)
    decision = max(f.decision for f in findings)
    deciding = next(f for f in findings if f.decision == decision)
    notes = layers.notes if decision != Decision.ALLOW else ()
    if layers.settings.roles:
        notes = (*notes, *note_for(findings, layers))
    return Verdict(decision, deciding.reason, findings, notes)


def _finding(fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> Finding:
    finding = (_own_page(fact, layers) if layers.page_ports else None) or _by_kind(fact, facts, layers)
    if layers.settings.roles:
        finding = narrow(finding, layers)
    if finding.decision == Decision.ASK:
        finding = _granted(finding, facts, layers)
    return finding


def _by_kind(fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> Finding:
    if isinstance(fact, Command):
        finding = _command(fact, layers)
        if finding.decision == Decision.ASK and len(facts) > 1:
            finding = _found_and_killed(fact, facts) or finding
    elif isinstance(fact, Write):
        from askfirst.policy.writes import judge_write

        finding = judge_write(fact, layers)
        if finding.origin.rule in ("delete", "delete-tree"):
            finding = _deleted_by_rule(fact, facts, layers) or finding
    elif isinstance(fact, Read):
        from askfirst.policy.reads import judge_read

        finding = (_blocked_read(fact) if fact.path is None else None) or judge_read(fact, layers)
    elif isinstance(fact, ToolUse):
        from askfirst.policy.tool_rules import judge_tool

        finding = judge_tool(fact, layers)
    else:
        finding = _unknown(fact, facts, layers)
    return finding


def _own_page(fact: Fact, layers: Layers) -> Finding | None:
    from askfirst.policy.own_page import block_own_page

    block = block_own_page(fact, layers.page_ports)
    if block is None:
        return None
    return Finding(fact, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice)


def _granted(finding: Finding, facts: tuple[Fact, ...], layers: Layers) -> Finding:
    """What no rule decided: a person's grant, or the question, or (where asking is switched off) a deny."""
    if layers.grants:
        grant = covers(_grants_for(finding, layers), finding.fact, facts, layers)
        if grant is not None:
            return Finding(
                finding.fact,
                Decision.ALLOW,
                f"allowed by {grant.by or 'a person'}",
                Origin(Layer.GRANT, grant.id, "grants"),
            )
    if not layers.settings.approval_enabled:
        reason = f"{finding.reason}, and approvals are switched off (approval_enabled: false)"
        return replace(finding, decision=Decision.DENY, reason=reason)
    return finding


def _grants_for(finding: Finding, layers: Layers) -> tuple[Grant, ...]:
    """A yes to where something is written is none to what that contains or takes away."""
    write, rule = finding.fact, finding.origin.rule
    if not isinstance(write, Write) or rule in ASKED_FOR_PLACE:
        return layers.grants
    grants = of_this_text(layers.grants)
    if rule not in ASKED_FOR_LOADING:
        return grants
    from askfirst.policy.writes import is_plain_edit

    edits = (g for g in layers.grants if any(s.kind == "write" and s.action == rule for s in g.scopes))
    return (*grants, *edits) if is_plain_edit(write, layers) else grants


# -- commands


def _command(command: Command, layers: Layers) -> Finding:
    block = block_command(command)
    if block is None and not command.text.isascii() and _looks_like_another(command):
        return Finding(
            command,
            Decision.ASK,
            "contains a character that only looks like one of the shell's own",
            Origin(Layer.NOTHING, "look-alike"),
            advice="use plain ASCII characters, or quote it",
        )
    if block is not None:
        return Finding(
            command, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice
        )
    narrowed = _narrowed(command, layers) or _past_the_lock_file(command, layers)
    if narrowed is not None and narrowed.decision == Decision.DENY:
        return narrowed
    allowed = _allowed(command, layers) if narrowed is None else None
    return allowed or narrowed or _nothing(command, layers)


def _found_and_killed(command: Command, facts: tuple[Fact, ...]) -> Finding | None:
    """`pgrep askfirst | xargs kill`."""
    from askfirst.policy.scan import block_killing

    block = block_killing(command, facts)
    return (
        Finding(command, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice)
        if block
        else None
    )


def _deleted_by_rule(write: Write, facts: tuple[Fact, ...], layers: Layers) -> Finding | None:
    """`{name: rm, args: ["-rf ./build"]}`: an entry that names what is deleted allows the deletion, too."""
    rules = tuple(r for r in (*layers.org_allow, *layers.project_allow) if r.args)
    root = layers.project.rstrip("/") + "/"
    if write.path is None or not write.path.startswith(root):
        return None  # `cd elsewhere && rm -rf ./build`
    deleting = [f for f in facts if isinstance(f, Command) and base_name(f.name) == write.by]
    entries = [_covering(rules, command, layers) for command in deleting] if rules else []
    if not entries or not all(entries):
        return None
    assert entries[0] is not None
    return Finding(write, Decision.ALLOW, _by_rule(entries[0]), entries[0].origin)


def _looks_like_another(command: Command) -> bool:
    """`ls ； sudo id`: a person who reads this would see another command than the shell does."""
    return any(not w.quoted and any(c in _LOOK_ALIKES for c in w.text) for w in command.argv)


def _narrowed(command: Command, layers: Layers) -> Finding | None:
    """The strictest entry that forbids this command or wants it asked, from the strongest layer."""
    worst: Finding | None = None
    names = match.names_of(command)
    for layer, rule in _narrowing(layers, names):
        found = match.blocks(rule, command, layers)
        if found == match.Match.NO:
            continue
        decision = rule.decision if found == match.Match.YES else Decision.ASK
        if worst is None or decision > worst.decision:
            danger = _danger(command, layers) if decision == Decision.ASK else ""
            advice = command.action.advice if decision == Decision.DENY else ""
            reason = _narrowed_reason(command, layer, rule, found)
            worst = Finding(command, decision, reason, replace(rule.origin, layer=layer), danger, advice)
    return worst


def _narrowed_reason(command: Command, layer: Layer, rule: Rule, found: match.Match) -> str:
    verb = "is denied by a rule" if rule.decision == Decision.DENY else "must be asked for"
    if layer == Layer.ORG_BLOCK:
        verb = "is blocked by your organisation"
    shown = " ".join(command.action.key[:3]) if rule.args and command.action.key else base_name(command.name)
    if rule.name and not any(match.name_matches(rule.name.lower(), name) for name in match.own_names(command)):
        return _of_another_name(command, rule, verb)
    reason = (
        f"`{shown}` {verb}"
        if found == match.Match.YES
        else f"`{command.text}` could be `{shown} {rule.args[0]}`, which {verb}"
    )
    return f"{reason}: {rule.reason}" if rule.reason else reason


def _of_another_name(command: Command, rule: Rule, verb: str) -> str:
    """`npx npm publish`: the words name another program than the rule does."""
    reason = f"`{command.text}` {verb}: it does by another name what the rule for `{rule.name}` is about"
    return f"{reason}: {rule.reason}" if rule.reason else reason


def _past_the_lock_file(command: Command, layers: Layers) -> Finding | None:
    if "lockfile-only" not in layers.settings.profiles or layers.settings.role not in ("", "dev"):
        return None
    found = refusal(command)
    return (
        Finding(command, Decision.DENY, found[0], Origin(Layer.ORG_BLOCK, "profile lockfile-only"), advice=found[1])
        if found
        else None
    )


def _narrowing(layers: Layers, names: frozenset[str]) -> Iterator[tuple[Layer, Rule]]:
    for layer, rules in (
        (Layer.ORG_BLOCK, layers.org_block),
        (Layer.ORG_ALLOW, layers.org_allow),
        (Layer.BUILTIN_ALLOW, _profile_rules(layers)),
        (Layer.PROJECT_ALLOW, layers.project_allow),
    ):
        for rule in match.about(rules, names):
            if layer == Layer.ORG_BLOCK or rule.decision != Decision.ALLOW:
                yield layer, rule


def _profile_rules(layers: Layers) -> tuple[Rule, ...]:
    return _rules_of_profiles(layers.settings.profiles)


@lru_cache(maxsize=64)
def _rules_of_profiles(names: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(rule for name in names for rule in rules_of(name))


def _allowed(command: Command, layers: Layers) -> Finding | None:
    """The strongest layer that allows this command."""
    rule = _covering(layers.org_allow, command, layers)
    if rule is not None:
        return Finding(command, Decision.ALLOW, _by_rule(rule), replace(rule.origin, layer=Layer.ORG_ALLOW))
    builtin = _builtin(command, layers)
    if builtin is not None:
        return builtin
    rule = _covering(layers.project_allow, command, layers)
    if rule is not None:
        return Finding(command, Decision.ALLOW, _by_rule(rule), replace(rule.origin, layer=Layer.PROJECT_ALLOW))
    return None


def _is_elsewhere(command: Command) -> bool:
    """On another machine, or in a container: the project's rules and profiles speak of its own files, on this one."""
    if not command.via:
        return False
    return bool(machine_of(command))


def _covering(rules: tuple[Rule, ...], command: Command, layers: Layers) -> Rule | None:
    if not rules or _is_elsewhere(command):
        return None
    return next(
        (
            r
            for r in match.about(rules, match.allowed_as(command))
            if r.decision == Decision.ALLOW and match.counts(r, layers) and match.covers(r, command, layers)
        ),
        None,
    )


def _by_rule(rule: Rule) -> str:
    return rule.description or rule.reason or f"`{rule.name}` is allowed"


def _builtin(command: Command, layers: Layers) -> Finding | None:
    own = own_reading_command(command)
    if own:
        return _by_builtin(command, "only looks at the rules", f"askfirst {own}")
    return _by_table(command, layers) or _by_profile_rule(command, layers)


def _by_table(command: Command, layers: Layers) -> Finding | None:
    """What the tables of tools allow: for a program of this machine, or one that the project's own environment
    brings."""
    action = command.action
    if _new_orders(command, layers) is not None:
        return None
    installed = match.is_installed(command)
    own = "" if installed else _own_program(command, layers)
    if not installed and not own:
        return None
    if action.profile:
        return None if _is_elsewhere(command) else _with_profile(command, layers)
    brought = own in layers.settings.profiles and base_name(command.name) in _OWN_TOOLS
    if not action.allowed or not (installed or brought):
        return None
    return _by_builtin(command, action.description or "allowed by the built-in rules", action.rule or command.name)


def _new_orders(command: Command, layers: Layers) -> ObeyedFile | None:
    """A file that the program obeys and that nobody has looked at: changed in this session, or not in git's HEAD."""
    if not (command.action.allowed or command.action.profile):
        return None  # asked about in any case: its files only say what a yes is for
    return next((f for f in command.obeys if f.changed >= layers.since or not f.committed or f.written), None)


def _with_profile(command: Command, layers: Layers) -> Finding | None:
    action = command.action
    on = next((p for p in action.profile.split() if p in layers.settings.profiles), "")
    if not on:
        return None
    rule = f"{action.rule or command.name} (profile {on})"
    return _by_builtin(command, action.description or "allowed by the profile", rule)


def _by_profile_rule(command: Command, layers: Layers) -> Finding | None:
    rule = _covering(_profile_rules(layers), command, layers)
    return Finding(command, Decision.ALLOW, _by_rule(rule), rule.origin) if rule is not None else None


def _by_builtin(command: Command, reason: str, rule: str) -> Finding:
    return Finding(command, Decision.ALLOW, reason, Origin(Layer.BUILTIN_ALLOW, rule))


def _own_program(command: Command, layers: Layers) -> str:
    """`./gradlew`, `.venv/bin/pytest`, `node_modules/.bin/jest`: a runner of the project's own code may itself stand in
    the project.

    The profile that makes it the one a rule means; "" for any other program: `./npm test` is no such runner, any file
    can have a name.
    """
    named = (
        f"{command.cwd}/{command.name}"
        if command.cwd and "/" in command.name and not command.name.startswith(("/", "~"))
        else ""
    )
    for program in (named, command.program or ""):
        if not program.startswith(layers.project.rstrip("/") + "/") or "/../" in program:
            continue
        folder, _, name = program.rpartition("/")
        own = next((profile for place, profile in BROUGHT_BY.items() if folder.endswith(place)), "")
        if own:
            return own
        if command.action.kind == Kind.BUILD and (
            name in _WRAPPERS_OF_BUILDS or (name in _BINSTUBS and base_name(folder) == "bin")
        ):
            return command.action.profile
    return ""


def _nothing(command: Command, layers: Layers) -> Finding:
    """No layer knows it: a person is asked, with the way to a rule. Unless an argument is itself a blocked command."""
    from askfirst.policy.scan import block_argument

    block = block_argument(command)
    if block is not None:
        return Finding(
            command, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice
        )
    entries = (*layers.org_allow, *layers.project_allow)
    idle = next((r for r in entries if not match.counts(r, layers) and match.covers(r, command, layers)), None)
    if idle is None:
        changed = (replace(r, void=_CHANGED) for r in entries if r.sha256 and match.counts(r, layers))
        idle = next((r for r in changed if match.covers(r, command, layers)), None)
    reason = _idle_reason(idle, layers) if idle is not None else _nothing_reason(command, layers)
    origin = replace(idle.origin, layer=Layer.NOTHING) if idle is not None else Origin(Layer.NOTHING, "")
    return Finding(
        command, Decision.ASK, reason, origin, _danger(command, layers), command.action.advice, _entry(command)
    )


def _idle_reason(rule: Rule, layers: Layers) -> str:
    """Why an entry that means this command does not count at present."""
    if rule.void:
        return f"the entry `{rule.name}` does not count: {rule.void}"
    if rule.expires and layers.now >= rule.expires:
        return f"the entry `{rule.name}` has expired"
    role = layers.settings.role or "not configured"
    return f"the entry `{rule.name}` is only for {', '.join(rule.roles)}; your role is {role}"


def _nothing_reason(command: Command, layers: Layers) -> str:
    action = command.action
    orders = _new_orders(command, layers)
    needs_profile = action.profile and not any(p in layers.settings.profiles for p in action.profile.split())
    if orders is not None and not needs_profile:
        return _orders_reason(base_name(command.name), orders)
    if command.foreign == "inside the project" and "/" in command.name:
        return f"no rule allows the project's own program `{command.name}`"
    if command.foreign:
        return f"`{command.name}` is {command.foreign}, so it is not the program that rules mean"
    if not match.is_installed(command):
        return f"`{command.name}` is not where this machine installs programs, so it is not the one that rules mean"
    if action.profile:
        why = " (it runs the project's own code)" if action.kind == Kind.BUILD else ""
        return f"`{_as_called(command)}` needs {_named_profiles(action.profile.split())}{why}"
    if action.rule:
        return f"no rule allows `{action.rule}`{f' ({action.description})' if action.description else ''}"
    return f"no rule allows `{base_name(command.name) or command.name}`"


def _orders_reason(name: str, orders: ObeyedFile) -> str:
    when = "was changed in this session" if orders.committed else "is not in git's HEAD"
    if orders.written:
        when = "this same command writes"
    lines = [redact(line) for line in orders.news[:MAX_NEWS]]
    news = ", ".join(f"`{x if len(x) <= MAX_NEWS_WIDTH else x[: MAX_NEWS_WIDTH - 1] + '…'}`" for x in lines)
    more = len(orders.news) - MAX_NEWS
    told = f"; new in it: {news}" if news else ""
    return f"`{name}` obeys `{orders.path}`, which {when}: {orders.why}{told}" + (
        f" and {more} more" if more > 0 else ""
    )


def _as_called(command: Command) -> str:
    """The action, in words that were typed: code is read, and its own words say nothing to anybody."""
    if command.action.key[-1:] != (ON_DATA,):
        return " ".join(command.action.key)
    return " ".join([command.name, *(w.shown for w in command.argv[1:2])])


def _named_profiles(profiles: list[str]) -> str:
    return "the profile of the project's stack" if len(profiles) > 3 else f"the profile `{'` or `'.join(profiles)}`"


def _danger(command: Command, layers: Layers) -> str:
    """The consequences, when the organisation or the built-in list calls the command dangerous."""
    for rule in layers.dangerous:
        if match.blocks(rule, command, layers) != match.Match.NO:
            return rule.warning or rule.reason or DANGEROUS.get(rule.name, "the organisation calls it dangerous")
    name = base_name(command.name).lower().removesuffix(".exe")
    of_program, of_action = DANGEROUS.get(name, ""), command.action.danger
    if not of_program or (of_action and of_action not in DANGEROUS.values()):
        return of_action  # (of another name, its row or its package has said whether it only looks)
    # The program as a whole is dangerous, and this may be what only looks.
    harmless = command.action.kind == Kind.READ or is_harmless(name, [w.value or "" for w in command.argv[1:]])
    return "" if harmless else of_action or of_program


def _entry(command: Command) -> str:
    """The profile that would allow the command. An entry of its own is what an offer would store (offers.advised)."""
    return f"profiles: [{command.action.profile.split()[0]}]" if command.action.profile and not command.foreign else ""


def _blocked_read(read: Read) -> Finding | None:
    from askfirst.policy.scan import block_read

    block = block_read(read)
    return (
        Finding(read, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice)
        if block
        else None
    )


# -- what was not understood


def _unknown(unknown: Unknown, facts: tuple[Fact, ...], layers: Layers) -> Finding:
    from askfirst.policy.scan import command_names, find_block, running_words

    if unknown.what == MASKED:
        return Finding(unknown, Decision.DENY, unknown.why, Origin(Layer.HARDCODED_BLOCK, MASKED_RULE))
    by_entry = _inert_here(unknown, facts, layers)
    if by_entry is not None:
        return Finding(unknown, Decision.ALLOW, f"`{unknown.text}` is inert for `{by_entry.name}`", by_entry.origin)
    if unknown.what in ("git configuration", "git hook") and unknown.text in layers.trusted_git:
        return Finding(
            unknown,
            Decision.ALLOW,
            "you trust this content of the repository's configuration",
            Origin(Layer.GRANT, "trust --git", unknown.text),
        )
    block = find_block(unknown, facts)
    if block is not None:
        return Finding(
            unknown, Decision.DENY, block.reason, Origin(Layer.HARDCODED_BLOCK, block.rule), advice=block.advice
        )
    if layers.org_block:
        names = {*command_names(unknown), *running_words(unknown)}
        for rule in layers.org_block:
            if (
                not rule.tool
                and not rule.args
                and any(match.name_matches(rule.name.lower(), base_name(n).lower()) for n in names)
            ):
                return Finding(
                    unknown,
                    Decision.DENY,
                    f"hides `{rule.name}`, which the organisation blocks",
                    replace(rule.origin, layer=Layer.ORG_BLOCK),
                )
    return Finding(unknown, Decision.ASK, unknown.why, Origin(Layer.NOTHING, unknown.what))


def _inert_here(unknown: Unknown, facts: tuple[Fact, ...], layers: Layers) -> Rule | None:
    """The entry that calls this variable inert for the program it is set for (`env: [APP_ENV]`)."""
    if unknown.what != "environment":
        return None
    name = unknown.text.partition("=")[0].rstrip("+")
    rules = tuple(r for r in (*layers.org_allow, *_profile_rules(layers), *layers.project_allow) if r.env)
    if not rules:
        return None
    users = [f for f in facts if isinstance(f, Command) and any(a.name == name for a in f.assignments)]
    entries = [
        _covering(tuple(r for r in rules if match.may_set(r.env, command, name)), command, layers) for command in users
    ]
    return entries[0] if entries and all(entries) else None
