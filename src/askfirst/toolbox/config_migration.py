"""migrate_config: askfirst's own rule files in the present version, and the rules of another tool taken over into them.
For the role sre; a person sees the difference and agrees, and the last migration can be taken back.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from askfirst import audit, jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, StoreError
from askfirst.policy.yamltext import decode
from askfirst.redact import redact
from askfirst.report.imports import LEFT_OUT, Imported, imported, user_file_of
from askfirst.store import atomic, paths, rulefiles
from askfirst.store.allowlist import rewrite
from askfirst.store.trust import trust
from askfirst.store.yaml_insert import insert, value_of
from askfirst.store.yaml_migrate import migrated
from askfirst.toolbox.place import Place, enter
from askfirst.toolbox.running import Gone, ask
from askfirst.toolbox.tool_result import Failure

FILE_VERSIONS = ("2",)
SOURCES = ("autoforge", "claude-permissions")
EMPTY = "version: 2\n"
MAX_KEPT_BYTES = 4 << 20


@dataclass(frozen=True)
class FileChange:
    """One rule file; "" where there is none before, or after."""

    path: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        names = (f"{self.path} now", f"{self.path} then")
        return difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), *names, lineterm="")


def migrate_config(
    place: Place,
    target_version: str = "2",
    import_from: str = "",
    undo: bool = False,
    *,
    gone: Gone | None = None,
) -> dict[str, Any]:
    """The project's rule file and the user's, in the version that this askfirst reads, with the rules of another tool
    where that is wanted."""
    enter(place, "migrate_config", target_version=target_version, import_from=import_from, undo=undo)
    _check(target_version, import_from)
    kept = os.path.join(paths.private_dir("migrated"), f"{sha256_hex(os.fsencode(place.project))}.json")
    found = imported(import_from, place.project) if import_from and not undo else []
    changes = _taken_back(kept) if undo else _changes(place.project, found)
    left_out = [{"rule": redact(one.given), "why": one.why} for one in found if one.outcome == LEFT_OUT]
    told = {"version": target_version, "left_out": left_out}
    if not changes:
        return {"changed": False, **told}
    lines = [line for change in changes for line in change.diff()]
    what = _WHAT[undo] + (f", with the rules of {import_from}" if found else "")
    ask(place, f"migrate_config: {what}", reason=f"{what}, which is asked for each time", stakes=lines, gone=gone)
    atomic.write_atomic(kept, jsontext.dumps([asdict(change) for change in changes]).encode())
    files = [change.path for change in changes]
    audit.append("config", {"what": "migrated", "file": files[0], "session": place.session}, durable=True)
    for change in changes:
        _write(change)
    return {"changed": True, **told, "files": files, "diff": [redact(line) for line in lines], "undo": "undo=true"}


_WHAT = {True: "takes the last migration back", False: "writes rule files as version 2"}


def _changes(project: str, found: list[Imported]) -> list[FileChange]:
    return [c for c in (_of_project(project, found), *_of_user(found)) if c.before != c.after]


def _check(target_version: str, import_from: str) -> None:
    if target_version not in FILE_VERSIONS:
        raise Failure("InvalidArgument", f"target_version is one of {', '.join(FILE_VERSIONS)}", "2 is the present one")
    if import_from and import_from not in SOURCES:
        raise Failure("InvalidArgument", f"import_from is one of {', '.join(SOURCES)}", "leave it out to upgrade only")


def _of_project(project: str, found: list[Imported]) -> FileChange:
    path = os.path.join(project, paths.PROJECT_FILE)
    before = _text(path, project)
    after = migrated(before, exact=False, file=path) if before else ""
    there = (value_of(after) or {}).get("commands") if after else None
    wanted = [one.entry for one in found if one.section == "commands" and one.entry is not None]
    missing = [entry for entry in wanted if entry not in (there or ())]
    return FileChange(path, before, insert(after or EMPTY, missing, file=path) if missing else after)


def _of_user(found: list[Imported]) -> Iterator[FileChange]:
    """The user's own file. One that is there is not extended: it is the organisation's word."""
    lost = [one for one in found if one.outcome == LEFT_OUT and one.section == "blocked_commands"]
    if lost:
        said = f"the block `{lost[0].given}` of {lost[0].source} has no place here ({lost[0].why})"
        raise Failure("NotImportable", said, "ask the user to take it over by hand")
    path = os.path.join(paths.user_config_dir(), "config.yaml")
    before = _text(path)
    wanted = [one for one in found if one.section != "commands" and one.entry is not None]
    if before:
        yield FileChange(path, before, migrated(before, exact=False, file=path))
    elif wanted:
        yield FileChange(path, "", user_file_of(wanted))


def _text(path: str, inside: str = "") -> str:
    data = rulefiles.read_file(path, inside=inside) if paths.is_there(path) else None
    return decode(data, path) if data is not None else ""


def _taken_back(kept: str) -> list[FileChange]:
    try:
        rows = jsontext.loads(atomic.read_private(kept, MAX_KEPT_BYTES).decode())
    except FileNotFoundError:
        raise Failure("NothingToUndo", "no migration is kept here", "git has the files' history") from None
    return [FileChange(row["path"], row["after"], row["before"]) for row in rows]


def _write(change: FileChange) -> None:
    """Only where the file is still the one whose difference was shown."""
    try:
        if not change.before:
            os.makedirs(os.path.dirname(change.path), exist_ok=True)
            trust(change.path, change.after.encode())
            atomic.new_file(change.path, change.after.encode(), 0o644)
        elif not change.after:
            if _text(change.path) != change.before:
                raise StoreError(f"{change.path}: it has changed meanwhile, so it stays")
            os.unlink(change.path)
        else:
            rewrite(change.path, change.before, change.after)
    except (OSError, AskfirstError) as error:
        raise Failure("NotWritten", str(error), "look at the files; undo=true takes back what was written") from None
