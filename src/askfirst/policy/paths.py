"""Judges files: may this be written, may that be read. Pure: the facts carry real paths, and what a write does to the file on disk
(Write.change) where somebody looked; nothing here touches a disk.

The checks stand in order of power: what no file may lift (devices, the gate's own files, what runs outside the project), what the
settings forbid, what a person should see, and last what is simply allowed. A path that is not known asks.
"""

from __future__ import annotations

import sys

from askfirst._record import Record
from askfirst.knowledge import places
from askfirst.model import Change, Decision, Finding, Layer, Origin, Write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from askfirst.model import Read
    from askfirst.policy.rules import Layers, WriteSettings

    T = TypeVar("T")

FILE_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "propose"})
EDIT_TOOLS = frozenset({"Edit", "MultiEdit", "NotebookEdit"})
# What makes a path another thing than it was: whoever moves, links or deletes a parent, moves what is protected below it.
UPROOTING = frozenset({"delete", "move", "link"})


class Place(Record):
    """A path in the forms that rules compare: folded, and relative to the project, to a home, or to nothing."""

    path: str  # folded, absolute
    inside: str | None  # folded, relative to the project; "" is the project itself; None outside
    home: str | None  # folded, relative to somebody's home

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def local(self) -> str:
        """What patterns of any depth are compared with: a project that itself lies below `.claude/worktrees` is not protected by that."""
        return self.path[1:] if self.inside is None else self.inside


def fold(path: str) -> str:
    """One spelling for all that a case-insensitive or normalising file system takes for the same name."""
    if path.isascii():
        return path.lower()
    import unicodedata

    # HFS+ ignores these characters in names: `.cl\u200caude` opens `.claude` (the hole behind CVE-2014-9390).
    ignored = {*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0x00AD}
    return unicodedata.normalize("NFKC", "".join(c for c in path if ord(c) not in ignored)).casefold()


def below(path: str, parent: str) -> str | None:
    """`path` relative to `parent`; "" when they are the same; None when it is not below."""
    parent = parent.rstrip("/")
    if path == parent or (not parent and path == "/"):
        return ""
    return path[len(parent) + 1 :] if path.startswith(parent + "/") else None


def place_of(path: str, layers: Layers) -> Place:
    folded = fold(path).rstrip("/") or "/"
    inside = below(folded, fold(layers.project)) if layers.project else None
    if inside is not None and inside.startswith(".claude/worktrees/") and inside.count("/") > 2:
        inside = inside.split("/", 3)[3]  # a work tree that the agent's client made: a project like any other
    return Place(folded, inside, _home_relative(folded, fold(layers.home) if layers.home else ""))


def _home_relative(path: str, home: str) -> str | None:
    if home and home != "/":
        relative = below(path, home)
        if relative is not None:
            return relative
    parts = path.split("/")
    if len(parts) > 1 and parts[1] == "root":
        return "/".join(parts[2:])
    if len(parts) > 2 and parts[1] in ("home", "users"):
        return "/".join(parts[3:])
    if len(parts) > 3 and parts[1:3] == ["var", "root"]:
        return "/".join(parts[3:])
    return None


# --- patterns -------------------------------------------------------------------------------------------------------------------


def wild(pattern: str, text: str) -> bool:
    """One part of a path against `*` and `?` (and `[…]`), in linear time."""
    if "[" in pattern:
        from fnmatch import fnmatchcase

        return fnmatchcase(text, pattern)
    before, star_sign, after = pattern.partition("*")
    if "?" not in pattern and "*" not in after:
        if not star_sign:
            return pattern == text
        return len(text) >= len(before) + len(after) and text.startswith(before) and text.endswith(after)
    at = back = 0
    star = -1
    p = 0
    while at < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star, back, p = p, at, p + 1
        elif p < len(pattern) and pattern[p] in ("?", text[at]):
            p, at = p + 1, at + 1
        elif star >= 0:
            back += 1
            p, at = star + 1, back
        else:
            return False
    return pattern[p:].strip("*") == ""


def glob(pattern: str, path: str) -> bool:
    """`**` is any number of parts, also none: `secrets/**` is also `secrets` itself."""
    return _glob(pattern.split("/"), path.split("/") if path else [])


def _glob(pattern: list[str], parts: list[str]) -> bool:
    for index, piece in enumerate(pattern):
        if piece == "**":
            rest = pattern[index + 1 :]
            return not rest or any(_glob(rest, parts[start:]) for start in range(index, len(parts) + 1))
        if index >= len(parts) or not wild(piece, parts[index]):
            return False
    return len(parts) == len(pattern)


