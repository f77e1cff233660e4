"""Puts the layers together for one project: the organisation's files, the project's if it is trusted, and the grants.

A broken project file allows nothing, and every verdict says so. A broken organisation file may have held blocks: it
closes the gate, with the place and the way out.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import replace
from typing import Any

from askfirst.errors import ConfigError, StoreError, Unreadable
from askfirst.model import Decision, Layer, Origin
from askfirst.policy.rules import (
    Box,
    FlowRule,
    FlowSettings,
    Layers,
    Notice,
    OrgFile,
    Problem,
    ProjectFile,
    Settings,
    TeamSettings,
    ToolboxSettings,
    WriteSettings,
)
from askfirst.store import labels, paths, rulefiles, team_policy
from askfirst.store.grants import load_grants
from askfirst.store.pages import open_ports
from askfirst.store.pause import why_paused
from askfirst.store.sessions import first_seen
from askfirst.store.trust import is_trusted, trusted_git

__all__ = ["flow_settings", "load_layers", "org_files", "settings_of"]

# The file may hold blocks, so nothing may pass without it.
CLOSED = "Everything is denied until this file is fixed; run `askfirst check`"
NO_POLICY = "The organisation's rules come from the team's database, and none were pulled: `askfirst team policy pull`."
_LISTS = ("profiles", "protected_paths")  # what both files say adds up
NOTHING = "-"  # in a list of programs or branches: none has this name
_NAMES = {"dangerous_command_requires_confirmation": "confirm_danger"}


def load_layers(
    project: str, *, session: str = "", agent: str = "", now: float = 0.0, profiles: tuple[str, ...] = ()
) -> Layers:
    """The layers in force. `profiles`: switched on for a trial, beside those of the files."""
    own = tuple(os.path.realpath(d) for d in (paths.state_dir(), paths.user_config_dir(), paths.site_config_dir()))
    base = Layers(project, home=os.path.realpath(paths.home()), own_dirs=own, session=session, agent=agent, now=now)
    try:
        files = org_files()
    except ConfigError as error:
        # The file may hold blocks, and nobody knows which.
        return replace(base, closed=f"{_sentence(error)} {CLOSED}")
    settings = settings_of(files)
    if settings.team is not None and settings.team.policy_required and not team_policy.version():
        return replace(base, closed=f"{NO_POLICY} Everything is denied until then", closed_by="missing rules")
    settings = replace(settings, profiles=_together(settings.profiles, profiles))
    if settings.roles:
        settings = replace(settings, role=settings.roles.get(_user(), "dev"))
    seen, said = labels.seen_and_said(session)
    layers = replace(
        base,
        notes=tuple(filter(None, (_left_out(f.problems) for f in files))),
        org_block=tuple(r for f in files for r in f.blocked),
        org_allow=tuple(rulefiles.placed(r, "/") for f in files for r in f.allowed),
        dangerous=tuple(r for f in files for r in f.dangerous),
        settings=settings,
        grants=_grants(project, session, now),
        trusted_git=trusted_git(),
        since=first_seen(session),
        labels=seen,
        said=said,
        labelled=labels.labelled(project),
        page_ports=open_ports(),
    )
    layers = _with_own_profiles(_with_project(layers))
    paused = why_paused()
    return replace(layers, closed=paused, closed_by="pause") if paused else layers


def org_files(*, fresh: bool = False) -> list[OrgFile]:
    """The organisation's files that are there, the stronger first: the site's, the team's, the user's. Raises
    ConfigError."""
    files: list[OrgFile] = []
    site, user = paths.org_files()
    for path in filter(None, (site, team_policy.in_force(), user)):
        defined = tuple(p.name for f in files for p in f.profiles)
        file = rulefiles.org_file(path, profiles=defined, fresh=fresh)
        if file is not None:
            files.append(file)
    return files


def _left_out(problems: tuple[Problem, ...]) -> str:
    """Entries that do not count because of a mistake, for every verdict that is not an allow."""
    if not problems:
        return ""
    what = (
        "This entry does not count" if len(problems) == 1 else f"This entry and {len(problems) - 1} more do not count"
    )
    return f"{_sentence(ConfigError.of(problems[0]))} {what} until it is fixed; run `askfirst check`"


def _with_own_profiles(layers: Layers) -> Layers:
    """The organisation's own profiles that are switched on: their entries are its allows, what they include is on."""
    settings = layers.settings
    for profile in settings.own_profiles:
        if profile.name in settings.profiles:
            settings = replace(settings, profiles=_together(settings.profiles, profile.include))
            layers = replace(
                layers,
                org_allow=(*layers.org_allow, *(rulefiles.placed(r, "/") for r in profile.rules)),
                settings=settings,
            )
    return layers


