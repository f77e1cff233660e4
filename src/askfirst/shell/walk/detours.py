"""Detours whose meaning an earlier command of the same script may have changed: `ln -s ~ l; echo x >> l/.bashrc`.

Paths are resolved on the disk as it is before anything runs. A link that the script makes, a directory that it moves, a
tree that it unpacks are not there yet, so that a path through such a place may lead elsewhere. What is known of it:

    nothing             a link, an unpacked archive, another branch: whatever goes through it is not known
    where it came from  moved, or copied with its links: known where there is no link in the origin, either
    it is gone          deleted or moved away: known where no link was in the way

One value for a whole analysis, texts inside texts included. It only grows; where commands may run in another order than
they stand in (loops, functions, jobs), the text is walked again with all of it (`again`).
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from askfirst.knowledge.globs import fold
from askfirst.links import MAX_LINKS, other_names
from askfirst.model import Action, Assignment, Word, Write
from askfirst.shell.syntax import Pipeline, Simple

if TYPE_CHECKING:
    from askfirst.shell.call import Call, Outcome
    from askfirst.shell.surroundings import Surroundings

# From where it came: a directory, and the one name in it that did ("": all of it). None: it may be anything.
Origins: TypeAlias = tuple[tuple[str, str], ...] | None

UNPACKERS = frozenset("tar bsdtar unzip 7z 7za 7zz cpio pax ar jar unrar unsquashfs patch".split())
MOUNTS = frozenset("mount umount fusermount fusermount3 sshfs bindfs".split())
# Sub-commands of git that write the files of another commit, links among them.
GIT_TREES = frozenset(
    """
am apply checkout checkout-index cherry-pick clone merge pull read-tree rebase reset restore revert sparse-checkout
stash submodule switch worktree
""".split()
)
# Sub-commands of git after which a branch, or what was put aside, may be another commit than the one that is there now.
GIT_MOVES = frozenset(
    """