def matches(pattern: str, place: Place) -> bool:
    """A pattern of places.py or of a settings file: `~/…`, `/…`, or at any depth."""
    pattern = fold(pattern)
    if pattern.startswith("~/"):
        return place.home is not None and glob(pattern[2:], place.home)
    if pattern.startswith("/"):
        return glob(pattern[1:], place.path[1:])
    return glob(pattern, place.local)


class Patterns:
    """Many patterns at once: one whose plain part does not stand in the path cannot match, and is not tried."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self.by_part: dict[str, list[int]] = {}
        self.others: list[int] = []
        for number, pattern in enumerate(self.patterns):
            plain = [part for part in fold(pattern).split("/") if part not in ("", "~") and not _has_signs(part)]
            (self.by_part.setdefault(plain[-1], []) if plain else self.others).append(number)

    def hits(self, place: Place) -> Iterator[int]:
        """The numbers of those that match, in order. (Every form of a place is an end of its path, so the path has all its parts.)"""
        numbers = list(self.others)
        for part in {*place.path.split("/")}:
            numbers += self.by_part.get(part, ())
        return (n for n in sorted(numbers) if matches(self.patterns[n], place))


class Names:
    """Many patterns of file names at once, in groups."""

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        self.plain: dict[str, int] = {}
        self.others: list[tuple[int, str]] = []
        for number, names in enumerate(groups):
            for name in names:
                if _has_signs(name):
                    self.others.append((number, name))
                else:
                    self.plain.setdefault(name, number)
        signs = [pattern for _, pattern in self.others]
        self.ends = tuple(p[1:] for p in signs if p[0] == "*" and not _has_signs(p[1:]))
        self.starts = tuple(p[:-1] for p in signs if p[-1] == "*" and not _has_signs(p[:-1]))
        self.rest = tuple(p for p in signs if p[1:] not in self.ends and p[:-1] not in self.starts)

    def have(self, name: str) -> bool:
        return self.group(name) is not None

    def group(self, name: str) -> int | None:
        """The number of the first group that has a pattern for this name."""
        plain = self.plain.get(name)
        if (
            not name.endswith(self.ends)
            and not name.startswith(self.starts)
            and not any(wild(p, name) for p in self.rest)
        ):
            return plain
        for number, pattern in self.others:
            if plain is not None and number >= plain:
                return plain
            if wild(pattern, name):
                return number
        return plain


def _has_signs(part: str) -> bool:
    return "*" in part or "?" in part or "[" in part


def _once(build: Callable[[], T]) -> Callable[[], T]:
    """Built when it is first needed: most hooks judge no file."""
    made: list[T] = []

    def get() -> T:
        if not made:
            made.append(build())
        return made[0]

    return get


_protected = _once(lambda: Patterns(pattern for pattern, _, _ in places.PROTECTED))
_auto_loaded_dirs = _once(lambda: Patterns(pattern for pattern, _ in places.AUTO_LOADED_DIRS))
_auto_loaded_names = _once(lambda: Names(places.AUTO_LOADED.values()))
_secret_places = _once(lambda: Patterns(places.SECRET_PLACES))
_secret_names = _once(lambda: Names((places.SECRET_NAMES,)))
_not_secret = _once(lambda: Names((places.NOT_SECRET,)))


def leads_to(place: Place, pattern: str) -> bool:
    """Does the tree below this place hold what an anchored pattern (`/…`, `~/…`) protects?"""
    pattern = fold(pattern)
    if pattern.startswith("~/"):
        return place.home is not None and _leads_to(place.home, pattern[2:])
    return pattern.startswith("/") and _leads_to(place.path[1:], pattern[1:])


def _leads_to(path: str, pattern: str) -> bool:
    parts, wanted = path.split("/") if path else [], pattern.split("/")
    return len(parts) < len(wanted) and all(wild(w, p) for w, p in zip(wanted, parts, strict=False) if w != "**")


# --- writes ---------------------------------------------------------------------------------------------------------------------


def judge_write(write: Write, layers: Layers) -> Finding:
    """The finding for one write. The first check that has something to say decides."""
    if write.path is None:
        named = _named_home(write.text)
        blocked = _gate(write, place_of(named, layers), layers) if named else None
        if blocked is not None:
            return blocked
        if "askfirst" in write.text and ("which " in write.text or "command -" in write.text):
            return _block(write, "gate-code", f"{write.text} is the askfirst program")
        return _ask(write, "unknown-path", f"where `{write.text}` would be written is not known")
    place = place_of(write.path, layers)
    for check in (_device, _gate, _uprooted, _settings, _substance, _auto_loaded):
        finding = check(write, place, layers)
        if finding is not None:
            return finding
    return _by_place(write, place)


def _named_home(text: str) -> str:
    """`~ann/.bashrc`: where ann's home is only the shell knows, but what stands there is somebody's."""
    name, slash, rest = text.strip("\"'").partition("/")
    return (
        f"/home/{name[1:]}/{rest}"
        if slash and name.startswith("~") and name[1:].replace("-", "").replace("_", "").isalnum()
        else ""
    )


def _device(write: Write, place: Place, layers: Layers) -> Finding | None:
    device = below(place.path, "/dev")
    if not device:
        return None
    if device in places.HARMLESS_DEVICES and write.how not in UPROOTING:
        return _allow(write, "harmless-device", "goes nowhere")
    if any(glob(fold(p), device) for p in places.BLOCK_DEVICES):
        return _block(write, "block-device", f"writes to the device {place.path}", advice="write to a file")
    if device.startswith(("tcp/", "udp/")):
        return _ask(write, "network-device", "bash opens a network connection for this path")
    if device == "tty" or device.startswith(("pts/", "tty", "console")):
        return _ask(write, "terminal", "writes to a terminal, where it could draw a false dialog")
    return _ask(write, "device", f"{place.path} is a device")


def _gate(write: Write, place: Place, layers: Layers) -> Finding | None:
    for directory in layers.own_dirs:
        if below(place.path, fold(directory)) is not None:
            return _block(write, "gate-state", f"{write.text} belongs to askfirst's configuration and state")
    for pattern in layers.settings.protected_paths:
        if matches(pattern, place) or matches(f"{pattern.rstrip('/')}/**", place):
            return _block(
                write,
                "protected-path",
                f"{write.text} is a protected path",
                advice="ask the person to change it by hand",
            )
    if place.name == ".git" and write.how in ("overwrite", "append", "link") and not write.below:
        return _block(write, "git-config", f"{write.text} tells git where its repository and hooks are")
    for number in _protected().hits(place):
        if any(matches(p, place) for p in places.PROTECTED_NOTES) and write.how not in UPROOTING:
            return _ask(write, "agent-notes", "the agent's own notes, next to its settings")
        _, rule, why = places.PROTECTED[number]
        return _block(write, rule, f"{write.text} is protected: {why}", advice="ask the person to change it by hand")
    return None


def _uprooted(write: Write, place: Place, layers: Layers) -> Finding | None:
    """Whole trees: the root, a home, the project and its parents, and parents of what is protected."""
    some = place.inside is not None and any(
        c in write.text for c in "*?["
    )  # `rm *.log`: some files of it, not the tree
    holds_project = bool(layers.project) and below(fold(layers.project), place.path) is not None
    if not some and (write.how in UPROOTING or (write.how == "mode" and write.below)):
        if place.path in places.SYSTEM_ROOTS or place.home == "" or (holds_project and write.how != "mode"):
            return _block(
                write,
                "root-tree",
                f"{_verb(write)} {place.path} as a whole",
                advice="name a directory inside the project",
            )
    if write.how in UPROOTING and not some:
        if place.name == ".git":
            return _block(write, "git-config", f"{write.text} holds the repository, its hooks and its configuration")
        for pattern in (*(p for p, _, _ in places.PROTECTED), *layers.settings.protected_paths, *layers.own_dirs):
            if leads_to(place, pattern):
                return _block(write, "protected-parent", f"{write.text} holds the protected {pattern}")
    if write.below and place.inside == "":
        return _ask(
            write,
            "project-tree",
            f"{_verb(write)} files of the project that are not named; protected ones may be among them",
        )
    if write.how == "extract":
        return _ask(write, "archive", "which files it would write is not known")
    if write.below and write.how == "delete":
        return _ask(write, "delete-tree", f"deletes everything below {write.text}")
    return None


def _verb(write: Write) -> str:
    verbs = {
        "delete": "deletes",
        "move": "moves",
        "link": "makes a link that leads to",
        "mode": "changes the permissions of",
    }
    return verbs.get(write.how, "writes")


def _settings(write: Write, place: Place, layers: Layers) -> Finding | None:
    """Deny globs, scope, size and directories for new files, from the organisation's and the project's files."""
    limits = layers.settings.writes
    tool = write.by in FILE_TOOLS
    new = write.change is not None and write.change.kind == "NEW"
    if any(matches(p, place) for p in limits.deny) and not _not_secret().have(place.name):
        if tool:
            return _forbid(
                write,
                "deny-glob",
                f"{write.text} holds secrets by its name; files like it are not written by agents",
                advice="write an example file, and let the person fill in the real one",
            )
        if not (
            write.by == "cp" and new and place.inside is not None
        ):  # `cp .env.example .env`: nothing is lost or shown
            return _ask(write, "deny-glob", f"{write.text} holds secrets by its name")
    if place.inside is None:
        return None
    scope = _scope(write, place.inside, limits.own, limits.read_only)
    if scope is not None:
        return scope
    # An edit writes what it adds; whoever edits a large file has not written it.
    size = write.change.grown if write.change is not None and write.by in EDIT_TOOLS else len(write.content or b"")
    if size > limits.max_kib * 1024:
        return _forbid(
            write,
            "too-large",
            f"{-(-size // 1024)} KiB are more than the limit of {limits.max_kib} KiB",
            advice="write a smaller file, or have the limit raised in the settings (writes: max_kib)",
        )
    if (
        new
        and not limits.create_anywhere
        and not _may_create(place.inside, limits.create_in)
        and _is_new_ground(write, limits)
    ):
        where = ", ".join(d or "the root" for d in limits.create_in)
        return _ask(
            write, "create-dir", f"new files are expected in {where}; the settings can name others (writes: create_in)"
        )
    return None


def _is_new_ground(write: Write, limits: WriteSettings) -> bool:
    """Where nobody has named the directories for new files, those that the project has are as good, and commands may make others."""
    return not limits.create_in_known or (
        write.by in FILE_TOOLS and write.change is not None and bool(write.change.fresh)
    )


def _scope(write: Write, inside: str, own: Iterable[str], read_only: Iterable[str]) -> Finding | None:
    for directory in read_only:
        if below(inside, fold(directory)) is not None:
            return _forbid(
                write, "read-only", f"{directory} is read-only here", advice="propose the change to its owners"
            )
    own = tuple(fold(d).strip("/") for d in own)
    if not own or any(below(inside, d) is not None for d in own):
        return None
    sibling = sibling_of(inside, own)
    if sibling:
        return _forbid(
            write, "sibling", f"{sibling} belongs to another service", advice=f"stay within {', '.join(own)}"
        )
    return _ask(write, "scope", f"outside of {', '.join(own)}")


def sibling_of(inside: str, own: Iterable[str]) -> str:
    """The neighbour of one's own service that this path lies in: `services/b` for own `services/a`."""
    for directory in own:
        parent, _, _ = directory.rpartition("/")
        relative = below(inside, parent) if parent else inside
        if parent and relative:
            return f"{parent}/{relative.split('/', 1)[0]}"
        if not parent and relative and "/" in relative:
            return relative.split("/", 1)[0]
    return ""


