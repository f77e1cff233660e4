"""Replays sessions against the rules of now, answers as a person would, and counts what that person is asked.

The answers are the product's own: each asked call becomes the question that would be shown, and what is remembered is
what that question offers. `once` remembers nothing; `session` takes S where it is offered; `permanent` takes P where
it is offered and S where not, and what is permanent counts for every later session of the repository; `widest` takes S
after W has been pressed to its end. Nothing is stored, no one is asked, and nothing runs.

Who had started a process is not recorded: what a session stops by its number is its own, where an earlier call of it
had left something running; what it stops by a pattern or a port, where that stands in such a call. The processes of
this machine say nothing about it.

With a box, what would run contained is no question, unless it would have failed there for want of something outside
(report/boxed.py): then it is one, as the agent asks for it with `askfirst outside`, and the same action is not tried in
the box again in that repository.
"""

from __future__ import annotations

import math
import os
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from askfirst import jsontext
from askfirst.approval.identity import digest_of
from askfirst.approval.make_question import make_question_and_offers
from askfirst.containing import ON_DISK
from askfirst.errors import AskfirstError
from askfirst.gate import judged
from askfirst.kills import OWN, Stop, stops_in
from askfirst.knowledge.tools import FETCH, RUNNERS, SKILLS, WRITERS
from askfirst.model import Command, Decision, Duration, Fact, Grant, Kind, Request, Write
from askfirst.policy.case import Case
from askfirst.policy.contain import actions_of
from askfirst.policy.contain import contained as contain
from askfirst.policy.flow import said, shown, taints
from askfirst.policy.judge import judge
from askfirst.policy.rules import Box, Label, LabelledFile, Layers, Rule
from askfirst.processes import KILLERS, pids_of
from askfirst.report.boxed import missing
from askfirst.report.causes import asked_findings, asked_for_flow, main_cause, shape_of
from askfirst.report.history import PastSession, laid_out, unknown_code
from askfirst.report.rejudge import PastCall
from askfirst.store.allowlist import rules_of
from askfirst.store.layers import load_layers
from askfirst.store.manifests import profiles_for
from askfirst.world import World

_BACKGROUND = re.compile(r"(?<![&|>\\d])&(?![&>])")
_PACKAGE_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_PACKAGE = re.compile(r"(@[a-z0-9_-]+/)?[a-z0-9][a-z0-9._-]*(@[\w.^~-]+)?")
MODES = ("once", "session", "permanent", "widest")
_TOLD_BY_INPUT = frozenset({FETCH}) | SKILLS  # the address, the skill: without it nobody can judge the call


@dataclass(frozen=True)
class Prompt:
    """One question that the person would have been asked."""

    session: str
    text: str
    cause: str
    reason: str
    repeats: bool  # a call of this shape was allowed before, in the same memory
    answer: str  # once, session, permanent
    flow: bool = False  # only because of what the session had seen


@dataclass(frozen=True)
class Tally:
    """What a replay came to."""

    mode: str
    calls: int = 0
    left_out: int = 0  # calls whose input was not recorded
    denied: tuple[tuple[str, str], ...] = ()  # (text, reason) of what the rules refuse whatever a person says
    prompts: tuple[Prompt, ...] = ()
    sessions: tuple[str, ...] = ()
    of: tuple[tuple[str, int], ...] = ()  # of each session: its repository, and how many calls it has
    contained: tuple[str, ...] = ()  # what ran in the box
    failed: tuple[tuple[str, str], ...] = ()  # (text, what was missing) of what failed there, and was asked for then

    def without_largest(self) -> Tally:
        """The same without the session that has the most calls."""
        largest = max(range(len(self.of)), key=lambda i: self.of[i][1], default=0)
        return self._only([i for i in range(len(self.sessions)) if i != largest])

    def _only(self, kept: list[int]) -> Tally:
        names = {self.sessions[i] for i in kept}
        return replace(
            self,
            sessions=tuple(self.sessions[i] for i in kept),
            of=tuple(self.of[i] for i in kept),
            calls=sum(self.of[i][1] for i in kept),
            prompts=tuple(p for p in self.prompts if p.session in names),
        )

    def by_repository(self) -> tuple[float, float]:
        """(percent of calls asked, prompts a session), where each repository has one vote."""
        groups: dict[str, list[int]] = {}
        for number, (repository, _) in enumerate(self.of):
            groups.setdefault(repository, []).append(number)
        each = [self._only(numbers) for numbers in groups.values()]
        if not each:
            return 0.0, 0.0
        return statistics.mean(t.asked_percent for t in each), statistics.mean(t.per_session()[0] for t in each)

    @property
    def asked_percent(self) -> float:
        return 100.0 * len(self.prompts) / self.calls if self.calls else 0.0

    @property
    def repeats_percent(self) -> float:
        return 100.0 * sum(p.repeats for p in self.prompts) / len(self.prompts) if self.prompts else 0.0

    def per_session(self) -> tuple[float, float, float]:
        """Prompts a session: mean, median, 90th percentile."""
        by_session = Counter(p.session for p in self.prompts)
        counts = sorted(by_session[name] for name in self.sessions)
        if not counts:
            return 0.0, 0.0, 0.0
        return statistics.mean(counts), statistics.median(counts), float(counts[math.ceil(0.9 * len(counts)) - 1])

    def by_cause(self) -> list[tuple[str, int, int]]:
        """(cause, prompts, repeats), the most frequent first."""
        causes = Counter(p.cause for p in self.prompts)
        again = Counter(p.cause for p in self.prompts if p.repeats)
        return [(cause, count, again[cause]) for cause, count in causes.most_common()]


