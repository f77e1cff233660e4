"""Programs of which only the version is harmless: other agents, servers, package runners, and what fetches or sends."""

from __future__ import annotations

from askfirst.model import Action, Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, unknown
from askfirst.shell.tools.project_code import as_told, runner
from askfirst.shell.tools.table import INERT, Tool

__all__ = ["TOOLS"]


def only_version(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A server or an agent: only its version and help are known to be harmless, and only as options: `claude help` is a
    prompt, and `ipython x.py --version` runs the file."""
    words = [w.value for w in call.words[1:]]
    if len(words) == 1 and words[0] in _EXPLAINS.get(tool.name, ("--version", "-V", "--help", "-h")):
        return Outcome(
            Action(
                (tool.name, "--version"),
                Kind.READ,
                rule=tool.name,
                allowed=True,
                description="shows the version or the help",
            )
        )
    varies = _OWN_OPTIONS.get(tool.name)
    if varies is not None:
        flags, values = (frozenset(options.split()) for options in varies)
        return Outcome(as_told(action_of(tool), call, analyst, (flags, values), behind=True))
    return Outcome(
        Action(
            (tool.name, *(w for w in words[:1] if w)),
            Kind.OTHER,
            rule=tool.name,
            description=tool.description,
            target=" ".join(w.value or w.text for w in call.words[1:]),
        ),
        (unknown("program", tool.description, call),),
    )


# Flask loads the project's application to list its commands, locust the project's file to list its options.
_EXPLAINS = {
    "flask": ("--version",),
    "locust": ("--version", "-V"),
    "nginx": ("-v", "-V", "-h"),
    "ab": ("-V", "-h"),
    "caddy": ("version", "--help", "-h"),
    "codex": ("--version", "-V", "--help", "-h", "help"),
}
# Servers and workers of the project's own code, and what a yes to one leaves open: how it listens on this machine, how
# much it says. Where else it listens (`--host 0.0.0.0`) is part of the yes.
_OWN_OPTIONS = {
    "flask": ("--debug --no-debug --reload --no-reload", "-p --port"),
    "uvicorn": ("--reload --no-access-log --use-colors --no-use-colors", "--port --log-level --workers"),
    "gunicorn": ("--reload", "-w --workers -t --timeout --log-level"),
    "celery": ("", "-l --loglevel -c --concurrency"),
}
_VERSION_ONLY = {
    "codex": "starts another agent, which has rules of its own",
    "claude": "starts another agent, which has rules of its own",
    "gemini": "starts another agent, which has rules of its own",
    "aider": "starts another agent, which has rules of its own",
    "opencode": "starts another agent, which has rules of its own",
    "prometheus": "starts a server",
    "caddy": "starts a server or rewrites files",
    "nginx": "starts a server",
    "direnv": "runs code of the directory",
    "mise": "runs code of the directory or a program",
    "asdf": "installs or runs programs",
    "nix": "builds or runs a program",
    "nix-shell": "builds or runs a program",
    "nix-build": "builds a program",
    "devbox": "runs a program",
    "act": "runs workflows",
    "protoc": "runs plugins",
    "buf": "runs plugins or publishes",
    "sqlc": "writes files",
    "semgrep": "fetches rules and sends results",
    "trivy": "fetches data",
    "jupyter": "runs notebooks or starts a server",
    "ipython": "runs code",
    "flask": "runs the project's code",
    "uvicorn": "starts a server",
    "gunicorn": "starts a server",
    "celery": "starts workers",
    "locust": "sends many requests",
    "k6": "sends many requests",
    "ab": "sends many requests",
}
_ALEMBIC_LOOKS = "current history heads check show"
TOOLS: dict[str, Tool] = {
    "alembic": Tool(
        "alembic",
        Kind.CODE,
        "changes a database",
        options="flag --version -h,--help",
        key_words=2,
        manual="alembic 1.20.1",
        examples=("alembic current", "alembic history --verbose", "alembic check"),
        counter_examples=("alembic upgrade head", "alembic -c /tmp/x.ini current", "alembic revision -m x"),
        subcommands={
            name: Tool(
                f"alembic {name}",
                Kind.BUILD,
                "looks at the migrations, with the project's own settings",
                profile="python-dev",
                options="""
                    flag    -v,--verbose -h,--help -i,--indicate-current --resolve-dependencies --check-heads
                    value   -r,--rev-range
                """,
                operands=(INERT, ...),
                special=runner,
            )
            for name in _ALEMBIC_LOOKS.split()
        },
    ),
    **{
        name: Tool(
            name,
            Kind.CODE if name in _OWN_OPTIONS or name == "locust" else Kind.OTHER,
            description,
            allowed=False,
            special=only_version,
            examples=(f"{name} {_EXPLAINS.get(name, ('--version',))[0]}",),
            counter_examples=(f"{name} run", f"{name} x --version"),
        )
        for name, description in _VERSION_ONLY.items()
    },
}