def _may_create(inside: str, create_in: Iterable[str]) -> bool:
    for directory in create_in:
        directory = fold(directory).strip("/")
        if (not directory and "/" not in inside) or (directory and below(inside, directory)):
            return True
    return False


def _substance(write: Write, place: Place, layers: Layers) -> Finding | None:
    """What the write does to the file, as far as somebody looked."""
    change = write.change
    if change is not None and change.odd:
        return _ask(write, "odd-target", f"{write.text}: {change.odd}")
    if change is not None and change.secrets:
        return _ask(write, "secret-content", f"brings a secret into {write.text}: {'; '.join(change.secrets[:3])}")
    if change is not None and is_replacement(change, layers):
        return _ask(
            write, "replace", f"replaces most of {write.text}: {describe(change)}; no automatic mode may do this"
        )
    if write.content == b"" and write.how == "overwrite" and (change is None or change.lines):
        return _ask(write, "empties", f"empties {write.text}")
    return None


def is_replacement(change: Change, layers: Layers) -> bool:
    """A file with more lines than the limit, of which at least the given share goes away: a person must see it, in every mode."""
    limits = layers.settings.writes
    return change.kind == "REPLACE" and change.lines > limits.replace_lines and change.ratio >= limits.replace_ratio


def describe(change: Change) -> str:
    """One line: `deletes 214 of 270 lines (80 %), among them class State, def run`."""
    text = f"deletes {change.deleted} of {change.lines} lines and adds {change.added} ({change.ratio:.0%} changed)"
    if not change.new:
        text = f"what would be there afterwards is not known, so all {change.lines} lines may go away"
    if change.names:
        more = f" and {len(change.names) - 4} more" if len(change.names) > 4 else ""
        text += ", DELETED: " + ", ".join(change.names[:4]) + more
    return text


