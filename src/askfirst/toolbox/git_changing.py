"""git_add, git_commit, git_checkout: with the service's scope, the policies of messages and branches, a look for
secrets in what is committed, and no hooks of a repository that nobody has trusted."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from typing import Any

from askfirst.files.content_checks import secrets_in
from askfirst.gate import judged
from askfirst.model import Decision, Unknown, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, ToolboxSettings
from askfirst.toolbox.code_files import may_show
from askfirst.toolbox.git_reading import PLAIN_DIFF, FileDiff, diff_files, failed, git, prefix
from askfirst.toolbox.place import Place, enter, inside
from askfirst.toolbox.running import Gone, ToolCommand, request_for, run, start
from askfirst.toolbox.tool_result import Failure
from askfirst.world import World

MAX_FILES = 500
MAX_MESSAGE_CHARS = 20_000
GIT_HOOK = "git hook"  # the class of what the analysis says of a hook that would run


def settings_of_git(wanted: dict[str, str]) -> dict[str, str]:
    """Variables that set these above every file of git's."""
    rows = list(enumerate(wanted.items()))
    named = {f"GIT_CONFIG_KEY_{n}": key for n, (key, _) in rows} | {f"GIT_CONFIG_VALUE_{n}": v for n, (_, v) in rows}
    return {"GIT_CONFIG_COUNT": str(len(rows)), **named}


NO_HOOKS = settings_of_git({"core.hooksPath": os.devnull})


def git_add(place: Place, files: list[str]) -> dict[str, Any]:
    layers = enter(place, "git_add", files=files)
    if not 0 < len(files) <= MAX_FILES:
        raise Failure("InvalidArgument", f"give 1 to {MAX_FILES} files", "git_status lists what has changed")
    names = [_to_stage(place, path, layers) for path in files]
    # By name, whatever it looks like: `*` would stage every file, and `[a]` another one.
    git(place, "add", "--", *(f":(literal){name}" for name in names), why="git_add")
    staged = git(place, "diff", "--cached", "--relative", "--name-only", "-z", why="git_add")
    return {"added": names, "staged": list(filter(None, staged.out.split("\0")))}


def _to_stage(place: Place, path: str, layers: Layers) -> str:
    """A file by its own name: a directory or a pattern would bring along what nobody has named."""
    if path.startswith(":"):
        raise Failure("InvalidPath", f"`{path}` is a pattern of git's, not a file", "name the files")
    absolute = os.path.abspath(os.path.join(place.project, path))
    # The name that git stages is the link's own; what it leads to must be the project's, too.
    inside(place, path)
    if os.path.isdir(absolute) and not os.path.islink(absolute):
        raise Failure("InvalidPath", f"`{path}` is a directory", "name the files; git_status lists them")
    relative = os.path.relpath(absolute, place.project)
    if relative.startswith(".."):
        raise Failure("OutsideProject", f"`{path}` lies outside the project", "name a file of the project")
    _refuse_protected(absolute, relative, layers)
    return relative


def _refuse_protected(absolute: str, relative: str, layers: Layers) -> None:
    """What agents may not write, they may not commit: it could have come from anywhere."""
    verdict = judge((Write(absolute, relative, "append", "git_add"),), layers)
    if verdict.decision == Decision.DENY:
        deciding = verdict.deciding
        advice = deciding.advice if deciding is not None else ""
        raise Failure("Denied", f"`{relative}`: {verdict.reason}", advice or "leave it out; a person commits it")
    if not may_show(os.path.dirname(absolute), os.path.basename(absolute), layers):
        said = f"`{relative}` is one of the files that agents may not read"
        raise Failure("Denied", said, "leave it out; a person commits it")


# -- commit


def git_commit(place: Place, message: str, *, gone: Gone | None = None) -> dict[str, Any]:
    layers = enter(place, "git_commit", message=message)
    check_message(message, layers.settings.toolbox)
    tree, head = plumbing(place, "write-tree"), plumbing(place, "rev-parse", "--verify", "-q", "HEAD")
    staged = staged_files(place)
    if not staged:
        raise Failure("NothingStaged", "nothing is staged", "git_add stages files")
    top = prefix(place, "git_commit")
    for file in staged:
        if not file.path.startswith(top):
            said = f"`{file.path}` is staged, and lies outside the project"
            raise Failure("OutsideProject", said, "ask the user to take it out of the index")
        name = file.path.removeprefix(top)
        _refuse_protected(os.path.join(place.project, name), name, layers)
    secrets = [f"{file.path} {found}" for file in staged for found in secrets_of(file)]
    if secrets:
        said = (
            f"the staged changes hold {len(secrets)} secret{'s' if len(secrets) > 1 else ''}: {'; '.join(secrets[:5])}"
        )
        raise Failure("SecretFound", said, "take it out, stage the file again, and read it from the environment")
    hooks = _run_git(place, ("git", "commit", "-q", "-m", message), "git_commit", gone)
    commit = plumbing(place, "rev-parse", "HEAD")
    if plumbing(place, "rev-parse", "HEAD^{tree}") != tree:
        # Something was staged after the look: the commit goes, and what is staged stays.
        plumbing(place, "update-ref", "-m", "askfirst: not what was looked at", "HEAD", *((head,) if head else ("-d",)))
        raise Failure("IndexChanged", "the index changed while it was looked at; nothing is committed", "commit again")
    return {
        "commit": commit,
        "files": [file.path for file in staged],
        "hooks": hooks,
    }


