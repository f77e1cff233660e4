"""A project's rule file on the page: its entries, each of which can be taken out; its profiles, switched with one click
after the change was shown; whether its content is trusted, with what changed since; and entries that would save
prompts.

Whatever changes the file is shown first as the very text that is written then: the page sends back the digests of the
old and of the new one, and nothing is written when one of them is another by now (409).
"""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Mapping
from itertools import islice
from typing import Any

import yaml

from askfirst import audit
from askfirst.approval.answers import Refused
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.remember import store_offer, take_back
from askfirst.audit.filter import Filter
from askfirst.audit.read import read_backwards, read_records
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, ConfigError
from askfirst.model import Duration
from askfirst.policy.config import explain
from askfirst.policy.profiles import PROFILES
from askfirst.policy.yaml_writing import render
from askfirst.report.rejudge import calls_in_log
from askfirst.report.suggestions import Suggestion, suggestions_of, taken_back
from askfirst.store import allowlist, paths, rulefiles, trust
from askfirst.store.layers import load_layers, org_files, settings_of
from askfirst.store.manifests import profiles_for
from askfirst.store.yaml_insert import insert, value_of
from askfirst.store.yaml_profiles import with_profiles
from askfirst.text import one_line, visible
from askfirst.web.diffs import rows_of
from askfirst.web.server import Stale

MAX_RECORDS = 5000  # of the log, looked through for projects
MAX_SUGGESTIONS = 20
SUGGESTIONS_FROM_S = 30 * 86400.0
Given = dict[str, Any]