def _auto_loaded(write: Write, place: Place, layers: Layers) -> Finding | None:
    if place.inside is None:
        return None
    if write.how in ("delete", "mode"):
        return None  # deletes or marks a file, but decides nothing about what runs
    name, change = place.name, write.change
    if name in places.PARTLY_LOADED and change is not None and change.new:
        if not change.runs:
            return None
        return _ask(write, "auto-loaded", f"changes {change.runs} in {write.text}, which tools run by themselves")
    for number in _auto_loaded_dirs().hits(place):
        pattern, why = places.AUTO_LOADED_DIRS[number]
        if not (pattern == "**/.git/**" and place.inside == ".git" and not write.below):
            return _ask(write, "auto-loaded", f"{write.text}: {why}")
    group = _auto_loaded_names().group(name)
    if group is not None:
        topic = list(places.AUTO_LOADED)[group]
        return _ask(
            write, "auto-loaded", f"{write.text} is loaded by itself ({topic}): it decides what later commands run"
        )
    stem = place.inside.split("/", 1)[0].removesuffix(".py") if place.inside.endswith((".py", ".so", ".pyc")) else ""
    if stem and (place.inside == f"{stem}.py" or "/__init__." in place.inside) and _shadows(stem):
        return _ask(
            write,
            "shadows-module",
            f"{write.text} would be imported instead of the module `{stem}` by Python tools started here",
        )
    return None


