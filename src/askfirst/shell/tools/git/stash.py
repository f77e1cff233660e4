"""`git stash`: what it takes away can be had back, and what it brings back is known. Both are judged file by file."""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.knowledge.places import BACK_TO_HEAD
from askfirst.model import Action, Fact, Kind, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import call_after, finish, row
from askfirst.shell.tools.git.config import find_repository, repository_facts
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.patterns import is_first
from askfirst.shell.tools.project_code import is_inside
from askfirst.shell.tools.table import Tool

__all__ = ["moves_no_branch", "stash"]

_BACK = ("pop", "apply")
_AWAY = ("push", "save")
_NUMBER = re.compile(r"(?:stash@\{)?(\d{1,4})\}?", re.ASCII)


def stash(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    verb = call.words[1].value if len(call.words) > 1 else "-"
    if verb in _BACK:
        paths = _brought_back(call, analyst)
        found = _changed(tool, paths, (), analyst, f"git stash {verb}", "brings back what was put aside")
        return found or row(tool, call, analyst)
    if verb in _AWAY or (verb or "").startswith("-"):
        return _taken_away(tool, call, analyst) or row(tool, call, analyst)
    return row(tool, call, analyst)


def moves_no_branch(analyst: Analyst) -> bool:
    """Whether git, so far in the script, has left HEAD and the branches where they are."""
    return all(one.action.key[1:3] in _QUIET for one in analyst.git_moves())


_QUIET = tuple(("stash", verb) for verb in (*_AWAY, *_BACK, "drop"))


def _taken_away(tool: Tool, call: Call, analyst: Analyst) -> Outcome | None:
    named = len(call.words) > 1 and call.words[1].value in _AWAY
    inner = tool.subcommands[(call.words[1].value or "") if named else "push"]
    rest = call_after(call, call.words[2 if named else 1 :])
    parsed = parse(inner, rest.words[1:])
    files = _put_aside(call, analyst, new=parsed.has("-u"))
    if files is None:
        return None
    gone = [path for path, goes in files if goes]
    back = [path for path, goes in files if not goes]
    # What is kept in the index may be another commit's file; all else comes back to what HEAD holds.
    by = tool if parsed.has("-k", "-S") else replace(tool, name=BACK_TO_HEAD)
    found = _changed(by, back, gone, analyst, inner.name, "puts changes aside, from where they can be had back")
    if found is None:
        return None
    return replace(found, facts=(*finish(inner, rest, parsed, analyst).facts, *found.facts))


def _put_aside(call: Call, analyst: Analyst, *, new: bool) -> tuple[tuple[str, bool], ...] | None:
    # What is not tracked depends on what is ignored, which earlier commands may have changed.
    if not moves_no_branch(analyst) or (new and not is_first(call.text, analyst.whole_text())):
        return None
    # git itself is asked, and would obey a configuration that nobody has judged.
    return None if repository_facts(call.cwd, analyst)[0] else analyst.put_aside(call.cwd, new=new)


def _brought_back(call: Call, analyst: Analyst) -> list[str] | None:
    number, before = _number_in(call), analyst.git_moves()
    if number is None or call.cwd is None or len(before) > 1:
        return None
    files = analyst.files_of_switch(call.cwd, f"stash@{{{number}}}")
    if not before:
        return list(files) if files is not None else None
    # `git stash && pytest; git stash pop`: what was put aside just now, or, where that was nothing, what was before.
    if not _puts_aside(before[0]) or number or (files is None and _has_stash(call.cwd, analyst)):
        return None
    return [*(files or ()), *(f.path for f in before[0].facts if isinstance(f, Write) and f.path)]


def _number_in(call: Call) -> int | None:
    words = [w.value or "-" for w in call.words[2:] if w.value not in ("-q", "--quiet", "--index")]
    number = _NUMBER.fullmatch(" ".join(words) or "0")
    return int(number[1]) if number is not None else None


def _puts_aside(before: Outcome) -> bool:
    return before.action.allowed and before.action.key[1:2] == ("stash",) and before.action.key[2] in _AWAY


def _has_stash(directory: str, analyst: Analyst) -> bool:
    """Whether something may have been put aside before."""
    repository = find_repository(directory, analyst)
    if repository is None:
        return True
    common = repository.common_dir
    packed = analyst.read_file(f"{common}/packed-refs", 1 << 20) if analyst.exists(f"{common}/packed-refs") else ""
    loose = any(analyst.exists(f"{common}/{name}") for name in ("refs/stash", "logs/refs/stash", "reftable"))
    return loose or packed is None or "refs/stash" in packed


def _changed(
    tool: Tool, back: list[str] | None, gone: list[str] | tuple[()], analyst: Analyst, rule: str, description: str
) -> Outcome | None:
    if back is None or not all(is_inside(path, analyst) for path in (*back, *gone)):
        return None
    facts: list[Fact] = [Write(path, path, "overwrite", tool.name) for path in dict.fromkeys(back)]
    facts += [Write(path, path, "delete", tool.name) for path in gone]
    action = Action(tuple(rule.split()), Kind.EDIT, rule=rule, allowed=True, description=description)
    return Outcome(action, tuple(facts))
