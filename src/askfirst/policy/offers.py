"""What a person can say yes to: each an Offer, one value from which the words, the grant and the entry of a rule file
are made.

    case -> offers(case) -> (Offer, …)      narrowest first; `usual` is the one that a question begins with
            Offer.words                     what it covers, as every surface shows it
            Offer.covers(facts, layers)     whether a later request would be allowed by it
            Offer.grant(…), Offer.entries   for the session or a while; for the project's rule file

Narrowest first: the exact words; the action (program and sub-command, with what the tables of tools know to be inert);
the same where the other words matter (`install`, `run`: no question begins with it); the program. What could not be
understood is remembered by the digest of the whole request, or not at all. What a scope says of a command is what an
entry of a rule file says (coverage.rule_of), so that neither can be wider than the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from askfirst.knowledge.definitions import DEFINITIONS
from askfirst.knowledge.globs import fold
from askfirst.knowledge.places import SCRATCH_DIRS
from askfirst.knowledge.programs import base_name
from askfirst.knowledge.tools import RUNNERS, runs_its_input
from askfirst.model import (
    ALWAYS_ASKED,
    Command,
    Decision,
    Duration,
    Fact,
    Finding,
    Grant,
    Kind,
    Layer,
    Read,
    Request,
    Scope,
    ToolUse,
    Unknown,
    Verdict,
    Write,
)
from askfirst.policy.arguments import parse
from askfirst.policy.coverage import ASKED_FOR_LOADING, ASKED_FOR_PLACE, EDITS, rule_of, scope_covers
from askfirst.policy.file_hashes import file_hash
from askfirst.policy.flow import scope_of_flow
from askfirst.policy.match import covers
from askfirst.policy.named_files import is_text, named_files
from askfirst.policy.names import problem_of
from askfirst.policy.orders import definition_of, found, names_hash, scripts_hash
from askfirst.policy.pinning import ANY_CONTENT, is_inside, key_of, kind_of, machine_of, script_of, taken_in
from askfirst.policy.scopes import TOO_MANY_FILES, Part, command_part, entry_of, env_of, stay_of
from askfirst.policy.tool_entries import problem_of as tool_problem
from askfirst.policy.tool_scope import scope_of, wide_scope_of
from askfirst.policy.yaml_writing import line_of
from askfirst.redact import redact

if TYPE_CHECKING:
    from askfirst.policy.case import Case
    from askfirst.policy.rules import Layers, Rule

__all__ = ["STEPS", "Offer", "advised", "offers", "offers_of", "usual"]

STEPS = ("text", "exact", "action", "wide", "program")
MAX_TEXT, MAX_COMMANDS = 2000, 20
MAX_PINS = 300
MIN_DEPTH = 3  # `/srv/data/out` is a place for something; `/etc/x`, `/tmp` and a home directory are not
# Unknown facts of these classes cannot be told apart by their text: what runs depends on what the text does not say.
_NOT_REMEMBERED = frozenset({"syntax", "expansion", "too long", "eval", "zsh", "live build"})
# The same words later would take something else away.
_ASKED_FOR_LOSS = frozenset({"replace", "empties", "proposal"})
_EXACT_TEXT = Scope("text", shown="exactly this text, in this directory")
_BUT = " (secrets, and replacing most of a long file, ask all the same)"
_NO_RULE = "no rule can say this narrowly enough"


@dataclass(frozen=True)
class Offer:
    """One thing that a person can say yes to, beyond this one call."""

    step: str  # of STEPS
    scopes: tuple[Scope, ...]
    entries: tuple[Mapping[str, Any], ...] = ()  # of a rule file, one for each scope; () when it cannot say this
    refused: Mapping[int, str] = field(default_factory=dict)  # Duration -> why it is not offered

    @property
    def words(self) -> str:
        """What it covers."""
        return "; ".join(dict.fromkeys(s.shown for s in self.scopes if s.shown))

    def covers(self, fact: Fact, facts: tuple[Fact, ...], layers: Layers) -> bool:
        """Whether it would allow a fact that is asked about. An exact text is not told by its facts: no."""
        return self.step != "text" and any(scope_covers(s, fact, facts, layers) for s in self.scopes)

    def grant(self, case: Case, *, id: str, duration: Duration = Duration.SESSION, **more: Any) -> Grant:
        """What is stored for the session, or for a while."""
        request = case.request
        given = {"session": request.session, "agent": request.agent, "digest": case.digest, **more}
        return Grant(id, self.scopes, duration, request.project, **given)

    def rules(self) -> tuple[Rule, ...]:
        """What the entries mean once they stand in the project's file."""
        return tuple(rule_of(s) for s in self.scopes) if self.entries else ()


