"""git_push: shows which commits and files would leave, asks a person, and then pushes exactly those commits.

The commit is named by its hash (`SHA:refs/heads/…`) and the remote by its address, so that a branch or a remote that
moves between the question and the answer sends nothing that nobody has seen, and nothing elsewhere.
"""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from typing import Any

from askfirst.redact import redact
from askfirst.toolbox.git_changing import (
    GIT_HOOK,
    plumbing,
    refuse_odd_branch,
    refuse_other_branches,
    settings_of_git,
)
from askfirst.toolbox.git_reading import failed, git
from askfirst.toolbox.place import Place, enter
from askfirst.toolbox.running import Gone, ToolCommand, run
from askfirst.toolbox.tool_result import Failure

MAX_COMMITS = 200
MAX_FILES = 500
MAX_SAID = 30  # commits and files that the question names
# No hooks, and neither tags nor submodules, whatever the configuration adds: the question does not name them.
_ONLY_THIS = settings_of_git(
    {"core.hooksPath": os.devnull, "push.followTags": "false", "push.recurseSubmodules": "no", "push.gpgSign": "false"}
)
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True)
class Outgoing:
    """What a push would send."""

    remote: str
    url: str
    branch: str
    commit: str  # the hash that is pushed
    replaces: str  # what the remote has there; "" where it has no such branch
    fast_forward: bool
    commits: tuple[dict[str, str], ...]
    files: tuple[str, ...]


def git_push(
    place: Place, remote: str = "origin", branch: str = "", dry_run: bool = True, *, gone: Gone | None = None
) -> dict[str, Any]:
    layers = enter(place, "git_push", remote=remote, branch=branch, dry_run=dry_run)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", remote):
        raise Failure("InvalidArgument", f"`{remote}` is not the name of a remote", "an address is not taken here")
    branch = branch or git(place, "branch", "--show-current", why="git_push").out.strip()
    refuse_odd_branch(branch)
    refuse_other_branches(branch, layers.settings.toolbox)
    out = outgoing(place, remote, branch)
    data = {**asdict(out), "url": redact(out.url), "pushed": False, "dry_run": dry_run}
    if not out.commits:
        return {**data, "next": "the remote has everything already"}
    if not out.fast_forward:
        raise Failure(
            "NotFastForward", f"{remote} has commits on `{branch}` that are not here", "merge or rebase them first"
        )
    if dry_run:
        return {**data, "next": "nothing was sent; call again with dry_run=false, and a person is asked"}
    target = f"{out.commit}:refs/heads/{branch}"
    step = ToolCommand(
        ("git", "push", out.url, target),
        f"git_push {remote} {branch}",
        stakes=_stakes(out),
        always_asks="a push is asked for each time",
        impossible=(GIT_HOOK,),
    )
    ran = run(place, step, gone=gone, environ={**os.environ, **_ONLY_THIS})
    if ran.code:
        raise failed(ran)
    if plumbing(place, "config", "--get-all", f"remote.{remote}.fetch") == f"+refs/heads/*:refs/remotes/{remote}/*":
        plumbing(place, "update-ref", f"refs/remotes/{remote}/{branch}", out.commit)  # as git does for a remote's name
    return {**data, "pushed": True}


def outgoing(place: Place, remote: str, branch: str) -> Outgoing:
    found = run(place, ToolCommand(("git", "rev-parse", "--verify", f"refs/heads/{branch}"), "git_push"))
    commit = found.out.strip()
    if found.code or not _SHA.fullmatch(commit):
        raise Failure("BranchNotFound", f"there is no branch `{branch}`", "git_status names the present one")
    url = _address(place, remote)
    there = git(place, "ls-remote", remote, f"refs/heads/{branch}", why="git_push").out.split()
    replaces = there[0] if there and _SHA.fullmatch(there[0]) else ""
    known = bool(replaces) and run(place, ToolCommand(("git", "cat-file", "-e", replaces), "git_push")).code == 0
    forward = not replaces or (
        known
        and run(place, ToolCommand(("git", "merge-base", "--is-ancestor", replaces, commit), "git_push")).code == 0
    )
    since = (f"^{replaces}",) if known else ("--not", f"--remotes={remote}")
    log = git(place, "log", f"--max-count={MAX_COMMITS}", "--format=%H%x09%an%x09%s", commit, *since, why="git_push")
    commits = tuple(_commit(line) for line in log.out.splitlines())
    names = git(place, "log", "--format=", "--name-only", "--no-renames", commit, *since, why="git_push")
    files = tuple(dict.fromkeys(filter(None, names.out.splitlines())))[:MAX_FILES]
    return Outgoing(remote, url, branch, commit, replaces, forward, commits, files)


def _address(place: Place, remote: str) -> str:
    """The one address of a remote. git may have several for pushing, and sends to all of them."""
    found = git(place, "remote", "get-url", "--all", remote, why="git_push").out.splitlines()
    pushed = git(place, "remote", "get-url", "--push", "--all", remote, why="git_push").out.splitlines()
    if len(found) != 1 or pushed != found or found[0].startswith("-"):
        said = f"`{remote}` pushes to {len(pushed)} addresses, or to another one than it fetches from"
        raise Failure("AmbiguousRemote", said, "ask the user to push, or to give the remote one address")
    return found[0]


def _commit(line: str) -> dict[str, str]:
    commit, author, subject = (*line.split("\t", 2), "", "")[:3]
    return {"commit": commit, "author": author, "subject": redact(subject)}


def _stakes(out: Outgoing) -> list[str]:
    """In the words of the question: where it goes, and what."""
    commits = [f"{c['commit'][:10]} {c['subject']}" for c in out.commits[:MAX_SAID]]
    more = len(out.commits) - len(commits)
    files = ", ".join(out.files[:MAX_SAID]) + (
        f" and {len(out.files) - MAX_SAID} more" if len(out.files) > MAX_SAID else ""
    )
    return [
        f"pushes {len(out.commits)} commit{'s' if len(out.commits) > 1 else ''} to `{out.branch}` at {out.url}",
        *commits,
        *([f"and {more} more commits"] if more else []),
        f"files: {files}",
    ]
