"""`askfirst explain`: what would happen to a command, and why.

Judges exactly as the hook does, but runs nothing, asks no one and logs nothing.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from rich.text import Text
from rich.tree import Tree

from askfirst import jsontext
from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.approval.answers import denied_before
from askfirst.approval.identity import digest_of
from askfirst.cli.where import directory
from askfirst.containing import ON_DISK, foreseen, hidden_in
from askfirst.errors import UsageError
from askfirst.knowledge.tools import FETCH, RUNNERS, STARTERS, SUBJECTS
from askfirst.model import Command, Decision, Finding, Read, Request, ToolUse, Verdict, Write
from askfirst.policy.case import Case
from askfirst.policy.contain import why_not
from askfirst.policy.offers import advised
from askfirst.policy.plain_values import of_verdict
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import BOXES, Label, Layers
from askfirst.policy.tool_entries import is_tool_name, unknown_tool
from askfirst.redact import redact
from askfirst.report.rejudge import case_of
from askfirst.shell import MAX_LENGTH
from askfirst.store import labels
from askfirst.store.grants import FileGrants
from askfirst.store.layers import load_layers, org_files, settings_of
from askfirst.text import console, one_line, visible
from askfirst.wording import of_origin, way_to_allow

EXAMPLES = """examples:
  askfirst explain 'git log --oneline | head -5'
  askfirst explain --json 'npm publish'
  askfirst explain --profile node-dev 'npm test'      what a profile would change
  askfirst explain --box unknown './build.sh'         what a box would change
  askfirst explain --tool WebFetch https://example.com/page
  askfirst explain --tool mcp__github__issue '{"op": "get", "repo": "me/app"}'
  askfirst explain --session 1f6c2a 'npm publish'     with what was allowed and denied in a session so far
  askfirst explain - < script.sh                      a command from standard input
  askfirst explain --batch < commands.jsonl           lines of {"command": "…", "cwd": "…"}; prints a verdict per line