def offers(case: Case) -> tuple[Offer, ...]:
    found = offers_of(case.verdict, case.facts, case.layers, text=_text_of(case.request))
    return found if case.request.tool in RUNNERS else tuple(map(_of_a_call, found))


def _of_a_call(offer: Offer) -> Offer:
    """An edit, or another agent's tool, has no text."""
    said = (replace(s, shown=s.shown.replace(_EXACT_TEXT.shown, "exactly this call")) for s in offer.scopes)
    return replace(offer, scopes=tuple(said)) if offer.step == "text" else offer


def usual(found: tuple[Offer, ...], grants: tuple[Grant, ...] = ()) -> int:
    """Which offer a question begins with: the action, where there is one. Exact words are asked for again and again,
    and then nobody reads them. `grants`: behind two different actions of a program that no table knows, the program."""
    first = next((n for n, offer in enumerate(found) if offer.step == "action"), 0)
    wider = [s for s in found[-1].scopes if s not in found[first].scopes] if found[-1].step == "program" else []
    known = found[first].step == "action" and bool(wider) and all(_is_well_known(s, grants) for s in wider)
    return len(found) - 1 if known else first


def _is_well_known(scope: Scope, grants: tuple[Grant, ...]) -> bool:
    """Whether it is a program as such, and two different actions of it have had a yes."""
    same = (s for g in grants for s in g.scopes if (s.kind, s.name, s.via) == ("command", scope.name, scope.via))
    return not (scope.args or scope.action or scope.sha256) and len({s.args for s in same if s.args}) > 1


def advised(case: Case) -> Verdict:
    """The verdict, with the entry that each asked command's finding could have: what a permanent yes would store, and
    none where it could not."""
    found = offers(case)
    entries = found[usual(found)].entries
    rules = found[usual(found)].rules()
    findings = [
        replace(f, entry=f.entry or _line_for(f, entries, rules, case.layers)) if f.decision == Decision.ASK else f
        for f in case.verdict.findings
    ]
    return replace(case.verdict, findings=tuple(findings))


def _line_for(finding: Finding, entries: tuple[Mapping[str, Any], ...], rules: tuple[Rule, ...], layers: Layers) -> str:
    fact = finding.fact
    if isinstance(fact, ToolUse):
        return next(map(line_of, entries), "")
    if not isinstance(fact, Command):
        return ""
    return next((line_of(e) for e, r in zip(entries, rules, strict=False) if covers(r, fact, layers)), "")


def _text_of(request: Request) -> str:
    return next((v for k in ("command", "file_path") if isinstance(v := request.input.get(k), str)), "")


def offers_of(verdict: Verdict, facts: tuple[Fact, ...], layers: Layers, *, text: str) -> tuple[Offer, ...]:
    """What can be remembered of the facts that were asked about. Never empty."""
    parts, flow = _parts(verdict, layers), _flow_parts(verdict, facts, layers)
    if not parts and not flow:
        nothing = "askfirst cannot tell its parts apart"
        return (Offer("text", (_EXACT_TEXT,), (), _refusals(nothing, nothing)),)
    only_once = _first(p.only_once for p in parts) or _too_many(verdict)
    not_permanent = only_once or _first(p.not_permanent for p in (*parts, *flow))
    parts = [replace(part, steps=_that_cover(part, facts, layers)) for part in parts]
    if all(part.steps for part in parts):
        return _by_step([*parts, *flow], layers, only_once, not_permanent)
    # One part is bound to the exact text, so all of it is: a chain's risky part must not be remembered on its own.
    pins = _pins(parts, verdict)
    only_once = only_once or _too_long(text) or _uncounted(pins, facts)
    refused = _refusals(only_once, not_permanent or "an exact text is not a rule")
    ways_out = (scope for part in flow for _, scope in part.steps)
    held = _held(pins, layers.project) + _fetched(facts)
    return (Offer("text", (replace(_EXACT_TEXT, shown=f"{_EXACT_TEXT.shown}{held}"), *pins, *ways_out), (), refused),)


