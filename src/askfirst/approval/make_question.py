"""Makes the question from a request and its verdict: pure, so that what a person sees is a function of what was judged.

Every text in it is redacted here, once; surfaces only make characters visible and draw.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.approval.folds import folds_of
from askfirst.approval.question import Choice, Line, Question
from askfirst.audit import text_of
from askfirst.errors import ConfigError
from askfirst.files.approval import question_fields
from askfirst.files.related_tests import related_tests
from askfirst.knowledge.tools import SUBJECTS
from askfirst.model import Command, Decision, Duration, Fact, Finding, Read, Request, ToolUse, Verdict, Write
from askfirst.policy import tool_match
from askfirst.policy.match import covers
from askfirst.policy.offers import Offer, offers, usual
from askfirst.policy.roles import TEAM_PUBLISHES, may_approve
from askfirst.policy.yaml_writing import render
from askfirst.redact import redact
from askfirst.store.allowlist import rules_of
from askfirst.store.paths import project_file
from askfirst.text import one_line
from askfirst.wording import of_origin

if TYPE_CHECKING:
    from askfirst.policy.case import Case
    from askfirst.policy.rules import Layers, Rule


MAX_TESTS = 5  # that are named for a file
MAX_ALSO, MAX_ALSO_TEXT = 3, 120  # examples, and their length: a dialog has few lines


def make_question_and_offers(
    case: Case,
    *,
    id: str = "",
    created: float = 0.0,
    deadline: float = 0.0,
    approver: str = "",
    before: tuple[Case, ...] = (),
) -> tuple[Question, tuple[Offer, ...]]:
    """The question as people see it, and what each of its steps would remember, so that an answer stores exactly what
    was shown. `approver` is the user who would answer: a role may not allow everything. `before`: what was asked in
    this project, for each answer to show what it would have allowed of it."""
    request, verdict, layers = case.request, case.verdict, case.layers
    text = whole_text(request)
    found = tuple(_storable(offer, case) for offer in offers(case))
    steps = tuple(_choices(case, offer, approver, _also(case, offer, before)) for offer in found)
    first = usual(found, layers.grants)
    asked = [f for f in verdict.findings if f.decision == Decision.ASK]
    danger = "; ".join(dict.fromkeys(f.danger for f in asked if f.danger))
    question = Question(
        id=id,
        digest=case.digest,
        tool=request.tool,
        text=redact(text),
        why=redact(_why(asked, verdict)),
        agent=request.agent,
        session=request.session,
        project=request.project,
        cwd=request.cwd,
        created=created,
        deadline=deadline,
        lines=tuple(_line(f) for f in verdict.findings),
        choices=steps[first],
        steps=steps,
        step=first,
        said=redact(_said(request)),
        subagent=request.subagent,
        danger=redact(danger),
        confirm=bool(danger) and layers.settings.confirm_danger,
        notes=tuple(redact(n) for n in (*verdict.notes, *_tests_of(asked, request.project))),
        ids=(id,),
        folds=folds_of(request, verdict),
        **_change(request, asked),
    )
    return question, found


def under_review(question: Question) -> Question:
    """The same question of a session that is flagged for review: CONFIRM for every call, and each is allowed once at
    most."""
    words = "its session is flagged for review, so each call is allowed once at most"
    closed = [
        c if c.duration == Duration.ONCE or c.refused else Choice(c.duration, words, file=c.file)
        for c in question.choices
    ]
    return replace(question, flagged=True, confirm=True, choices=tuple(closed), steps=())


def whole_text(request: Request) -> str:
    """All of what would run: the command, the path, or a foreign tool with its input."""
    text = text_of(request)
    if request.tool not in SUBJECTS and request.input:
        text = f"{request.tool} {jsontext.dumps(dict(request.input))}"
    return text


def _said(request: Request) -> str:
    said = request.input.get("description")
    return said if isinstance(said, str) and request.tool in ("Bash", "Monitor", "Task") else ""


def _why(asked: list[Finding], verdict: Verdict) -> str:
    if not asked:
        return verdict.reason
    more = f" (and {len(asked) - 1} more)" if len(asked) > 1 else ""
    return asked[0].reason + more


def _line(finding: Finding) -> Line:
    kind, text = _fact_words(finding.fact)
    origin = of_origin(finding.origin)
    return Line(
        kind,
        redact(text),
        Decision(finding.decision).name.lower(),
        redact(finding.reason),
        origin,
        redact(finding.danger),
    )


def _fact_words(fact: Fact) -> tuple[str, str]:
    if isinstance(fact, Command):
        via = f"   (through {', '.join(fact.via)})" if fact.via else ""
        return "run", fact.text + via
    if isinstance(fact, Write):
        return "write", f"{fact.how} {fact.path or fact.text}{'/…' if fact.below else ''}"
    if isinstance(fact, Read):
        return "read", fact.path or fact.text
    if isinstance(fact, ToolUse):
        return "use", fact.text
    return "unknown", f"{fact.what}: {fact.text}" if fact.text else fact.what


# Choices


def _storable(offer: Offer, case: Case) -> Offer:
    """The offer as this project's file takes it: not while nobody trusts the file, nor what no file may hold."""
    refused = offer.refused.get(Duration.PERMANENT, "")
    if not refused and case.layers.untrusted_note:
        refused = "the project's rule file is not trusted: look at it with `askfirst trust`"
    if not refused and any(f.origin.rule == TEAM_PUBLISHES for f in case.verdict.findings):
        refused = "the team is asked, whatever the project's rules say"
    entries, most = len(case.layers.project_allow), case.layers.settings.max_project_commands
    if not refused and entries + len(offer.entries) > most:
        refused = f"the project's rule file has {entries} entries, and the limit is {most}"
    refused = refused or _no_rule(offer, case)
    if not refused:
        return offer
    return replace(offer, entries=(), refused={**offer.refused, Duration.PERMANENT: refused})