def _sentence(error: ConfigError) -> str:
    """With its full stop, unless it ends in a question (`did you mean …?`)."""
    return str(error) if str(error).endswith("?") else f"{error}."


def settings_of(files: list[OrgFile]) -> Settings:
    """The settings of the site's and the user's file: what the first sets, the second cannot change; lists add up."""
    settings = Settings()
    given: set[str] = set()
    for file in files:
        settings = replace(settings, own_profiles=(*settings.own_profiles, *file.profiles))
        for key, value in file.settings:
            name = _NAMES.get(key, key)
            if key in _LISTS:
                settings = replace(settings, **{name: _together(getattr(settings, name), value)})
            elif key == "box":
                settings = replace(settings, box=_boxed(settings.box, value, given))
            elif key in ("flow", "redact"):
                settings = replace(settings, flow=_flow(settings.flow, value, given))
            elif key == "notify":
                settings = replace(settings, notify=(*settings.notify, *(Notice(*plain) for plain in value)))
            elif key == "writes":
                settings = replace(settings, writes=_writes(settings.writes, value, given))
            elif key == "toolbox":
                settings = replace(settings, toolbox=_toolbox(settings.toolbox, value, given))
            elif key not in given:
                given.add(key)
                settings = _set(settings, key, name, value)
    return settings


def _set(settings: Settings, key: str, name: str, value: Any) -> Settings:
    if key == "roles":
        return replace(settings, roles=dict(value))
    if key == "alerts":
        found = dict(value)
        return replace(
            settings,
            alert_violations=found.get("violations", settings.alert_violations),
            alert_window_s=found.get("window_seconds", settings.alert_window_s),
        )
    if key == "audit":
        found = dict(value)
        return replace(settings, syslog=found.get("syslog", False), keep_days=found.get("keep", 0))
    if key == "team":
        return replace(settings, team=TeamSettings(**dict(value)))
    return replace(settings, **{name: value})


_REDACT_SWITCHES = {"output": "redact_output", "keep": "keep_whole"}


def _flow(flow: FlowSettings, value: tuple[tuple[str, Any], ...], given: set[str]) -> FlowSettings:
    """The site's rules come first; its lists and the user's add up."""
    for key, inner in value:
        if key == "rules":
            flow = replace(flow, rules=(*flow.rules, *map(_flow_rule, inner)))
        elif key in _REDACT_SWITCHES:
            if f"redact.{key}" not in given:
                flow = replace(flow, **{_REDACT_SWITCHES[key]: inner})
            given.add(f"redact.{key}")
        else:
            name = "redact_patterns" if key == "patterns" else key
            flow = replace(flow, **{name: _together(getattr(flow, name), inner)})
    return flow


def _flow_rule(plain: tuple[Any, ...]) -> FlowRule:
    name, when, to, hosts, decision, reason, file, line = plain
    return FlowRule(name, when, to, hosts, Decision(decision), reason, Origin(Layer.FLOW, name, file, line))


def _boxed(box: Box, value: tuple[tuple[str, Any], ...], given: set[str]) -> Box:
    for key, inner in value:
        if f"box.{key}" in given:
            continue
        given.add(f"box.{key}")
        if key == "mode":
            box = replace(box, unknown=inner != "off", allowed=inner == "all")
        else:
            box = replace(box, **{key: inner})
    return box


def _narrowed_box(box: Box, mode: str) -> Box:
    """A project asks again for what would run contained (`off`), or contains what rules allow as well (`all`). What the
    user's file contains of the allowed stays contained."""
    if mode == "off":
        return replace(box, unknown=False)
    return replace(box, allowed=box.allowed or (mode == "all" and box.unknown))


def _writes(writes: WriteSettings, value: tuple[tuple[str, Any], ...], given: set[str]) -> WriteSettings:
    for key, inner in value:
        if key in ("deny", "read_only"):
            writes = replace(writes, **{key: _together(getattr(writes, key), inner)})
        elif f"writes.{key}" not in given:
            given.add(f"writes.{key}")
            writes = replace(writes, **{key: inner})
            if key in ("create_in", "create_anywhere"):
                writes = replace(writes, create_in_known=False)
    return writes


def _toolbox(toolbox: ToolboxSettings, value: tuple[tuple[str, Any], ...], given: set[str]) -> ToolboxSettings:
    for key, inner in value:
        if f"toolbox.{key}" not in given:
            given.add(f"toolbox.{key}")
            toolbox = replace(toolbox, **{key: inner})
    return toolbox