def _fetched(facts: tuple[Fact, ...]) -> str:
    """`curl URL | bash`: the text is the same, and what runs may be something else each time."""
    commands = [f for f in facts if isinstance(f, Command)]
    fed = any(c.fed and kind_of(c) in (Kind.INLINE, Kind.WRAPPER) for c in commands)
    return ", whatever it fetches and runs then" if fed and any(c.action.brings for c in commands) else ""


def _flow_parts(verdict: Verdict, facts: tuple[Fact, ...], layers: Layers) -> list[Part]:
    """A yes to what a rule of flow asks is for this way out and for this session."""
    why = "what the session has seen ends with it, and so does a yes to this"
    asked = _asked(verdict, flow=True)
    return [Part(f, (("exact", scope_of_flow(f, facts, layers)),), not_permanent=why) for f in asked]


def _by_step(parts: list[Part], layers: Layers, only_once: str, not_permanent: str) -> tuple[Offer, ...]:
    named = {name for part in parts for name, _ in part.steps}
    found = [_offer(step, parts, layers, only_once, not_permanent) for step in STEPS if step in named]
    return tuple(o for n, o in enumerate(found) if not n or o.scopes != found[n - 1].scopes)


def _offer(step: str, parts: list[Part], layers: Layers, only_once: str, not_permanent: str) -> Offer:
    scopes = _without_covered(tuple(dict.fromkeys(_up_to(step, part) for part in parts)))
    by_scope = {_up_to(step, part): part for part in reversed(parts)}
    entries = [] if not_permanent else [entry_of(scope, by_scope[scope], layers) for scope in scopes]
    refused = not_permanent or _not_written(entries, scopes)
    kept = () if refused else tuple(e for e in entries if e is not None)
    shown = tuple(replace(s, shown=redact(s.shown)) for s in scopes)
    return Offer(step, shown, kept, _refusals(only_once, refused))