def _shadows(stem: str) -> bool:
    return stem not in places.NOT_SHADOWED and (stem in sys.stdlib_module_names or stem in places.SHADOWED_MODULES)


def _by_place(write: Write, place: Place) -> Finding:
    if place.inside is not None:
        return _allow(write, "write-in-project", "inside the project")
    if _is_scratch(write, place):
        return _allow(write, "scratch", "a data file in the scratch directory")
    return _ask(write, "outside", f"{_verb(write)} {write.path}, outside the project")


def _is_scratch(write: Write, place: Place) -> bool:
    """A data file directly named in /tmp. A path that climbs there (`../../tmp/x`) is not what its writer shows."""
    text = write.text.strip("\"'")
    return (
        write.by in places.SCRATCH_BY
        and write.how in ("overwrite", "append", "create")
        and not write.below
        and text.startswith(("/tmp/", "/var/tmp/", "/private/tmp/", "$TMPDIR/", "${TMPDIR}/"))
        and "/../" not in text
        and any(below(place.path, d) for d in places.SCRATCH_DIRS)
        and place.name.endswith(places.SCRATCH_ENDINGS)
        and not place.name.startswith(".")
        and not _auto_loaded_names().have(place.name)
    )


# --- reads ----------------------------------------------------------------------------------------------------------------------


def judge_read(read: Read, layers: Layers) -> Finding:
    """Secrets ask, whatever program shows them; everything else may be read."""
    if read.text.startswith("<(") or (read.path is None and read.by in places.COUNTERS):
        return _allow(read, "read", "shows no file's content by itself")
    if read.path is None:
        why = _unknown_read(read.text)
        return (
            _ask(read, "unknown-path", why) if why else _allow(read, "read", "no name that it can match holds secrets")
        )
    if _is_pattern(read.text) and (why := _may_match(read.text)):
        return _ask(read, "unknown-path", why)
    place = place_of(read.path, layers)
    if place.path == "/" or (place.home == "" and place.inside is None):
        return _ask(read, "read-home", f"reads everything below {read.path}, also keys and passwords")
    if is_secret(place) or any(below(place.path, fold(d)) is not None for d in layers.own_dirs[:1]):
        return _ask(read, "secret-read", f"{read.text} holds secrets")
    limits = layers.settings.writes
    if place.inside and limits.own:
        own = tuple(fold(d).strip("/") for d in limits.own)
        shared = (*own, *(fold(d).strip("/") for d in limits.read_only))
        if not any(below(place.inside, d) is not None for d in shared) and sibling_of(place.inside, own):
            return _forbid(
                read, "sibling", f"{read.text} belongs to another service", advice=f"stay within {', '.join(own)}"
            )
    return _allow(read, "read", "not a secret")