am bisect cherry-pick clone config fetch filter-branch init merge pull rebase remote replace reset revert stash
symbolic-ref update-ref worktree
""".split()
)
LISTS = (("stash", "list"), ("stash", "show"))
SWITCHES = (("checkout",), ("switch",), ("stash",))
# Options of cp with which a link stays a link. `-s` asks.
KEEPS_LINKS = frozenset("adPrRl")
KEEPS_LINKS_LONG = ("--archive", "--no-dereference", "--recursive", "--link", "--preserve")
GNU_NAMES = {f"g{name}": name for name in ("mv", "cp", "ln", "link", "rm", "rmdir", "tar")}  # as macOS calls them
ONCE = frozenset(
    "sh bash dash ash zsh busybox env timeout nice nohup stdbuf setsid command builtin eval exec flock".split()
)
EVERYWHERE = "/"


class Detours:
    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.changed: dict[str, list[Origins]] = {}
        self.trees: set[str] = set()  # work trees in which git writes other files
        self.count = 0  # how often something was noted
        self.lost = False  # `cd` may have led through such a place
        self.again = False  # the order of the text is not the order in which things happen
        self.doubts: list[str] = []  # paths that were asked for and are not known
        self.git_moves: list[Outcome] = []
        self.exported: list[Assignment] = []  # variables that mean what the programs of the script make of them
        self.names: dict[str, dict[str, bool]] = {}  # path -> the other names by which links led there

    @property
    def noted(self) -> tuple[int, int]:
        """Grows with all that is noted: what is known of a call is for what was before it."""
        return self.count, len(self.git_moves)

    # -- what a path means

    def path(self, text: str, cwd: str | None) -> str | None:
        """What stands there now, as Surroundings.real_path; and a doubt, where the script may have changed it."""
        found = self.surroundings.real_path(text, cwd)
        if found is not None:
            self.note_names(text if text.startswith("/") else f"{cwd}/{text}", found)
        if not self.count:
            return found
        if found is None:
            if self.lost and not text.startswith("/"):
                self.doubts.append(text)
            return None
        in_tree = any(found == tree or found.startswith(tree.rstrip("/") + "/") for tree in self.trees)
        if not in_tree and self.leads_by_known_ways(text if text.startswith("/") else f"{cwd}/{text}"):
            return found
        self.doubts.append(text)
        return found

    def note_names(self, whole: str, found: str) -> None:
        if os.path.normpath(whole) != found and not found.startswith("/proc/"):
            around = self.surroundings
            names = other_names(whole, around.project, around.home, around.link_target)
            self.names.setdefault(found, {}).update(names)

    def leads_by_known_ways(self, path: str) -> bool:
        """Whether no link on the way leads through a changed place."""
        for _ in range(MAX_LINKS):
            if not self.is_known(path):
                return False
            names = path.split("/")
            for k in range(2, len(names) + 1):
                place = "/".join(names[:k])
                target = self.surroundings.link_target(place)
                if target is not None:
                    path = os.path.join(os.path.dirname(place), target, *names[k:])
                    break
            else:
                return True
        return False

    def is_known(self, path: str) -> bool:
        names = path.split("/")
        for k in range(len(names) + 1):
            place = os.path.normpath("/".join(names[:k]) or "/")
            rest = [name for name in names[k:] if name]
            for origins in self.changed.get(fold(place), ()):
                if origins is None or ".." in rest or not self.is_plain(place, rest, origins):
                    return False
        return True

    def is_plain(self, place: str, rest: list[str], origins: tuple[tuple[str, str], ...]) -> bool:
        """Whether no link is on the way, neither where the place is nor where it came from."""
        whole = os.path.join(place, *rest)
        if self.surroundings.real_path(whole, None) != whole:
            return False
        for directory, name in origins:
            origin = os.path.join(directory, *rest)
            if (not name or rest[:1] == [name]) and self.surroundings.real_path(origin, None) != origin:
                return False
        return True

    def check_program(self, call: Call) -> None:
        """A program that is named by its path. git's other files are left out: what they run is the project's code."""
        path = call.name if call.name.startswith("/") else f"{call.cwd}/{call.name}"
        if self.changed and not self.leads_by_known_ways(path):
            self.doubts.append(call.name)

    def take_doubts(self) -> list[str]:
        taken, self.doubts = self.doubts, []
        return taken

    # -- what a call changes

    def after(self, call: Call, outcome: Outcome) -> None:
        """Notes what a call changes."""
        name, words = call.name.rpartition("/")[2], call.words[1:]
        name = GNU_NAMES.get(name, name)
        if name == "git":
            # Where a branch that git goes to is allowed, it was read, and no link is in what it changes.
            if not (outcome.action.allowed and outcome.action.key[1:2] in SWITCHES):
                self.after_git(call, words)
            if moves_git(outcome.action):
                self.git_moves.append(outcome)
        elif name in ("mv", "cp", "ln", "link", "rsync"):
            self.transfer(name, words, call.cwd)
        elif name in ("rm", "unlink", "rmdir"):
            for word in operands(words)[0]:
                self.note_gone(word, call.cwd)
        elif name in MOUNTS:
            self.note_path(EVERYWHERE, None)
        elif name in UNPACKERS:
            for fact in outcome.facts:
                if isinstance(fact, Write):
                    self.note_path(fact.path or EVERYWHERE, None)

    def after_git(self, call: Call, words: tuple[Word, ...]) -> None:
        for k, word in enumerate(words):
            if word.value == "mv":
                self.transfer("mv", words[k + 1 :], call.cwd if k == 0 else None)  # `git -C DIRECTORY mv`
                return
            if word.value in GIT_TREES:
                self.trees.update((self.surroundings.project or EVERYWHERE, call.cwd or EVERYWHERE))
                self.count += 1
                for one in operands(words[k + 1 :])[0]:  # `git clone URL DIRECTORY`
                    self.note(one, call.cwd, None)
                return

    def transfer(self, name: str, words: tuple[Word, ...], cwd: str | None) -> None:
        if name == "cp" and not keeps_links(words):
            return
        given, targets = sides(name, words)
        links = name in ("ln", "link") or has_option(words, "l" if name == "cp" else "", ("--link", "--exchange"))
        origins: Origins = None if links else self.origins(given, cwd)
        for word in targets:
            self.note(word, cwd, origins)
            if has_option(words, "bS", ("--backup", "--suffix")):
                self.note_beside(word, cwd)
        if not targets:  # `ln -s ../x`
            self.note_path(cwd or EVERYWHERE, None)
        for word in given if name == "mv" else ():
            if origins is None or self.holds(word, cwd):
                self.note(word, cwd, None)
            else:
                self.note_gone(word, cwd)

    def origins(self, words: list[Word], cwd: str | None) -> Origins:
        out: list[tuple[str, str]] = []
        for word in words:
            text = (word.value if word.value is not None else word.prefix).rstrip("/") or "/"
            place = self.lexical(text, cwd)
            if place is None or (word.value is None and not word.glob):
                return None
            directory, _, name = place.rpartition("/")
            if word.value is None:
                if "/" in word.text[len(word.prefix) :]:
                    return None  # `*/x`
                out.append((directory or "/", ""))
            elif not self.is_known(place) or self.surroundings.real_path(place, None) != place:
                return None  # a link itself, or what the script has made of it
            else:
                out += [(place, ""), (directory or "/", name)]
        return tuple(out)

    def note_beside(self, word: Word, cwd: str | None) -> None:
        """What was there, a link perhaps, is kept under another name."""
        place = self.lexical(word.value, cwd) if word.value else None
        self.note_path(os.path.dirname(place) if place else EVERYWHERE, None)

    def note_gone(self, word: Word, cwd: str | None) -> None:
        if word.value and self.lexical(word.value, cwd) is not None:
            self.note(word, cwd, ())

    def note(self, word: Word, cwd: str | None, origins: Origins) -> None:
        if word.value is None and word.glob:
            head = word.prefix.rpartition("/")[0] or ("/" if word.prefix.startswith("/") else ".")
            place = self.lexical(head, cwd)
        else:
            place = self.lexical(word.value, cwd) if word.value else None
        if place is None:
            self.note_path(EVERYWHERE, None)
            return
        self.note_path(place, origins)
        real = self.surroundings.real_path(place, None)
        if real and real != place:
            self.note_path(real, origins)

    def note_path(self, path: str, origins: Origins) -> None:
        known = self.changed.setdefault(fold(path), [])
        if origins not in known:
            known.append(origins)
            self.count += 1

    def holds(self, word: Word, cwd: str | None) -> bool:
        """Whether the shell stands in what the word names, and goes with it."""
        place = self.lexical(word.value, cwd) if word.value else None
        return cwd is None or place is None or f"{cwd}/".startswith(f"{place}/")

    def lexical(self, text: str, cwd: str | None) -> str | None:
        """The place itself, not what it leads to: links on the way are resolved, the last name is not."""
        text = text.rstrip("/") or "/"
        head, _, name = text.rpartition("/")
        if name in ("", ".", ".."):
            return self.surroundings.real_path(text, cwd)
        folder = self.surroundings.real_path(head or ("/" if text.startswith("/") else "."), cwd)
        return None if folder is None else os.path.join(folder, name)


def moves_git(action: Action) -> bool:
    """Whether a branch, or what was put aside, may be another commit after it. What is not known may do anything."""
    sub = action.key[1:2]
    return action.key[1:3] not in LISTS if sub and sub[0] in GIT_MOVES else not sub and not action.allowed


def sides(name: str, words: tuple[Word, ...]) -> tuple[list[Word], list[Word]]:
    """From what, and where to; nowhere for `ln -s ../x`."""
    given, targets = operands(words, takes_target=name != "rsync")
    return (given[:-1], given[-1:]) if not targets and len(given) > 1 else (given, targets)


def operands(words: tuple[Word, ...], *, takes_target: bool = False) -> tuple[list[Word], list[Word]]:
    """The words that are no options, and the values of `-t DIRECTORY` where the program has it."""
    given: list[Word] = []
    targets: list[Word] = []
    ended = follows = False
    for word in words:
        text = word.value if word.value is not None else word.prefix
        if follows:
            targets.append(word)
            follows = False
        elif ended or not text.startswith("-") or text == "-":
            given.append(word)
        elif text == "--":
            ended = True
        elif not takes_target:
            continue
        elif text.startswith("--"):
            follows = text == "--target-directory"
            if text.startswith("--t") and "=" in text:
                targets.append(replace(word, value=text.partition("=")[2]))
        elif "t" in text:
            glued = text.partition("t")[2]
            follows = not glued
            targets += [replace(word, value=glued)] if glued else []
    return given, targets


def has_option(words: tuple[Word, ...], letters: str, longs: tuple[str, ...]) -> bool:
    texts = [w.value if w.value is not None else w.prefix for w in words]
    return any(
        text.startswith(longs) or (text[:1] == "-" and text[1:2] != "-" and not set(letters).isdisjoint(text))
        for text in texts
    )


def keeps_links(words: tuple[Word, ...]) -> bool:
    return has_option(words, "".join(KEEPS_LINKS), KEEPS_LINKS_LONG)


# -- in which order


def is_straight(pipeline: Pipeline) -> bool:
    """Whether it is one command, which runs one time and alone."""
    return len(pipeline.commands) == 1 and isinstance(pipeline.commands[0], Simple)


def runs_later(text: str, *, functions: bool) -> bool:
    """Whether something in a text may run later than where it stands: functions, traps, jobs, substituted processes."""
    for sign in ("&&", ">&", "<&", "&>"):
        text = text.replace(sign, "")
    return functions or any(sign in text for sign in ("&", "trap", "coproc", ">(", "<("))


def runs_once(via: tuple[str, ...]) -> bool:
    """Whether what a call was reached by runs it one time; `find -exec` and `watch` do not."""
    return all(way.split(" ")[0] in ONCE for way in via)