def _without_covered(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    """Without the places that lie in another one: `mv a DIR/` writes DIR, or DIR/a."""
    whole = [s for s in scopes if s.kind == "write" and s.below]

    def is_covered(one: Scope) -> bool:
        return one.kind == "write" and any(
            one != w and one.name == w.name and (one.target == w.target or is_inside(one.target, w.target))
            for w in whole
        )

    return tuple(scope for scope in scopes if not is_covered(scope))


def _not_written(entries: list[dict[str, Any] | None], scopes: tuple[Scope, ...]) -> str:
    """Why no file may hold it."""
    written = [entry for entry in entries if entry is not None]
    if len(written) < len(entries):
        return _NO_RULE
    if any(map(_masks, scopes)) or any(redact(text) != text for entry in written for text in _texts(entry)):
        return "it holds what looks like a secret, which does not belong into a file of the project"
    return next((p for s, e in zip(scopes, written, strict=True) if (p := _problem_of(s, e))), "")


def _problem_of(scope: Scope, entry: Mapping[str, Any]) -> str:
    """Why a file would be refused that has this entry: of a tool that only this agent has, for one."""
    if "name" in entry:
        found = problem_of(replace(rule_of(scope), name=entry["name"]), "commands")
        return found[0] if found is not None else ""
    odd = tool_problem(rule_of(scope), tuple(entry)) if scope.kind == "tool" else None
    return odd[1] if odd is not None else ""


def _masks(scope: Scope) -> bool:
    return any(token.kind == "fingerprint" for arg in scope.args for token in parse(arg).tokens)


def _texts(entry: Mapping[str, Any]) -> list[str]:
    return [text for value in entry.values() for text in _texts_in(value)]


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [text for _, one in inner for text in _texts_in(one)]


def _up_to(step: str, part: Part) -> Scope:
    """The part's widest scope that is no wider than the step; its narrowest where all are."""
    limit = STEPS.index(step)
    return next((s for name, s in reversed(part.steps) if STEPS.index(name) <= limit), part.steps[0][1])


def _that_cover(part: Part, facts: tuple[Fact, ...], layers: Layers) -> tuple[tuple[str, Scope], ...]:
    """Only what covers the fact that was asked about is true; of each step the first that does, narrowest first."""
    found: dict[str, Scope] = {}
    for name, scope in part.steps:
        if name not in found and scope_covers(scope, part.finding.fact, facts, layers):
            found[name] = scope
    if "exact" not in found and "action" not in found:
        return ()  # no question begins with what is wider
    return tuple((name, found[name]) for name in STEPS if name in found)


def _asked(verdict: Verdict, *, flow: bool) -> list[Finding]:
    """What is asked about because of what the session has seen, or because of anything else."""
    asked = (f for f in verdict.findings if f.decision == Decision.ASK)
    return [f for f in asked if (f.origin.layer == Layer.FLOW) == flow]


# -- the parts of a request


def _parts(verdict: Verdict, layers: Layers) -> list[Part]:
    """What was asked about, one by one. A variable belongs to the command that it is set for."""
    asked = _asked(verdict, flow=False)
    commands = tuple(f.fact for f in verdict.findings if isinstance(f.fact, Command))
    elsewhere = any(map(machine_of, commands))
    set_for = {id(f): _users(f.fact, verdict) for f in asked if isinstance(f.fact, Unknown)}
    users = [user for found in set_for.values() for user in found if user not in asked]
    parts: list[Part] = []
    for finding in [*asked, *users]:
        fact = finding.fact
        if isinstance(fact, Command):
            parts.append(command_part(finding, fact, layers, commands, env_of(fact, verdict)))
        elif not set_for.get(id(finding)):
            # Which machine a file is on is not told by its path.
            away = elsewhere and isinstance(fact, (Read, Write))
            part = _other_part(finding, fact)
            parts.append(replace(part, steps=()) if away else part)
    return parts


def _users(fact: Fact, verdict: Verdict) -> list[Finding]:
    """The commands that a variable is set for, where a scope can name the variable; [] when none can."""
    if not isinstance(fact, Unknown) or fact.what != "environment":
        return []
    name = fact.text.partition("=")[0].rstrip("+")
    users = [
        f
        for f in verdict.findings
        if isinstance(f.fact, Command) and f.decision != Decision.DENY and name in (a.name for a in f.fact.assignments)
    ]
    return users if all(env_of(f.fact, verdict) for f in users if isinstance(f.fact, Command)) else []


def _other_part(finding: Finding, fact: Fact) -> Part:
    if isinstance(fact, Write):
        return _write_part(finding, fact)
    if isinstance(fact, Read):
        if fact.path is None:
            return Part(finding, only_once="askfirst cannot tell which file it reads")
        scope = Scope("read", target=fact.path, shown=f"read {fact.path}")
        return Part(finding, (("exact", scope),), not_permanent="reading secrets is not made permanent")
    if isinstance(fact, ToolUse):
        return _tool_part(finding, fact)
    if isinstance(fact, Unknown):
        if fact.what == ALWAYS_ASKED:
            return Part(finding, only_once=f"{fact.why}: a yes counts once")
        if fact.what in _NOT_REMEMBERED:
            return Part(finding, only_once=f"it could not be understood ({fact.why}), so it is allowed once at most")
        return Part(finding, not_permanent=f"{fact.why}: an exact text is not a rule")
    return Part(finding, only_once="askfirst knows nothing about it")


def _tool_part(finding: Finding, use: ToolUse) -> Part:
    refuse = f"`{use.name}` takes code: only the exact call is remembered" if runs_its_input(use.name) else ""
    if finding.danger:
        refuse = "it is a dangerous tool: it is not made permanent"
    narrow, wide = scope_of(use), None if refuse else wide_scope_of(use)
    if narrow is None or redact(narrow.target) != narrow.target:
        # A secret is kept in no file: then the digest of the whole call stands for it.
        return Part(finding, not_permanent=refuse)
    return Part(
        finding, (("action", narrow), *((("program", wide),) if wide is not None else ())), not_permanent=refuse
    )


_DOES = {
    "overwrite": "write",
    "append": "add to",
    "mode": "change the mode of",
    "extract": "unpack into",
    "link": "make a link at",
}
_WITH_CONTENT = frozenset(("overwrite", "append", "create", "extract"))


def _write_part(finding: Finding, write: Write) -> Part:
    if finding.origin.rule in _ASKED_FOR_LOSS:
        return Part(finding, only_once="it is approved for what the file holds now, so it is allowed once at most")
    if finding.origin.rule in ASKED_FOR_LOADING and write.path and not write.below and write.how in EDITS:
        return _loaded_part(finding, write, write.path)
    if write.path is None or write.below or finding.origin.rule not in ASKED_FOR_PLACE:
        return Part(finding, not_permanent="a write is approved with its content, not as a rule")
    does = _DOES.get(write.how, write.how)
    shown = f"{does} {write.path}{', whatever the content' if write.how in _WITH_CONTENT else ''}"
    steps: list[tuple[str, Scope]] = [("exact", Scope("write", write.how, target=write.path, shown=shown))]
    folder = write.path if write.path in SCRATCH_DIRS else write.path.rpartition("/")[0]
    if finding.origin.rule == "outside" and write.how != "delete" and _is_for_one_thing(folder):
        shown = f"{does} files below {folder}{', whatever the content' if write.how in _WITH_CONTENT else ''}"
        steps.append(("action", Scope("write", write.how, target=folder, below=True, shown=shown)))
    return Part(finding, tuple(steps), not_permanent="writes outside the rules are not made permanent")


def _loaded_part(finding: Finding, write: Write, path: str) -> Part:
    """A file that agents or tools load: for this content; by W for the edits of a session, and for a whole skill."""
    refuse = "a write is approved with its content, not as a rule"
    new = write.change.new if write.change is not None else ""
    if not new:
        return Part(finding, not_permanent=refuse)
    exact = Scope(
        "write", action=finding.origin.rule, target=path, sha256=new, shown=f"{path} with exactly this content"
    )
    any_edit = replace(exact, sha256=ANY_CONTENT, shown=f"edits of {path}, whatever the content{_BUT}")
    steps = [("exact", exact), ("wide", any_edit)]
    folder = _skill(path)
    if folder and finding.origin.rule == "agent-loaded":
        shown = f"edits of files below {folder}, whatever the content{_BUT}"
        steps.append(("program", replace(any_edit, target=folder, below=True, shown=shown)))
    return Part(finding, tuple(steps), not_permanent=refuse)


def _skill(path: str) -> str:
    """`.claude/skills/NAME` of a file in it; "" for a file that stands by itself (`.claude/agents/x.md`)."""
    before, found, behind = path.rpartition("/skills/")
    name, _, rest = behind.partition("/")
    return f"{before}{found}{name}" if rest else ""


def _is_for_one_thing(folder: str) -> bool:
    """Not `~/.config` and its like: each program's own start-up files lie below. Scratch directories are for anything,
    and nothing there starts by itself."""
    if folder in SCRATCH_DIRS:
        return True
    return folder.count("/") >= MIN_DEPTH and not folder.rpartition("/")[2].startswith(".")


# -- what is not offered


def _pins(parts: list[Part], verdict: Verdict) -> tuple[Scope, ...]:
    """What must not change under an exact text: the scripts it runs, what its runners run, and every text that one of
    its commands is told to use."""
    facts = [finding.fact for finding in verdict.findings]
    asked = (part.finding.fact for part in parts)
    pins = [pin for fact in asked if isinstance(fact, Command) for pin in _pins_of(fact)]
    pins += [pin for fact in facts if isinstance(fact, Command) for pin in _orders_of(fact)]
    pinned = {pin.target for pin in pins if not pin.name}
    used = (path for fact in facts for path in _used(fact) if path not in pinned)
    return tuple(dict.fromkeys((*pins, *map(_pin_of_file, used))))


def _orders_of(command: Command) -> Iterator[Scope]:
    """The files that it takes in, or that a pattern of names finds, and which others there are."""
    orders = taken_in(command, reading=True)
    for file in orders.files:
        yield _pin(key_of(command)[0], os.path.dirname(file)) if file in orders.scripts else _pin_of_file(file)
    patterns = () if machine_of(command) else tuple(_patterns(command))
    for folder, pattern in (*(() if orders.runner else orders.places), *patterns):
        yield Scope("pin", target=folder, action=pattern, sha256=names_hash(folder, pattern))
    yield from (_pin_of_file(file) for place in patterns for file in found(*place)[: MAX_PINS + 1])


def _patterns(command: Command) -> Iterator[tuple[str, str]]:
    """Where `k8s/*.yaml` finds names, and which; of what goes deeper, everything below."""
    for word in command.argv[1:]:
        if word.value is None and word.glob and command.cwd is not None:
            start = os.path.dirname(word.prefix)
            rest = word.text[len(start) :].lstrip("/") if word.text.startswith(word.prefix) else "*"
            yield os.path.normpath(os.path.join(command.cwd, start)), "**" if "/" in rest else fold(rest)


def _pin_of_file(path: str) -> Scope:
    return Scope("pin", target=path, sha256=file_hash(path))


def _pin(runner: str, folder: str) -> Scope:
    return Scope("pin", base_name(runner), target=folder, sha256=scripts_hash(base_name(runner), folder))


def _used(fact: Fact) -> tuple[str, ...]:
    if isinstance(fact, Command):
        own = fact.program if "/" in fact.name and fact.program and is_text(fact.program) else ""
        return () if machine_of(fact) else (*([own] if own else []), *named_files(fact))
    return (fact.path,) if isinstance(fact, Read) and fact.path and not fact.on and is_text(fact.path) else ()


def _held(pins: tuple[Scope, ...], project: str) -> str:
    """The files that must stay as they are, in words."""
    found = [
        (definition_of(p.name, p.target) if p.name else p.target, p.name) for p in pins if not p.action and p.sha256
    ]
    scripts = tuple(file for file, runner in found if runner and file.endswith(".json"))
    return stay_of(tuple(dict.fromkeys(file for file, _ in found if file)), scripts, project)


def _pins_of(command: Command) -> Iterator[Scope]:
    said = command.action.unsaid or script_of(command)
    files = [said] if said else []
    if command.action.kind == Kind.INSTALL:
        files += [file.place for file in command.obeys]
    yield from map(_pin_of_file, files)
    program = base_name(key_of(command)[0])
    if not said and command.cwd is not None and program in DEFINITIONS and not machine_of(command):
        yield _pin(program, command.cwd)


def _first(reasons: Iterable[str]) -> str:
    return next((reason for reason in reasons if reason), "")


def _refusals(only_once: str, not_permanent: str) -> dict[int, str]:
    refused: dict[int, str] = {}
    if only_once:
        refused[Duration.SESSION] = refused[Duration.TIMED] = only_once
    if not_permanent or only_once:
        refused[Duration.PERMANENT] = not_permanent or only_once
    return refused


def _too_long(text: str) -> str:
    """Of an exact text: nobody reads it again and again. What is told by its parts may hold a long message."""
    return f"it is longer than {MAX_TEXT:,} characters, so it is allowed once at most" if len(text) > MAX_TEXT else ""


def _uncounted(pins: tuple[Scope, ...], facts: tuple[Fact, ...]) -> str:
    many = len(pins) > MAX_PINS or any(isinstance(f, Command) and not taken_in(f).counted for f in facts)
    return f"{TOO_MANY_FILES}, so it is allowed once at most" if many else ""


def _too_many(verdict: Verdict) -> str:
    commands = sum(isinstance(f.fact, Command) for f in verdict.findings)
    return (
        f"it holds more than {MAX_COMMANDS} commands, so it is allowed once at most" if commands > MAX_COMMANDS else ""
    )