def is_secret(place: Place) -> bool:
    if _not_secret().have(place.name):
        return False
    copied = next((place.name.removesuffix(e) for e in places.COPIES if place.name.endswith(e)), place.name)
    if _secret_names().have(place.name) or _secret_names().have(copied):
        return True
    return next(_secret_places().hits(place), None) is not None


# Names a file name pattern is tried on. Stems nobody writes: `s*` is not after a key, `*.pem` is.
_SAMPLES = (
    ".env",
    ".env.local",
    *(f"\x01{name[1:]}" for name in places.SECRET_NAMES if name.startswith("*.")),
    "id_rsa",
    "id_ed25519",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".git-credentials",
    ".bash_history",
    ".zsh_history",
    "\x01_history",
    "credentials",
    "credentials.json",
    "secrets.yml",
    "shadow",
    "environ",
)
_ORDINARY = ("*.json", "*.yml", "*.yaml", "*.toml")  # all files of a common kind: not what a thief writes
_SAMPLE_DIRS = (".ssh", ".aws", ".gnupg", ".kube", ".azure", "secrets", ".secrets")


def _unknown_read(text: str) -> str:
    """Why a path that is only partly known may be a secret; "" when no secret's name fits."""
    if "$" in text or "`" in text:
        return f"which file `{text}` is, is not known"
    name = _plain(text).rpartition("/")[2]
    if not _is_pattern(text):
        secret = _secret_names().have(name) and not _not_secret().have(name)
        return f"`{text}` holds secrets by its name" if secret else f"where `{text}` is, is not known"
    return _may_match(text)


def _may_match(pattern: str) -> str:
    """Why a file name pattern (`.e*`, `~/.s*/*`) may be a secret's; "" when none fits."""
    *parents, name = _plain(pattern).split("/")
    for part in parents:
        if part in _SAMPLE_DIRS or (
            _is_pattern(part) and _says_something(part) and any(_shell_glob(part, d) for d in _SAMPLE_DIRS)
        ):
            return f"`{pattern}` may be a file that holds secrets"
    sample = "/".join("x" if _is_pattern(part) else part for part in (*parents, name))
    if any(glob(p, sample) for p in places.SECRET_PLACES if p.startswith("/")):
        return f"`{pattern}` may be a file that holds secrets"
    # (`prod*.env` ends like a secret, whatever its middle becomes.)
    hit = _secret_names().have(name) and not _not_secret().have(name)
    if _is_pattern(name) and not hit and not (name in _ORDINARY and pattern[:1] not in "~/$"):
        hit = _says_something(name) and any(_shell_glob(name, s) for s in _SAMPLES)
    return f"`{pattern}` may be a file that holds secrets" if hit else ""


def _plain(text: str) -> str:
    return fold(text.translate({ord(c): None for c in "\"'\\"}))


def _is_pattern(text: str) -> bool:
    return any(c in text for c in "*?[{")


def _says_something(pattern: str) -> bool:
    """A bare `*` is everyday work on all files here; a pattern with a letter or a dot is after something."""
    return any(c.isalnum() or c == "." for c in pattern)


def _shell_glob(pattern: str, name: str) -> bool:
    """As a shell matches: a leading dot wants a dot. Braces and brackets are taken for anything."""
    if name.startswith(".") and not pattern.startswith((".", "{", "[")):
        return False
    simple, skip = [], ""
    for c in pattern:
        if skip:
            skip = "" if c == skip else skip
        elif c in "[{":
            simple.append("*")
            skip = "]" if c == "[" else "}"
        else:
            simple.append(c)
    return wild("".join(simple), name)


# --- findings -------------------------------------------------------------------------------------------------------------------


def _allow(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ALLOW, reason, Origin(Layer.BUILTIN_ALLOW, rule))


def _ask(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ASK, reason, Origin(Layer.NOTHING, rule))


def _forbid(fact: Write | Read, rule: str, reason: str, advice: str = "") -> Finding:
    """By the settings: the organisation's or the project's files, or their defaults."""
    return Finding(fact, Decision.DENY, reason, Origin(Layer.ORG_BLOCK, rule, "write settings"), advice=advice)


def _block(fact: Write | Read, rule: str, reason: str, advice: str = "") -> Finding:
    return Finding(fact, Decision.DENY, reason, Origin(Layer.HARDCODED_BLOCK, rule), advice=advice)
