"""`askfirst init`: put the gate into an agent, write the project's rule file, and say what was done."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator

from askfirst import audit
from askfirst.agents import wire_of
from askfirst.approval.person import ancestors, require_person, user_name, who, why_not_a_person
from askfirst.cli.installing import add_scope, chosen_scope
from askfirst.cli.prompt import drop_typed_ahead, typed_line
from askfirst.cli.where import directory
from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError
from askfirst.install.box_mode import EXPLAINED, is_decided, switch, why_no_engine
from askfirst.install.check import FAIL
from askfirst.install.git_ignored import keep_out, repository_of
from askfirst.install.installer import Installer, installer_of
from askfirst.install.probe import probe
from askfirst.install.project_file import project_file_text
from askfirst.install.undo import WRITTEN
from askfirst.policy.keys import BOX_MODES
from askfirst.resident import build
from askfirst.store.manifests import profiles_for
from askfirst.store.observe import observe, observing_since
from askfirst.store.paths import project_file
from askfirst.store.trust import trust
from askfirst.text import console, visible

SWITCH_ON = "`askfirst init --box unknown` switches it on for all your projects"
EXAMPLES = """\
examples:
  askfirst init                  this project, on this machine only (.claude/settings.local.json)
  askfirst init --user           all your projects (~/.claude/settings.json)
  askfirst init --project        this project, shared through the repository; it finds each person's own askfirst
  askfirst init --mcp            also give the agent tools over MCP, each call judged
  askfirst init --observe        judge and log for a while, enforce nothing; then `askfirst observe report`
  askfirst init --box unknown    also run contained what would be asked and needs nothing beyond the project
  askfirst uninstall             undo it exactly
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scope(parser, "the agent to put the gate into")
    parser.add_argument(
        "--mcp",
        action="store_true",
        help="also register `askfirst mcp`, so that the agent has tools whose every call the gate judges",
    )
    parser.add_argument(
        "--observe", action="store_true", help="only judge and log, until `askfirst observe stop`; nothing is enforced"
    )
    parser.add_argument(
        "--box", choices=BOX_MODES, help="write this into your own config.yaml: what runs contained, in all projects"
    )
    parser.add_argument("--no-project-file", action="store_true", help="do not write .askfirst/allowed_commands.yaml")


def run(args: argparse.Namespace) -> int:
    agent, scope = installer_of(args.agent), chosen_scope(args)
    out = console()
    project = _place(directory(args.dir), scope, named=args.dir != ".")
    if args.observe:
        require_person("init --observe")
        observe(who())
        audit.append("config", {"what": "observing: nothing is enforced", "by": who()}, durable=True)
    for line in _install(agent, scope, project):
        out.print(visible(line), soft_wrap=True)
    proof = list(agent.proof(project))
    for check in proof:
        out.print(visible(f"  {check.name}: {check.text}"), soft_wrap=True)
    lines = [] if args.no_project_file else _write_project_file(project)
    if args.mcp:
        lines.append(agent.install_mcp(scope, project))
    for line in lines:
        out.print(visible(line), soft_wrap=True)
    lines = _box(args.box) if wire_of(agent.name).changes_commands else []
    lines += [f"warning: {warning}" for warning in (*agent.broken_files(project), *agent.warnings())]
    if observing_since():
        lines.append("Observing: calls are judged and logged, and NOTHING is enforced. See `askfirst observe report`.")
        lines.append("`askfirst observe stop` makes the gate decide.")
    else:
        lines.append(f"Next: start {agent.title}, and answer its questions in another terminal with `askfirst watch`.")
    lines.append("`askfirst doctor` checks the installation.")
    for line in lines:
        out.print(visible(line), soft_wrap=True)
    return 1 if any(check.level == FAIL for check in proof) else 0


def _place(here: str, scope: str, *, named: bool) -> str:
    """Which directory is meant: in a sub-directory of a repository the root may be. Only the agent sessions that are
    started where the settings lie have the gate."""
    root = repository_of(here)
    if scope == "user" or named or root in ("", here):
        return here
    print(f"This is a sub-directory of the repository {visible(root)}.")
    print("The gate is there for sessions that are started in the directory with the settings, and in no other.")
    if is_person_here():
        drop_typed_ahead()
        said = typed_line("Type `root` to install in the repository's root, or press Enter to install here: ")
        return root if said is not None and said.strip().lower() in ("root", "r", "yes", "y") else here
    print(f"Installing here; for the root: askfirst init --dir {visible(shlex.quote(root))}")
    return here


def _install(agent: Installer, scope: str, project: str) -> Iterator[str]:
    client = build.ensure()
    done = agent.install(scope, project)
    yield f"{done.path}: {'hooks written' if done.did == WRITTEN else 'the hooks are already there'}"
    ignored = keep_out(done.path) if scope == "local" else ""
    if ignored:
        yield f"  {ignored}"
    if done.did == WRITTEN:
        record = {"what": "hooks installed in", "file": done.path, "project": project, "by": user_name()}
        audit.append("config", record, durable=True)
        if done.backup:
            yield f"  the file as it was before is kept in {done.backup}"
    problem = probe(wire_of(agent.name), agent.gate_command(scope), project)
    if problem:
        raise ConfigError(
            f"the registered hook does not answer: {problem}", file=done.path, hint="run `askfirst doctor`"
        )
    yield "  the registered command answers"
    yield f"  {client}"


def _write_project_file(project: str) -> list[str]:
    path = project_file(project)
    if os.path.lexists(path):
        return [f"{path}: exists and was not changed; review it with `askfirst trust`, so that it counts"]
    found = profiles_for(project)
    text = project_file_text(found)
    _create(path, text)
    signs, profiles = ", ".join(sign for _, sign in found), ", ".join(profile for profile, _ in found)
    lines = [f"{path}: written" + (f", with the profiles for {signs}: {profiles}" if found else "")]
    if is_person_here():
        # Nobody else had a hand in it, and a person asked for it: showing it to them once more would teach them to
        # say yes unseen.
        audit.append("config", {"what": "trust", "file": path, "sha256": sha256_hex(text.encode())}, durable=True)
        trust(path, text.encode())
        return [*lines, "  it is in force; after a change it counts again once you have run `askfirst trust`"]
    return [*lines, "  no person is at this terminal, so it does not count until a person has run `askfirst trust`"]


def _box(wanted: str | None) -> list[str]:
    """The box: tried, explained in two lines, and offered where nobody has decided yet."""
    if wanted:
        require_person("init --box")
        missing = why_no_engine() if wanted != "off" else ""
        return [switch(wanted), *([f"  without an engine everything asks as before: {missing}"] if missing else [])]
    if is_decided():
        return []
    missing = why_no_engine()
    if missing:
        return ["The box is not available here, so everything asks: `askfirst doctor` says what to install."]
    if not is_person_here():
        return [*EXPLAINED, f"It works here, and is off: {SWITCH_ON}."]
    print("\n".join(EXPLAINED))
    drop_typed_ahead()
    said = (typed_line("It works here. Switch it on for all your projects? [y/n] ") or "").strip().lower()
    if said in ("y", "yes", "n", "no"):
        return [switch("unknown" if said[0] == "y" else "off")]
    return [f"The box stays off: {SWITCH_ON}."]


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
    try:
        terminal = os.isatty(0) and os.isatty(sys.stdout.fileno())
    except (OSError, ValueError):
        return False
    return not why_not_a_person(os.environ, terminal, ancestors)