def _narrowed_toolbox(toolbox: ToolboxSettings, value: tuple[tuple[str, Any], ...]) -> ToolboxSettings:
    """A project's file says what its toolchain is; everything else only narrows."""
    for key, inner in value:
        here = getattr(toolbox, key)
        if key in ("test", "lint"):
            toolbox = replace(toolbox, **{key: inner})
        elif key == "commit_subject":
            toolbox = replace(toolbox, commit_subject=min(here, inner))
        elif key == "commit_pattern":
            toolbox = replace(toolbox, commit_pattern=f"(?=(?:{here}))(?:{inner})" if here else inner)
        elif here:
            # A list that shares nothing with the organisation's leaves nothing, not everything.
            kept: Any = tuple(v for v in inner if v in here) or (NOTHING,)
            toolbox = replace(toolbox, **{key: kept})
        else:
            toolbox = replace(toolbox, **{key: inner})
    return toolbox


def _narrowed(writes: WriteSettings, value: tuple[tuple[str, Any], ...]) -> WriteSettings:
    """A project's file only narrows writes; it decides about new files where the organisation says nothing."""
    for key, inner in value:
        if key in ("deny", "read_only"):
            writes = replace(writes, **{key: _together(getattr(writes, key), inner)})
        elif key in ("max_kib", "replace_lines", "replace_ratio"):
            writes = replace(writes, **{key: min(getattr(writes, key), inner)})
        elif key == "own":
            writes = replace(writes, own=tuple(d for d in inner if not writes.own or d in writes.own) or writes.own)
        elif key in ("create_in", "create_anywhere"):
            writes = _narrowed_creation(writes, key, inner)
    return writes


def _narrowed_creation(writes: WriteSettings, key: str, inner: Any) -> WriteSettings:
    may_be_anywhere = writes.create_anywhere or writes.create_in_known
    if key == "create_anywhere":
        return replace(writes, create_anywhere=inner and may_be_anywhere, create_in_known=False)
    wanted = tuple(d for d in inner if may_be_anywhere or d in writes.create_in)
    return replace(writes, create_in=wanted, create_anywhere=False, create_in_known=False)


def flow_settings() -> FlowSettings:
    """What the organisation says about what sessions see; what counts without it where its file is broken."""
    try:
        return settings_of(org_files()).flow
    except ConfigError:
        return FlowSettings()


def _together(first: tuple[str, ...], second: tuple[str, ...]) -> Any:
    return (*first, *(v for v in second if v not in first))


def _with_project(layers: Layers) -> Layers:
    path = paths.project_file(layers.project)
    try:
        data = rulefiles.read_file(path, inside=layers.project)
        if data is None:
            return layers
        if not is_trusted(path, data):
            # Not even parsed: nobody has vouched for what it would make the parser do.
            # The agent hears this, too, so it does not name the file: that is not the agent's to write.
            note = "the project's rule file is not trusted, so its entries do not count; the user can review it with"
            return replace(layers, untrusted_note=f"{note} `askfirst trust`")
        settings = layers.settings
        own = tuple(p.name for p in settings.own_profiles)
        most = settings.max_project_commands
        file = rulefiles.project_rules(path, data, layers.project, most=most, profiles=own)
    except Unreadable as error:
        # It may narrow what other layers allow, and nobody knows how.
        return replace(layers, closed=f"{_sentence(error)} {CLOSED}")
    except ConfigError as error:
        return replace(
            layers,
            notes=(
                *layers.notes,
                f"{_sentence(error)} None of its entries count until it is fixed; run `askfirst check`",
            ),
        )
    return _counted(layers, file)


def _counted(layers: Layers, file: ProjectFile) -> Layers:
    settings = layers.settings
    settings = replace(
        settings,
        profiles=_together(settings.profiles, file.profiles),
        writes=_narrowed(settings.writes, file.writes),
        box=_narrowed_box(settings.box, file.box),
        toolbox=_narrowed_toolbox(settings.toolbox, file.toolbox),
    )
    left_out = _left_out(file.problems)
    notes = (*layers.notes, left_out) if left_out else layers.notes
    return replace(layers, project_allow=file.rules, settings=settings, notes=notes)


def _grants(project: str, session: str, now: float) -> Any:
    try:
        return load_grants(project, session, now)
    except (OSError, StoreError):
        return ()


def _user() -> str:
    """Who runs this, from the system: an environment variable could claim anything."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
