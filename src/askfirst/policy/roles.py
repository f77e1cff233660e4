"""Roles: what each may run, approve, and must not. Only where the organisation's file has a `roles` section; else
nothing changes.

A user's role comes from the organisation's file, never from the environment or the repository. Who is not listed there
is a dev."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.knowledge.own_tools import row_of
from askfirst.knowledge.programs import DANGEROUS, base_name
from askfirst.model import Command, Decision, Finding, Kind, Layer, Origin, ToolUse, Unknown, Verdict, Write

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Settings

__all__ = [
    "CAPABILITIES",
    "TEAM_PUBLISHES",
    "is_infrastructure",
    "is_release",
    "may_approve",
    "narrow",
    "note_for",
    "role_of",
    "severity",
]

TEAM_PUBLISHES = "team: publish"
# role -> (may run, may approve, must not), in words for people; the functions below hold to it.
CAPABILITIES: dict[str, tuple[str, str, str]] = {
    "dev": (
        "build, test, local git, whatever the rules allow",
        "commands and writes in the project",
        "push or publish; infrastructure",
    ),
    "sre": ("the same, and infrastructure (logged as critical)", "infrastructure too", "push or publish"),
    "release_manager": ("the same as dev, and push, tag, publish", "push, tag and publish too", "infrastructure"),
    "product_owner": ("reading only", "nothing", "write, commit, build or approve"),
}

_PUBLISH = {
    "npm": ("publish", "unpublish", "deprecate", "dist-tag"),
    "pnpm": ("publish",),
    "yarn": ("publish", "npm publish"),
    "bun": ("publish",),
    "cargo": ("publish", "yank"),
    "twine": ("upload",),
    "poetry": ("publish",),
    "uv": ("publish",),
    "flit": ("publish",),
    "hatch": ("publish",),
    "gem": ("push", "yank"),
    "docker": ("push",),
    "podman": ("push",),
    "gh": ("release create", "release upload", "release delete", "release edit"),
    "helm": ("push",),
    "mvn": ("deploy",),
    "gradle": ("publish",),
    "gradlew": ("publish",),
    "vsce": ("publish",),
    "goreleaser": ("release",),
    "semantic-release": ("",),
    "changeset": ("publish",),
    "lerna": ("publish",),
}


def role_of(user: str, settings: Settings) -> str:
    """The role of a user; "" where no roles are configured."""
    return settings.roles.get(user, "dev") if settings.roles else ""


def is_infrastructure(finding: Finding) -> bool:
    fact = finding.fact
    if isinstance(fact, ToolUse):
        return bool(finding.danger)
    return (
        isinstance(fact, Command)
        and not is_release(fact)
        and (bool(finding.danger) or base_name(fact.name).lower() in DANGEROUS)
    )


def is_release(command: Command) -> bool:
    """Pushing, publishing, and making a release."""
    if base_name(command.name) == "git":
        return command.action.key[1:2] == ("push",) or (
            not command.action.rule and "push" in [w.value for w in command.argv[1:]]
        )
    words = " ".join(command.action.key[1:]) or " ".join(w.value or "" for w in command.argv[1:])
    return any(
        words == start or words.startswith(start + " ") or not start
        for start in _PUBLISH.get(base_name(command.name), ())
    )


def narrow(finding: Finding, layers: Layers) -> Finding:
    """A finding as this user's role leaves it. Never wider, except that a release manager's dry run needs no
    question."""
    if finding.decision == Decision.DENY:
        return finding
    role = layers.settings.role
    if role == "product_owner":
        return _reading_only(finding)
    fact = finding.fact
    if isinstance(fact, Command) and is_release(fact):
        if role != "release_manager" and (who := _who_publishes(layers.settings)):
            words = f"pushing and publishing is for {' or '.join(who)} to allow"
            return replace(finding, decision=Decision.ASK, reason=words, origin=Origin(Layer.ORG_ALLOW, TEAM_PUBLISHES))
        if role != "release_manager":
            return _refuse(
                finding,
                "roles: release",
                f"only a release_manager may push or publish; this user's role is {role}",
                "leave the commit; a release_manager pushes it",
            )
        if base_name(fact.name) == "git":
            return _push(finding, layers)
    if (
        isinstance(fact, (Command, ToolUse))
        and is_infrastructure(finding)
        and finding.decision == Decision.ASK
        and role != "sre"
    ):
        return replace(finding, reason=f"{finding.reason}; infrastructure: a person with the role sre must allow it")
    return finding


def _who_publishes(settings: Settings) -> tuple[str, ...]:
    """Whom the organisation's team names for it: they are asked instead of refusing what a dev may not do alone."""
    return dict(settings.team.approvers).get("publish", ()) if settings.team is not None else ()


def _push(finding: Finding, layers: Layers) -> Finding:
    fact = finding.fact
    assert isinstance(fact, Command)
    dry = any(w.value in ("--dry-run", "-n") for w in fact.argv[1:])
    if layers.settings.push_dry_run_first and not dry and finding.decision != Decision.DENY:
        return replace(
            finding,
            decision=Decision.ASK,
            reason="`git push` asks: the organisation wants a dry run first",
            origin=Origin(Layer.ORG_ALLOW, "roles: push_dry_run_first"),
            advice="run `git push --dry-run` with the same arguments first and show its output",
        )
    return finding


def _reading_only(finding: Finding) -> Finding:
    fact = finding.fact
    reads = (
        fact.action.kind == Kind.READ or fact.builtin
        if isinstance(fact, Command)
        else isinstance(fact, ToolUse) and (fact.reads or finding.decision == Decision.ALLOW)
    )
    if isinstance(fact, (Write, Unknown)) or (isinstance(fact, (Command, ToolUse)) and not reads):
        if isinstance(fact, Write) and finding.origin.rule == "harmless-device":
            return finding
        return _refuse(finding, "roles: product_owner", "a product_owner may only read", "hand it to a dev")
    return finding


def _refuse(finding: Finding, rule: str, reason: str, advice: str) -> Finding:
    return Finding(finding.fact, Decision.DENY, reason, Origin(Layer.ORG_BLOCK, rule), advice=advice)


def may_approve(user: str, verdict: Verdict, settings: Settings) -> str:
    """Why this user may not approve what the verdict asks; "" when they may."""
    role = role_of(user, settings)
    if not role:
        return ""
    if role == "product_owner":
        return f"{user} is a product_owner, who may not approve commands or writes"
    for finding in verdict.findings:
        if finding.decision != Decision.ASK:
            continue
        if is_infrastructure(finding) and role != "sre":
            return f"{user} is a {role}; infrastructure is approved by an sre"
        if isinstance(finding.fact, Command) and is_release(finding.fact) and role != "release_manager":
            return f"{user} is a {role}; pushing and publishing is approved by a release_manager"
    return ""


def severity(verdict: Verdict, settings: Settings) -> str:
    """How the log marks it: infrastructure and releases by those who may are critical."""
    return "critical" if settings.roles and any(map(_is_critical, verdict.findings)) else "routine"


def _is_critical(finding: Finding) -> bool:
    fact = finding.fact
    row = row_of(fact.name) if isinstance(fact, ToolUse) else None
    return is_infrastructure(finding) or (isinstance(fact, Command) and is_release(fact)) or bool(row and row.critical)


def note_for(findings: tuple[Finding, ...], layers: Layers) -> tuple[str, ...]:
    if layers.settings.role == "sre" and any(is_infrastructure(f) for f in findings):
        return ("infrastructure as sre: logged as critical",)
    return ()
