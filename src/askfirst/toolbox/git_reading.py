"""git_status and git_diff: the state of the work tree and its differences, as data, masked.

Every call of git here is a command that the gate has judged (it looks at the repository's configuration, too), with
neither external diff programs nor text conversion.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askfirst.policy.rules import Layers
from askfirst.redact import redact
from askfirst.toolbox.code_files import may_show
from askfirst.toolbox.place import Place, enter, note_shown
from askfirst.toolbox.running import Ran, ToolCommand, run
from askfirst.toolbox.tool_result import Failure

PLAIN_DIFF = ("git", "diff", "--no-color", "--no-ext-diff", "--no-textconv")
OWN_DIFF = (*PLAIN_DIFF, "--relative")  # of the project, where that is a directory of a larger repository
MAX_DIFF_CHARS = 60_000
MAX_ENTRIES = 2000
_STATES = {"M": "modified", "A": "added", "D": "deleted", "R": "renamed", "C": "copied", "T": "type changed"}
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def git(place: Place, *words: str, why: str) -> Ran:
    """A call of git that must succeed."""
    ran = run(place, ToolCommand(("git", *words), why))
    if ran.code:
        raise failed(ran)
    return ran


def failed(ran: Ran) -> Failure:
    said = redact(ran.err.strip() or ran.out.strip())[:2000]
    if "not a git repository" in said:
        return Failure("NotARepository", "this project is not a git repository", "ask the user to run `git init`")
    return Failure("GitFailed", f"git ended with {ran.code}: {said}", "git's own words say what to change")


# -- status


def git_status(place: Place) -> dict[str, Any]:
    layers = enter(place, "git_status")
    scope = own_paths(layers)
    top = prefix(place, "git_status")
    ran = git(place, "status", "--porcelain=v2", "--branch", "-z", *(scope or ("--", ".")), why="git_status")
    found: dict[str, Any] = {"branch": {}, "staged": [], "changed": [], "untracked": [], "conflicts": []}
    fields = iter(ran.out.split("\0"))
    for entry in fields:
        _status_entry(entry, fields, found)
    lists = ("staged", "changed", "untracked", "conflicts")
    found["clean"] = not any(found[key] for key in lists)
    found["truncated"] = any(len(found[key]) > MAX_ENTRIES for key in lists)
    return found | {key: [_below(row, top) for row in found[key][:MAX_ENTRIES]] for key in lists}


def prefix(place: Place, why: str) -> str:
    """Where the project lies in its repository: "" at its top, `services/mine/` in a larger one."""
    return git(place, "rev-parse", "--show-prefix", why=why).out.rstrip("\n")


def _below(row: dict[str, str], top: str) -> dict[str, str]:
    return row | {key: row[key].removeprefix(top) for key in ("path", "from") if key in row}


def _status_entry(entry: str, fields: Iterator[str], found: dict[str, Any]) -> None:
    kind, _, rest = entry.partition(" ")
    if kind == "#":
        key, _, value = rest.partition(" ")
        found["branch"] |= _branch(key.removeprefix("branch."), value)
    elif kind in ("1", "2"):
        words = rest.split(" ", 7 if kind == "1" else 8)
        path, index, tree = words[-1], words[0][0], words[0][1]
        more = {"from": next(fields, "")} if kind == "2" else {}
        for side, state in (("staged", index), ("changed", tree)):
            if state != ".":
                found[side].append({"path": path, "state": _STATES.get(state, state), **more})
    elif kind == "u":
        found["conflicts"].append({"path": rest.split(" ", 9)[-1]})
    elif kind == "?":
        found["untracked"].append({"path": rest})


def _branch(key: str, value: str) -> dict[str, Any]:
    if key == "ab":
        ahead, behind = value.split()
        return {"ahead": int(ahead), "behind": -int(behind)}
    names = {"head": "name", "oid": "commit", "upstream": "upstream"}
    return {names[key]: value} if key in names else {}


def own_paths(layers: Layers) -> tuple[str, ...]:
    """What belongs to this service: git looks at nothing else there."""
    writes = layers.settings.writes
    if not writes.own or layers.settings.toolbox.isolation == "SHARED":
        return ()
    return ("--", *(f":(literal){d.strip('/')}" for d in (*writes.own, *writes.read_only)))


# -- diff


@dataclass(frozen=True)
class FileDiff:
    path: str
    text: str
    added: tuple[tuple[int, str], ...]  # (line in the new file, its text)
    removed: tuple[str, ...]
    binary: bool = False


def git_diff(place: Place, staged: bool = False) -> dict[str, Any]:
    layers = enter(place, "git_diff", staged=staged)
    ran = run(place, ToolCommand((*OWN_DIFF, *(("--cached",) if staged else ()), *own_paths(layers)), "git_diff"))
    if ran.code:
        raise failed(ran)
    files, left = [], MAX_DIFF_CHARS
    found = list(diff_files(ran.out))
    open_files = [f for f in found if may_show(place.project, f.path, layers)]
    note_shown(place, layers, (f.path for f in open_files))
    for file in open_files:
        text = redact(file.text, keep_lines=True)
        shown = text if len(text) <= left else ""
        left -= len(shown)
        counts = {"added": len(file.added), "removed": len(file.removed)}
        files.append({"path": file.path, **counts, "binary": file.binary, "diff": shown, "truncated": shown != text})
    # Names are no secret; what the rules hide stays hidden.
    withheld = sorted({f.path for f in found} - {f.path for f in open_files})
    truncated = any(f["truncated"] for f in files) or ran.cut
    return {"staged": staged, "files": files, "withheld": withheld, "truncated": truncated}


def diff_files(text: str) -> Iterator[FileDiff]:
    """The parts of a unified diff of git's, file by file."""
    for part in re.split(r"(?m)^(?=diff --git )", text):
        if part.startswith("diff --git "):
            yield _file_diff(part)