def _run_git(place: Place, argv: tuple[str, ...], why: str, gone: Gone | None) -> str:
    """Runs it with the repository's hooks where this user trusts them (`askfirst trust`), and without them elsewhere.
    Says which."""
    trusted = _hooks_are_trusted(place, argv)
    environ, impossible = (None, ()) if trusted else ({**os.environ, **NO_HOOKS}, (GIT_HOOK,))
    ran = run(place, ToolCommand(argv, why, impossible=impossible), gone=gone, environ=environ)
    if ran.code:
        raise failed(ran)
    return "run" if trusted else "not run"


def _hooks_are_trusted(place: Place, argv: tuple[str, ...]) -> bool:
    request = request_for(place, ToolCommand(argv, ""))
    findings = judged(request, World().layers(request)).verdict.findings
    hooks = [f for f in findings if isinstance(f.fact, Unknown) and f.fact.what == GIT_HOOK]
    return bool(hooks) and all(f.decision == Decision.ALLOW for f in hooks)


def plumbing(place: Place, *words: str) -> str:
    """A command of git's that runs nothing of the repository's."""
    argv = ("git", "-c", "core.fsmonitor=false", *words)
    return start(argv, place.project, environ={**os.environ, **NO_HOOKS}).out.strip()


def staged_files(place: Place) -> list[FileDiff]:
    # Without rename detection both names stand there, and both are looked at.
    ran = run(place, ToolCommand((*PLAIN_DIFF, "--cached", "--no-renames"), "git_commit"))
    if ran.code:
        raise failed(ran)
    if ran.cut:
        raise Failure("TooLarge", "the staged changes are too large to be looked at", "commit fewer files at a time")
    return list(diff_files(ran.out))


def secrets_of(file: FileDiff) -> tuple[str, ...]:
    lines = [text for _, text in file.added]
    found = secrets_in(file.path, lines, [(0, len(lines))], "\n".join(file.removed))
    return tuple(_with_line(one, file) for one in found)


def _with_line(found: str, file: FileDiff) -> str:
    """`line 2: …` counts the added lines; people count the file's."""
    match = re.match(r"line (\d+):", found)
    if match is None or not 0 < int(match.group(1)) <= len(file.added):
        return found
    return f"line {file.added[int(match.group(1)) - 1][0]}:{found[match.end() :]}"


def check_message(message: str, settings: ToolboxSettings) -> None:
    subject, _, rest = message.partition("\n")
    wrong = ""
    if not subject.strip():
        wrong = "the first line is empty"
    elif len(subject) > settings.commit_subject:
        wrong = f"the first line has {len(subject)} characters, more than {settings.commit_subject}"
    elif rest and not rest.startswith("\n"):
        wrong = "the line after the first is not blank"
    elif len(message) > MAX_MESSAGE_CHARS or any(not (c.isprintable() or c in "\n\t") for c in message):
        wrong = "it is very long, or holds invisible characters"
    elif settings.commit_pattern and not re.match(settings.commit_pattern, subject):
        wrong = f"the first line does not match `{settings.commit_pattern}`"
    if wrong:
        raise Failure("MessagePolicy", f"the message: {wrong}", "one short line, a blank one, then why")


# -- checkout


def git_checkout(
    place: Place, branch: str, create_if_missing: bool = False, *, gone: Gone | None = None
) -> dict[str, Any]:
    layers = enter(place, "git_checkout", branch=branch, create_if_missing=create_if_missing)
    refuse_odd_branch(branch)
    exists = run(place, ToolCommand(("git", "show-ref", "--verify", f"refs/heads/{branch}"), "git_checkout")).code == 0
    if not exists and not create_if_missing:
        raise Failure("BranchNotFound", f"there is no branch `{branch}`", "create_if_missing makes it")
    if not exists:
        refuse_other_branches(branch, layers.settings.toolbox)
    words = ("git", "switch", branch) if exists else ("git", "switch", "-c", branch)
    hooks = _run_git(place, words, "git_checkout", gone)
    return {"branch": branch, "created": not exists, "hooks": hooks}


def refuse_odd_branch(branch: str) -> None:
    """The names that git takes, less those that it reads as something else (`-`, `@{-1}`)."""
    odd = not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}", branch)
    if odd or ".." in branch or "//" in branch or branch.endswith(("/", ".", ".lock")) or "/." in branch:
        raise Failure("InvalidBranch", f"`{branch}` is not a plain branch name", "letters, digits, `-`, `_`, `.`, `/`")


def refuse_other_branches(branch: str, settings: ToolboxSettings) -> None:
    if settings.branch_names and not any(fnmatchcase(branch, pattern) for pattern in settings.branch_names):
        allowed = ", ".join(settings.branch_names)
        raise Failure("BranchPolicy", f"`{branch}` does not match {allowed}", "choose a name that does")
