"""What an asked call is about, in the words of `replay` and `observe`, and which calls are alike to the person who is
asked."""

from __future__ import annotations

from askfirst.knowledge.tools import FETCH
from askfirst.model import Command, Decision, Finding, Kind, Layer, Read, ToolUse, Unknown, Verdict, Write
from askfirst.policy.pinning import key_of, kind_of, script_of

RUNNERS = frozenset("npx bunx uvx pipx pnpx".split())
REMOTE = frozenset("ssh scp sftp mosh docker podman nerdctl kubectl".split())
COMPOSE = frozenset("docker-compose podman-compose".split())
FORGES = frozenset("gh glab hub tea".split())
KILLERS = frozenset("kill pkill killall fuser".split())
DATABASES = frozenset("psql mysql mariadb sqlite3 redis-cli mongosh mongo duckdb cqlsh clickhouse-client".split())
CLOUDS = frozenset(
    "aws az gcloud gsutil vercel netlify fly flyctl heroku wrangler firebase supabase railway doctl terraform tofu "
    "pulumi helm convex render".split()
)
LOCAL = ("localhost", "127.", "[::1]", "0.0.0.0", "192.168.", "10.")
# What is alike in its words and different in what it does: another text of these is another question.
_NEVER_ALIKE = frozenset({"inline code", "database", "remote or container", "deletion"})


def cause_of(finding: Finding) -> str:
    """One short name for why a fact asks."""
    fact = finding.fact
    if finding.origin.layer == Layer.FLOW:
        return "flow"
    if isinstance(fact, Unknown):
        return "not understood"
    if isinstance(fact, Read):
        return "secret"
    if isinstance(fact, Write):
        return "write outside" if finding.origin.rule == "outside" else "write"
    if isinstance(fact, ToolUse):
        return "fetch" if fact.name == FETCH else "MCP tool"
    return _of_command(fact)


def _of_command(command: Command) -> str:
    name, kind = command.name.rsplit("/", 1)[-1], kind_of(command)
    for names, cause in _BY_NAME:
        if name in names:
            return cause
    words = tuple(w.value or "" for w in command.argv[1:3])
    if name == "git" and "push" in words:
        return "git push"
    if kind == Kind.NETWORK and any(w.value and part in w.value for w in command.argv[1:] for part in LOCAL):
        return "local server"
    if script_of(command):
        return "project script"
    return _BY_KIND.get(kind, "unknown tool")


_BY_NAME = (
    (RUNNERS, "package runner"),
    (COMPOSE, "compose"),
    (REMOTE, "remote or container"),
    (FORGES, "forge"),
    (KILLERS, "kill"),
    (DATABASES, "database"),
    (CLOUDS, "cloud"),
)
_BY_KIND = {
    Kind.INLINE: "inline code",
    Kind.CODE: "project script",
    Kind.WRAPPER: "wrapper",
    Kind.BUILD: "project runner",
    Kind.INSTALL: "package install",
    Kind.DESTRUCTIVE: "deletion",
    Kind.NETWORK: "network",
    Kind.READ: "reading",
    Kind.EDIT: "edit",
}


def asked_findings(verdict: Verdict) -> tuple[Finding, ...]:
    return tuple(f for f in verdict.findings if f.decision == Decision.ASK)


def asked_for_flow(verdict: Verdict) -> bool:
    """Whether a rule of flow asks."""
    return any(f.origin.layer == Layer.FLOW for f in asked_findings(verdict))


def main_cause(verdict: Verdict) -> str:
    asked = asked_findings(verdict)
    return cause_of(asked[0]) if asked else "other"


def shape_of(verdict: Verdict) -> tuple[str, ...]:
    """Program and sub-command of everything that is asked: to a person, two calls of one shape are the same question.
    () where another text is another question."""
    parts: set[str] = set()
    for finding in asked_findings(verdict):
        if cause_of(finding) in _NEVER_ALIKE:
            return ()
        parts.add(_shape_of_fact(finding))
    return tuple(sorted(parts))


def _shape_of_fact(finding: Finding) -> str:
    fact = finding.fact
    if isinstance(fact, Command):
        # A platform's or a forge's verb stands behind the thing: `gh pr create` is not `gh pr comment`.
        named = 3 if fact.name.rsplit("/", 1)[-1] in FORGES | CLOUDS else 2
        words = (key_of(fact) + tuple(w.value or "" for w in fact.argv[1:]))[:named]
        return " ".join((words[0].rsplit("/", 1)[-1], *words[1:]))
    if isinstance(fact, Unknown):
        return f"{fact.what}: {fact.why}"
    if isinstance(fact, ToolUse):
        return fact.name
    return f"{type(fact).__name__} {fact.path}"