def _file_diff(part: str) -> FileDiff:
    added: list[tuple[int, str]] = []
    removed: list[str] = []
    head, body = part, ""
    start = re.search(r"(?m)^@@ ", part)
    if start is not None:
        head, body = part[: start.start()], part[start.start() :]
    number = 0
    for line in body.splitlines():
        hunk = _HUNK.match(line)
        if hunk:
            number = int(hunk.group(3))
        elif line.startswith("+"):
            added.append((number, line[1:]))
            number += 1
        elif line.startswith("-"):
            removed.append(line[1:])
        elif not line.startswith("\\"):
            number += 1
    return FileDiff(_path_of(head), part, tuple(added), tuple(removed), "\nBinary files " in head)


def _path_of(head: str) -> str:
    """The new name; the old one of a file that is deleted."""
    lines = head.splitlines()
    for mark in ("+++ ", "rename to ", "--- "):
        name = next((line[len(mark) :] for line in lines if line.startswith(mark)), "")
        if name and name != "/dev/null":
            return unquoted(name).removeprefix("b/" if mark == "+++ " else "a/" if mark == "--- " else "")
    return unquoted(lines[0].rpartition(" ")[2]).removeprefix("b/")


def unquoted(name: str) -> str:
    """git writes odd names as C does: `"a\\303\\244.txt"`."""
    name = name.rstrip("\t")
    if not (name.startswith('"') and name.endswith('"')):
        return name
    plain = name[1:-1].encode().decode("unicode_escape").encode("latin-1", "replace")
    return plain.decode("utf-8", "replace")


def changed_lines(place: Place) -> dict[str, frozenset[int]]:
    """The lines of each file that differ from HEAD, and every line of a file that git does not know."""
    ran = run(place, ToolCommand((*OWN_DIFF, "-U0", "HEAD"), "run_lint"))
    if ran.code:
        raise failed(ran)
    found: defaultdict[str, set[int]] = defaultdict(set)
    for file in diff_files(ran.out):
        found[file.path].update(number for number, _ in file.added)
    return {path: frozenset(lines) for path, lines in found.items()} | _untracked(place)


class _EveryLine(frozenset[int]):
    def __contains__(self, line: object) -> bool:
        return True


def _untracked(place: Place) -> dict[str, frozenset[int]]:
    ran = run(place, ToolCommand(("git", "ls-files", "--others", "--exclude-standard", "-z"), "run_lint"))
    return dict.fromkeys(filter(None, ran.out.split("\0")), _EveryLine())
