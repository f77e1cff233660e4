"""What a `git push` carries: the commits that the remote does not have, as far as this repository knows, and what is
new in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from askfirst.files.quiet_git import quiet_git
from askfirst.model import Command, Fact, Unknown

MAX_COMMITS = 500
SHORT = 8  # of a commit's name
MAX_FILES = 200  # of the work tree, where the same call commits
MAX_FILE_BYTES = 1 << 20
_TAKES_VALUE = frozenset("-o --push-option --receive-pack --exec --repo --recurse-submodules --signed".split())
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHOW = (
    *("-c", "core.quotePath=false", "-c", "core.bigFileThreshold=1m", "diff-tree", "--stdin", "-r", "-m", "--root"),
    *(
        "-p",
        "-U0",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--no-color",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ),
    # A message is indented, so that no line of it looks like one of a change, or like the beginning of a commit.
    "--pretty=format:%x1e%H %s%n%w(0,1,1)%B",
)


@dataclass(frozen=True)
class PushedText:
    """What is new in one file of one commit, or a commit's message."""

    place: str  # "src/a.py in 1f2e3d4"
    path: str  # "" for a message
    text: str


@dataclass(frozen=True)
class Pushed:
    """What would go out."""

    commits: tuple[str, ...]  # "1f2e3d4 The subject", newest first
    parts: tuple[PushedText, ...]

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.path for part in self.parts if part.path))


def pushed(command: Command, facts: Iterable[Fact]) -> Pushed | None:
    """None where it cannot be said: too much, or not understood."""
    directory, words = _where(command)
    if not directory or not os.path.isdir(directory):
        return None
    remote, sources = _named(words)
    remote = _name_of(directory, remote)
    # Of an address that is no remote's nobody knows what is there already.
    known = (f"--remotes={remote}",) if _is_name(remote) else ("--remotes",) if not remote else ()
    limits = ("--not", *known) if known else ()
    listed = quiet_git(directory, ("rev-list", f"--max-count={MAX_COMMITS + 1}", *sources, *limits, "--"))
    if listed is None or listed.count(b"\n") > MAX_COMMITS:
        return None
    shown = quiet_git(directory, _SHOW, given=listed) if listed else b""
    if shown is None:
        return None
    commits = tuple(_commits(shown.decode("utf-8", "replace")))
    facts = tuple(facts)
    made_now = tuple(_work_tree(directory, new=_adds(facts))) if any(map(_commits_now, facts)) else ()
    return Pushed(tuple(head for head, _ in commits), (*(p for _, parts in commits for p in parts), *made_now))


def _where(command: Command) -> tuple[str, list[str]]:
    """The directory in which git would run, and its words behind `push`."""
    words = [w.value for w in command.argv[1:]]
    directory = command.cwd or ""
    while words and words[0] != "push":
        option, value = words[0], words[1] if len(words) > 1 else None
        if option == "-C" and value is not None and directory:
            directory = os.path.join(directory, value)
        elif option != "-c":
            return "", []
        words = words[2:]
    if not words or None in words:
        return "", []
    return directory, [w for w in words[1:] if w is not None]


def _name_of(directory: str, remote: str) -> str:
    """The name of the one remote that has this address; else what was given."""
    if not remote or _is_name(remote):
        return remote
    listed = quiet_git(directory, ("config", "--get-regexp", r"^remote\..*\.url$")) or b""
    rows = (line.partition(" ") for line in listed.decode("utf-8", "replace").splitlines())
    names = [key.removeprefix("remote.").removesuffix(".url") for key, _, url in rows if url == remote]
    return names[0] if len(names) == 1 else remote


def _named(words: list[str]) -> tuple[str, list[str]]:
    """The remote, and what of this repository is sent."""
    operands: list[str] = []
    sources = ["HEAD"]
    takes = False
    for word in words:
        if takes or not word.startswith("-"):
            operands += [] if takes else [word]
            takes = False
        elif word in ("--all", "--branches", "--mirror"):
            sources.append("--branches")
            sources += ["--tags"] if word == "--mirror" else []
        elif word in ("--tags", "--follow-tags"):
            sources.append("--tags")
        else:
            takes = word in _TAKES_VALUE
    return (operands or [""])[0], _sent(sources, operands[1:])


def _sent(sources: list[str], refspecs: list[str]) -> list[str]:
    names = [word.lstrip("+").partition(":")[0] for word in refspecs]
    if names and all(map(_COMMIT.fullmatch, names)):
        sources = sources[1:]  # these commits and no others, wherever HEAD is
    return [*sources, *(n for n in names if n and not n.startswith(("-", "^")))]


def _is_name(remote: str) -> bool:
    return bool(remote) and not any(c in remote for c in ":/\\*?[") and not remote.startswith(".")


def _commits(shown: str) -> Iterator[tuple[str, list[PushedText]]]:
    for text in f"\n{shown}".split("\n\x1e")[1:]:
        head, _, rest = text.partition("\n")
        name, _, subject = head.partition(" ")
        name, head = name[:SHORT], f"{name[:SHORT]} {subject}"
        message, path = [head], ""
        lines: list[str] = []
        parts: list[PushedText] = []
        for line in rest.split("\n"):
            if line.startswith("+++ "):
                parts += [PushedText(f"{path} in {name}", path, "\n".join(lines))] if path else []
                path, lines = line[4:].removeprefix("b/").rstrip("\t"), []
            elif line.startswith("+"):
                lines.append(line[1:])
            elif line.startswith(" ") and not path:
                message.append(line[1:])
        parts += [PushedText(f"{path} in {name}", path, "\n".join(lines))] if path else []
        yield (
            head,
            [
                *(p for p in parts if p.path != "/dev/null"),
                PushedText(f"the message of {name}", "", "\n".join(message)),
            ],
        )


def _commits_now(fact: Fact) -> bool:
    return isinstance(fact, Command) and fact.action.key[:2] in (("git", "commit"), ("git", "add"), ("git", "stage"))


def _adds(facts: tuple[Fact, ...]) -> bool:
    """Whether files may come into the commit that git does not track yet: `git commit` alone takes none."""
    if any(isinstance(f, Unknown) for f in facts):
        return True
    of_git = {f.action.key[1:2] for f in facts if isinstance(f, Command) and f.action.key[:1] == ("git",)}
    return not of_git <= {(name,) for name in _ADDS_NOTHING}


_ADDS_NOTHING = "commit push status log diff show".split()


def _work_tree(directory: str, *, new: bool) -> Iterator[PushedText]:
    """Where the same call commits before it pushes: what has changed since the last commit, and with `new` what is."""
    dated = quiet_git(directory, ("log", "-1", "--no-show-signature", "--format=%ct"))
    since = int(dated) if dated and dated.strip().isdigit() else 0
    others = ("--others", "--exclude-standard") if new else ()
    listed = quiet_git(directory, ("ls-files", "-z", "--cached", *others)) or b""
    count = 0
    for name in map(os.fsdecode, filter(None, listed.split(b"\0"))):
        path = os.path.join(directory, name)
        try:
            found = os.lstat(path)
            if (
                found.st_mtime < since
                or found.st_size > MAX_FILE_BYTES
                or not os.path.isfile(path)
                or count >= MAX_FILES
            ):
                continue
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            continue
        count += 1
        if b"\0" not in data:
            yield PushedText(f"{name} (not committed yet)", name, data.decode("utf-8", "replace"))