class Answers:
    """What was answered so far: for one session, and for a repository."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.grants: list[Grant] = []
        self.shapes: set[tuple[str, ...]] = set()
        self.rules: dict[str, tuple[Rule, ...]] = {}
        self.known: dict[str, set[tuple[str, ...]]] = {}
        self.failed: dict[str, frozenset[str]] = {}  # repository -> actions that failed in the box
        self.labels: tuple[Label, ...] = ()
        self.labelled: tuple[LabelledFile, ...] = ()
        self.said: frozenset[str] = frozenset()
        self.left_running: list[str] = []  # the calls that left something running

    def begin(self, session: PastSession) -> None:
        self.grants, self.shapes = [], set(self.known.get(session.repository, ()))
        self.labels, self.labelled, self.said = (), (), frozenset()
        self.left_running = []

    def has_seen(self, case: Case, number: int) -> None:
        """What the call showed to its session. No result was recorded, so every secret counts as seen."""
        labels = tuple(replace(label, at=number + 1.0) for label in shown(case.facts, case.layers))
        if not any(label.kind != "untrusted" for label in (*self.labels, *labels)):
            self.said |= frozenset(said(case.facts))
        known = {(label.reason, label.on) for label in self.labels}
        self.labels += tuple(label for label in labels if (label.reason, label.on) not in known)
        files = taints(case.facts, replace(case.layers, labels=self.labels))
        name = case.layers.session
        self.labelled += tuple(LabelledFile(path, "", number + 1.0, name, below) for path, below in files)

    def applied(self, layers: Layers, repository: str) -> Layers:
        rules = (*layers.project_allow, *self.rules.get(repository, ()))
        failed = self.failed.get(repository, frozenset())
        layers = replace(layers, labels=self.labels, labelled=self.labelled, said=self.said)
        return replace(layers, grants=tuple(self.grants), project_allow=rules, outside=failed)

    def fail(self, case: Case, repository: str) -> None:
        self.failed[repository] = self.failed.get(repository, frozenset()).union(actions_of(case))

    def answer(self, case: Case, repository: str) -> tuple[str, bool]:
        """(how it was answered, whether a call of its shape had been allowed before)."""
        shape = shape_of(case.verdict)
        repeats = bool(shape) and shape in self.shapes
        self.shapes.add(shape)
        question, found = make_question_and_offers(case, id="replay")
        step = len(found) - 1 if self.mode == "widest" else question.step
        question, offer = question.at(step), found[step]
        if self.mode == "permanent" and question.offers(Duration.PERMANENT):
            self.known.setdefault(repository, set()).add(shape)
            self.rules[repository] = (*self.rules.get(repository, ()), *rules_of(offer.entries, case.request.project))
            return "permanent", repeats
        if self.mode == "once" or not question.offers(Duration.SESSION):
            return "once", repeats
        self.grants.append(offer.grant(case, id=f"replay-{len(self.grants)}"))
        return "session", repeats


def simulate(
    sessions: Iterator[PastSession],
    mode: str,
    *,
    tools: tuple[str, ...] = (),
    box: Box | None = None,
    progress: Callable[[PastSession], None] = lambda _: None,
) -> Tally:
    """Every session in order. `tools`: only calls of these count. `box`: as if the settings said so."""
    memory, tally = Answers(mode), Tally(mode)
    for session in sessions:
        progress(session)
        with laid_out(session) as there:
            memory.begin(there)
            tally = _replayed(there, memory, tally, tools, box)
    return tally


def _replayed(session: PastSession, memory: Answers, tally: Tally, tools: tuple[str, ...], box: Box | None) -> Tally:
    layers = _rules_before(session.project)
    if box is not None:
        layers = replace(layers, settings=replace(layers.settings, box=box))
    before = tally.calls
    for number, call in enumerate(session.calls):
        call = _completed(call) if session.recorded is not None else call
        if not _is_whole(call) or (tools and call.tool not in tools):
            tally = replace(tally, left_out=tally.left_out + 1)
            if session.recorded is not None and call.tool in WRITERS:
                _happened(call, layers, number)
            continue
        case = _judged(call, memory.applied(layers, session.repository))
        tally = _counted(replace(tally, calls=tally.calls + 1), call, case, session, memory)
        if case is None or case.verdict.decision == Decision.DENY:
            continue
        memory.has_seen(case, number)
        memory.left_running += [_without_stops(call.text)] if _leaves_running(call) else []
        if session.recorded is not None:
            _happen(case, number)
    calls = tally.calls - before
    if not calls:
        return tally
    return replace(tally, sessions=(*tally.sessions, session.name), of=(*tally.of, (session.repository, calls)))


def _counted(tally: Tally, call: PastCall, case: Case | None, session: PastSession, memory: Answers) -> Tally:
    if case is None or case.verdict.decision == Decision.DENY:
        why = case.verdict.reason if case else "the call is malformed"
        return replace(tally, denied=(*tally.denied, (call.text, why)))
    boxed = _boxed(case)
    lacks = missing(boxed) if boxed is not None else ""
    if boxed is not None and not lacks:
        return replace(tally, contained=(*tally.contained, call.text))
    if lacks:
        memory.fail(case, session.repository)
        tally = replace(tally, failed=(*tally.failed, (call.text, lacks)))
    if case.verdict.decision != Decision.ASK or (memory.left_running and _stops_its_own(case, memory.left_running)):
        return tally  # what rules allow is allowed outside, too
    answer, repeats = memory.answer(case, session.repository)
    verdict = case.verdict
    flow = asked_for_flow(verdict)
    prompt = Prompt(session.name, call.text, main_cause(verdict), verdict.reason, repeats, answer, flow)
    return replace(tally, prompts=(*tally.prompts, prompt))


def _leaves_running(call: PastCall) -> bool:
    return bool(_BACKGROUND.search(call.text) or call.input.get("run_in_background"))


def _without_stops(text: str) -> str:
    for stop in stops_in(text):
        text = text.replace(stop.text, "")
    return text


def _stops_its_own(case: Case, left_running: list[str]) -> bool:
    asked = [f.fact for f in asked_findings(case.verdict)]
    named = [fact for fact in asked if not (isinstance(fact, Command) and fact.name == "kill" and pids_of(fact))]
    stops = stops_in(str(case.request.input.get("command", ""))) if named else []
    return len(stops) == len(named) and all(map(_is_killer, named)) and all(_is_in(s, left_running) for s in stops)


def _is_killer(fact: Fact | None) -> bool:
    return isinstance(fact, Command) and fact.name in KILLERS


def _is_in(stop: Stop, texts: list[str]) -> bool:
    wanted = re.compile(stop.pattern or re.escape(stop.name) or str(stop.port), re.IGNORECASE)  # as kills.py has it
    return any(wanted.search(text) for text in texts)


def _boxed(case: Case) -> Case | None:
    """The call contained; None where it is not. A recorded project has no package but those that the session adds."""
    if case.request.tool not in RUNNERS:
        return None
    found = contain(case, ON_DISK)
    return found if found.verdict.decision == Decision.CONTAIN else None


def _rules_before(project: str) -> Layers:
    """The rules of now; before `init`, with the profiles that it would choose."""
    layers = load_layers(project, session="", agent="", now=time.time())
    if layers.project_allow or layers.settings.profiles or layers.untrusted_note:
        return layers
    return load_layers(project, now=time.time(), profiles=tuple(name for name, _ in profiles_for(project)))


def _judged(call: PastCall, layers: Layers) -> Case | None:
    request = Request(call.agent, call.session, call.cwd, call.project, call.tool, call.input)
    layers = replace(layers, session=call.session, digest=digest_of(request))
    try:
        case = judged(request, layers)
    except AskfirstError:
        return None
    facts = tuple(_not_looked_up(fact) for fact in case.facts)
    return case if facts == case.facts else replace(case, facts=facts, verdict=judge(facts, layers))


def _not_looked_up(fact: Fact) -> Fact:
    """Which processes there are here says nothing about those of the session."""
    if not (isinstance(fact, Command) and _is_killer(fact) and fact.action.description == OWN):
        return fact
    return replace(fact, action=replace(fact.action, allowed=False, description="stops processes"))


def _is_whole(call: PastCall) -> bool:
    """Whether its input says what it does."""
    return call.tool not in RUNNERS | WRITERS | _TOLD_BY_INPUT or bool(call.input)


def _completed(call: PastCall) -> PastCall:
    """A recorded write has a path and no content: it adds a line, and so neither replaces nor reveals anything."""
    if call.tool not in WRITERS or "file_path" not in call.input:
        return call
    path = os.path.join(call.cwd, str(call.input["file_path"]))
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            before = file.read()
    except OSError:
        before = ""
    return replace(call, tool="Write", input={"file_path": path, "content": _with_a_line(path, before)})


def _with_a_line(path: str, before: str) -> str:
    """What an edit leaves. A manifest may name a package more."""
    if os.path.basename(path) == "package.json":
        package = jsontext.loads(before or "{}")
        package["dependencies"] = {**package.get("dependencies", {}), f"not-recorded-{len(before)}": "1"}
        return jsontext.dumps(package) + "\n"
    if path.endswith(".toml"):
        return f"{before}[not-recorded.a{len(before)}]\n"
    return before + ("\n" if path.endswith(".json") else f"# one line more\n{unknown_code(path)}")


def _happened(call: PastCall, layers: Layers, number: int) -> None:
    """A call that is not counted, and was made all the same."""
    case = _judged(call, layers)
    if case is not None and case.verdict.decision != Decision.DENY:
        _happen(case, number)


def _happen(case: Case, number: int) -> None:
    """What an allowed call writes is there afterwards, in the scratch project and nowhere else."""
    project = case.request.project
    World().note_made(case)
    for package in _added(case):
        os.makedirs(package, exist_ok=True)
    for fact in case.facts:
        if not isinstance(fact, Write) or fact.path is None or fact.below:
            continue
        if not fact.path.startswith(project + os.sep):
            continue
        try:
            _write(fact, number)
        except OSError:
            pass  # a file where a directory is wanted: the recording does not say more


def _added(case: Case) -> Iterator[str]:
    """Where the packages lie that a call names and installs."""
    for fact in case.facts:
        if not isinstance(fact, Command) or fact.action.kind != Kind.INSTALL or fact.name not in _PACKAGE_MANAGERS:
            continue
        folder = fact.cwd or ""
        if folder == case.request.project or folder.startswith(case.request.project + os.sep):
            names = (word.value or "" for word in fact.argv[2:])
            yield from (f"{folder}/node_modules/{n.rpartition('@')[0] or n}" for n in names if _PACKAGE.fullmatch(n))


def _write(fact: Write, number: int) -> None:
    assert fact.path is not None
    if fact.how == "delete":
        os.unlink(fact.path)
    elif fact.by == "mkdir":
        os.makedirs(fact.path, exist_ok=True)
    elif fact.how in ("create", "overwrite", "append") and not os.path.isdir(fact.path):
        os.makedirs(os.path.dirname(fact.path), exist_ok=True)
        with open(fact.path, "ab" if fact.how == "append" else "wb") as file:
            file.write(
                fact.content
                if fact.content is not None
                else f"# written by call {number}\n{unknown_code(fact.path)}".encode()
            )


def as_plain(tally: Tally) -> dict[str, Any]:
    mean, median, ninetieth = tally.per_session()
    return {
        "mode": tally.mode,
        "sessions": len(tally.sessions),
        "calls": tally.calls,
        "left_out": tally.left_out,
        "denied": [{"text": text, "reason": reason} for text, reason in tally.denied],
        "prompts": len(tally.prompts),
        "asked_percent": round(tally.asked_percent, 1),
        "prompts_per_session": {"mean": round(mean, 2), "median": median, "p90": ninetieth},
        "contained": len(tally.contained),
        "failed_contained": [{"text": text, "missing": what} for text, what in tally.failed],
        "repeats_percent": round(tally.repeats_percent, 1),
        "flow_sessions": len({p.session for p in tally.prompts if p.flow}),
        "by_cause": [{"cause": c, "prompts": n, "repeats": r} for c, n, r in tally.by_cause()],
        "asked": [vars(p) for p in tally.prompts],
    }