exit code: 0 allowed or contained, 1 asked or denied, 2 wrong use; with --batch 0 unless a line is wrong
"""

MAIN_INPUT = {
    **SUBJECTS,
    FETCH: "url",
    **dict.fromkeys(STARTERS, "subagent_type"),
    "WebSearch": "query",
    "Skill": "skill",
    "SlashCommand": "command",
    "Grep": "path",
    "Glob": "pattern",
}
MARKS = {
    Decision.ALLOW: ("✓", "green"),
    Decision.CONTAIN: ("▣", "cyan"),
    Decision.ASK: ("?", "yellow"),
    Decision.DENY: ("✗", "red"),
}
DECISIONS = {Decision.ALLOW: "allowed", Decision.ASK: "a person is asked", Decision.DENY: "denied"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="the command, in quotes; with --tool, its input")
    parser.add_argument("--tool", metavar="NAME", default="", help="judge a tool: its input as a JSON object")
    parser.add_argument("--project", metavar="DIR", default="", help="whose rules to use (default: this directory)")
    parser.add_argument("--cwd", metavar="DIR", default="", help="where the command would run (default: the project)")
    parser.add_argument(
        "--profile", metavar="NAME", action="append", default=[], help="try it with this profile switched on"
    )
    parser.add_argument(
        "--session", metavar="ID", default="", help="with what people allowed and denied in this session of an agent"
    )
    parser.add_argument("--box", choices=BOXES, help="try it as if `box` were unknown, or all")
    parser.add_argument("--json", action="store_true", help="print the verdict as one JSON object")
    parser.add_argument(
        "--batch",
        action="store_true",
        help='read lines of {"command": …} from standard input, print one JSON object per line',
    )


def run(args: argparse.Namespace) -> int:
    project = directory(args.project or ".")
    layers = _layers(args, project)
    if args.batch:
        if args.words:
            raise UsageError("--batch: reads the commands from standard input; leave COMMAND out")
        return _batch(layers)
    cwd = os.path.realpath(args.cwd) if args.cwd else project
    if args.tool:
        given = _input(args.tool, args.words)
        what, text = "tool", f"{args.tool} {jsontext.dumps(given)}"
        verdict = _advised(_request(args.tool, given, cwd, layers), layers)
    elif args.words:
        what, text = "command", _command(args.words)
        verdict = _judge(text, cwd, layers)
    else:
        raise UsageError("name a command, in quotes: askfirst explain 'git log | head'")
    if args.json:
        seen = {"seen": [dict(vars(label)) for label in layers.labels]} if layers.session else {}
        print(jsontext.dumps({what: redact(text), **of_verdict(verdict, redact), **seen}))
    else:
        _show(text, verdict, layers)
    return 0 if verdict.decision <= Decision.CONTAIN else 1


def _command(words: list[str]) -> str:
    if words == ["-"]:
        return sys.stdin.read(MAX_LENGTH + 1).strip("\n")
    return words[0] if len(words) == 1 else shlex.join(words)


def _layers(args: argparse.Namespace, project: str) -> Layers:
    """The rules to judge by, with what is to be tried."""
    session = _session(args.session) if args.session else ""
    now, agent = time.time(), DEFAULT if session else ""
    layers = load_layers(project, session=session, agent=agent, now=now, profiles=_profiles(args.profile))
    if args.box:
        layers = replace(layers, settings=replace(layers.settings, box=BOXES[args.box]))
    # Without a session, as one would be told that begins now: nothing was changed in it yet.
    return layers if session else replace(layers, since=now)


def _input(tool: str, words: list[str]) -> dict[str, Any]:
    """The input of a tool: a JSON object, or the one value that says what the call is about."""
    if not is_tool_name(tool):
        raise UsageError("--tool: {}; {}".format(*unknown_tool(tool)))
    if len(words) > 1:
        raise UsageError("--tool: write the input as one JSON object, in quotes")
    if not words:
        return {}
    key = MAIN_INPUT.get(tool)
    if key and not words[0].lstrip().startswith("{"):
        return {key: words[0]}
    try:
        value: Any = jsontext.loads(words[0].encode())
    except ValueError as error:
        raise UsageError(f"--tool: the input is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError('--tool: the input is not a JSON object: {"key": "value"}')
    return value


def _profiles(names: list[str]) -> tuple[str, ...]:
    known = list(PROFILES)
    if any(name not in known for name in names):
        known += [p.name for p in settings_of(org_files()).own_profiles]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"the profiles are {', '.join(known)}"
            raise UsageError(f"--profile: unknown profile `{name}`; {hint}")
    return tuple(names)


def _judge(text: str, cwd: str, layers: Layers) -> Verdict:
    """The verdict that the hook would give before it asks anyone, with the entry that a permanent yes would store."""
    return _advised(_request("Bash", {"command": text}, cwd, layers), layers)


def _request(tool: str, given: dict[str, Any], cwd: str, layers: Layers) -> Request:
    return Request(layers.agent or "explain", layers.session, cwd, layers.project, tool, given)


def _advised(request: Request, layers: Layers) -> Verdict:
    case = case_of(request, replace(layers, digest=digest_of(request)))
    wire = wire_of(layers.agent or DEFAULT)
    tampering = wire.tampering(layers.project)
    if tampering:
        closed = f"{AGENTS[wire.name].title} is denied everything here: {tampering}"
        return replace(case.verdict, decision=Decision.DENY, reason=closed, findings=())
    if wire.changes_commands:
        case = _noted(foreseen(case, lambda texts: wire.own_rules(texts, layers.project, None)))
    if case.verdict.decision != Decision.ASK:
        return case.verdict
    if layers.session:
        reason = FileGrants().denied(layers.session, case.digest)
        if reason is not None:
            return replace(case.verdict, decision=Decision.DENY, reason=denied_before(reason), findings=())
    return advised(case)


def _noted(case: Case) -> Case:
    """With why the box does not answer it, where one is switched on."""
    verdict = case.verdict
    if verdict.decision != Decision.ASK or not case.layers.settings.box.unknown or case.request.tool not in RUNNERS:
        return case
    why = why_not(case, ON_DISK)
    return replace(case, verdict=replace(verdict, notes=(*verdict.notes, f"not contained: {why}"))) if why else case


def _session(typed: str) -> str:
    """The session that is meant: a whole id, or the beginning of one in which something was allowed or denied."""
    store = FileGrants()
    known = {*(grant.session for grant in store.all()), *(denial.session for denial in store.denials())}
    known |= {seen.session for seen in labels.sessions()}
    known = {session for session in known if session.startswith(typed)}
    if len(known) > 1 and typed not in known:
        raise UsageError(f"--session: {len(known)} sessions begin with `{typed}`; type more of it")
    return typed if typed in known or not known else known.pop()


def _batch(layers: Layers) -> int:
    out = sys.stdout
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        text, cwd = _line(line, number, layers.project)
        verdict = _judge(text, cwd, layers)
        out.write(jsontext.dumps({"command": text, **of_verdict(verdict, redact)}) + "\n")
        # A program that asks one line at a time waits for its answer.
        out.flush()
    return 0


def _line(line: bytes, number: int, project: str) -> tuple[str, str]:
    try:
        value: Any = jsontext.loads(line)
    except ValueError as error:
        raise UsageError(f"standard input:{number}: not a line of JSON: {error}") from None
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        raise UsageError(f'standard input:{number}: expected {{"command": "…"}}')
    cwd = value.get("cwd") or project
    if not isinstance(cwd, str):
        raise UsageError(f"standard input:{number}: `cwd` must be a string")
    return value["command"], os.path.realpath(os.path.join(project, cwd))


def _show(text: str, verdict: Verdict, layers: Layers) -> None:
    mark, style = MARKS[Decision(verdict.decision)]
    decision = DECISIONS.get(Decision(verdict.decision)) or verdict.reason
    head = Text(f"{mark} {decision}", style=f"bold {style}")
    tree = Tree(Text.assemble(head, "  ", one_line(redact(text), 300)), guide_style="dim")
    for finding in verdict.findings:
        _branch(tree, finding, layers)
    if not verdict.findings:
        tree.add(Text(verdict.reason))
    out = console()
    out.print(tree)
    for label in layers.labels:
        out.print(Text(f"seen: {_seen(label)}", style="dim"))
    for note in verdict.notes:
        out.print(Text(f"note: {visible(_short(note, layers))}", style="yellow"))
    deciding = verdict.deciding
    if verdict.decision == Decision.CONTAIN:
        out.print(Text(f"the box hides: {visible(', '.join(hidden_in(layers, verdict)))}"))
    if deciding is None or verdict.decision <= Decision.CONTAIN:
        return
    if deciding.advice:
        out.print(Text(f"instead: {visible(redact(deciding.advice))}"))
    if layers.untrusted_note:
        return  # the file may say it already: what helps is to trust it
    ways = (way_to_allow(f) for f in verdict.findings if f.decision == verdict.decision)
    for way in dict.fromkeys(filter(None, ways)):
        out.print(Text(visible(redact(way))))


def _seen(label: Label) -> str:
    when = time.strftime("%H:%M ", time.localtime(label.at)) if label.at else ""
    by = f", allowed by {label.by}" if label.by else ""
    return f"{when}{visible(label.reason)} ({label.kind}{by})"


def _short(text: str, layers: Layers) -> str:
    """Paths as people write them: from the project, or from their home."""
    return text.replace(f"{layers.project}/", "").replace(f"{layers.home}/", "~/")


def _branch(tree: Tree, finding: Finding, layers: Layers) -> None:
    mark, style = MARKS[Decision(finding.decision)]
    shown = one_line(_short(redact(_text(finding)), layers), 200)
    branch = tree.add(Text.assemble((f"{mark} ", style), (f"{_verb(finding)} ", "bold"), shown))
    origin = one_line(_short(of_origin(finding.origin), layers), 160)
    branch.add(Text.assemble(one_line(_short(redact(finding.reason), layers), 300), (f"  [{origin}]", "dim")))
    if finding.danger:
        branch.add(Text(f"danger: {visible(finding.danger)}", style="red"))


def _verb(finding: Finding) -> str:
    fact = finding.fact
    if isinstance(fact, Command):
        return "run" + (f" (through {one_line(', '.join(fact.via), 60)})" if fact.via else "")
    if isinstance(fact, Write):
        return fact.how
    if isinstance(fact, ToolUse):
        return "use"
    return "read" if isinstance(fact, Read) else "not understood"


def _text(finding: Finding) -> str:
    fact = finding.fact
    if isinstance(fact, (Write, Read)):
        return fact.path or fact.text
    return fact.text