class PageProjects:
    def __init__(self, manager: ApprovalManager, who: str) -> None:
        self._manager, self._who = manager, who

    def projects(self, _given: Given) -> dict[str, Any]:
        """Every project that anything is known of, the one heard of last first."""
        return {"projects": [{"project": visible(p), "raw": p} for p in self._known()]}

    def _known(self) -> list[str]:
        found = dict.fromkeys(str(r.get("project") or "") for r in islice(read_backwards(), MAX_RECORDS))
        found |= dict.fromkeys(g.project for g in self._manager.grants.all())
        found |= dict.fromkeys(q.project for q in self._manager.pending())
        return [project for project in found if project.startswith("/") and os.path.isdir(project)]

    def project(self, given: Given) -> dict[str, Any]:
        project = self._wanted(given)
        path = paths.project_file(project)
        data, problem = _read(path, project)
        text = data.decode("utf-8", "replace") if data is not None else ""
        value = _value(text)
        switched = [str(p) for p in value.get("profiles") or [] if isinstance(p, str)]
        signs = dict(profiles_for(project))
        return {
            "project": visible(project),
            "raw": project,
            "file": visible(path),
            "exists": data is not None,
            "problem": problem or _mistakes(path, data, project),
            "sha256": sha256_hex(data) if data is not None else "",
            "trusted": data is not None and trust.is_trusted(path, data),
            "changes": _changes(path, data),
            "entries": self._entries(project, value),
            "profiles": [
                {
                    "name": name,
                    "description": profile.description,
                    "fits": visible(signs.get(name, "")),
                    "on": name in switched,
                    "examples": list(profile.examples[:4]),
                }
                for name, profile in sorted(PROFILES.items(), key=lambda row: row[0] not in signs)
            ],
        }

    def _wanted(self, given: Given) -> str:
        """Only a project that askfirst knows: the page is no way to look at any directory."""
        project = str(given.get("project", ""))
        if project not in self._known():
            raise Refused("no such project")
        return project

    def _entries(self, project: str, value: Mapping[str, Any]) -> list[dict[str, Any]]:
        entries = value.get("commands")
        by_person = {
            render((entry,)): grant.by
            for grant in self._manager.grants.all()
            if grant.project == project and grant.duration == Duration.PERMANENT
            for entry in grant.entries
        }
        found = []
        for entry in entries if isinstance(entries, list) else ():
            shown = render((_as_mapping(entry),))
            found.append(
                {"text": visible(shown, newlines=True), "id": sha256_hex(shown), "by": by_person.get(shown, "")}
            )
        return found

    def take_out(self, given: Given) -> dict[str, Any]:
        """Exactly one entry leaves the file, and with it the grant that brought it, if one did."""
        project = self._wanted(given)
        data, problem = _read(paths.project_file(project), project)
        if data is None or problem:
            raise Stale(problem or "the file is gone")
        entries = _value(data.decode("utf-8", "replace")).get("commands") or []
        wanted = next((e for e in map(_as_mapping, entries) if sha256_hex(render((e,))) == given.get("id")), None)
        if wanted is None:
            raise Stale("this entry is not there any more")
        shown = render((wanted,))
        for grant in self._manager.grants.all():
            mine = grant.project == project and grant.duration == Duration.PERMANENT
            if mine and [render((e,)) for e in grant.entries] == [shown]:
                left = take_back(self._manager.grants, grant, self._who)
                if left:
                    raise Refused(f"{left}; remove the entry by hand")
                return {"taken_out": shown}
        record = {"what": "entry removed from", "file": paths.project_file(project), "by": self._who, "text": shown}
        audit.append("config", {**record, "project": project}, durable=True)
        left = allowlist.take_out(project, [wanted])
        if left:
            raise Refused(f"{left}; remove the entry by hand")
        return {"taken_out": shown}

    def profile(self, given: Given) -> dict[str, Any]:
        """Switch a profile on or off: first the change, then, with its digests, the change itself."""
        project, name = self._wanted(given), str(given.get("name", ""))
        if name not in PROFILES:
            raise Refused(f"no profile `{one_line(name, 40)}`")
        old = _text_now(project)
        value = _value(old or "")
        now = [p for p in value.get("profiles") or [] if isinstance(p, str)]
        wanted = [*(p for p in now if p != name), *([name] if given.get("on") is True else [])]
        return self._changed(given, project, old, with_profiles(old or "", wanted), f"profiles: {', '.join(wanted)}")

    def suggestions(self, given: Given) -> dict[str, Any]:
        found = _suggested(self._wanted(given))
        return {
            "suggestions": [
                {
                    "entry": visible(s.entry),
                    "raw": s.entry,
                    "prompts_saved": s.prompts_saved,
                    "examples": [one_line(text, 160) for text in s.examples],
                    "also": [one_line(text, 160) for text in s.also],
                }
                for s in found
            ]
        }

    def add_entry(self, given: Given) -> dict[str, Any]:
        """An entry that was suggested, into the file: first the change, then the permanent yes that makes it."""
        project = self._wanted(given)
        chosen = next((s for s in _suggested(project) if s.entry == given.get("entry")), None)
        if chosen is None:
            raise Stale("this is not suggested any more")
        if chosen.case.layers.untrusted_note:
            raise Refused("the project's rule file is not trusted: read it under Rules, and trust it first")
        old = _text_now(project)
        new = insert(old or "", [dict(entry) for entry in chosen.offer.entries], file="the rule file")
        if not _is_bound(given, old, new):
            return _shown(project, old, new)
        store_offer(self._manager.grants, chosen.case, chosen.offer, self._who)
        self._manager.judge_again()
        return {"written": visible(paths.project_file(project))}

    def _changed(self, given: Given, project: str, old: str | None, new: str, what: str) -> dict[str, Any]:
        if not _is_bound(given, old, new):
            return _shown(project, old, new)
        path = paths.project_file(project)
        record = {"what": "rule file changed:", "file": path, "by": self._who, "text": what, "project": project}
        audit.append("config", record, durable=True)
        allowlist.rewrite(path, old, new)
        self._manager.judge_again()
        return {"written": visible(path)}

    def trust(self, given: Given) -> dict[str, Any]:
        """Let exactly the content count that was shown."""
        project = self._wanted(given)
        path = paths.project_file(project)
        data, problem = _read(path, project)
        if data is None or problem:
            raise Stale(problem or "the file is gone")
        if sha256_hex(data) != given.get("sha256"):
            raise Stale("the file has changed since it was shown: read it again")
        _validate(path, data, project)
        audit.append(
            "config", {"what": "trust", "file": path, "sha256": sha256_hex(data), "by": self._who}, durable=True
        )
        trust.trust(path, data)
        self._manager.judge_again()
        return {"trusted": True}

    def untrust(self, given: Given) -> dict[str, Any]:
        path = paths.project_file(self._wanted(given))
        audit.append("config", {"what": "trust-forgotten", "file": path, "by": self._who}, durable=True)
        trust.forget(path)
        return {"trusted": False}


