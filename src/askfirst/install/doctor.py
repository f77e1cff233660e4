"""What `askfirst doctor` looks at: every agent's registration, and what all of them share.

Whatever is not well says the way out.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from urllib.parse import urlsplit

from askfirst import audit
from askfirst import notices as notices_module
from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.agents.wire import MIN_TIMEOUT_S, PROBE_SESSION, TIMEOUT_S
from askfirst.approval.limits import timeout_s
from askfirst.approval.presence import approvers as approvers_alive
from askfirst.box import dropped, engines, health
from askfirst.errors import AskfirstError
from askfirst.install import command
from askfirst.install.check import FAIL, NOTE, OK, WARN, Check
from askfirst.install.installer import Installer, installer_of
from askfirst.masking import masker_of
from askfirst.policy.rules import Notice
from askfirst.resident import socket_place as places
from askfirst.resident.condition import look
from askfirst.store import paths
from askfirst.store.layers import load_layers, org_files, settings_of
from askfirst.store.observe import observing_since

PLANTED = "ghp_" + "a1B2c3D4e5F6" * 3  # no token of anybody's
MASKED_IN_BOX = "a secret in it counts as seen; what runs contained is masked also where it fails"


def all_checks(project: str) -> Iterator[Check]:
    installers = [installer_of(name) for name in AGENTS]
    yield from gate_is_there(installers, project)
    if observing_since():
        yield Check(WARN, "observing", "calls are judged and logged; NOTHING is enforced", "askfirst observe stop")
    for installer in installers:
        yield from installer.checks(project)
    yield from private_files(installers, project)
    yield from rules(project)
    yield from box(project)
    yield from masking(project)
    yield from notify(project)
    yield from log()
    yield from warm()
    yield from approvers()
    yield from team()
    yield from tier(installers, project)


def box(project: str) -> Iterator[Check]:
    """Whether what is to run contained can, and what stands in its way."""
    try:
        mode = load_layers(project, now=time.time()).settings.box
    except AskfirstError:
        return  # the check of the rules says it
    wanted, works = mode.unknown or mode.allowed, engines.available() is not None
    for found in health.doctor():
        level = OK if found.works else NOTE if works or not wanted else WARN
        yield Check(level, "box", f"{found.subject}: {found.text}", found.way_out)
    if not wanted:
        if works:
            yield Check(NOTE, "box", "off, though it works here", "askfirst init --box unknown")
        return
    if not works:
        yield Check(WARN, "box", "no engine works here, so what would run contained is asked", "askfirst box status")
    yield from _clients_in_box(project)


def _clients_in_box(project: str) -> Iterator[Check]:
    """Which agents run nothing contained, and why."""
    for name in AGENTS:
        if text := dropped.known(name):
            why = f"{AGENTS[name].title} ran `{text}` as it is, which was to run contained: nothing of it is contained"
            yield Check(FAIL, "box", why, "update the client, then `askfirst box status --try`")
        if (
            name != DEFAULT
            and wire_of(name).changes_commands
            and installer_of(name).has_gate(project)
            and not dropped.has_taken(name)
        ):
            yield _not_shown(name)
        left = wire_of(name).own_rules((), project, None) if wire_of(name).changes_commands else ""
        if left and installer_of(name).has_gate(project):
            yield Check(NOTE, "box", f"{AGENTS[name].title}: {left}, so nothing of it runs contained", "")


def _not_shown(name: str) -> Check:
    """An agent that is to run what its hook gives it, and has not shown it."""
    if dropped.given(name):
        why = "has not run the last command that its hook gave it, so what would run contained is asked"
        again = "an allowed command tries it again once an hour, `askfirst box status --try` at once; update the client"
        return Check(WARN, "box", f"{AGENTS[name].title} {why}", again)
    why = "shows with its first allowed command that it runs what its hook gives it; until then it asks"
    return Check(NOTE, "box", f"{AGENTS[name].title} {why}", "")


def masking(project: str) -> Iterator[Check]:
    """Whether secrets in results are masked, tried with one; and where they cannot be."""
    try:
        settings = load_layers(project, now=time.time()).settings
    except AskfirstError:
        return  # the check of the rules says it
    if not settings.flow.redact_output:
        yield Check(WARN, "masking", "off: results reach the model with their secrets", "redact: {output: on}")
        return
    try:
        masker = masker_of(project, os.environ, settings.flow)
        works = PLANTED not in masker.text(f"token {PLANTED}")
    except (AskfirstError, OSError) as error:
        yield Check(FAIL, "masking", f"results cannot be looked through, so none is shown: {error}", "askfirst doctor")
        return
    if not works:
        yield Check(FAIL, "masking", "a planted secret was not masked", "report it: see SECURITY.md")
        return
    known = len(masker.known)
    yield Check(OK, "masking", f"results are masked; {known} values of the environment and this project are known")
    contained = (settings.box.unknown or settings.box.allowed) and engines.available() is not None
    bare = "that does not run contained and fails" if contained else "that fails"
    yield Check(NOTE, "masking", f"of a command {bare} the client shows the output as it is", MASKED_IN_BOX)
    for name in AGENTS:
        if not wire_of(name).masks and installer_of(name).has_gate(project):
            text = f"{AGENTS[name].title}: its hook cannot change results; secrets in them count as seen"
            yield Check(NOTE, "masking", text)


def notify(project: str) -> Iterator[Check]:
    """Who is told elsewhere, and what keeps it from working."""
    try:
        notices = load_layers(project, now=time.time()).settings.notify
    except AskfirstError:
        return
    for notice in notices:
        text = f"{_in_words(notice)} on {', '.join(notice.on)}"
        why = notices_module.why_not(notice)
        yield Check(
            WARN if why else OK, "notify", f"{text}: {why}" if why else text, "askfirst doctor --tell" if why else ""
        )


def told(project: str) -> Iterator[Check]:
    """`doctor --tell`: each of them is told something now, once."""
    for notice in load_layers(project, now=time.time()).settings.notify:
        done = notices_module.send(notice, notices_module.TRIAL, client=os.getppid(), tries=1)
        text = f"{_in_words(notice)}: {'told' if done else 'could not be told'}"
        yield Check(OK if done else FAIL, "notify", text, "" if done else "look at `notify:` in your config.yaml")


def _in_words(notice: Notice) -> str:
    """An address may hold a token: its host says enough."""
    host = urlsplit(notice.url).hostname or ""
    return f"{notice.kind} at {host}" if host else notice.kind


def gate_is_there(installers: list[Installer], project: str) -> Iterator[Check]:
    having = [installer.name for installer in installers if installer.has_gate(project)]
    if not having:
        yield Check(FAIL, "hook", "no agent has the gate for this project, so nothing is gated", "askfirst init")
    elif DEFAULT not in having:
        text = f"{AGENTS[DEFAULT].title} does not have the gate here; installed for: {', '.join(having)}"
        yield Check(NOTE, "hook", text, "askfirst init")


def private_files(installers: list[Installer], project: str) -> Iterator[Check]:
    """Whoever can write these decides what the gate does."""
    try:
        yield Check(OK, "files", f"{paths.private_dir()}: only you can access it")
    except AskfirstError as error:
        yield Check(FAIL, "files", str(error), f"look at {paths.state_dir()}")
    for path in (command.LAUNCHER, sys.executable):
        if os.path.realpath(path).startswith(project + os.sep) or path.startswith(project + os.sep):
            yield Check(
                WARN,
                "files",
                f"{path}: lies inside the project, where the agent could change it",
                "install askfirst outside (in a checkout of it: uv tool install . or pipx install .), "
                "then run `askfirst init` again",
            )
    settings = [i.settings_path(scope, project) for i in installers for scope in i.scopes]
    code = [command.LAUNCHER, os.path.dirname(command.LAUNCHER)]
    for path in (*code, *paths.org_files(), paths.project_file(project), *settings):
        yield from _writers(path)


def _writers(path: str) -> Iterator[Check]:
    try:
        found = os.stat(path)
    except OSError:
        return
    if found.st_mode & stat.S_IWOTH:
        yield Check(FAIL, "files", f"{path}: everyone can write it", f"chmod o-w {path}")
    elif found.st_uid not in (0, os.geteuid()):
        text = f"{path}: belongs to another user, who decides what the gate does"
        yield Check(WARN, "files", text, "move it, or change its owner")


def rules(project: str) -> Iterator[Check]:
    try:
        layers = load_layers(project, session=PROBE_SESSION, agent="doctor", now=time.time())
    except AskfirstError as error:
        yield Check(FAIL, "rules", str(error), "askfirst check")
        return
    notes = [*layers.notes, *filter(None, [layers.untrusted_note])]
    if layers.closed:
        yield Check(FAIL, "rules", f"everything is denied: {layers.closed}", "askfirst check")
    for note in notes:
        yield Check(WARN, "rules", note, "askfirst check, askfirst trust")
    if not layers.closed and not notes:
        organisation = f"organisation: {len(layers.org_block)} blocks, {len(layers.org_allow)} allows"
        yield Check(OK, "rules", f"{organisation}; project: {len(layers.project_allow)} allows")
    longest_s = timeout_s(layers.settings)
    if longest_s + 60 > MIN_TIMEOUT_S:
        text = f"an approval may take {longest_s:.0f} s, and a hook is only sure to have {MIN_TIMEOUT_S} s"
        yield Check(FAIL, "timeouts", text, "lower approval_timeout_minutes")
    else:
        text = f"an approval takes at most {longest_s:.0f} s, and agents wait up to {TIMEOUT_S} s"
        yield Check(OK, "timeouts", text)


def log() -> Iterator[Check]:
    try:
        number, head = audit.head()
    except (AskfirstError, OSError) as error:
        yield Check(FAIL, "log", str(error), "askfirst audit verify")
        return
    yield Check(OK, "log", f"{number} records, head {head[:16]}")


def warm() -> Iterator[Check]:
    """The warm process and its client: without them every answer is the same, and takes longer."""
    found = look(places.default())
    if found.client_trouble:
        yield Check(WARN, "client", f"{found.client}: {found.client_trouble}", "askfirst resident build")
    if found.silent or found.why_not:
        yield Check(NOTE, "resident", found.words, "askfirst resident --help")
    else:
        yield Check(OK, "resident", f"{found.words}; client: {found.client or 'in Python'}")


def approvers() -> Iterator[Check]:
    found = approvers_alive()
    if found:
        yield Check(OK, "approvers", ", ".join(f"{a.kind} (pid {a.pid})" for a in found))
        return
    yield Check(
        NOTE,
        "approvers",
        "no one is answering now: what no rule decides is denied at once in an unattended session",
        "askfirst watch, or askfirst serve",
    )


def team() -> Iterator[Check]:
    """Where a team was joined, or the organisation wants one."""
    if not paths.is_there(paths.team_file()):
        if _wants_team():
            text = "this machine has not joined the team's database, so what needs other people is denied"
            yield Check(WARN, "team", text, "askfirst team join DSN")
        return
    try:
        yield from import_module("askfirst.team.checks").team_checks()
    except ImportError as error:
        yield Check(FAIL, "team", f"the module `{error.name}` is missing", "pip install 'askfirst[team]'")


def _wants_team() -> bool:
    try:
        return settings_of(org_files()).team is not None
    except AskfirstError:
        return False  # said among the rules


def tier(installers: list[Installer], project: str) -> Iterator[Check]:
    """Which of T0 to T3 holds. Never more than what was looked at."""
    if os.geteuid() != 0 and any(installer.held_by_root(project) for installer in installers):
        yield Check(
            NOTE,
            "tier",
            "T0, with hook settings that root owns: the agent cannot remove the gate, but it runs as you and could "
            "forge an answer",
            "T3: run the agent as another user or in a sandbox",
        )
        return
    yield Check(
        NOTE,
        "tier",
        "T0: rules and refusals stop accidents and naive injections; the agent runs as you, and a hostile process "
        "could forge an answer",
        "managed settings keep it from removing the gate; T3: run the agent as another user or in a sandbox",
    )