def _no_rule(offer: Offer, case: Case) -> str:
    """Why the entries would not do: a rule file may not hold them, or they would not cover what was asked."""
    try:
        rules = rules_of(offer.entries, case.layers.project) if offer.entries else ()
    except ConfigError as error:
        return error.problem
    asked = [f.fact for f in case.verdict.findings if f.decision == Decision.ASK]
    covered = all(any(_is_covered(fact, rule, case.layers) for rule in rules) for fact in asked if _is_ruled(fact))
    return "" if rules and covered else "no rule can say this narrowly enough"


def _is_ruled(fact: Fact) -> bool:
    """Whether an entry speaks of it by itself; a variable is spoken of with the command that it is set for."""
    return isinstance(fact, (Command, ToolUse))


def _is_covered(fact: Fact, rule: Rule, layers: Layers) -> bool:
    if isinstance(fact, ToolUse):
        return tool_match.covers(rule, fact)
    return isinstance(fact, Command) and covers(rule, fact, layers)


def _also(case: Case, offer: Offer, before: tuple[Case, ...]) -> tuple[str, ...]:
    """What else in the project's log a yes to this would have answered."""
    here = _asked_of(case)
    texts = [whole_text(past.request) for past in before if _asked_of(past) != here and _would_answer(offer, past)]
    return tuple(one_line(redact(text), MAX_ALSO_TEXT) for text in dict.fromkeys(texts))[:MAX_ALSO]


def _asked_of(case: Case) -> set[str]:
    return {_fact_words(f.fact)[1] for f in case.verdict.findings if f.decision == Decision.ASK}


def _would_answer(offer: Offer, past: Case) -> bool:
    asked = [f.fact for f in past.verdict.findings if f.decision == Decision.ASK]
    is_asked = past.verdict.decision == Decision.ASK
    return is_asked and all(offer.covers(fact, past.facts, past.layers) for fact in asked)


def _choices(case: Case, offer: Offer, approver: str, also: tuple[str, ...]) -> tuple[Choice, ...]:
    request, layers = case.request, case.layers
    role = may_approve(approver, case.verdict, layers.settings) if layers.settings.roles else ""
    no_session = "" if request.session else "the agent did not say which session this is"
    session = role or offer.refused.get(Duration.SESSION, "") or no_session
    timed = role or offer.refused.get(Duration.TIMED, "")
    permanent = role or offer.refused.get(Duration.PERMANENT, "")
    return (
        Choice(Duration.ONCE, role, "this one call"),
        Choice(Duration.SESSION, session, offer.words, also=also),
        Choice(Duration.TIMED, timed, offer.words, also=also),
        Choice(
            Duration.PERMANENT,
            permanent,
            "" if permanent else f"for this project: {offer.words}",
            "" if permanent else render(offer.entries),
            project_file(request.project),
            also,
        ),
    )


def _tests_of(asked: list[Finding], project: str) -> tuple[str, ...]:
    """Which tests belong to a file that would be written."""
    writes = [f.fact for f in asked if isinstance(f.fact, Write) and f.fact.change is not None and f.fact.path]
    root = project.rstrip("/") + "/"
    if not writes or not (writes[0].path or "").startswith(root):
        return ()
    found = [t.path for t in related_tests(project, (writes[0].path or "")[len(root) :])][:MAX_TESTS]
    return (f"tests of it: {', '.join(found)}",) if found else ()


def _change(request: Request, asked: list[Finding]) -> dict[str, Any]:
    """What would happen to a file, for the dialog: its diff, what is DELETED, the ways to merge."""
    return question_fields(asked, request.project)