def _suggested(project: str) -> list[Suggestion]:
    layers = load_layers(project, now=time.time())
    chosen = Filter(project=project, since=time.time() - SUGGESTIONS_FROM_S)
    records = [r for r in read_records() if chosen.takes(r)]
    return suggestions_of(calls_in_log(records), layers, taken_back(records))[:MAX_SUGGESTIONS]


def _marks(old: str | None, new: str) -> dict[str, str]:
    return {"old": sha256_hex(old or ""), "new": sha256_hex(new)}


def _is_bound(given: Given, old: str | None, new: str) -> bool:
    """Whether the change was shown, and is still the same; False: it is to be shown first."""
    if "new" not in given:
        return False
    marks = _marks(old, new)
    if {name: given.get(name) for name in marks} != marks:
        raise Stale("the file has changed since this was shown: look at it again")
    return True


def _shown(project: str, old: str | None, new: str) -> dict[str, Any]:
    path = paths.project_file(project)
    trusted = old is None or trust.is_trusted(path, old.encode())
    return {
        "rows": rows_of(_diff(old or "", new, path), path),
        "file": visible(path),
        "trusted": trusted,
        **_marks(old, new),
    }


def _read(path: str, project: str) -> tuple[bytes | None, str]:
    try:
        return rulefiles.read_file(path, inside=project), ""
    except AskfirstError as error:
        return None, visible(str(error), newlines=True)


def _text_now(project: str) -> str | None:
    path = paths.project_file(project)
    data, problem = _read(path, project)
    if problem:
        raise Refused(problem)
    try:
        return data.decode("utf-8") if data is not None else None
    except UnicodeDecodeError:
        raise Refused(f"{path}: is not UTF-8") from None


def _value(text: str) -> dict[str, Any]:
    try:
        value = value_of(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}  # `problem` says it in words, and there is nothing to list
    return value if isinstance(value, dict) else {}


def _as_mapping(entry: Any) -> dict[str, Any]:
    return dict(entry) if isinstance(entry, dict) else {"name": str(entry)}


def _mistakes(path: str, data: bytes | None, project: str) -> str:
    if data is None:
        return ""
    try:
        file = _parsed(path, data, project)
    except ConfigError as error:
        return visible(explain(error), newlines=True)
    return visible("\n".join(explain(ConfigError.of(p)) for p in file.problems), newlines=True)


def _validate(path: str, data: bytes, project: str) -> None:
    """A broken file cannot count, whoever trusts it."""
    try:
        _parsed(path, data, project)
    except ConfigError as error:
        raise Refused(visible(explain(error), newlines=True)) from None


def _parsed(path: str, data: bytes, project: str) -> Any:
    settings = settings_of(org_files())
    known = tuple(p.name for p in settings.own_profiles)
    return rulefiles.project_rules(path, data, project, most=settings.max_project_commands, profiles=known, fresh=True)


def _changes(path: str, data: bytes | None) -> list[dict[str, Any]]:
    """What is different from the content that was trusted last; all of it where none was."""
    if data is None or trust.is_trusted(path, data):
        return []
    last = trust.last_trusted(path) or b""
    return rows_of(_diff(last.decode("utf-8", "replace"), data.decode("utf-8", "replace"), path), path)


def _diff(old: str, new: str, path: str) -> str:
    name = os.path.basename(path)
    return "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm=""))
