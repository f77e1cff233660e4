"""Makes the question from a request and its verdict: pure, so that what a person sees is a function of what was judged.

Every text in it is redacted here, once; surfaces only make characters visible and draw.
"""

from __future__ import annotations

from askfirst import jsontext
from askfirst._record import Record
from askfirst.approval.question import Choice, Line, Question
from askfirst.audit import text_of
from askfirst.errors import ConfigError
from askfirst.files.approval import question_fields
from askfirst.model import Command, Decision, Duration, Read, Scope, Write
from askfirst.policy.entries import entries_of
from askfirst.policy.match import covers
from askfirst.policy.roles import may_approve
from askfirst.policy.scope import Offer, offer_of
from askfirst.redact import redact
from askfirst.store.allowlist import render, rules_of
from askfirst.store.paths import project_file
from askfirst.wording import of_origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from askfirst.model import Fact, Finding, Request, Verdict
    from askfirst.policy.case import Case
    from askfirst.policy.rules import Layers


class Plan(Record):
    """What each way to say yes would remember; kept with the question, so that an answer stores exactly what was
    shown."""

    scopes: tuple[Scope, ...]
    wide: tuple[Scope, ...] = ()
    entries: tuple[dict[str, Any], ...] = ()
    wide_entries: tuple[dict[str, Any], ...] = ()


def make_question_and_plan(
    case: Case,
    *,
    id: str = "",
    created: float = 0.0,
    deadline: float = 0.0,
    approver: str = "",
) -> tuple[Question, Plan]:
    """The question as people see it. `approver` is the user who would answer: a role may not allow everything."""
    request, verdict, layers = case.request, case.verdict, case.layers
    text = whole_text(request)
    offer = offer_of(verdict, layers, text=text)
    plan = _plan(offer, layers)
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
        choices=_choices(request, verdict, layers, offer, plan, approver),
        said=redact(_said(request)),
        subagent=request.subagent,
        danger=redact(danger),
        confirm=bool(danger) and layers.settings.confirm_danger,
        notes=tuple(redact(n) for n in verdict.notes),
        ids=(id,),
        **_change(request, asked),
    )
    return question, plan


def under_review(question: Question) -> Question:
    """The same question of a session that is flagged for review: CONFIRM for every call, and each is allowed once at
    most."""
    words = "its session is flagged for review, so each call is allowed once at most"
    closed = [
        c if c.duration == Duration.ONCE or c.refused else Choice(c.duration, words, file=c.file)
        for c in question.choices
    ]
    return question.replace(flagged=True, confirm=True, choices=tuple(closed))


def whole_text(request: Request) -> str:
    """All of what would run: the command, the path, or a foreign tool with its input."""
    text = text_of(request)
    if text == request.tool and request.input:
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
    return "unknown", f"{fact.what}: {fact.text}" if fact.text else fact.what


# Choices


def _plan(offer: Offer, layers: Layers) -> Plan:
    return Plan(
        scopes=tuple(_redacted(s) for s in offer.scopes),
        wide=tuple(_redacted(s) for s in offer.wide),
        entries=entries_of(offer, layers, wide=False),
        wide_entries=entries_of(offer, layers, wide=True) if offer.wide else (),
    )


def _redacted(scope: Scope) -> Scope:
    return scope.replace(shown=redact(scope.shown))


def _choices(
    request: Request, verdict: Verdict, layers: Layers, offer: Offer, plan: Plan, approver: str
) -> tuple[Choice, ...]:
    role = may_approve(approver, verdict, layers.settings) if layers.settings.roles else ""
    scope, wide = _scope_words(plan.scopes), _scope_words(plan.wide)
    no_session = "" if request.session else "the agent did not say which session this is"
    session = role or offer.refused.get(Duration.SESSION, "") or no_session
    timed = role or offer.refused.get(Duration.TIMED, "")
    permanent, entry, wide_entry = _permanent(request, layers, offer, plan, role)
    return (
        Choice(Duration.ONCE, role, "this one call"),
        Choice(Duration.SESSION, session, scope, wide_scope=wide),
        Choice(Duration.TIMED, timed, scope, wide_scope=wide),
        Choice(
            Duration.PERMANENT,
            permanent,
            "" if permanent else f"for this project: {scope}",
            entry,
            project_file(request.project),
            "" if permanent or not wide_entry else f"for this project: {wide}",
            wide_entry,
        ),
    )


def _scope_words(scopes: tuple[Scope, ...]) -> str:
    return "; ".join(dict.fromkeys(s.shown for s in scopes if s.shown))


def _permanent(request: Request, layers: Layers, offer: Offer, plan: Plan, refused: str) -> tuple[str, str, str]:
    """(why it is refused, the entry, the widened entry)."""
    refused = refused or offer.refused.get(Duration.PERMANENT, "")
    if not refused and layers.untrusted_note:
        refused = "the project's rule file is not trusted: look at it with `askfirst trust`"
    most = layers.settings.max_project_commands
    if not refused and len(layers.project_allow) + len(plan.entries) > most:
        refused = f"the project's rule file has {len(layers.project_allow)} entries, and the limit is {most}"
    refused = refused or _no_rule(plan.entries, offer, layers)
    entry, wide_entry = render(plan.entries), render(plan.wide_entries)
    if not refused and redact(entry) != entry:
        refused = "it holds what looks like a secret, which does not belong into a file of the project"
    if refused:
        return refused, "", ""
    return "", entry, wide_entry if redact(wide_entry) == wide_entry else ""


def _no_rule(entries: tuple[dict[str, Any], ...], offer: Offer, layers: Layers) -> str:
    """Why the entries would not do: a rule file may not hold them, or they would not cover what was asked."""
    if not entries:
        return "no rule can say this narrowly enough"
    try:
        rules = rules_of(entries, layers.project)
    except ConfigError as error:
        return error.problem
    asked = [p.finding.fact for p in offer.parts]
    if not all(isinstance(fact, Command) and any(covers(r, fact, layers) for r in rules) for fact in asked):
        return "no rule can say this narrowly enough"
    return ""


def _change(request: Request, asked: list[Finding]) -> dict[str, Any]:
    """What would happen to a file, for the dialog: its diff, what is DELETED, the ways to merge."""
    return question_fields(asked, request.project)
