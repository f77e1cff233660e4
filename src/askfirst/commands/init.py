"""`askfirst init`: put the gate into an agent, write the project's rule file, and say what was done."""

from __future__ import annotations

import argparse
import os
import sys

from askfirst.cli.where import directory
from askfirst.errors import ConfigError, UsageError
from askfirst.install.agents import INSTALLERS, installer

EXAMPLES = """\
examples:
  askfirst init                  this project, this machine only (.claude/settings.local.json)
  askfirst init --user           every project of yours (~/.claude/settings.json)
  askfirst init --project        this project, shared through the repository (the interpreter's path is this machine's)
  askfirst init --mcp            also let the agent ask what is allowed, over MCP
  askfirst uninstall             undo it exactly
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scope(parser, "into which agent")
    parser.add_argument(
        "--mcp", action="store_true", help="register `askfirst mcp` too, so that the agent can ask what is allowed"
    )
    parser.add_argument("--no-project-file", action="store_true", help="do not write .askfirst/allowed_commands.yaml")


def add_scope(parser: argparse.ArgumentParser, which: str) -> None:
    parser.add_argument("--agent", default="claude", choices=sorted(INSTALLERS), help=f"{which} (default: claude)")
    scope = parser.add_mutually_exclusive_group()
    for name, text in (
        ("user", "every project of this user"),
        ("project", "this project, for everybody who works in it"),
        ("local", "this project, on this machine only (the default where the agent has it)"),
    ):
        scope.add_argument(f"--{name}", dest="scope", action="store_const", const=name, help=text)
    parser.add_argument(
        "--dir", default=".", metavar="PROJECT", help="the project's directory (default: the present one)"
    )


def chosen_scope(args: argparse.Namespace) -> str:
    scopes: tuple[str, ...] = installer(args.agent).SCOPES
    scope = args.scope or next(s for s in ("local", "project", "user") if s in scopes)
    if scope not in scopes:
        raise UsageError(f"{installer(args.agent).NAME} has no --{scope}; it has {', '.join('--' + s for s in scopes)}")
    return str(scope)


def run(args: argparse.Namespace) -> int:
    from askfirst import audit
    from askfirst.approval.person import user_name
    from askfirst.install.probe import probe
    from askfirst.text import console, visible

    agent, project, scope = installer(args.agent), directory(args.dir), chosen_scope(args)
    out = console()

    def say(text: str) -> None:
        out.print(visible(text), soft_wrap=True)

    change = agent.install(scope, project)
    say(f"{change.path}: {'the hooks are written' if change.did == 'written' else 'the hooks are there already'}")
    if change.did == "written":
        audit.append(
            "config",
            {"what": "hooks installed in", "file": change.path, "project": project, "by": user_name()},
            durable=True,
        )
    if change.did == "written" and change.backup:
        say(f"  what stood there before is kept in {change.backup}")
    trouble = probe(args.agent, agent.gate_command(), project)
    if trouble:
        raise ConfigError(
            f"the registered hook does not answer: {trouble}",
            file=change.path,
            hint="`askfirst doctor` looks for the cause",
        )
    say("  the registered command answers")
    if not args.no_project_file:
        for line in _write_project_file(project):
            say(line)
    if args.mcp:
        say(agent.install_mcp(scope, project))
    for warning in agent.warnings():
        say(f"warning: {warning}")
    say(
        f"Next: start {agent.NAME}, and answer its questions with `askfirst watch` in another terminal. `askfirst doctor` checks all of it."
    )
    return 0


def _write_project_file(project: str) -> list[str]:
    from askfirst import audit
    from askfirst.digest import sha256_hex
    from askfirst.install.stack import profiles_for, project_file_text
    from askfirst.store.paths import project_file
    from askfirst.store.trust import trust

    path = project_file(project)
    if os.path.lexists(path):
        return [f"{path}: is there already and stays as it is; `askfirst trust` shows it and lets it count"]
    found = profiles_for(project)
    text = project_file_text(found)
    _create(path, text)
    lines = [
        f"{path}: written"
        + (
            f", with the profiles for {', '.join(s for _, s in found)}: {', '.join(p for p, _ in found)}"
            if found
            else ""
        )
    ]
    if is_person_here():
        # Nobody else had a hand in it, and a person asked for it: showing it to them once more would teach them to say yes unseen.
        audit.append("config", {"what": "trust", "file": path, "sha256": sha256_hex(text.encode())}, durable=True)
        trust(path, text.encode())
        lines.append("  it counts from now on; a change of it is shown and asked first (`askfirst trust`)")
    else:
        lines.append(
            "  no person is at this terminal, so it does not count yet: a person looks at it with `askfirst trust`"
        )
    return lines


def _create(path: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", file=path) from error


def is_person_here() -> bool:
    """A terminal, and no agent above: what an agent starts says so in its environment, or runs below it."""
    from askfirst.approval.person import ancestors, why_not_a_person

    try:
        terminal = os.isatty(0) and os.isatty(sys.stdout.fileno())
    except (OSError, ValueError):
        return False
    return not why_not_a_person(os.environ, terminal, ancestors)
